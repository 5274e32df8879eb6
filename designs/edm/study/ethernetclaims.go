package study

import (
	"context"
	"fmt"
	"math/big"
	"strings"

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/peers/ethernet"
	"github.com/goldwire/goldwire/workload"

	"github.com/goldwire/goldwire/designs/edm"
)

// ethernetClaims returns the columns TCP/IP, RoCEv2 and raw Ethernet of Table 1. The latencies of a protocol stack, of
// a link and of the boxes of the layer-2 switch are the paper's own, which the model takes as parameters: they are
// given. All else is counted between edges on a running network. The table adds up what the first block of a frame
// meets; its omissions stand in the rows of the totals.
func ethernetClaims() []claims.Claim {
	cs := countedOnFrames()
	for i := range cs {
		if reason := givenBy(cs[i].ID); reason != "" {
			cs[i].Expect, cs[i].Reason, cs[i].Measure = claims.Given, reason, nil
		}
	}
	return cs
}

// givenBy says which parameter of package ethernet has a claim's figure, or nothing.
func givenBy(id string) string {
	const counted = "; that frames pass it this often is counted in the column's sums and in a test."
	switch id[strings.LastIndexByte(id, '/')+1:] {
	case "protocol":
		return "The latency of ethernet.Stack" + counted
	case "wires":
		return "The delay of the links of ethernet.Network" + counted
	case "parsing", "match-action", "packet-manager", "crossbar":
		return "The latency of this box of ethernet.Switch" + counted
	}
	return ""
}

// countedOnFrames returns all claims of the columns as if nothing were given, each counted on the first block of a lone
// frame.
func countedOnFrames() []claims.Claim {
	var cs []claims.Claim
	for _, stack := range []ethernet.Stack{ethernet.TCPIP, ethernet.RoCEv2, ethernet.RawEthernet} {
		for _, op := range []workload.MessageType{workload.Read, workload.Write} {
			cs = append(cs, ethernetColumn(stack, op)...)
		}
	}
	return append(cs, forwardingParts()...)
}

// leg is a part of a frame's way.
type leg struct{ from, to ethernet.Point }

// protocolStack is what Table 1 prints for a traversal of a protocol stack, in picoseconds.
var protocolStack = map[ethernet.Stack]int64{ethernet.TCPIP: 666_200, ethernet.RoCEv2: 230_200}

// ethernetCell is a cell of the table: the counts of the frame to the memory node and of the frame back.
type ethernetCell struct {
	id          string
	text        string
	there, back []leg
	each        int64 // picoseconds: what the table prints for one leg
}

// ethernetCells are the rows of the table above its sums. The protocol stack comes first.
var ethernetCells = []ethernetCell{
	{
		"compute/protocol", "protocol stack at the compute node", []leg{{ethernet.AtStack, ethernet.AtMAC}},
		[]leg{{ethernet.HostMAC, ethernet.Delivered}}, 0,
	},
	{
		"compute/mac", "MAC at the compute node", []leg{{ethernet.AtMAC, ethernet.AtPCS}},
		[]leg{{ethernet.HostPCS, ethernet.HostMAC}}, 7680,
	},
	{
		"compute/pcs", "PCS at the compute node", []leg{{ethernet.AtPCS, ethernet.AtLine}},
		[]leg{{ethernet.HostLine, ethernet.HostPCS}}, 7680,
	},
	{
		"switch/forwarding", "layer-2 forwarding", []leg{{ethernet.SwitchMAC, ethernet.SwitchCrossed}},
		[]leg{{ethernet.SwitchMAC, ethernet.SwitchCrossed}}, 400_000,
	},
	{
		"switch/mac", "MACs of the switch",
		[]leg{{ethernet.SwitchPCS, ethernet.SwitchMAC}, {ethernet.SwitchCrossed, ethernet.EgressPCS}},
		[]leg{{ethernet.SwitchPCS, ethernet.SwitchMAC}, {ethernet.SwitchCrossed, ethernet.EgressPCS}}, 7680,
	},
	{
		"switch/pcs", "PCSs of the switch",
		[]leg{{ethernet.SwitchLine, ethernet.SwitchPCS}, {ethernet.EgressPCS, ethernet.EgressLine}},
		[]leg{{ethernet.SwitchLine, ethernet.SwitchPCS}, {ethernet.EgressPCS, ethernet.EgressLine}}, 7680,
	},
	{
		"memory/protocol", "protocol stack at the memory node", []leg{{ethernet.HostMAC, ethernet.Delivered}},
		[]leg{{ethernet.AtStack, ethernet.AtMAC}}, 0,
	},
	{
		"memory/mac", "MAC at the memory node", []leg{{ethernet.HostPCS, ethernet.HostMAC}},
		[]leg{{ethernet.AtMAC, ethernet.AtPCS}}, 7680,
	},
	{
		"memory/pcs", "PCS at the memory node", []leg{{ethernet.HostLine, ethernet.HostPCS}},
		[]leg{{ethernet.AtPCS, ethernet.AtLine}}, 7680,
	},
}

