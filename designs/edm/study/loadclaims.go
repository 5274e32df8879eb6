package study

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/peers/packetnet"
	"github.com/goldwire/goldwire/workload"
	"github.com/goldwire/goldwire/workload/measure"

	"github.com/goldwire/goldwire/designs/edm"
)

func loadClaims() []claims.Claim {
	const note = "Load of the line: the share of the busiest links' time that the messages need, /N/, requests, grants " +
		"and framing counted; 0.9 of it is 0.51 of payload. The first 72 nodes ask, the others answer. Latency to the last " +
		"byte over that of a lone message, without the first quarter of a run. The bound is the printed one and half a " +
		"unit of its last digit."
	return []claims.Claim{
		{ID: "edm/fig8a/read", Source: "EDM §4.3.1, Figure 8a", Printed: "1.2×", Note: note,
			Text:  "At all loads the mean latency of reads stays within 1.2 times the unloaded one.",
			Judge: claims.AtMost("1.25", ""), Expect: claims.Holds,
			Measure: loadRatio(func(p *Point) measure.Latency { return p.Read })},
		{ID: "edm/fig8a/write", Source: "EDM §4.3.1, Figure 8a", Printed: "1.3×", Note: note,
			Text:  "At all loads the mean latency of writes stays within 1.3 times the unloaded one.",
			Judge: claims.AtMost("1.35", ""), Expect: claims.Holds,
			Measure: loadRatio(func(p *Point) measure.Latency { return p.Write })},
		{ID: "edm/fig8a/shared", Source: "EDM §4.3.1, Figure 8a", Printed: "1.3×",
			Text: "The same where every node both asks and answers, so that all links have the load.",
			Note: "At a load of 0.9 and a slack of 2 the network is not steady: the messages under way grow until the " +
				"run ends.",
			Judge: claims.AtMost("1.35", ""), Expect: claims.Deviates, Recorded: claims.Within("2.1", "0.5", ""),
			Reason: "Circuits outlast their chunks by 2 blocks of 11, so that the data of two sources never meets; at a load " +
				"of 0.9 in both directions such circuits leave the ports hardly any time free. It holds up to a load of 0.8, and " +
				"at 0.9 with circuits of the paper's l/B, in which data does meet. The rows have 0.9 by slack.",
			Measure: sharedLoad()},
		{ID: "edm/fig8a/ranking", Source: "EDM §4.3.1, Figure 8a", Printed: "EDM lowest",
			Text: "At a load of the line of 0.9 EDM's latency rises by less over the unloaded one than that of DCTCP, " +
				"pFabric, PFC, CXL and IRD.",
			Note: "EDM's ratio over the least of the peers'. Each network has 0.9 in its own framing, between the same " +
				"nodes. The paper does not say what its load is of.",
			Judge: claims.AtMost("1", ""), Expect: claims.Deviates, Recorded: claims.Within("1.14", "0.03", ""),
			Reason: "A ratio hides what it is taken of: alone a message takes five times as long over DCTCP as over EDM, so " +
				"that queues of 100 ns hardly show in it. In time EDM and CXL are equal, and DCTCP, pFabric and PFC take more " +
				"than four times as long, as the rows show; and with their framing 0.9 of the line is 0.18 of payload, a third " +
				"of EDM's. At messages of 64 B no queue reaches a mark, a drop or a pause, which the rows count: none of the " +
				"schemes has anything to react to here. IRD is not steady.",
			Measure: ranking(0.9, lineLoad)},
		{ID: "edm/fig8a/ranking-payload", Source: "EDM §4.3.1, Figure 8a", Printed: "EDM lowest",
			Text: "The same at a load of payload of 0.42: each network carries the same messages.",
			Note: "That is 0.74 of the line in EDM and 0.89 in CXL, and more than DCTCP, pFabric, PFC and IRD can carry. " +
				"Their latency grows for as long as the run lasts, so that they are not compared: the least is of the peers that " +
				"are steady.",
			Judge: claims.AtMost("1", ""), Expect: claims.Holds, Measure: ranking(0.42, payloadLoad)},
		{ID: "edm/fig8a/reactive", Source: "EDM §4.3.1", Printed: "EDM lowest",
			Text: "Where schemes that react do react, to marks, drops and pauses, EDM's mean latency is below theirs, CXL's " +
				"and IRD's.",
			Note: "EDM's mean latency over the least of the peers'. 16 nodes ask one for reads and writes of 60,000 B at a " +
				"payload load of 0.7, which all of them carry. The paper's point, 144 nodes and 64 B, has no marks, drops or " +
				"pauses at 0.9 of the line.",
			Judge: claims.AtMost("1", ""), Expect: claims.Holds, Measure: reactive()},
		{ID: "edm/3.1.2/x-3", Source: "EDM §3.1.2, §4.3", Printed: "X = 3 works best",
			Text: "Three active notifications a pair give the least latency.",
			Note: "The mean ratio of reads and writes of 64 B at a load of the line of 0.9 with X = 3, over the least with " +
				"X of 1 to 8. X counts a pair's reads and writes together.",
			Judge: claims.AtMost("1", ""), Expect: claims.Deviates, Recorded: claims.Within("1.01", "0.009", ""),
			Reason: "From 3 on more notifications gain at most one in a hundred, as the rows show. With one the latency is " +
				"1.8 times the least, with two 1.07 times.",
			Measure: bestActive()},
		{ID: "edm/4.3.2/line-rate", Source: "EDM §4.3.2", Printed: "ideal",
			Text:  "A lone large message runs at the rate of the line.",
			Note:  "Payload rate of a read of 600 kB over 100 Gb/s, its latency in an idle network included: half a percent.",
			Judge: claims.AtLeast("99", "%"), Expect: claims.Deviates, Recorded: claims.Within("88.4", "0.5", "%"),
			Reason: "Chunks are granted one by one: of the 36 blocks of a chunk's circuit 32 are its 256 B, two its /MS/ and " +
				"/MT/, and two the slack. The rows have other slacks and longer chunks, each as such a count says.",
			Measure: lineRate},
	}
}

