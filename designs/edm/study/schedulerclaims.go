package study

import (
	"context"
	"fmt"
	"math/big"
	"math/bits"

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/pqueue"
	"github.com/goldwire/goldwire/rtl"

	"github.com/goldwire/goldwire/designs/edm"
)

// schedulerClaims returns what the paper says of the ordered list and the scheduler in cycles, each counted between
// edges of a running module.
func schedulerClaims() []claims.Claim {
	const list = "EDM §3.1.2"
	return []claims.Claim{
		{ID: "edm/3.1.2/list/insert", Source: list, Printed: "2 cycles",
			Text:  "An insert into the ordered list takes 2 cycles.",
			Note:  "From the cycle in which the operation stands at the input to that in which the list has the entry.",
			Judge: claims.Exactly("2", "cycles"), Expect: claims.Holds,
			Measure: listLatency(pqueue.ListOp{Insert: true, Key: 5, ID: 9}, false)},
		{ID: "edm/3.1.2/list/delete", Source: list, Printed: "2 cycles",
			Text:  "A delete from the ordered list takes 2 cycles.",
			Judge: claims.Exactly("2", "cycles"), Expect: claims.Holds,
			Measure: listLatency(pqueue.ListOp{Delete: true, ID: 9}, true)},
		{ID: "edm/3.1.2/list/throughput", Source: list, Printed: "1 operation a cycle",
			Text:  "Both are pipelined: a new operation may start in every cycle.",
			Judge: claims.Exactly("1", "operations a cycle"), Expect: claims.Holds, Measure: listThroughput},
		{ID: "edm/3.1.2/list/highest", Source: list, Printed: "1 cycle",
			Text:  "The highest priority element of the ordered list takes 1 cycle.",
			Note:  "From the cycle in which its flow becomes eligible to that in which it stands at the output.",
			Judge: claims.Exactly("1", "cycles"), Expect: claims.Holds, Measure: listHighest},
		{ID: "edm/3.1.2/iteration", Source: list, Printed: "3 cycles",
			Text:  "An iteration of the matching takes exactly 3 cycles.",
			Note:  "The least time between grants of one iteration and of the next, 16 ports, all pairs demanded.",
			Judge: claims.Exactly("3", "cycles"), Expect: claims.Holds, Measure: iteration},
		{ID: "edm/table1/switch/insert-and-match", Source: "EDM Table 1", Printed: "2 + 3 cycles",
			Text:  "A lone notification is inserted in 2 cycles and matched in 3.",
			Note:  "From the cycle in which it stands at the scheduler's input to that in which the grant stands at its output.",
			Judge: claims.Exactly("5", "cycles"), Expect: claims.Holds, Measure: loneNotification},
		{ID: "edm/3.1.2/iterations", Source: list, Printed: "~log(N) iterations",
			Text: "PIM takes log N iterations on average to form a maximal matching, and so does EDM's matching with " +
				"priorities.",
			Note: "The greatest mean in units of log2 N. Fresh random demands, sizes drawn independently; with sizes that " +
				"all destinations order alike it is up to N.",
			Judge: claims.AtMost("1", "log2 N"), Expect: claims.Holds, Measure: meanIterations()},
		{ID: "edm/3.1.3/latency-512", Source: "EDM §3.1.3", Printed: "9 ns on average",
			Text: "At 3 GHz the scheduler needs only 9 ns on average to form a maximal matching for 512 ports.",
			Note: "Read as a bound: 3 log2 N cycles are more than it takes. All pairs demanded, which takes longest of all " +
				"densities with independent sizes.",
			Judge: claims.AtMost("9", "ns"), Expect: claims.Holds, Measure: matchingLatency()},
		{ID: "edm/3.1.3/minimum-chunk", Source: "EDM §3.1.3", Printed: "128 B",
			Text: "A chunk of 128 B keeps a 100 Gb/s link busy for longer than it takes to form a matching for 512 ports.",
			Note: "The longest matching seen, not the mean, against 10.24 ns: 128 B of payload alone, without framing. Sizes " +
				"drawn independently: of sizes that all destinations order alike it does not hold, as the last row shows.",
			Judge: claims.AtMost("10.24", "ns"), Expect: claims.Holds, Measure: minimumChunk()},
		{ID: "edm/4.1/sram", Source: "EDM §4.1", Printed: "around 1 MB",
			Text: "The notification queue of 512 ports takes K N^2 bytes of memory, around 1 MB.",
			Note: "Notifications that the scheduler took and holds, in 33 bits each: 9 for the source or destination, 8 for " +
				"the ID, 16 for the size (§3.1.4). MB are 10^6 bytes.",
			Judge: claims.Within("1", "10%", "MB"), Expect: claims.Deviates, Recorded: claims.Exactly("3.244032", "MB"),
			Reason:  "K N^2 has one notification a pair; a pair may have X = 3 at a time (§4.3), and each has to be stored.",
			Measure: notificationMemory},
	}
}