// The ethernetSums of the table.
var (
	inStack = []leg{
		{ethernet.AtStack, ethernet.AtLine}, {ethernet.SwitchLine, ethernet.EgressLine},
		{ethernet.HostLine, ethernet.Delivered},
	}
	inWires   = []leg{{ethernet.AtLine, ethernet.SwitchLine}, {ethernet.EgressLine, ethernet.HostLine}}
	allTheWay = []leg{{ethernet.AtStack, ethernet.Delivered}}
)

// ethernetSums are the figures that the table prints below a column: network stack latency and total fabric latency.
var ethernetSums = map[ethernet.Stack]map[workload.MessageType][2]string{
	ethernet.TCPIP:       {workload.Read: {"3.59 µs", "3.79 µs"}, workload.Write: {"1.79 µs", "1.89 µs"}},
	ethernet.RoCEv2:      {workload.Read: {"1.84 µs", "2.03 µs"}, workload.Write: {"0.92 µs", "1.02 µs"}},
	ethernet.RawEthernet: {workload.Read: {"0.92 µs", "1.11 µs"}, workload.Write: {"461.44 ns", "557.44 ns"}},
}

// ethernetColumn is a column of the table for reads or for writes.
func ethernetColumn(stack ethernet.Stack, op workload.MessageType) []claims.Claim {
	id := fmt.Sprintf("edm/table1/%v/%v/", stack, op)
	names := map[ethernet.Stack]string{
		ethernet.TCPIP: "TCP/IP", ethernet.RoCEv2: "RoCEv2", ethernet.RawEthernet: "raw Ethernet",
	}
	of := fmt.Sprintf("a %v of 64 B over %s", op, names[stack])
	var cs []claims.Claim
	for _, c := range ethernetCells {
		if strings.HasSuffix(c.id, "protocol") {
			if c.each = protocolStack[stack]; c.each == 0 {
				continue // nothing stands between the application and the MAC
			}
		}
		legs := int64(len(c.there))
		if op == workload.Read {
			legs += int64(len(c.back))
		}
		printed := decimalNS(c.each) + " ns"
		if legs > 1 {
			printed = fmt.Sprintf("%d × %s", legs, printed)
		}
		cs = append(cs, claims.Claim{
			ID: id + c.id, Source: "EDM Table 1", Printed: printed,
			Text:  fmt.Sprintf("The %s, in %s.", c.text, of),
			Judge: claims.Exactly(decimalNS(legs*c.each), "ns"), Expect: claims.Holds,
			Measure: measureLegs(stack, op, "ns", c.there, c.back),
		})
	}
	// as the table prints them: 19 ns of PMA, PMD and transceiver at both ends of a link, 10 ns of fibre
	printedWires, wiresNS := "4 × 19 ns + 2 × 10 ns", "96"
	if op == workload.Read {
		printedWires, wiresNS = "8 × 19 ns + 4 × 10 ns", "192"
	}
	printed := ethernetSums[stack][op]
	stackClaim := claims.Claim{
		ID: id + "stack", Source: "EDM Table 1", Printed: printed[0],
		Text:  fmt.Sprintf("The network stack latency of %s: all but the wires.", of),
		Judge: asPrinted(printed[0]), Expect: claims.Holds,
		Measure: measureLegs(stack, op, unitOf(printed[0]), inStack, inStack),
	}
	wires := claims.Claim{
		ID: id + "wires", Source: "EDM Table 1", Printed: printedWires,
		Text:  fmt.Sprintf("The wires of %s: PMA, PMD, transceivers and propagation.", of),
		Note:  "A link is one delay of 19 + 10 + 19 ns.",
		Judge: claims.Exactly(wiresNS, "ns"), Expect: claims.Holds, Measure: measureLegs(stack, op, "ns", inWires, inWires),
	}
	total := claims.Claim{
		ID: id + "total", Source: "EDM Table 1", Printed: printed[1],
		Text: fmt.Sprintf("The total fabric latency of %s.", of),
		Note: "First block to first block, the switch cutting through, as the table adds up; its rows have what that " +
			"leaves out.",
		Judge: asPrinted(printed[1]), Expect: claims.Holds, Measure: measureTotal(stack, op),
	}
	if op == workload.Read {
		total.Note = "First block to first block there and back, the switch cutting through, as the table adds up; the " +
			"memory node's own time " +
			"between the two is not in it. The rows have what that leaves out."
	}
	switch {
	case stack == ethernet.TCPIP && op == workload.Read:
		total.Expect, total.Recorded = claims.Deviates, claims.Exactly("3.77968", "µs")
		total.Reason = "The printed total is 10 ns more than its column, 3.59 µs of stack and 192 ns of wires, adds up to."
	case stack == ethernet.RoCEv2 && op == workload.Read:
		total.Expect, total.Recorded = claims.Deviates, claims.Exactly("2.03568", "µs")
		total.Reason = "The printed total seems to be 1.84 µs, already rounded, and 192 ns; the column's own sum rounds to " +
			"2.04 µs."
	}
	return append(cs, stackClaim, wires, total)
}