// onLoads measures Figure 8a's network with a load a point, all of whose messages have to finish without a violation.
func onLoads(
	points []loadPoint, detail string, pick func(m *claims.Measurement, q loadPoint, p *Point),
) claims.Measure {
	return claims.OfAll(load, points, func(ps []*Point) claims.Measurement {
		m := claims.Measurement{Detail: detail}
		for i, p := range ps {
			q := points[i]
			if p.Finished != p.Messages || p.Violations > 0 && q.Messages < claimMessages {
				return claims.Unfit("%s, %s, X = %d, load %g: %d of %d messages finished, %d violations",
					p.Scheme, q.Sizes, q.Active, q.Offered, p.Finished, p.Messages, p.Violations)
			}
			pick(&m, q, p)
		}
		return m
	})
}

// atLoads are points of Figure 8a.
func atLoads(messages int, loads ...float64) []loadPoint {
	var points []loadPoint
	for _, l := range loads {
		points = append(points, figure8(l, messages))
	}
	return points
}

func loadRatio(of func(*Point) measure.Latency) claims.Measure {
	const detail = "144 nodes at 100 Gb/s, 200,000 messages of 64 B a load, all finished; the greatest ratio, without " +
		"the first quarter of a run"
	return onLoads(atLoads(claimMessages, claimLoads...), detail, func(m *claims.Measurement, q loadPoint, p *Point) {
		x := of(p)
		steady := x.Steady() / x.Unloaded
		m.Value = max(m.Value, steady)
		m.Rows = append(
			m.Rows, claims.Row{Kind: claims.Point, Label: fmt.Sprintf("load %g", q.Offered), At: q.Offered, Value: steady},
			claims.Row{Label: fmt.Sprintf("load %g, mean of the second quarter", q.Offered), Value: x.Quarters[1], Unit: "ns"},
			claims.Row{Label: fmt.Sprintf("load %g, mean of the last quarter", q.Offered), Value: x.Quarters[3], Unit: "ns"},
		)
	})
}