// listBench drives a list by hand, edge by edge.
type listBench struct {
	Op       rtl.Out[pqueue.ListOp]
	Eligible rtl.Out[uint16]

	op       pqueue.ListOp // of the next edge
	eligible uint16
}

func (b *listBench) Tick() {
	b.Op.Set(b.op)
	b.Eligible.Set(b.eligible)
	b.op = pqueue.ListOp{}
}

func newListBench() (*listBench, *pqueue.OrderedList, *rtl.Clock, error) {
	b, l := &listBench{}, &pqueue.OrderedList{Capacity: 16}
	sim := rtl.New(rtl.Config{})
	clk := sim.Clock("clk", clock.Block25G)
	s := sim.Scope("claim").On(clk)
	s.Add("bench", b)
	s.Add("list", l)
	rtl.Connect(&b.Op, &l.Op)
	rtl.Connect(&b.Eligible, &l.Eligible)
	return b, l, clk, sim.Elaborate()
}

// wait runs until a condition holds and returns the cycle.
func wait(clk *rtl.Clock, what string, done func() bool) (uint64, error) {
	const limit = 1000
	ok, err := clk.RunUntil(limit, done)
	if err == nil && !ok {
		err = fmt.Errorf("no %s within %d cycles", what, limit)
	}
	return clk.Cycle(), err
}

// listLatency measures from an operation at the input to the list's new length.
func listLatency(op pqueue.ListOp, full bool) claims.Measure {
	return func(context.Context, *claims.Run) (m claims.Measurement, err error) {
		b, l, clk, err := newListBench()
		if err != nil {
			return m, err
		}
		if full { // the entry is there already
			b.op = pqueue.ListOp{Insert: true, Key: 5, ID: op.ID}
			if _, err := wait(clk, "entry", func() bool { return l.Length.Get() == 1 }); err != nil {
				return m, err
			}
		}
		before := l.Length.Get()
		b.op = op
		from, err := wait(clk, "operation", func() bool { return b.Op.Get() == op })
		if err != nil {
			return m, err
		}
		to, err := wait(clk, "change of length", func() bool { return l.Length.Get() != before })
		return claims.Cycles(
			to-from, "operation at the input after edge %d, length %d after edge %d", from, l.Length.Get(), to,
		), err
	}
}

// listThroughput counts results while an operation starts at every edge.
func listThroughput(context.Context, *claims.Run) (m claims.Measurement, err error) {
	b, l, clk, err := newListBench()
	if err != nil {
		return m, err
	}
	const operations = 1000
	done := 0
	var first, last uint64
	for k := 0; done < operations && k < 2*operations; k++ {
		b.op = pqueue.ListOp{Insert: k%2 == 0, Delete: k%2 == 1, ID: uint8(k / 2 % 64)}
		if err := clk.Run(1); err != nil {
			return m, err
		}
		if r := l.Result.Get(); r.Valid && pqueue.Outcome(r.Outcome) == pqueue.Done {
			if done++; done == 1 {
				first = clk.Cycle()
			}
			last = clk.Cycle()
		}
	}
	return claims.Measurement{Exact: big.NewRat(int64(done), int64(last-first+1)), Unit: "operations a cycle",
		Detail: fmt.Sprintf("%d operations done, from edge %d to %d", done, first, last)}, nil
}

// listHighest measures from eligibility to the entry at the output.
func listHighest(context.Context, *claims.Run) (m claims.Measurement, err error) {
	b, l, clk, err := newListBench()
	if err != nil {
		return m, err
	}
	b.op = pqueue.ListOp{Insert: true, Key: 5, ID: 9, Flow: 3}
	if _, err := wait(clk, "entry", func() bool { return l.Length.Get() == 1 }); err != nil {
		return m, err
	}
	b.eligible = 1 << 3
	from, err := wait(clk, "eligible flow", func() bool { return b.Eligible.Get() != 0 })
	if err != nil {
		return m, err
	}
	to, err := wait(clk, "highest entry", func() bool { return l.Highest.Get().Valid })
	return claims.Cycles(to-from, "flow eligible after edge %d, entry at the output after edge %d", from, to), err
}

// demandBench notifies a scheduler.
type demandBench struct {
	Notify []rtl.Out[edm.Notification]

	next func(source int) edm.Notification
}

func (d *demandBench) Tick() {
	for s := range d.Notify {
		d.Notify[s].Set(d.next(s))
	}
}

