package study

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/peers/ethernet"
	"github.com/goldwire/goldwire/workload"

	"github.com/goldwire/goldwire/designs/edm"
)

// Claims returns what EDM (Su and Shrivastav, ASPLOS 2025) says of its fabric, measured on running networks.
func Claims() []claims.Claim {
	return claims.AtPoints(slices.Concat(
		pcsClaims(), schedulerClaims(), table1Claims(), stageClaims(), fabricClaims(), loadClaims(), figure8bClaims(),
		keyValueClaims(),
		faultClaims(), ethernetClaims(),
	), points...)
}

// cell is a cell of Table 1's EDM columns: cycles of 2.56 ns, as Figure 5 counts them, and nanoseconds as the table
// prints them (a row's sum where it prints terms).
type cell struct {
	name, place, text string
	read, write       int64
	readNs, writeNs   string
}

var table1 = []cell{
	{"compute-node", ComputeNode, "EDM's part at the compute node", 5, 11, "12.8", "28.16"},
	{"switch", Switch, "EDM's part at the switch", 11, 11, "28.16", "28.16"},
	{"memory-node", MemoryNode, "EDM's part at the memory node", 10, 3, "25.6", "7.68"},
	{"pcs", PCS, "eight traversals of the PCS", 16, 16, "40.96", "40.96"},
	{"wires", Wires, "four links: PMA, PMD, transceivers and fibre", 75, 75, "192", "192"},
	{"stack", "stack", "the network stack, PCS included", 42, 41, "107.52", "104.96"},
	{"total", "total", "the fabric's latency, wires included", 117, 116, "299.52", "296.96"},
}

// accesses are the columns of a stack in Table 1.
var accesses = []workload.MessageType{workload.Read, workload.Write}

func table1Claims() []claims.Claim {
	var list []claims.Claim
	for _, k := range accesses {
		for _, c := range table1 {
			n, printed := c.read, c.readNs
			if k == workload.Write {
				n, printed = c.write, c.writeNs
			}
			list = append(list, claims.Claim{
				ID: fmt.Sprintf("edm/table1/edm/%v/%s", k, c.name), Source: "EDM Table 1, Figure 5", Printed: printed + " ns",
				Text: fmt.Sprintf("Of a remote %v in an idle network, %s: %d cycles of 2.56 ns.", k, c.text, n),
				Note: "First block in, first block out; clocks and wires as in Aligned. What the table leaves out is in the " +
					"rows of the totals.",
				Judge: claims.Exactly(printed, "ns"), Expect: claims.Holds, Measure: tableCell(k, c),
			})
		}
	}
	for _, x := range []struct {
		stack       ethernet.Stack
		read, write string
	}{{ethernet.RawEthernet, "3.7", "1.9"}, {ethernet.RoCEv2, "6.8", "3.4"}, {ethernet.TCPIP, "12.7", "6.4"}} {
		for i, k := range accesses {
			want, band, note := []string{x.read, x.write}[i], "0.05", ""
			if want == "12.7" {
				band, note = "0.1", "The paper's ratio is of sums of rounded cells, 12.62 by the cells themselves: hence twice "+
					"half a unit of the last digit."
			}
			list = append(list, claims.Claim{
				ID: fmt.Sprintf("edm/4.2.1/%v/%v-ratio", x.stack, k), Source: "EDM §4.2.1", Printed: want + "×", Note: note,
				Text:  fmt.Sprintf("A remote %v over EDM is %s times as fast as over %v.", k, want, x.stack),
				Judge: claims.Within(want, band, ""), Expect: claims.Holds, Measure: ratioTo(x.stack, k),
			})
		}
	}
	return list
}