// ranking compares the rise of latency in the networks of Figure 8a, all but Fastpass, whose server cannot carry the
// load. A peer that is not steady is shown and not compared.
func ranking(offered float64, of loadKind) claims.Measure {
	q := figure8(offered, claimMessages)
	q.LoadOf = of
	points := inAll(q)
	const detail = "144 nodes at 100 Gb/s, 200,000 reads and writes of 64 B in each network; mean of latency over that " +
		"of a lone message"
	return claims.OfAll(load, points, func(ps []*Point) claims.Measurement {
		m, least := claims.Figure(0, "", detail), math.Inf(1)
		for i, p := range ps {
			if i > 0 && p.Finished != p.Messages {
				return claims.Unfit("%s: %d of %d messages finished", p.Scheme, p.Finished, p.Messages)
			}
			if i > 0 && p.Carried.Steady() {
				least = min(least, p.All.Ratio)
			}
			m.Rows = append(
				m.Rows,
				claims.Row{Kind: claims.Variant, Label: p.Scheme, Value: p.All.Ratio},
				claims.Row{Kind: claims.Variant, Label: p.Scheme + ", mean latency", Value: p.All.Mean, Unit: "ns"},
				claims.Row{
					Label: p.Scheme + ", load of the line", Value: p.Line,
				},
				claims.Row{Label: p.Scheme + ", load of payload", Value: p.Payload},
			)
			m.Rows = append(m.Rows, reactions(p)...)
		}
		if !ps[0].Carried.Steady() || math.IsInf(least, 1) {
			return claims.Unfit("load %g: EDM or all of the peers are not steady", offered)
		}
		m.Value = ps[0].All.Ratio / least
		return m
	})
}

// inAll is a point in EDM, and then in each of the peers that claims compare it with.
func inAll(q loadPoint) []loadPoint {
	q.Scheme = edmScheme
	points := []loadPoint{q}
	for _, s := range []packetnet.Scheme{packetnet.DCTCP, packetnet.PFabric, packetnet.PFC, packetnet.CXL, packetnet.IRD} {
		q.Scheme = s.String()
		points = append(points, q)
	}
	return points
}

// reactions counts what the switches of a peer did, and says whether it carried the load.
func reactions(p *Point) []claims.Row {
	var rows []claims.Row
	for _, r := range []struct {
		what string
		n    uint64
	}{{"frames marked", p.Marks}, {"frames dropped", p.Drops}, {"pauses", p.Pauses}} {
		if r.n > 0 || p.Scheme == packetnet.DCTCP.String() || p.Scheme == packetnet.PFC.String() {
			rows = append(rows, claims.Row{Label: p.Scheme + ", " + r.what, Exact: new(big.Rat).SetUint64(r.n)})
		}
	}
	if !p.Carried.Steady() {
		rows = append(rows, claims.Row{Label: p.Scheme + ", not steady: load of payload that arrives", Value: p.Arrived})
	}
	return rows
}