func newDemandBench(
	cfg edm.SchedulerConfig, next func(source int) edm.Notification,
) (*demandBench, *edm.Scheduler, *rtl.Clock, error) {
	x, err := edm.NewScheduler(cfg)
	if err != nil {
		return nil, nil, nil, err
	}
	d := &demandBench{Notify: make([]rtl.Out[edm.Notification], cfg.Ports), next: next}
	sim := rtl.New(rtl.Config{})
	clk := sim.Clock("clk", clock.Block25G)
	s := sim.Scope("claim").On(clk)
	s.Add("senders", d)
	s.Add("scheduler", x)
	for p := range cfg.Ports {
		rtl.Connect(&d.Notify[p], &x.Notify[p])
	}
	return d, x, clk, sim.Elaborate()
}

// iteration measures the least time between grants at different edges.
func iteration(context.Context, *claims.Run) (m claims.Measurement, err error) {
	const ports = 16
	sent := make([]int, ports)
	next := func(source int) edm.Notification { // one to every destination, each source beginning with another
		k := sent[source]
		sent[source]++
		return edm.Notification{
			Valid: k < ports, Source: uint16(source), Dest: uint16((k + source*source) % ports),
			Bytes: uint16(1 + (7*source+3*k)%100),
		}
	}
	_, x, clk, err := newDemandBench(
		edm.SchedulerConfig{Ports: ports, Active: 1, Chunk: 100, Busy: func(int, bool) int { return 5 }}, next,
	)
	if err != nil {
		return m, err
	}
	var least, before, at uint64
	instants := 0
	for range 2000 {
		if err := clk.Run(1); err != nil {
			return m, err
		}
		any := false
		for p := range x.Grant {
			any = any || x.Grant[p].Get().Valid
		}
		if !any {
			continue
		}
		if instants++; instants > 1 && (least == 0 || clk.Cycle()-before < least) {
			least, at = clk.Cycle()-before, clk.Cycle()
		}
		before = clk.Cycle()
	}
	if instants < 2 {
		return m, fmt.Errorf("grants at %d edges, want more", instants)
	}
	return claims.Cycles(least, "grants at %d edges, the nearest two at %d and %d", instants, at-least, at), nil
}

// loneNotification measures from a notification at the input to its grant.
func loneNotification(context.Context, *claims.Run) (m claims.Measurement, err error) {
	now := edm.Notification{}
	d, x, clk, err := newDemandBench(
		edm.SchedulerConfig{Ports: 4, Active: 3, Chunk: 256, Busy: func(int, bool) int { return 8 }},
		func(source int) edm.Notification {
			if source != 2 {
				return edm.Notification{}
			}
			n := now
			now = edm.Notification{}
			return n
		},
	)
	if err != nil {
		return m, err
	}
	var took uint64
	var first, last uint64
	for k := range 9 { // whenever it comes
		if err := clk.Run(uint64(20 + k)); err != nil {
			return m, err
		}
		now = edm.Notification{Valid: true, Source: 2, Dest: 1, ID: uint8(k), Bytes: 64}
		from, err := wait(clk, "notification", func() bool { return d.Notify[2].Get().Valid })
		if err != nil {
			return m, err
		}
		to, err := wait(clk, "grant", func() bool { return x.Grant[2].Get().Valid })
		if err != nil {
			return m, err
		}
		if k > 0 && to-from != took {
			return m, fmt.Errorf("a grant took %d cycles, another %d", took, to-from)
		}
		took = to - from
		if k == 0 {
			first = from
		}
		last = to
	}
	return claims.Cycles(
		took, "9 notifications at different times, the first at the input after edge %d, the last granted after edge %d",
		first, last,
	), nil
}

// meanIterations measures the scheduler's mean iterations beside log2 N.
func meanIterations() claims.Measure {
	var points []matchingPoint
	for _, ports := range []int{16, 144, 512} {
		for _, d := range []density{0.5, 1} {
			points = append(points, matchingPoint{ports, d, IndependentSizes, 10_000})
		}
	}
	return claims.OfAll(matching, points, func(rs []matchingResult) claims.Measurement {
		var matchings uint64
		var m claims.Measurement
		for i, r := range rs {
			ports, d := points[i].Ports, points[i].Density
			matchings += r.Matchings
			m.Value = max(m.Value, r.EDM.Iterations.Mean()/r.Log2)
			for _, f := range []struct {
				name string
				Formed
			}{{"EDM", r.EDM}, {"PIM", r.PIM}, {"iSLIP", r.ISLIP}} {
				m.Rows = append(m.Rows, claims.Row{Kind: claims.Point, Series: fmt.Sprintf("%s, density %v", f.name, d),
					At:    float64(ports),
					Label: fmt.Sprintf("%s, %d ports (log2 %.2f), density %v", f.name, ports, r.Log2, d), Value: f.Iterations.Mean(),
					Unit: "iterations"})
			}
		}
		return claims.Figure(m.Value, "log2 N", "edges with grants, %d matchings, each found maximal", matchings).
			With(m.Rows...)
	})
}