// tableCell sums the steps of a message's way that belong to a cell.
func tableCell(message workload.MessageType, c cell) claims.Measure {
	points := []latencyPoint{alignedAccess(message)}
	if c.place == "total" {
		points = append(points, besides(message)...)
	}
	return claims.OfAll(latency, points, func(xs []latencyResult) claims.Measurement {
		steps := xs[0].steps
		var sum clock.Time
		var rows []claims.Row
		n := 0
		for _, s := range steps {
			if c.place == s.Place || c.place == "total" || c.place == "stack" && s.Place != Wires {
				sum = sum.Add(s.Time())
				n++
				if c.place == s.Place {
					rows = append(rows, claims.Row{Kind: claims.Part, Label: s.What, Exact: s.Time().In(clock.Nanosecond)})
				}
			}
		}
		switch c.place {
		case "stack":
			rows = byPlace(steps, false)
		case "total":
			rows = append(byPlace(steps, true), leftOut(xs)...)
		}
		return claims.Nanoseconds(sum, "%d steps between edges of the first block's way, from %v to %v",
			n, steps[0].From, steps[len(steps)-1].To).With(rows...)
	})
}

// byPlace adds up the steps at each place of the table, with or without the wires.
func byPlace(steps []Step, wires bool) (rows []claims.Row) {
	for _, place := range []string{ComputeNode, Switch, MemoryNode, PCS, Wires} {
		var sum clock.Time
		for _, s := range steps {
			if s.Place == place {
				sum = sum.Add(s.Time())
			}
		}
		if place != Wires || wires {
			rows = append(rows, claims.Row{Kind: claims.Part, Label: place, Exact: sum.In(clock.Nanosecond)})
		}
	}
	return rows
}

// besides are accesses that Table 1's path leaves out: with DRAM, with wires of equal length, with clocks in random
// phases.
func besides(message workload.MessageType) []latencyPoint {
	dram, equal, phases := alignedAccess(message), alignedAccess(message), alignedAccess(message)
	dram.DRAM, equal.EqualWires, phases.Phases = clock.MustTime("50ns"), true, 40
	return []latencyPoint{dram, equal, phases}
}

// leftOut are rows of an access and further rows.
func leftOut(xs []latencyResult) []claims.Row {
	plain, dram, equal, phases := xs[0], xs[1], xs[2], xs[3].times
	least, most := slices.MinFunc(phases, clock.Time.Cmp), slices.MaxFunc(phases, clock.Time.Cmp)
	return []claims.Row{
		{Kind: claims.Variant, Label: "with four wires of 48 ns each", Exact: equal.first().In(clock.Nanosecond)},
		{
			Kind: claims.Variant, Label: "first block, least over 40 random phases of the clocks",
			Exact: least.In(clock.Nanosecond),
		},
		{Kind: claims.Variant, Label: "first block, most over them", Exact: most.In(clock.Nanosecond)},
		{Kind: claims.Variant, Label: "to the last of 64 bytes, from the application", Exact: big.NewRat(plain.last, 1000)},
		{Kind: claims.Variant, Label: "the same with 50 ns of DRAM", Exact: big.NewRat(dram.last, 1000)},
	}
}

// ratioTo divides the total of another stack's column by EDM's.
func ratioTo(stack ethernet.Stack, message workload.MessageType) claims.Measure {
	total := measureLegs(stack, message, unitOf(ethernetSums[stack][message][1]), allTheWay, allTheWay)
	return func(ctx context.Context, run *claims.Run) (m claims.Measurement, err error) {
		other, err := total(ctx, run)
		if err != nil {
			return other, err
		}
		theirs, _ := other.Exact.Float64()
		if other.Unit == "µs" {
			theirs *= 1000
		}
		return claims.Of(latency, alignedAccess(message), func(x latencyResult) claims.Measurement {
			ours, _ := x.first().In(clock.Nanosecond).Float64()
			return claims.Figure(theirs/ours, "", "%v against %.2f ns, each measured on its running network", other, ours)
		})(ctx, run)
	}
}

// stage is a latency of §3.2: the steps of a message's way that it covers.
type stage struct {
	id, source, text string
	cycles           int
	message          workload.MessageType
	steps            []string
}

