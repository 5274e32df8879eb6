package pqueue

import (
	"context"
	"fmt"
	"math/big"

	"goldwire/claims"
	"goldwire/clock"
	"goldwire/rtl"
)

// Claims returns what EDM (Su and Shrivastav, ASPLOS 2025) says of its ordered list and its scheduler in cycles, each counted
// between edges of a running module.
func Claims() []claims.Claim {
	const list = "EDM §3.1.2"
	return []claims.Claim{
		{
			ID: "edm/3.1.2/list/insert", Source: list, Printed: "2 cycles",
			Text:  "An insert into the ordered list takes 2 cycles.",
			Note:  "From the cycle in which the operation stands at the input to that in which the list has the entry.",
			Judge: claims.Exactly("2", "cycles"), Expect: claims.Holds, Measure: listLatency(ListOp{Insert: true, Key: 5, ID: 9}, false),
		},
		{
			ID: "edm/3.1.2/list/delete", Source: list, Printed: "2 cycles",
			Text:  "A delete from the ordered list takes 2 cycles.",
			Judge: claims.Exactly("2", "cycles"), Expect: claims.Holds, Measure: listLatency(ListOp{Delete: true, ID: 9}, true),
		},
		{
			ID: "edm/3.1.2/list/throughput", Source: list, Printed: "1 operation a cycle",
			Text:  "Both are pipelined: a new operation may start in every cycle.",
			Judge: claims.Exactly("1", "operations a cycle"), Expect: claims.Holds, Measure: listThroughput,
		},
		{
			ID: "edm/3.1.2/list/highest", Source: list, Printed: "1 cycle",
			Text:  "The highest priority element of the ordered list takes 1 cycle.",
			Note:  "From the cycle in which its flow becomes eligible to that in which it stands at the output.",
			Judge: claims.Exactly("1", "cycles"), Expect: claims.Holds, Measure: listHighest,
		},
		{
			ID: "edm/3.1.2/iteration", Source: list, Printed: "3 cycles",
			Text:  "An iteration of the matching takes exactly 3 cycles.",
			Note:  "The least time between grants of one iteration and of the next, 16 ports, all pairs demanded.",
			Judge: claims.Exactly("3", "cycles"), Expect: claims.Holds, Measure: iteration,
		},
		{
			ID: "edm/table1/switch/insert-and-match", Source: "EDM Table 1", Printed: "2 + 3 cycles",
			Text:  "A lone notification is inserted in 2 cycles and matched in 3.",
			Note:  "From the cycle in which it stands at the scheduler's input to that in which the grant stands at its output.",
			Judge: claims.Exactly("5", "cycles"), Expect: claims.Holds, Measure: loneNotification,
		},
	}
}

func cycles(n uint64, format string, args ...any) claims.Measurement {
	return claims.Measurement{Exact: new(big.Rat).SetInt(new(big.Int).SetUint64(n)), Unit: "cycles", Detail: fmt.Sprintf(format, args...)}
}

// listBench drives a list by hand, edge by edge.
type listBench struct {
	Op       rtl.Out[ListOp]
	Eligible rtl.Out[uint16]

	op       ListOp // of the next edge
	eligible uint16
}

func (b *listBench) Tick() {
	b.Op.Set(b.op)
	b.Eligible.Set(b.eligible)
	b.op = ListOp{}
}

