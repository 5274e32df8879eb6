package study

import (
	"context"
	"fmt"
	"math"
	"math/big"

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/peers/packetnet"
	"github.com/goldwire/goldwire/workload"
	"github.com/goldwire/goldwire/workload/measure"

	"github.com/goldwire/goldwire/designs/edm"
)

func loadClaims() []claims.Claim {
	const note = "Load of the line: the share of the busiest links' time that the messages need, /N/, requests, grants and framing counted; 0.9 of it is 0.51 of payload. The first 72 nodes ask, the others answer. Latency to the last byte over that of a lone message, without the first quarter of a run."
	return []claims.Claim{
		{
			ID: "edm/fig8a/read", Source: "EDM §4.3.1, Figure 8a", Printed: "1.2×", Note: note,
			Text:  "At all loads the mean latency of reads stays within 1.2 times the unloaded one.",
			Judge: claims.AtMost("1.2", ""), Expect: claims.Holds, Measure: loadRatio(func(p *Point) measure.Latency { return p.Read }),
		},
		{
			ID: "edm/fig8a/write", Source: "EDM §4.3.1, Figure 8a", Printed: "1.3×", Note: note,
			Text:   "At all loads the mean latency of writes stays within 1.3 times the unloaded one.",
			Judge:  claims.AtMost("1.3", ""),
			Expect: claims.Deviates, Recorded: claims.Within("1.31", "0.03", ""),
			Reason:  "It holds up to a load of 0.8. At 0.9 the steady state is at 1.31 with a scheduler at 3.125 GHz, whose iterations of 3 cycles make circuits of 26 cycles last 27; with twice the clock it is 1.26.",
			Measure: loadRatio(func(p *Point) measure.Latency { return p.Write }),
		},
		{
			ID: "edm/fig8a/shared", Source: "EDM §4.3.1, Figure 8a", Printed: "1.3×",
			Text:   "The same where every node both asks and answers, so that all links have the load.",
			Judge:  claims.AtMost("1.3", ""),
			Expect: claims.Deviates, Recorded: claims.Within("2.1", "0.5", ""),
			Reason:  "It holds up to a load of 0.8. With both directions of all links at 0.9 the matching has to pair nearly all ports all the time: latency still grows when the run ends.",
			Measure: sharedLoad,
		},
		{
			ID: "edm/fig8a/ranking", Source: "EDM §4.3.1, Figure 8a", Printed: "EDM lowest",
			Text:   "At a load of the line of 0.9 EDM's latency rises by less over the unloaded one than that of DCTCP, pFabric, PFC, CXL and IRD.",
			Note:   "EDM's ratio over the least of the peers'. Each network has 0.9 in its own framing, between the same nodes. The paper does not say what its load is of.",
			Judge:  claims.AtMost("1", ""),
			Expect: claims.Deviates, Recorded: claims.Within("1.14", "0.03", ""),
			Reason:  "A ratio hides what it is taken of: alone a message takes five times as long over DCTCP as over EDM, so that queues of 100 ns hardly show in it. In time EDM and CXL are equal, and DCTCP, pFabric and PFC take more than four times as long, as the rows show; and with their framing 0.9 of the line is 0.18 of payload, a third of EDM's.",
			Measure: ranking(0.9, "line"),
		},
		{
			ID: "edm/fig8a/ranking-payload", Source: "EDM §4.3.1, Figure 8a", Printed: "EDM lowest",
			Text:  "The same at a load of payload of 0.42: each network carries the same messages.",
			Note:  "That is 0.74 of the line in EDM and 0.89 in CXL, and more than DCTCP, pFabric, PFC and IRD can carry: their latency grows for as long as the run lasts.",
			Judge: claims.AtMost("1", ""), Expect: claims.Holds, Measure: ranking(0.42, "payload"),
		},
		{
			ID: "edm/3.1.2/x-3", Source: "EDM §3.1.2, §4.3", Printed: "X = 3 works best",
			Text:   "Three active notifications a pair give the least latency.",
			Note:   "The mean ratio of reads and writes of 64 B at a load of the line of 0.9 with X = 3, over the least with X of 1 to 8. X counts a pair's reads and writes together.",
			Judge:  claims.AtMost("1", ""),
			Expect: claims.Deviates, Recorded: claims.Within("1.01", "0.009", ""),
			Reason:  "From 3 on more notifications gain at most one in a hundred, as the rows show. With one the latency is 1.8 times the least, with two 1.07 times.",
			Measure: bestActive,
		},
		{
			ID: "edm/fig8b/mean", Source: "EDM §4.3.2, Figure 8b", Printed: "1.2 to 1.4×",
			Text:   "On an application's messages, Hadoop's, the mean completion time is 1.2 to 1.4 times the ideal.",
			Note:   "Ideal: the message alone in the network. 144 nodes, half of the messages reads, load of the line 0.5; the paper gives no load.",
			Judge:  claims.Within("1.3", "0.1", ""),
			Expect: claims.Deviates, Recorded: claims.Within("1.5", "0.09", ""),
			Reason:  "The median is 1.0 to 1.1, but a few short messages wait for long ones. Messages of a pair are served in order; and a message between the ends of two circuits finds one of them taken whenever the other is free, for as long as both messages last (TestStarvationBetweenCircuits).",
			Measure: applications,
		},
		{
			ID: "edm/fig8b/cxl", Source: "EDM §4.3.2, Figure 8b", Printed: "up to 8×",
			Text:   "CXL's mean completion time is up to 8 times EDM's.",
			Note:   "Hadoop's messages, at a load of the line of 0.5 in each network.",
			Judge:  claims.Within("8", "1", ""),
			Expect: claims.Deviates, Recorded: claims.Within("1", "0.2", ""),
			Reason:  "CXL's nodes send a flit of each of their messages in turn, and credits hold back who sends to a crowded port, not others: at this load hardly any queue forms.",
			Measure: overCXL,
		},
		{
			ID: "edm/4.3.2/line-rate", Source: "EDM §4.3.2", Printed: "ideal",
			Text:  "A lone large message runs at the rate of the line, but for framing.",
			Note:  "Payload rate of a read of 600 kB over 100 Gb/s; 32 of 36 blocks of a chunk's circuit are payload.",
			Judge: claims.AtLeast("85", "%"), Expect: claims.Holds, Measure: lineRate,
		},
	}
}