func stageClaims() []claims.Claim {
	var list []claims.Claim
	for _, s := range []stage{
		{"3.2.1/generate-rreq", "§3.2.1", "Generating an RREQ takes 2 cycles.", 2, workload.Read,
			[]string{"read the message queue, create the block"}},
		{"3.2.1/generate-n", "§3.2.1", "Generating an /N/ block takes 2 cycles.", 2, workload.Write,
			[]string{"read the message queue, create the block"}},
		{"3.2.1/grant-queue", "§3.2.1", "Reading a grant from the grant queue, across the clocks, takes 4 cycles.", 4,
			workload.Write, []string{"read the grant queue"}},
		{"3.2.1/generate-wreq", "§3.2.1", "Generating the first block of a WREQ takes 3 cycles.", 3, workload.Write,
			[]string{"state table, data buffer, create the block"}},
		{"3.2.1/generate-rres", "§3.2.1", "Generating the first block of an RRES takes 3 cycles.", 3, workload.Read,
			[]string{"state table, data buffer, create the block"}},
		{"3.2.1/process-g", "§3.2.1", "Processing a /G/ block takes 2 cycles.", 2, workload.Write,
			[]string{"parse /G/", "add to the grant queue"}},
		{"3.2.1/process-rreq", "§3.2.1", "Processing an RREQ takes one cycle more.", 3, workload.Read,
			[]string{"parse, to the memory controller", "add to the grant queue"}},
		{"3.2.1/process-rres", "§3.2.1", "Processing a block of RRES takes 3 cycles.", 3, workload.Read,
			[]string{"parse, address, deliver"}},
		{"3.2.1/process-wreq", "§3.2.1", "Processing a block of WREQ takes 3 cycles.", 3, workload.Write,
			[]string{"parse, address, deliver"}},
		{"3.2.2/identify", "§3.2.2", "The switch identifies a block in 1 cycle.", 1, workload.Read, []string{"identify"}},
		{"3.2.2/generate-g", "§3.2.2", "Generating a /G/ block takes 1 cycle.", 1, workload.Write, []string{"generate /G/"}},
		{"3.2.2/forward", "§3.2.2", "Forwarding through a circuit takes 4 cycles.", 4, workload.Read,
			[]string{"forward: RX to TX clock"}},
	} {
		list = append(list, claims.Claim{
			ID: "edm/" + s.id, Source: "EDM " + s.source, Printed: printedCycles(s.cycles), Text: s.text,
			Judge: claims.Exactly(fmt.Sprint(s.cycles), "cycles"), Expect: claims.Holds, Measure: s.measure(),
		})
	}
	return list
}

func printedCycles(n int) string {
	if n == 1 {
		return "1 cycle"
	}
	return fmt.Sprintf("%d cycles", n)
}

func (s stage) measure() claims.Measure {
	return claims.Of(latency, alignedAccess(s.message), func(access latencyResult) claims.Measurement {
		var sum clock.Time
		found := 0
		for _, x := range access.steps {
			if slices.Contains(s.steps, x.What) {
				sum = sum.Add(x.Time())
				found++
			}
		}
		if found != len(s.steps) {
			return claims.Unfit("%d of %d steps seen", found, len(s.steps))
		}
		picture, err := stageWave(&access, s.steps)
		if err != nil {
			return claims.Unfit("%w", err)
		}
		m := claims.Exact(
			sum.In(clock.Block25G.Period()), "cycles", "between observed edges: %s", strings.Join(s.steps, "; "),
		)
		m.Wave = picture
		return m
	})
}