func newListBench() (*listBench, *OrderedList, *rtl.Clock, error) {
	b, l := &listBench{}, &OrderedList{Capacity: 16}
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
func listLatency(op ListOp, full bool) func(context.Context, *claims.Run) (claims.Measurement, error) {
	return func(context.Context, *claims.Run) (claims.Measurement, error) {
		b, l, clk, err := newListBench()
		if err != nil {
			return claims.Measurement{}, err
		}
		if full { // the entry is there already
			b.op = ListOp{Insert: true, Key: 5, ID: op.ID}
			if _, err := wait(clk, "entry", func() bool { return l.Length.Get() == 1 }); err != nil {
				return claims.Measurement{}, err
			}
		}
		before := l.Length.Get()
		b.op = op
		from, err := wait(clk, "operation", func() bool { return b.Op.Get() == op })
		if err != nil {
			return claims.Measurement{}, err
		}
		to, err := wait(clk, "change of length", func() bool { return l.Length.Get() != before })
		return cycles(to-from, "operation at the input behind edge %d, length %d behind edge %d", from, l.Length.Get(), to), err
	}
}

// listThroughput counts results while an operation starts at every edge.
func listThroughput(context.Context, *claims.Run) (claims.Measurement, error) {
	b, l, clk, err := newListBench()
	if err != nil {
		return claims.Measurement{}, err
	}
	const operations = 1000
	done := 0
	var first, last uint64
	for k := 0; done < operations && k < 2*operations; k++ {
		b.op = ListOp{Insert: k%2 == 0, Delete: k%2 == 1, ID: uint8(k / 2 % 64)}
		if err := clk.Run(1); err != nil {
			return claims.Measurement{}, err
		}
		if r := l.Result.Get(); r.Valid && Outcome(r.Outcome) == Done {
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
func listHighest(context.Context, *claims.Run) (claims.Measurement, error) {
	b, l, clk, err := newListBench()
	if err != nil {
		return claims.Measurement{}, err
	}
	b.op = ListOp{Insert: true, Key: 5, ID: 9, Flow: 3}
	if _, err := wait(clk, "entry", func() bool { return l.Length.Get() == 1 }); err != nil {
		return claims.Measurement{}, err
	}
	b.eligible = 1 << 3
	from, err := wait(clk, "eligible flow", func() bool { return b.Eligible.Get() != 0 })
	if err != nil {
		return claims.Measurement{}, err
	}
	to, err := wait(clk, "highest entry", func() bool { return l.Highest.Get().Valid })
	return cycles(to-from, "flow eligible behind edge %d, entry at the output behind edge %d", from, to), err
}

// demandBench notifies a scheduler.
type demandBench struct {
	Notify []rtl.Out[Notification]

	next func(source int) Notification
}

func (d *demandBench) Tick() {
	for s := range d.Notify {
		d.Notify[s].Set(d.next(s))
	}
}

func newDemandBench(cfg SchedulerConfig, next func(source int) Notification) (*demandBench, *Scheduler, *rtl.Clock, error) {
	x, err := NewScheduler(cfg)
	if err != nil {
		return nil, nil, nil, err
	}
	d := &demandBench{Notify: make([]rtl.Out[Notification], cfg.Ports), next: next}
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
func iteration(context.Context, *claims.Run) (claims.Measurement, error) {
	const ports = 16
	sent := make([]int, ports)
	next := func(source int) Notification { // one to every destination, each source beginning with another
		k := sent[source]
		sent[source]++
		return Notification{Valid: k < ports, Source: uint16(source), Dest: uint16((k + source*source) % ports), Bytes: uint16(1 + (7*source+3*k)%100)}
	}
	_, x, clk, err := newDemandBench(SchedulerConfig{Ports: ports, Active: 1, Chunk: 100, Busy: func(int, bool) int { return 4 }}, next)
	if err != nil {
		return claims.Measurement{}, err
	}
	var least, before, at uint64
	instants := 0
	for range 2000 {
		if err := clk.Run(1); err != nil {
			return claims.Measurement{}, err
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
		return claims.Measurement{}, fmt.Errorf("grants at %d edges, want more", instants)
	}
	return cycles(least, "grants at %d edges, the nearest two at %d and %d", instants, at-least, at), nil
}

// loneNotification measures from a notification at the input to its grant.
func loneNotification(context.Context, *claims.Run) (claims.Measurement, error) {
	now := Notification{}
	d, x, clk, err := newDemandBench(SchedulerConfig{Ports: 4, Active: 3, Chunk: 256, Busy: func(int, bool) int { return 8 }}, func(source int) Notification {
		if source != 2 {
			return Notification{}
		}
		n := now
		now = Notification{}
		return n
	})
	if err != nil {
		return claims.Measurement{}, err
	}
	var took uint64
	var first, last uint64
	for k := range 9 { // whenever it comes
		if err := clk.Run(uint64(20 + k)); err != nil {
			return claims.Measurement{}, err
		}
		now = Notification{Valid: true, Source: 2, Dest: 1, ID: uint8(k), Bytes: 64}
		from, err := wait(clk, "notification", func() bool { return d.Notify[2].Get().Valid })
		if err != nil {
			return claims.Measurement{}, err
		}
		to, err := wait(clk, "grant", func() bool { return x.Grant[2].Get().Valid })
		if err != nil {
			return claims.Measurement{}, err
		}
		if k > 0 && to-from != took {
			return claims.Measurement{}, fmt.Errorf("a grant took %d cycles, another %d", took, to-from)
		}
		took = to - from
		if k == 0 {
			first = from
		}
		last = to
	}
	return cycles(took, "9 notifications at different times, the first at the input behind edge %d, the last granted behind edge %d", first, last), nil
}
