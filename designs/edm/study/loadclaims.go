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
	const note = "Load of the line: the share of the busiest links' time that the messages need, /N/, requests, grants and framing counted; 0.9 of it is 0.51 of payload. The first 72 nodes ask, the others answer. Latency to the last byte over that of a lone message, without the first quarter of a run."
	return []claims.Claim{
		{ID: "edm/fig8a/read", Source: "EDM §4.3.1, Figure 8a", Printed: "1.2×", Note: note,
			Text:  "At all loads the mean latency of reads stays within 1.2 times the unloaded one.",
			Judge: claims.AtMost("1.2", ""), Expect: claims.Holds, Measure: loadRatio(func(p *Point) measure.Latency { return p.Read })},
		{ID: "edm/fig8a/write", Source: "EDM §4.3.1, Figure 8a", Printed: "1.3×", Note: note,
			Text:  "At all loads the mean latency of writes stays within 1.3 times the unloaded one.",
			Judge: claims.AtMost("1.3", ""), Expect: claims.Deviates, Recorded: claims.Within("1.31", "0.03", ""),
			Reason:  "It holds up to a load of 0.8. At 0.9 the steady state is at 1.31 with a scheduler at 3.125 GHz, whose iterations of 3 cycles make circuits of 26 cycles last 27; with twice the clock it is 1.26.",
			Measure: loadRatio(func(p *Point) measure.Latency { return p.Write })},
		{ID: "edm/fig8a/shared", Source: "EDM §4.3.1, Figure 8a", Printed: "1.3×",
			Text:  "The same where every node both asks and answers, so that all links have the load.",
			Judge: claims.AtMost("1.3", ""), Expect: claims.Deviates, Recorded: claims.Within("2.1", "0.5", ""),
			Reason:  "It holds up to a load of 0.8. With both directions of all links at 0.9 the matching has to pair nearly all ports all the time: latency still grows when the run ends.",
			Measure: sharedLoad()},
		{ID: "edm/fig8a/ranking", Source: "EDM §4.3.1, Figure 8a", Printed: "EDM lowest",
			Text:  "At a load of the line of 0.9 EDM's latency rises by less over the unloaded one than that of DCTCP, pFabric, PFC, CXL and IRD.",
			Note:  "EDM's ratio over the least of the peers'. Each network has 0.9 in its own framing, between the same nodes. The paper does not say what its load is of.",
			Judge: claims.AtMost("1", ""), Expect: claims.Deviates, Recorded: claims.Within("1.14", "0.03", ""),
			Reason:  "A ratio hides what it is taken of: alone a message takes five times as long over DCTCP as over EDM, so that queues of 100 ns hardly show in it. In time EDM and CXL are equal, and DCTCP, pFabric and PFC take more than four times as long, as the rows show; and with their framing 0.9 of the line is 0.18 of payload, a third of EDM's.",
			Measure: ranking(0.9, lineLoad)},
		{ID: "edm/fig8a/ranking-payload", Source: "EDM §4.3.1, Figure 8a", Printed: "EDM lowest",
			Text:  "The same at a load of payload of 0.42: each network carries the same messages.",
			Note:  "That is 0.74 of the line in EDM and 0.89 in CXL, and more than DCTCP, pFabric, PFC and IRD can carry: their latency grows for as long as the run lasts.",
			Judge: claims.AtMost("1", ""), Expect: claims.Holds, Measure: ranking(0.42, payloadLoad)},
		{ID: "edm/3.1.2/x-3", Source: "EDM §3.1.2, §4.3", Printed: "X = 3 works best",
			Text:  "Three active notifications a pair give the least latency.",
			Note:  "The mean ratio of reads and writes of 64 B at a load of the line of 0.9 with X = 3, over the least with X of 1 to 8. X counts a pair's reads and writes together.",
			Judge: claims.AtMost("1", ""), Expect: claims.Deviates, Recorded: claims.Within("1.01", "0.009", ""),
			Reason:  "From 3 on more notifications gain at most one in a hundred, as the rows show. With one the latency is 1.8 times the least, with two 1.07 times.",
			Measure: bestActive()},
		{ID: "edm/fig8b/mean", Source: "EDM §4.3.2, Figure 8b", Printed: "1.2 to 1.4×",
			Text:  "On an application's messages, Hadoop's, the mean completion time is 1.2 to 1.4 times the ideal.",
			Note:  "Ideal: the message alone in the network. 144 nodes, half of the messages reads, load of the line 0.5; the paper gives no load.",
			Judge: claims.Within("1.3", "0.1", ""), Expect: claims.Deviates, Recorded: claims.Within("1.5", "0.09", ""),
			Reason:  "The median is 1.0 to 1.1, but a few short messages wait for long ones. Messages of a pair are served in order; and a message between the ends of two circuits finds one of them taken whenever the other is free, for as long as both messages last (TestStarvationBetweenCircuits).",
			Measure: applications},
		{ID: "edm/fig8b/cxl", Source: "EDM §4.3.2, Figure 8b", Printed: "up to 8×",
			Text:  "CXL's mean completion time is up to 8 times EDM's.",
			Note:  "Hadoop's messages, at a load of the line of 0.5 in each network.",
			Judge: claims.Within("8", "1", ""), Expect: claims.Deviates, Recorded: claims.Within("1", "0.2", ""),
			Reason:  "CXL's nodes send a flit of each of their messages in turn, and credits hold back who sends to a crowded port, not others: at this load hardly any queue forms.",
			Measure: overCXL()},
		{ID: "edm/4.3.2/line-rate", Source: "EDM §4.3.2", Printed: "ideal",
			Text:  "A lone large message runs at the rate of the line, but for framing.",
			Note:  "Payload rate of a read of 600 kB over 100 Gb/s; 32 of 36 blocks of a chunk's circuit are payload.",
			Judge: claims.AtLeast("85", "%"), Expect: claims.Holds, Measure: lineRate},
	}
}