func fabricClaims() []claims.Claim {
	return []claims.Claim{
		{ID: "edm/3.1.1/meeting", Source: "EDM §3.1.1", Printed: "zero queuing",
			Text:  "Data of two sources never meets at an egress of the switch: nothing waits there for other data.",
			Note:  "A circuit outlasts its chunk by the blocks that a request can delay it. The paper's l/B counts data alone.",
			Judge: claims.Exactly("0", "blocks"), Expect: claims.Holds,
			Measure: waits("blocks", func(p *Point) int { return p.MostMeeting })},
		{ID: "edm/3.1.1/zero-queueing", Source: "EDM §3.1.1", Printed: "zero queuing",
			Text:  "No data waits in the switch.",
			Judge: claims.Exactly("0", "blocks"), Expect: claims.Deviates, Recorded: claims.AtMost("8", "blocks"),
			Reason: "Grants and requests share the egress links and are not scheduled: each holds data up by its blocks, " +
				"until the slack of the circuits lets it catch up.",
			Measure: waits("blocks", func(p *Point) int { return p.MostData })},
		{ID: "edm/3.1.1/in-order", Source: "EDM §3.1.1", Printed: "in order",
			Text: "Messages from one node to another are delivered in order, each once and whole.",
			Note: "In one direction. A read may overtake an earlier write of its pair: it needs no grant before it leaves, " +
				"and writes are not acknowledged.",
			Judge: claims.Exactly("0", "violations"), Expect: claims.Holds,
			Measure: waits("violations", func(p *Point) int { return p.Violations + p.Messages - p.Finished })},
		{ID: "edm/3.1.4/overhead", Source: "EDM §3.1.4", Printed: "6 %",
			Text:  "For chunks and writes of 64 B the bandwidth overhead of an /N/, and of a /G/, is at most 6 %.",
			Judge: claims.AtMost("6.5", "%"), Expect: claims.Deviates, Recorded: claims.Within("9.1", "0.1", "%"),
			Reason:  "33 bits are 6.4 % of 64 bytes, but each goes as a block of 66 bits: one for the 11 blocks of the write.",
			Measure: notificationOverhead},
		{ID: "edm/3.1.4/write-latency", Source: "EDM §3.1.4", Printed: "~RTT/2",
			Text: "The notification costs a write about half a round trip.",
			Note: "From the request's entry into the message queue to its grant in the grant queue, over the read's round " +
				"trip of 117 cycles.",
			Judge: claims.Within("0.5", "0.05", ""), Expect: claims.Holds, Measure: notificationLatency()},
		{ID: "edm/3.2.3/frame-buffer", Source: "EDM §3.2.3", Printed: "4 blocks",
			Text:  "The buffer for frames that are interrupted holds at most 4 blocks.",
			Judge: claims.AtMost("4", "blocks"), Expect: claims.Holds, Measure: mostFrames()},
		{ID: "edm/4.2.1/interference", Source: "EDM §4.2.1", Printed: "near-constant ~300 ns",
			Text: "Frames of 1,518 bytes on all links, back to back, do not change the latency of a lone read or write.",
			Note: "The greatest rise of the mean, or of the greatest, latency of 100 reads or writes, against the run " +
				"without frames.",
			Judge: claims.AtMost("1", "%"), Expect: claims.Holds, Measure: interferenceRise()},
	}
}

func notificationOverhead(ctx context.Context, run *claims.Run) (m claims.Measurement, err error) {
	l := Load{Offered: 0.5, Messages: 400, Sizes: workload.Fixed(64), Seed: run.Seed}
	cfg := edm.Config{Nodes: 2, Chunk: 64}
	messages, _, _, err := l.Make(cfg)
	if err != nil {
		return m, err
	}
	r, err := edm.Run(ctx, cfg, messages, edm.Options{})
	if err != nil {
		return m, err
	}
	return claims.Measurement{Exact: big.NewRat(100*int64(r.Up.Control), int64(r.Up.Data)), Unit: "%",
		Detail: fmt.Sprintf(
			"%d /N/ beside %d blocks of %d writes on the link to the switch", r.Up.Control, r.Up.Data, len(messages),
		),
		Rows: []claims.Row{
			{Label: "/G/ on the link back, against the same", Exact: big.NewRat(100*int64(r.Down.Control), int64(r.Down.Data))},
		}}, nil
}

func notificationLatency() claims.Measure {
	points := []latencyPoint{alignedAccess(workload.Write), alignedAccess(workload.Read)}
	return claims.OfAll(latency, points, func(xs []latencyResult) claims.Measurement {
		write := xs[0].steps
		i := slices.IndexFunc(write, func(s Step) bool { return s.What == "read the grant queue" })
		wait, trip := write[i].To.Sub(write[0].From), xs[1].first()
		return claims.Exact(wait.In(trip), "", "%v of %v", wait, trip)
	})
}