func loadRatio(of func(*Point) measure.Latency) func(context.Context, *claims.Run) (claims.Measurement, error) {
	return func(ctx context.Context, run *claims.Run) (claims.Measurement, error) {
		m := claims.Measurement{Detail: "144 nodes at 100 Gb/s, 200,000 messages of 64 B a load, all finished; the greatest ratio, without the first quarter of a run"}
		for _, l := range claimLoads {
			p, err := claimPoint(ctx, l, run.Seed)
			if err != nil {
				return m, err
			}
			if p.Finished != p.Messages {
				return m, fmt.Errorf("load %g: %d of %d messages finished", l, p.Finished, p.Messages)
			}
			x := of(p)
			steady := x.Steady() / x.Unloaded
			m.Value = max(m.Value, steady)
			m.Rows = append(m.Rows, claims.Row{Kind: claims.Point, Label: fmt.Sprintf("load %g", l), At: l, Value: steady},
				claims.Row{Label: fmt.Sprintf("load %g, mean of the second quarter", l), Value: x.Quarters[1], Unit: "ns"},
				claims.Row{Label: fmt.Sprintf("load %g, mean of the last quarter", l), Value: x.Quarters[3], Unit: "ns"})
		}
		return m, nil
	}
}

// applicationSizes are the distributions of Figure 8b that the claims measure: the first of the five, a minute of simulation. The others have
// the same shape, most messages of 5,840 bytes and the longest of 1.3 to 1.8 MB; `goldwire run edm load --sizes` runs them.
var applicationSizes = []string{"hadoop"}

// applicationPoint is a network of Figure 8b: the paper's 144 nodes.
func applicationPoint(scheme, sizes string) loadPoint {
	q := figure8(0.5, 300)
	q.Scheme, q.Queue, q.Sizes = scheme, 8192, sizes
	return q
}