// forwardingParts are the breakdown in the table's caption.
func forwardingParts() []claims.Claim {
	part := func(name, text string, from, to ethernet.Point, ns string) claims.Claim {
		legs := []leg{{from, to}}
		return claims.Claim{
			ID: "edm/table1/forwarding/" + name, Source: "EDM Table 1, caption", Printed: ns + " ns", Text: text,
			Judge: claims.Exactly(ns, "ns"), Expect: claims.Holds,
			Measure: measureLegs(ethernet.RawEthernet, workload.Write, "ns", legs, nil),
		}
	}
	stored := part(
		"total", "Layer-2 forwarding with a single exact-match table takes 400 ns.", ethernet.SwitchMAC,
		ethernet.SwitchCrossed, "400",
	)
	stored.Note = "By RFC 1242's latency of store-and-forward devices: from a frame's last beat in to its first beat out."
	stored.Measure = claims.Of(loneFrame, framePoint{Type: workload.Write}, measureStored)
	return []claims.Claim{
		part("parsing", "The switch parses in 87 ns.", ethernet.SwitchMAC, ethernet.SwitchParsed, "87"),
		part(
			"match-action", "Match-action and table look-up take 202 ns.", ethernet.SwitchParsed, ethernet.SwitchMatched,
			"202",
		),
		part("packet-manager", "The packet manager takes 93 ns.", ethernet.SwitchMatched, ethernet.SwitchManaged, "93"),
		part("crossbar", "The crossbar takes 18 ns.", ethernet.SwitchManaged, ethernet.SwitchCrossed, "18"),
		stored,
	}
}

// decimalNS writes picoseconds as decimal nanoseconds.
func decimalNS(ps int64) string {
	s := fmt.Sprintf("%d.%03d", ps/1000, ps%1000)
	return strings.TrimRight(strings.TrimRight(s, "0"), ".")
}