// mostFrames measures how many blocks of frames were held up before a transmit multiplexer.
func mostFrames() claims.Measure {
	return claims.Of(interference, interferencePoint{edm.Fair, true, 60}, func(x *Interference) claims.Measurement {
		finished := x.Read.Messages + x.Write.Messages
		if x.Damaged > 0 || finished != 60 {
			return claims.Unfit("%d frames damaged, %d of 60 messages finished", x.Damaged, finished)
		}
		return claims.Count(x.MostFrames, "blocks", "%d frames at %.1f Gb/s a link beside %d lone messages, %d damaged",
			x.Frames, x.FrameGbps, finished, x.Damaged)
	})
}

// interferenceRise compares latency beside frames with that without.
func interferenceRise() claims.Measure {
	points := []interferencePoint{{edm.Fair, false, 200}, {edm.Fair, true, 200}}
	return claims.OfAll(interference, points, func(xs []*Interference) claims.Measurement {
		clean, full := xs[0], xs[1]
		if full.Damaged > 0 || full.FrameGbps < 20 {
			return claims.Unfit("%d frames damaged, %.1f Gb/s of them a link", full.Damaged, full.FrameGbps)
		}
		rise := max(full.Read.Mean/clean.Read.Mean, full.Write.Mean/clean.Write.Mean, full.Read.Most/clean.Read.Most,
			full.Write.Most/clean.Write.Most)
		return claims.Figure(100*(rise-1), "%", "%d frames at %.1f Gb/s a link, all intact; to the last byte", full.Frames,
			full.FrameGbps).With(
			claims.Row{Label: "read, mean with frames", Value: full.Read.Mean, Unit: "ns"},
			claims.Row{Label: "read, mean without", Value: clean.Read.Mean, Unit: "ns"},
			claims.Row{Label: "write, mean with frames", Value: full.Write.Mean, Unit: "ns"},
			claims.Row{Label: "write, mean without", Value: clean.Write.Mean, Unit: "ns"})
	})
}

func keyValueClaims() []claims.Claim {
	list := []claims.Claim{}
	for _, w := range []struct{ name, recorded string }{{"A", "0.99"}, {"B", "0.94"}, {"F", "0.95"}} {
		list = append(list, claims.Claim{
			ID: "edm/fig6/ycsb-" + strings.ToLower(w.name), Source: "EDM §4.2.2, Figure 6", Printed: "2.7×",
			Text:  "On YCSB's workload " + w.name + " EDM serves about 2.7 times as many requests a second as RDMA.",
			Judge: claims.Within("2.7", "0.3", ""), Expect: claims.Deviates, Recorded: claims.Within(w.recorded, "0.05", ""),
			Reason: "The 1 kB responses fill the link in both: RoCEv2 with enough requests outstanding carries as many as " +
				"fit, and EDM's framing is no shorter. With one request at a time EDM serves 4 to 5 times as many.",
			Measure: keyValue(w.name),
		})
	}
	for _, w := range []struct {
		name, recorded string
		expect         claims.Verdict
	}{{"A", "2.06", claims.Deviates}, {"B", "5", claims.Deviates}, {"F", "", claims.Holds}} {
		c := claims.Claim{
			ID: "edm/fig6/request-link/ycsb-" + strings.ToLower(w.name), Source: "EDM §4.2.2, Figure 6", Printed: "2.7×",
			Text: "With the request link alone counted, EDM serves about 2.7 times as many requests a second as RDMA on " +
				"YCSB's workload " + w.name + ".",
			Note: "What the link from the compute node would carry if nothing else limited: the likely source of the paper's " +
				"figure, since the 1 kB responses limit both fabrics alike.",
			Judge: claims.Within("2.7", "0.3", ""), Expect: w.expect, Measure: requestLink(w.name),
		}
		if w.expect == claims.Deviates {
			c.Recorded = claims.Within(w.recorded, "0.05", "")
			c.Reason = "A read's request is 2 blocks against 98 bytes of line, a write of 100 B is 16 blocks against 198 " +
				"bytes: the factor follows the share of writes, and is 2.7 neither for a half nor for a twentieth."
		}
		list = append(list, c)
	}
	return append(list, claims.Claim{
		ID: "edm/fig7/cxl", Source: "EDM §4.2.2, Figure 7", Printed: "1.3×",
		Text:  "EDM's mean latency on workload A is within 1.3 times that of CXL, whatever the share of local objects.",
		Note:  "CXL at 25 Gb/s as packetnet has it: 48 ns a link, 100 ns in the switch. 50 ns of DRAM everywhere.",
		Judge: claims.AtMost("1.3", ""), Expect: claims.Holds,
		Measure: localShares("CXL", func(p kvLatency) (cxl, ratio float64) { return p.CXL, p.Ratio }),
	}, claims.Claim{
		ID: "edm/fig7/cxl-100g", Source: "EDM §4.2.2, Figure 7", Printed: "1.3×",
		Text:  "The same against CXL at 100 Gb/s.",
		Note:  "The paper does not say at which rate its CXL runs. EDM at 25 Gb/s, as its testbed.",
		Judge: claims.AtMost("1.3", ""), Expect: claims.Deviates, Recorded: claims.Within("1.5", "0.02", ""),
		Reason: "1,000 B last 320 ns on a link of 25 Gb/s and 80 ns on one of 100 Gb/s; that is more than all that the " +
			"fabrics differ by.",
		Measure: localShares("CXL at 100 Gb/s", func(p kvLatency) (cxl, ratio float64) { return p.CXL100, p.Ratio100 }),
	})
}