// perMatching is how long a matching takes on average, of cycles for a number of matchings.
func perMatching(r *Iterations, cycles, matchings uint64) *big.Rat {
	ns := new(big.Rat).SetFrac(new(big.Int).SetUint64(cycles), new(big.Int).SetUint64(matchings))
	return ns.Mul(ns, r.Clock.Period().In(clock.Nanosecond))
}

// matchingLatency measures the scheduler's mean time to a maximal matching of 512 ports. The figure is the last
// density's, the longest.
func matchingLatency() claims.Measure {
	var points []matchingPoint
	for _, d := range []density{0.1, 0.5, 1} {
		points = append(points, matchingPoint{512, d, IndependentSizes, 10_000})
	}
	return claims.OfAll(matching, points, func(rs []matchingResult) claims.Measurement {
		var matchings uint64
		var rows []claims.Row
		var mean *big.Rat
		for i, r := range rs {
			matchings += r.Matchings
			mean = perMatching(r.Iterations, r.EDM.Cycles.Sum, r.Matchings)
			rows = append(
				rows,
				claims.Row{Kind: claims.Variant, Label: fmt.Sprintf("mean, density %v", points[i].Density), Exact: mean},
				claims.Row{
					Label: fmt.Sprintf("longest, density %v", points[i].Density),
					Exact: perMatching(r.Iterations, r.EDM.Cycles.Max, 1),
				},
			)
		}
		return claims.Exact(mean, "ns", "from the edge of the first request to that of the last accept, %d matchings",
			matchings).
			With(rows...)
	})
}

// minimumChunk measures the scheduler's longest time to a maximal matching of 512 ports.
func minimumChunk() claims.Measure {
	return claims.OfSamples(matching, []claims.Sample[matchingPoint]{
		{Point: matchingPoint{512, 1, IndependentSizes, 15_000}, Seed: 1}, {Point: matchingPoint{512, 1, SourceSizes, 1}},
	}, func(rs []matchingResult) claims.Measurement {
		r, alike := rs[0], rs[1]
		longest := perMatching(r.Iterations, r.EDM.Cycles.Max, 1)
		return claims.Exact(longest, "ns", "longest of %d matchings, all pairs demanded, from the edge of the first request "+
			"to that of the last accept", r.Matchings).With(
			claims.Row{Label: "128 B at 100 Gb/s", Exact: big.NewRat(128*8, 100)},
			claims.Row{Label: "mean", Exact: perMatching(r.Iterations, r.EDM.Cycles.Sum, r.Matchings)},
			claims.Row{Label: "longest", Exact: longest},
			claims.Row{Label: "all destinations prefer the same source",
				Exact: perMatching(alike.Iterations, alike.EDM.Cycles.Max, 1)})
	})
}

// notificationMemory counts the notifications that a scheduler of 512 ports takes when every pair sends more than it
// may.
func notificationMemory(context.Context, *claims.Run) (m claims.Measurement, err error) {
	const ports, active = 512, 3
	const each = ports * (active + 1) // notifications a source sends
	sent := make([]int, ports)
	// the destinations in turn, each source beginning with another: a list takes one a cycle
	next := func(source int) edm.Notification {
		k := sent[source]
		sent[source]++
		return edm.Notification{Valid: k < each, Source: uint16(source), Dest: uint16((source + k) % ports), Bytes: 2}
	}
	// A circuit lasts for longer than the measurement and lets a chunk of one byte through: no message is finished.
	_, x, clk, err := newDemandBench(
		edm.SchedulerConfig{Ports: ports, Active: active, Chunk: 1, Busy: func(int, bool) int { return 1 << 30 }}, next,
	)
	if err != nil {
		return m, err
	}
	if err := clk.Run(each + 10); err != nil {
		return m, err
	}
	held := int64(ports*each) - int64(x.Refused.Get())
	width := int64(bits.Len(ports-1) + 8 + 16)
	megabytes := big.NewRat(held*width, 8*1_000_000)
	return claims.Measurement{Exact: megabytes, Unit: "MB",
		Detail: fmt.Sprintf(
			"%d notifications sent, %d refused, %d held, %d bits each", ports*each, x.Refused.Get(), held, width,
		),
		Rows: []claims.Row{
			{Label: fmt.Sprintf("X = %d", active), Exact: megabytes},
			{Label: "one a pair", Exact: new(big.Rat).Quo(megabytes, big.NewRat(active, 1))},
		}}, nil
}