// reactive compares mean latencies where queues reach the marks of DCTCP, the buffers of pFabric and the pauses of PFC.
func reactive() claims.Measure {
	q := figure8(0.7, 600)
	q.Nodes, q.Queue, q.Sizes, q.LoadOf, q.Pattern = 17, 8192, "fixed:60000", payloadLoad, workload.Incast
	const detail = "17 nodes at 100 Gb/s, %d reads and writes of 60,000 B at one of them in each network, all steady; " +
		"mean latency"
	return claims.OfAll(load, inAll(q), func(ps []*Point) claims.Measurement {
		m, least := claims.Figure(0, "", detail, q.Messages), math.Inf(1)
		for i, p := range ps {
			if p.Finished != p.Messages || p.Violations > 0 || !p.Carried.Steady() {
				return claims.Unfit("%s: %d of %d messages finished, %d violations; steady: %t",
					p.Scheme, p.Finished, p.Messages, p.Violations, p.Carried.Steady())
			}
			if p.Scheme == packetnet.DCTCP.String() && p.Marks == 0 || p.Scheme == packetnet.PFabric.String() && p.Drops == 0 ||
				p.Scheme == packetnet.PFC.String() && (p.Marks == 0 || p.Pauses == 0) {
				return claims.Unfit("%s: %d marks, %d drops, %d pauses, so that nothing is shown of a reaction",
					p.Scheme, p.Marks, p.Drops, p.Pauses)
			}
			if i > 0 {
				least = min(least, p.All.Mean)
			}
			m.Rows = append(
				m.Rows, claims.Row{Kind: claims.Variant, Label: p.Scheme + ", mean latency", Value: p.All.Mean, Unit: "ns"},
				claims.Row{Label: p.Scheme + ", over that of a lone message", Value: p.All.Ratio},
			)
			m.Rows = append(m.Rows, reactions(p)...)
		}
		m.Value = ps[0].All.Mean / least
		return m
	})
}

// bestActive sweeps X: the ratio with three over the least.
func bestActive() claims.Measure {
	var points []loadPoint
	for _, x := range []int{1, 2, 3, 4, 6, 8} {
		q := figure8(0.9, 60_000)
		q.Active = x
		points = append(points, q)
	}
	least, three := math.Inf(1), 0.0
	const detail = "144 nodes at 100 Gb/s, 60,000 messages of 64 B for each X, all finished, every cycle looked at"
	return onLoads(points, detail, func(m *claims.Measurement, q loadPoint, p *Point) {
		least = min(least, p.All.Ratio)
		if q.Active == 3 {
			three = p.All.Ratio
		}
		m.Value = three / least
		m.Rows = append(
			m.Rows,
			claims.Row{Kind: claims.Point, Label: fmt.Sprintf("X = %d", q.Active), At: float64(q.Active), Value: p.All.Ratio},
		)
	})
}

// sharedLoad measures the last half of runs in which all links have a load, and the highest load with shorter circuits:
// with a slack of 1 block, and with the paper's l/B, in which data meets.
func sharedLoad() claims.Measure {
	points := atLoads(150_000, 0.5, 0.8, 0.9, 0.9, 0.9)
	points[3].Slack, points[4].Slack = 1, -1
	for i := range points {
		points[i].Shared = true
	}
	const detail = "144 nodes at 100 Gb/s, 150,000 messages of 64 B a load, reads and writes together, all finished; " +
		"the last half of the run"
	return claims.OfAll(load, points, func(ps []*Point) claims.Measurement {
		m := claims.Figure(0, "", detail)
		var longer float64 // the ratio with circuits longer than the point's
		for i, p := range ps {
			q := points[i]
			if p.Finished != p.Messages || p.Violations > 0 && q.Slack >= 0 {
				return claims.Unfit("load %g, slack %d: %d of %d messages finished, %d violations",
					q.Offered, q.Slack, p.Finished, p.Messages, p.Violations)
			}
			last := (p.All.Quarters[2] + p.All.Quarters[3]) / 2 / p.All.Unloaded
			label := fmt.Sprintf("load %g", q.Offered)
			switch q.Slack {
			case 0:
				m.Value = max(m.Value, last)
				longer = m.Value
				m.Rows = append(m.Rows, claims.Row{Kind: claims.Point, Label: label, At: q.Offered, Value: last},
					claims.Row{Label: label + ", mean of the third quarter", Value: p.All.Quarters[2], Unit: "ns"},
					claims.Row{Label: label + ", mean of the last quarter", Value: p.All.Quarters[3], Unit: "ns"})
				continue
			case 1:
				label += ", a slack of 1 block"
			default:
				label += ", the paper's l/B, without slack"
			}
			m.Rows = append(m.Rows, claims.Row{Label: label, Value: last}, claims.Row{
				Label: label + ", blocks that met in the switch at most", Exact: big.NewRat(int64(p.MostMeeting), 1)})
			if last >= longer || !p.Carried.Steady() {
				return claims.Unfit("%s: %.3f after %.3f with longer circuits, steady: %t: the reason of the claim is wrong",
					label, last, longer, p.Carried.Steady())
			}
			longer = last
		}
		if longer > 1.35 {
			return claims.Unfit("without slack: %.3f: the reason of the claim is wrong", longer)
		}
		return m
	})
}