func applications(ctx context.Context, run *claims.Run) (claims.Measurement, error) {
	m := claims.Measurement{Detail: "144 nodes at 100 Gb/s, 300 messages, all finished"}
	for _, name := range applicationSizes {
		q := applicationPoint(edmScheme, name)
		p, err := load.Measure(ctx, q, run.Seed)
		if err != nil {
			return m, err
		}
		sizes, err := workload.ParseSizes(name)
		if err != nil {
			return m, err
		}
		alone, err := aloneIn(ctx, q.fabricParams, measure.Spread(sizes, run.Seed))
		if err != nil {
			return m, err
		}
		if p.Finished != p.Messages || p.Violations > 0 {
			return m, fmt.Errorf("%s: %d of %d messages finished, %d violations", name, p.Finished, p.Messages, p.Violations)
		}
		m.Value = max(m.Value, p.All.Ratio)
		m.Rows = append(m.Rows, claims.Row{Label: name + ", mean", Value: p.All.Ratio}, claims.Row{Label: name + ", median", Value: measure.Quantile(measure.Slowdown(p.Results, alone), 0.5)})
	}
	return m, nil
}

// overCXL compares the mean completion times of Figure 8b.
func overCXL(ctx context.Context, run *claims.Run) (claims.Measurement, error) {
	m := claims.Measurement{Detail: "144 nodes at 100 Gb/s, 300 messages in both networks, all finished; CXL's mean over EDM's"}
	for _, name := range applicationSizes {
		ours, err := load.Measure(ctx, applicationPoint(edmScheme, name), run.Seed)
		if err != nil {
			return m, err
		}
		theirs, err := load.Measure(ctx, applicationPoint(packetnet.CXL.String(), name), run.Seed)
		if err != nil {
			return m, err
		}
		if ours.Finished+theirs.Finished != ours.Messages+theirs.Messages {
			return m, fmt.Errorf("%s: %d and %d of %d messages finished", name, ours.Finished, theirs.Finished, ours.Messages)
		}
		m.Value = max(m.Value, theirs.All.Mean/ours.All.Mean)
		m.Rows = append(m.Rows, claims.Row{Label: name + ", CXL over EDM", Value: theirs.All.Mean / ours.All.Mean},
			claims.Row{Label: name + ", CXL over the ideal", Value: theirs.All.Ratio}, claims.Row{Label: name + ", EDM over the ideal", Value: ours.All.Ratio})
	}
	return m, nil
}

// ranking compares the rise of latency in the networks of Figure 8a, all but Fastpass, whose server cannot carry the load.
func ranking(offered float64, of string) func(context.Context, *claims.Run) (claims.Measurement, error) {
	return func(ctx context.Context, run *claims.Run) (claims.Measurement, error) {
		m := claims.Measurement{Detail: "144 nodes at 100 Gb/s, 200,000 reads and writes of 64 B in each network; mean of latency over that of a lone message"}
		q := figure8(offered, 200_000)
		q.LoadOf = of
		ours, err := load.Measure(ctx, q, run.Seed)
		if err != nil {
			return m, err
		}
		add := func(p *Point) {
			m.Rows = append(m.Rows, claims.Row{Kind: claims.Variant, Label: p.Scheme, Value: p.All.Ratio},
				claims.Row{Kind: claims.Variant, Label: p.Scheme + ", mean latency", Value: p.All.Mean, Unit: "ns"},
				claims.Row{Label: p.Scheme + ", load of the line", Value: p.Line}, claims.Row{Label: p.Scheme + ", load of payload", Value: p.Payload})
		}
		add(ours)
		least := math.Inf(1)
		for _, s := range []packetnet.Scheme{packetnet.DCTCP, packetnet.PFabric, packetnet.PFC, packetnet.CXL, packetnet.IRD} {
			q.Scheme = s.String()
			p, err := load.Measure(ctx, q, run.Seed)
			if err != nil {
				return m, err
			}
			if p.Finished != p.Messages {
				return m, fmt.Errorf("%s: %d of %d messages finished", p.Scheme, p.Finished, p.Messages)
			}
			least = min(least, p.All.Ratio)
			add(p)
		}
		m.Value = ours.All.Ratio / least
		return m, nil
	}
}

// bestActive sweeps X.
func bestActive(ctx context.Context, run *claims.Run) (claims.Measurement, error) {
	m := claims.Measurement{Detail: "144 nodes at 100 Gb/s, 60,000 messages of 64 B for each X, all finished, every cycle looked at"}
	least, three := math.Inf(1), 0.0
	for _, x := range []int{1, 2, 3, 4, 6, 8} {
		q := figure8(0.9, 60_000)
		q.Active = x
		p, err := load.Measure(ctx, q, run.Seed)
		if err != nil {
			return m, err
		}
		if p.Finished != p.Messages || p.Violations > 0 {
			return m, fmt.Errorf("X = %d: %d of %d messages finished, %d violations", x, p.Finished, p.Messages, p.Violations)
		}
		least = min(least, p.All.Ratio)
		if x == 3 {
			three = p.All.Ratio
		}
		m.Rows = append(m.Rows, claims.Row{Kind: claims.Point, Label: fmt.Sprintf("X = %d", x), At: float64(x), Value: p.All.Ratio})
	}
	m.Value = three / least
	return m, nil
}