// localShares measures Figure 7: the greatest ratio over the shares of local objects.
func localShares(cxlName string, of func(kvLatency) (cxl, ratio float64)) claims.Measure {
	return claims.Of(keyValueStore, kvPoint{Local: []float64{0, 0.25, 0.5, 0.75, 1}}, func(x kvResult) claims.Measurement {
		m := claims.Figure(
			0, "",
			"lone reads of 1,000 B and writes of 100 B, measured on each fabric, mixed with local accesses; the greatest ratio",
		)
		for _, p := range x.Latency[:4] {
			cxl, ratio := of(p)
			m.Value = max(m.Value, ratio)
			for _, f := range []struct {
				name string
				ns   float64
			}{{"EDM", p.EDM}, {cxlName, cxl}, {"RDMA", p.RDMA}} {
				m.Rows = append(m.Rows, claims.Row{Kind: claims.Point, Series: f.name, At: p.Local, Value: f.ns, Unit: "ns",
					Label: fmt.Sprintf("%g %% local: %s", 100*p.Local, f.name)})
			}
		}
		return m
	})
}

func requestLink(name string) claims.Measure {
	return claims.Of(keyValueStore, kvPoint{Workload: name, Requests: 2000}, func(k kvResult) claims.Measurement {
		const what = "blocks, and bytes with preamble and gap, that %d requests put on the link at 25 Gb/s"
		return claims.Figure(k.RatioRequest, "", what, k.Requests).With(
			claims.Row{Kind: claims.Variant, Label: "EDM", Value: k.EDMRequestLink / 1e6, Unit: "M requests/s"},
			claims.Row{Kind: claims.Variant, Label: "RoCEv2", Value: k.RDMARequestLink / 1e6, Unit: "M requests/s"})
	})
}

func keyValue(name string) claims.Measure {
	return claims.Of(keyValueStore, kvPoint{Workload: name, Requests: 2000}, func(k kvResult) claims.Measurement {
		rate := func(label string, v float64) claims.Row {
			return claims.Row{Label: label, Value: v / 1e6, Unit: "M requests/s"}
		}
		return claims.Figure(k.Ratio, "", "%d requests, all there at once, over 25 Gb/s", k.Requests).With(
			rate("EDM", k.EDM), rate("RoCEv2, 64 outstanding", k.RDMA), rate("payload alone at 25 Gb/s", k.Bound),
			rate(
				"EDM, one at a time", k.EDMOne,
			), rate("RoCEv2, one at a time", k.RDMAOne), claims.Row{Label: "ratio, one at a time", Value: k.RatioOne})
	})
}