// lineRate is the payload rate of a lone long read, in shares of a chunk's circuit. Each must be as its count of blocks
// says, but for the latency of an idle network.
func lineRate(ctx context.Context, _ *claims.Run) (m claims.Measurement, err error) {
	const bytes = 600_000
	lone := []workload.Message{{Type: workload.Read, Source: 0, Dest: 1, Bytes: bytes}}
	for i, c := range []struct{ chunk, slack int }{
		{256, edm.SlackReadWrite}, {256, 1}, {256, -1}, {1024, edm.SlackReadWrite}, {4096, edm.SlackReadWrite},
	} {
		cfg := edm.Config{Nodes: 2, Lanes: 4, Equalise: true, Chunk: c.chunk, Slack: c.slack}
		r, err := edm.Run(ctx, cfg, lone, edm.Options{Limit: 1e10})
		if err != nil {
			return m, err
		}
		label := fmt.Sprintf("chunks of %d B, slack of %d blocks", c.chunk, max(c.slack, 0))
		if !r.Messages[0].Finished || r.Monitor.Count > 0 {
			return m, fmt.Errorf("%s: finished: %t, %d violations", label, r.Messages[0].Finished, r.Monitor.Count)
		}
		percent := bytes * 8 * 1000 / float64(r.Messages[0].Latency())
		words := c.chunk / 8
		blocks := words + 2 + max(c.slack, 0)
		count := 100 * float64(words) / float64(blocks)
		if percent > count || percent < count-1 {
			return m, fmt.Errorf("%s: %.1f %%, where the blocks of a circuit make %.1f: the reason of the claim is wrong",
				label, percent, count)
		}
		if i == 0 {
			m = claims.Figure(percent, "%", "%d bytes in %d ps, of 100 Gb/s; %d of the %d blocks of a circuit are %.1f %%",
				bytes, r.Messages[0].Latency(), words, blocks, count)
			continue
		}
		m = m.With(
			claims.Row{Label: label, Value: percent},
			claims.Row{Label: label + ", by the blocks of a circuit", Value: count},
		)
	}
	return m, nil
}

// claimLoads are the loads of Figure 8a that the claims measure, with claimMessages messages each.
var claimLoads = []float64{0.5, 0.8, 0.9}

const claimMessages = 200_000

// figure8 is the network of §4.3, chunks of 256 B, X = 3, and messages to all: reads and writes of 64 B.
func figure8(offered float64, messages int) loadPoint {
	q := loadPoint{Scheme: edmScheme, Offered: offered, fabricParams: defaultFabric(144),
		trafficParams: trafficParams{Messages: messages, Sizes: "fixed:64", Reads: 0.5}}
	q.Queue = 64
	return q
}

// waits measures a count over the points of the load curve: the greatest.
func waits(unit string, count func(*Point) int) claims.Measure {
	points := atLoads(claimMessages, claimLoads...)
	return claims.OfAll(load, points, func(ps []*Point) claims.Measurement {
		var counts []int
		var rows []claims.Row
		for i, p := range ps {
			counts = append(counts, count(p))
			l := points[i].Offered
			rows = append(
				rows,
				claims.Row{Kind: claims.Point, Label: fmt.Sprintf("load %g", l), At: l, Exact: big.NewRat(int64(counts[i]), 1)},
			)
		}
		const what = "144 nodes at 100 Gb/s, 200,000 reads and writes of 64 B a load, every cycle looked at; the greatest"
		return claims.Count(max(0, slices.Max(counts)), unit, what).With(rows...)
	})
}