// onLoads measures Figure 8a's network with a load a point, all of whose messages have to finish without a violation.
func onLoads(points []loadPoint, detail string, pick func(m *claims.Measurement, q loadPoint, p *Point)) claims.Measure {
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
	const detail = "144 nodes at 100 Gb/s, 200,000 messages of 64 B a load, all finished; the greatest ratio, without the first quarter of a run"
	return onLoads(atLoads(claimMessages, claimLoads...), detail, func(m *claims.Measurement, q loadPoint, p *Point) {
		x := of(p)
		steady := x.Steady() / x.Unloaded
		m.Value = max(m.Value, steady)
		m.Rows = append(m.Rows, claims.Row{Kind: claims.Point, Label: fmt.Sprintf("load %g", q.Offered), At: q.Offered, Value: steady},
			claims.Row{Label: fmt.Sprintf("load %g, mean of the second quarter", q.Offered), Value: x.Quarters[1], Unit: "ns"},
			claims.Row{Label: fmt.Sprintf("load %g, mean of the last quarter", q.Offered), Value: x.Quarters[3], Unit: "ns"})
	})
}

// applicationPoint is a network of Figure 8b: the paper's 144 nodes. Of the five distributions the claims measure the first, Hadoop's, a
// minute of simulation. The others have the same shape, most messages of 5,840 bytes and the longest of 1.3 to 1.8 MB; `goldwire run edm load
// --sizes` runs them.
func applicationPoint(scheme string) loadPoint {
	q := figure8(0.5, 300)
	q.Scheme, q.Queue, q.Sizes = scheme, 8192, "hadoop"
	return q
}

func applications(ctx context.Context, run *claims.Run) (m claims.Measurement, err error) {
	q := applicationPoint(edmScheme)
	sizes, err := workload.ParseSizes(q.Sizes)
	if err != nil {
		return m, err
	}
	alone, err := aloneIn(ctx, q.fabricParams, measure.Spread(sizes, run.Seed))
	if err != nil {
		return m, err
	}
	return onLoads([]loadPoint{q}, "144 nodes at 100 Gb/s, 300 messages, all finished", func(m *claims.Measurement, _ loadPoint, p *Point) {
		m.Value = p.All.Ratio
		m.Rows = []claims.Row{{Label: q.Sizes + ", mean", Value: p.All.Ratio},
			{Label: q.Sizes + ", median", Value: measure.Quantile(measure.Slowdown(p.Results, alone), 0.5)}}
	})(ctx, run)
}

// overCXL compares the mean completion times of Figure 8b.
func overCXL() claims.Measure {
	points := []loadPoint{applicationPoint(edmScheme), applicationPoint(packetnet.CXL.String())}
	return claims.OfAll(load, points, func(ps []*Point) claims.Measurement {
		ours, theirs, name := ps[0], ps[1], points[0].Sizes
		if ours.Finished+theirs.Finished != ours.Messages+theirs.Messages {
			return claims.Unfit("%s: %d and %d of %d messages finished", name, ours.Finished, theirs.Finished, ours.Messages)
		}
		over := theirs.All.Mean / ours.All.Mean
		return claims.Figure(over, "", "144 nodes at 100 Gb/s, 300 messages in both networks, all finished; CXL's mean over EDM's").With(
			claims.Row{Label: name + ", CXL over EDM", Value: over},
			claims.Row{Label: name + ", CXL over the ideal", Value: theirs.All.Ratio}, claims.Row{Label: name + ", EDM over the ideal", Value: ours.All.Ratio})
	})
}