// asPrinted judges a figure by its digits: exactly if they are nanoseconds, to half of the last one if they are
// microseconds.
func asPrinted(printed string) claims.Judge {
	figure, unit, _ := strings.Cut(printed, " ")
	if unit == "ns" {
		return claims.Exactly(figure, unit)
	}
	return claims.Within(figure, "0.005", unit)
}

// framePoint is a message over a network of Table 1.
type framePoint struct {
	Stack       ethernet.Stack
	Type        workload.MessageType
	Forwarding  ethernet.Forwarding
	SingleClock bool
}

// cutThrough is a point whose switch cuts through, as the table adds up.
func cutThrough(stack ethernet.Stack, op workload.MessageType) framePoint {
	return framePoint{Stack: stack, Type: op, Forwarding: ethernet.CutThrough}
}

// trips are a frame's way to the memory node and the answer's way back.
type trips struct{ there, back ethernet.Trip }

// along adds up legs there and, of a read, legs back.
func (t trips) along(op workload.MessageType, there, back []leg) (ps int64) {
	ps = along(t.there, there)
	if op == workload.Read {
		ps += along(t.back, back)
	}
	return ps
}

var loneFrame = experiment.Inner("lone-frame", "Trips of a lone message's frames", runLoneFrame)

// runLoneFrame sends messages far enough apart that each has the network to itself, and returns the trips of one of
// them after a look that all took the same.
func runLoneFrame(ctx context.Context, _ *experiment.Run, q framePoint) (t trips, err error) {
	const messages, apart = 8, 8_000_000
	n, err := ethernet.NewNetwork(ethernet.Config{Stack: q.Stack, Forwarding: q.Forwarding, SingleClock: q.SingleClock})
	if err != nil {
		return t, err
	}
	if err := n.WaitForLock(); err != nil {
		return t, err
	}
	out, in := ethernet.NewTripRecorder(n, 0, 1), ethernet.NewTripRecorder(n, 1, 0)
	ms := make([]workload.Message, messages)
	for i := range ms {
		ms[i] = workload.Message{
			ID: uint64(i), Type: q.Type, Source: 0, Dest: 1, Bytes: 64, Start: int64(i) * (apart + 2*edm.BlockPicoseconds),
		}
	}
	if _, err := n.Run(ctx, ms); err != nil {
		return t, err
	}
	for _, way := range [][]ethernet.Trip{out.Trips(), in.Trips()} {
		if len(way) != messages {
			return t, fmt.Errorf("%d frames passed one way, want %d", len(way), messages)
		}
		for _, trip := range way {
			for p := ethernet.AtStack + 1; p <= ethernet.Delivered; p++ {
				if got, want := trip.Between(ethernet.AtStack, p), way[0].Between(ethernet.AtStack, p); got != want {
					return t, fmt.Errorf("first blocks took %d ps and %d ps to point %d", want, got, p)
				}
			}
		}
	}
	return trips{out.Trips()[0], in.Trips()[0]}, nil
}

// along adds up legs of a trip, each between two observed edges.
func along(t ethernet.Trip, legs []leg) (ps int64) {
	for _, l := range legs {
		ps += t.Between(l.from, l.to)
	}
	return ps
}

// unitOf returns the unit of a printed figure.
func unitOf(printed string) string {
	_, unit, _ := strings.Cut(printed, " ")
	return unit
}

// picoseconds returns picoseconds in ns or µs.
func picoseconds(ps int64, unit string) *big.Rat {
	if unit == "µs" {
		return big.NewRat(ps, 1_000_000)
	}
	return big.NewRat(ps, 1000)
}

// measureLegs counts legs of the way there and, for a read, of the way back.
func measureLegs(stack ethernet.Stack, op workload.MessageType, unit string, there, back []leg) claims.Measure {
	return claims.Of(
		loneFrame, cutThrough(stack, op), func(t trips) claims.Measurement { return legsOf(t, op, unit, there, back) },
	)
}