func sharedLoad(ctx context.Context, run *claims.Run) (claims.Measurement, error) {
	m := claims.Measurement{Detail: "144 nodes at 100 Gb/s, 150,000 messages of 64 B a load, reads and writes together, all finished; the last half of the run"}
	for _, l := range []float64{0.5, 0.8, 0.9} {
		q := figure8(l, 150_000)
		q.Shared = true
		p, err := load.Measure(ctx, q, run.Seed)
		if err != nil {
			return m, err
		}
		if p.Finished != p.Messages || p.Violations > 0 {
			return m, fmt.Errorf("load %g: %d of %d messages finished, %d violations", l, p.Finished, p.Messages, p.Violations)
		}
		last := (p.All.Quarters[2] + p.All.Quarters[3]) / 2 / p.All.Unloaded
		m.Value = max(m.Value, last)
		m.Rows = append(m.Rows, claims.Row{Kind: claims.Point, Label: fmt.Sprintf("load %g", l), At: l, Value: last},
			claims.Row{Label: fmt.Sprintf("load %g, mean of the third quarter", l), Value: p.All.Quarters[2], Unit: "ns"},
			claims.Row{Label: fmt.Sprintf("load %g, mean of the last quarter", l), Value: p.All.Quarters[3], Unit: "ns"})
	}
	return m, nil
}

func lineRate(ctx context.Context, _ *claims.Run) (claims.Measurement, error) {
	const bytes = 600_000
	r, err := edm.Run(ctx, edm.Config{Nodes: 2, Lanes: 4, Equalise: true}, []workload.Message{{Type: workload.Read, Source: 0, Dest: 1, Bytes: bytes}}, edm.Options{Limit: 1e10})
	if err != nil {
		return claims.Measurement{}, err
	}
	if !r.Messages[0].Finished {
		return claims.Measurement{}, fmt.Errorf("the message does not finish")
	}
	gbps := bytes * 8 * 1000 / float64(r.Messages[0].Latency())
	return claims.Measurement{Value: gbps, Unit: "%", Detail: fmt.Sprintf("%d bytes in %d ps, of 100 Gb/s", bytes, r.Messages[0].Latency())}, nil
}

// claimLoads are the loads of Figure 8a that the claims measure.
var claimLoads = []float64{0.5, 0.8, 0.9}

// figure8 is the network of §4.3, chunks of 256 B, X = 3, and messages to all: reads and writes of 64 B.
func figure8(offered float64, messages int) loadPoint {
	q := loadPoint{Scheme: edmScheme, Offered: offered, fabricParams: defaultFabric(144),
		trafficParams: trafficParams{Messages: messages, Sizes: "fixed:64", Reads: 0.5, LoadOf: "line", Pattern: "all-to-all"}}
	q.Queue = 64
	return q
}

func claimPoint(ctx context.Context, offered float64, seed uint64) (*Point, error) {
	return load.Measure(ctx, figure8(offered, 200_000), seed)
}

// waits measures a count over the points of the load curve: the greatest.
func waits(count func(*Point) int, unit ...string) func(context.Context, *claims.Run) (claims.Measurement, error) {
	return func(ctx context.Context, run *claims.Run) (claims.Measurement, error) {
		m := claims.Measurement{Unit: "blocks", Detail: "144 nodes at 100 Gb/s, 200,000 reads and writes of 64 B a load, every cycle looked at; the greatest"}
		if len(unit) > 0 {
			m.Unit = unit[0]
		}
		most := 0
		for _, l := range claimLoads {
			p, err := claimPoint(ctx, l, run.Seed)
			if err != nil {
				return m, err
			}
			most = max(most, count(p))
			m.Rows = append(m.Rows, claims.Row{Kind: claims.Point, Label: fmt.Sprintf("load %g", l), At: l, Exact: big.NewRat(int64(count(p)), 1)})
		}
		m.Exact = big.NewRat(int64(most), 1)
		return m, nil
	}
}