// ranking compares the rise of latency in the networks of Figure 8a, all but Fastpass, whose server cannot carry the load.
func ranking(offered float64, of loadKind) claims.Measure {
	q := figure8(offered, claimMessages)
	q.LoadOf = of
	points := []loadPoint{q}
	for _, s := range []packetnet.Scheme{packetnet.DCTCP, packetnet.PFabric, packetnet.PFC, packetnet.CXL, packetnet.IRD} {
		q.Scheme = s.String()
		points = append(points, q)
	}
	const detail = "144 nodes at 100 Gb/s, 200,000 reads and writes of 64 B in each network; mean of latency over that of a lone message"
	return claims.OfAll(load, points, func(ps []*Point) claims.Measurement {
		m, least := claims.Figure(0, "", detail), math.Inf(1)
		for i, p := range ps {
			if i > 0 && p.Finished != p.Messages {
				return claims.Unfit("%s: %d of %d messages finished", p.Scheme, p.Finished, p.Messages)
			}
			if i > 0 {
				least = min(least, p.All.Ratio)
			}
			m.Rows = append(m.Rows, claims.Row{Kind: claims.Variant, Label: p.Scheme, Value: p.All.Ratio},
				claims.Row{Kind: claims.Variant, Label: p.Scheme + ", mean latency", Value: p.All.Mean, Unit: "ns"},
				claims.Row{Label: p.Scheme + ", load of the line", Value: p.Line}, claims.Row{Label: p.Scheme + ", load of payload", Value: p.Payload})
		}
		m.Value = ps[0].All.Ratio / least
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
		m.Rows = append(m.Rows, claims.Row{Kind: claims.Point, Label: fmt.Sprintf("X = %d", q.Active), At: float64(q.Active), Value: p.All.Ratio})
	})
}

func sharedLoad() claims.Measure {
	points := atLoads(150_000, 0.5, 0.8, 0.9)
	for i := range points {
		points[i].Shared = true
	}
	const detail = "144 nodes at 100 Gb/s, 150,000 messages of 64 B a load, reads and writes together, all finished; the last half of the run"
	return onLoads(points, detail, func(m *claims.Measurement, q loadPoint, p *Point) {
		last := (p.All.Quarters[2] + p.All.Quarters[3]) / 2 / p.All.Unloaded
		m.Value = max(m.Value, last)
		m.Rows = append(m.Rows, claims.Row{Kind: claims.Point, Label: fmt.Sprintf("load %g", q.Offered), At: q.Offered, Value: last},
			claims.Row{Label: fmt.Sprintf("load %g, mean of the third quarter", q.Offered), Value: p.All.Quarters[2], Unit: "ns"},
			claims.Row{Label: fmt.Sprintf("load %g, mean of the last quarter", q.Offered), Value: p.All.Quarters[3], Unit: "ns"})
	})
}

func lineRate(ctx context.Context, _ *claims.Run) (m claims.Measurement, err error) {
	const bytes = 600_000
	r, err := edm.Run(ctx, edm.Config{Nodes: 2, Lanes: 4, Equalise: true}, []workload.Message{{Type: workload.Read, Source: 0, Dest: 1, Bytes: bytes}}, edm.Options{Limit: 1e10})
	if err != nil {
		return m, err
	}
	if !r.Messages[0].Finished {
		return m, fmt.Errorf("the message does not finish")
	}
	gbps := bytes * 8 * 1000 / float64(r.Messages[0].Latency())
	return claims.Measurement{Value: gbps, Unit: "%", Detail: fmt.Sprintf("%d bytes in %d ps, of 100 Gb/s", bytes, r.Messages[0].Latency())}, nil
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
			rows = append(rows, claims.Row{Kind: claims.Point, Label: fmt.Sprintf("load %g", l), At: l, Exact: big.NewRat(int64(counts[i]), 1)})
		}
		const what = "144 nodes at 100 Gb/s, 200,000 reads and writes of 64 B a load, every cycle looked at; the greatest"
		return claims.Count(max(0, slices.Max(counts)), unit, what).With(rows...)
	})
}