// legsOf is measureLegs of trips.
func legsOf(t trips, op workload.MessageType, unit string, there, back []leg) claims.Measurement {
	ps := t.along(op, there, back)
	detail := fmt.Sprintf("first block between edges at %s", edges(t.there, there))
	if op == workload.Read && len(back) > 0 {
		detail += fmt.Sprintf(" there, %s back", edges(t.back, back))
	}
	m := claims.Exact(picoseconds(ps, unit), unit, "%s; the same for 8 messages", detail)
	if unit == "µs" {
		m.Rows = []claims.Row{{Label: "not rounded", Exact: picoseconds(ps, "ns"), Unit: "ns"}}
	}
	return m
}

// edges names the times between which legs were counted.
func edges(t ethernet.Trip, legs []leg) string {
	var s []string
	for _, l := range legs {
		s = append(s, fmt.Sprintf("%s and %s ns", decimalNS(t.First[l.from]), decimalNS(t.First[l.to])))
	}
	return strings.Join(s, ", ")
}

// measureTotal counts from application to application, and beside it what the table leaves out.
func measureTotal(stack ethernet.Stack, op workload.MessageType) claims.Measure {
	oneClock, stored := cutThrough(stack, op), framePoint{Stack: stack, Type: op}
	oneClock.SingleClock = true
	return claims.OfAll(
		loneFrame,
		[]framePoint{cutThrough(stack, op), oneClock, stored},
		func(ts []trips) claims.Measurement {
			m := legsOf(ts[0], op, unitOf(ethernetSums[stack][op][1]), allTheWay, allTheWay)
			m.Rows = append(ethernetParts(ts[0], op, m.Unit), m.Rows...)
			row := func(label string, ps int64) {
				m.Rows = append(m.Rows, claims.Row{Label: label, Exact: picoseconds(ps, "ns"), Unit: "ns"})
			}
			there, back := ts[2].there, ts[2].back
			row("with one clock, latencies rounded up to cycles", ts[1].along(op, allTheWay, allTheWay))
			row("with store and forward, to the first block", ts[2].along(op, allTheWay, allTheWay))
			last := there.Last[ethernet.Delivered]
			if op == workload.Read {
				last = back.Last[ethernet.Delivered]
			}
			row("with store and forward, to the last byte", last-there.First[ethernet.AtStack])
			if op == workload.Read {
				row(
					"of that in the memory node, from the request's first block to the response's",
					back.First[ethernet.AtStack]-there.First[ethernet.Delivered],
				)
			}
			return m
		},
	)
}

// ethernetParts counts what a frame's time goes to, place by place: the boxes of one kind, and the links, are taken
// together.
func ethernetParts(t trips, op workload.MessageType, unit string) (rows []claims.Row) {
	for _, kind := range []struct{ suffix, label string }{
		{"/protocol", "protocol stacks"}, {"/mac", "MACs"}, {"/pcs", "PCSs"}, {"/forwarding", "layer-2 forwarding"},
		{"", "wires"},
	} {
		var there, back []leg
		if kind.suffix == "" {
			there, back = inWires, inWires
		}
		for _, c := range ethernetCells {
			if kind.suffix != "" && strings.HasSuffix(c.id, kind.suffix) {
				there, back = append(there, c.there...), append(back, c.back...)
			}
		}
		if ps := t.along(op, there, back); ps > 0 {
			rows = append(rows, claims.Row{Kind: claims.Part, Label: kind.label, Exact: picoseconds(ps, unit)})
		}
	}
	return rows
}

// measureStored counts the forwarding latency of the switch that stores and forwards.
func measureStored(t trips) claims.Measurement {
	in, out := t.there.Last[ethernet.SwitchMAC], t.there.First[ethernet.SwitchCrossed]
	return claims.Exact(picoseconds(out-in, "ns"), "ns",
		"last beat out of the receiving MAC at %s ns, first beat into the sending one at %s ns",
		decimalNS(in), decimalNS(out)).
		With(claims.Row{Label: "from first beat to first beat",
			Exact: picoseconds(t.there.Between(ethernet.SwitchMAC, ethernet.SwitchCrossed), "ns")})
}
