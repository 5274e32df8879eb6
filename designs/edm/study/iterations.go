package study

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/internal/enum"
	"github.com/goldwire/goldwire/pqueue"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/workload/measure"

	"github.com/goldwire/goldwire/designs/edm"
)

// Sizes says how long the messages of a demand are: to SRPT, their priorities.
type Sizes uint8

// The sizes.
const (
	IndependentSizes Sizes = iota // random, each message's by itself
	EqualSizes                    // all the same: the older message leads
	// all of a source the same, none of two sources: every destination prefers the same source
	SourceSizes
)

var sizesTexts = enum.Texts{"independent", "equal", "source"}

func (s Sizes) String() string { return enum.String(s, sizesTexts) }

// MarshalText implements [encoding.TextMarshaler].
func (s Sizes) MarshalText() ([]byte, error) { return enum.Marshal(s, sizesTexts) }

// UnmarshalText implements [encoding.TextUnmarshaler]: it reads independent, equal or source.
func (s *Sizes) UnmarshalText(text []byte) error { return enum.Unmarshal(s, text, sizesTexts) }

// IterationsConfig describes a measurement of how fast matchings form.
type IterationsConfig struct {
	Ports   int     // 1 to 1024
	Density float64 // share of all pairs demanded, each drawn by itself; 0: one message a source, for a random destination
	Sizes   Sizes
	Cycles  uint64 // of the scheduler's clock, at least; the last matching is finished
	Seed    uint64

	Progress func(cycles uint64) `state:"none"` // called now and then; may be nil
	Run      *experiment.Run     `state:"none"` // records the scheduler, keeps it and takes it up again; nil for none
}

// Formed is how fast a scheme formed maximal matchings.
type Formed struct {
	Iterations measure.Histogram // that added pairs
	Cycles     measure.Histogram // from the edge of the first request to the last accept's, both counted
	Pairs      uint64            // of all matchings together
}

// Iterations is what [MeasureIterations] finds. The scheduler's cycles are counted between edges; its peers', which are
// no modules, are 3 an iteration.
type Iterations struct {
	Ports     int
	Matchings uint64
	Cycles    uint64 // that the scheduler ran, most of them to take the notifications
	Demanded  uint64 // pairs, of all matchings together
	Clock     clock.Freq

	EDM, PIM, ISLIP Formed
}

// MeasureIterations has a running [Scheduler] form one matching after another, each of a fresh random demand, and gives
// PIM and iSLIP the same demands, the latter with pointers that have parted under full demand. Every matching is
// checked: it is one, of demanded pairs, and maximal. A demand has at least one pair; a port may demand itself, as in a
// crossbar.
func MeasureIterations(ctx context.Context, cfg IterationsConfig) (*Iterations, error) {
	if !(cfg.Density >= 0 && cfg.Density <= 1) { // nor NaN
		return nil, fmt.Errorf("density %v, want 0 to 1", cfg.Density)
	}
	b, err := newIterationsBench(cfg)
	if err != nil {
		return nil, err
	}
	n := cfg.Ports
	pim, islip := pqueue.NewPIM(n, rand.New(rand.NewPCG(cfg.Seed, 2))), b.warmISLIP()
	result := &Iterations{Ports: n, Clock: b.clk.Freq()}
	if cfg.Run != nil {
		if err := cfg.Run.Simulate(experiment.Simulation{Sim: b.clk.Sim(), Clock: b.clk,
			Roots: []any{b, pim, islip, result}}); err != nil {
			return nil, err
		}
	}
	const every = 1 << 14 // cycles between reports of progress
	for reported := b.clk.Cycle(); b.clk.Cycle() < cfg.Cycles; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		result.Demanded += uint64(b.draw())
		if err := b.form(&result.EDM); err != nil {
			return nil, fmt.Errorf("scheduler of %d ports, matching %d: %w", n, result.Matchings, err)
		}
		for _, peer := range []struct {
			matcher pqueue.Matcher
			formed  *Formed
		}{{pim, &result.PIM}, {islip, &result.ISLIP}} {
			b.m.Reset()
			iterations := pqueue.Match(peer.matcher, b.demand, b.m)
			if err := b.record(peer.formed, iterations, 3*iterations); err != nil {
				return nil, fmt.Errorf("%T of %d ports, matching %d: %w", peer.matcher, n, result.Matchings, err)
			}
		}
		result.Matchings++
		if c := b.clk.Cycle(); cfg.Progress != nil && (c-reported >= every || c >= cfg.Cycles) {
			cfg.Progress(c)
			reported = c
		}
		if cfg.Run != nil {
			if err := cfg.Run.Between(); err != nil {
				return nil, err
			}
		}
	}
	result.Cycles = b.clk.Cycle()
	return result, nil
}

// notifier sends what each source has to notify, one notification a cycle.
type notifier struct {
	Notify []rtl.Out[edm.Notification]

	sends  [][]edm.Notification // by source
	active blocks.Bits          // sources that send, or did in the cycle before
}

func (n *notifier) Tick() {
	for s := n.active.Next(0); s >= 0; s = n.active.Next(s + 1) {
		if len(n.sends[s]) == 0 {
			n.Notify[s].Set(edm.Notification{})
			n.active.Clear(s)
			continue
		}
		n.Notify[s].Set(n.sends[s][0])
		n.sends[s] = n.sends[s][1:]
	}
}

// load gives the sources something to notify, from the next edge on.
func (n *notifier) load(sends [][]edm.Notification) {
	copy(n.sends, sends)
	n.active.Fill(len(sends))
}

// iterationsBench runs a scheduler at the paper's 3 GHz (§4.1) and acts between its edges.
//
// A matching begins with a reset, for an empty scheduler, and a lone message from each port to itself. Their circuits
// keep all ports busy while the notifications of the demand come into the lists, and end together after the last of
// them. Grants from then on last until the next reset, so grants end when the matching is maximal.
type iterationsBench struct {
	cfg    IterationsConfig
	rng    *rand.Rand
	clk    *rtl.Clock
	sender *notifier
	x      *edm.Scheduler

	lone, messages [][]edm.Notification // by source
	listed         []int                // of each destination: see fill
	demand         pqueue.Demand
	m              *pqueue.Matching

	hold int // how long a circuit lasts, from its grant to the next; changed between edges only
}

// forever is longer than any matching takes to form.
const forever = math.MaxInt32

func newIterationsBench(cfg IterationsConfig) (*iterationsBench, error) {
	n := cfg.Ports
	b := &iterationsBench{cfg: cfg, rng: rand.New(rand.NewPCG(cfg.Seed, 1)), hold: forever}
	x, err := edm.NewScheduler(
		edm.SchedulerConfig{Ports: n, Active: 1, Chunk: math.MaxUint16, Busy: func(int, bool) int { return b.hold }},
	)
	if err != nil {
		return nil, err
	}
	b.x = x
	b.sender = &notifier{
		Notify: make([]rtl.Out[edm.Notification], n), sends: make([][]edm.Notification, n), active: blocks.NewBits(n),
	}
	b.lone, b.messages = make([][]edm.Notification, n), make([][]edm.Notification, n)
	b.listed, b.demand, b.m = make([]int, n), pqueue.NewDemand(n), pqueue.NewMatching(n)
	sim := rtl.New(rtl.Config{})
	b.clk = sim.Clock("clk", clock.MHz(3000))
	s := sim.Scope("iterations").On(b.clk)
	s.Add("sources", b.sender)
	s.Add("scheduler", x)
	for p := range n {
		rtl.Connect(&b.sender.Notify[p], &x.Notify[p])
		b.lone[p] = []edm.Notification{{Valid: true, Source: uint16(p), Dest: uint16(p), Bytes: 1}}
	}
	return b, sim.Elaborate()
}

// warmISLIP returns iSLIP with pointers that have left each other, as they do under full demand; they begin all the
// same. Only first iterations move them.
func (b *iterationsBench) warmISLIP() *pqueue.ISLIP {
	p := pqueue.NewISLIP(b.cfg.Ports)
	for dest := range b.demand {
		b.demand[dest].Fill(b.cfg.Ports)
	}
	for range 2 * b.cfg.Ports {
		b.m.Reset()
		p.Iterate(b.demand, b.m)
	}
	return p
}

// draw makes a demand, and the notifications of each source in random order. It returns how many there are.
func (b *iterationsBench) draw() int {
	n := b.cfg.Ports
	for dest := range b.demand {
		b.demand[dest].Reset()
	}
	pairs := 0
	for source := range n {
		b.messages[source] = b.messages[source][:0]
		if b.cfg.Density == 0 {
			b.add(source, b.rng.IntN(n))
			pairs++
			continue
		}
		for dest := range n {
			if b.rng.Float64() < b.cfg.Density {
				b.add(source, dest)
				pairs++
			}
		}
		m := b.messages[source]
		b.rng.Shuffle(len(m), func(i, j int) { m[i], m[j] = m[j], m[i] })
	}
	if pairs == 0 {
		b.add(b.rng.IntN(n), b.rng.IntN(n))
		pairs = 1
	}
	return pairs
}

func (b *iterationsBench) add(source, dest int) {
	size := 64
	switch b.cfg.Sizes {
	case IndependentSizes:
		size = 1 + b.rng.IntN(math.MaxUint16)
	case SourceSizes:
		size = 1 + source
	}
	b.demand[dest].Set(source)
	b.messages[source] = append(
		b.messages[source],
		edm.Notification{Valid: true, Source: uint16(source), Dest: uint16(dest), Bytes: uint16(size)},
	)
}

// fill returns in how many cycles the lists take all notifications, from the first insert on: each takes one a cycle.
func (b *iterationsBench) fill() int {
	clear(b.listed)
	last := 0
	for k, more := 0, true; more; k++ {
		more = false
		for _, m := range b.messages {
			if k < len(m) {
				d := m[k].Dest
				b.listed[d] = max(b.listed[d], k) + 1
				last = max(last, b.listed[d])
				more = true
			}
		}
	}
	return last
}

// form has the scheduler form a matching of the demand, counts, and checks it.
func (b *iterationsBench) form(formed *Formed) error {
	n := b.cfg.Ports
	b.x.Reset()
	// A notification that stands at the output after edge 1 is in its list after edge 3 and can be requested at edge 4.
	fill := b.fill()
	const inserted = 3
	b.hold = fill + inserted + 2 // a request is two edges before its grant
	b.sender.load(b.lone)
	for edge, granted := 0, 0; granted == 0; edge++ {
		if edge == 10 {
			return fmt.Errorf("no circuits %d edges after the notifications", edge)
		}
		if err := b.clk.Run(1); err != nil {
			return err
		}
		b.m.Reset()
		var err error
		if granted, err = b.grants(); err != nil {
			return err
		}
		if granted != 0 && granted != n {
			return fmt.Errorf("%d circuits at once, want %d", granted, n)
		}
	}
	b.hold = forever
	b.sender.load(b.messages)
	if err := b.clk.Run(uint64(fill + inserted - 1)); err != nil {
		return err
	}
	// The next edge is the first request's. The matching has formed when an iteration's time brings no grant.
	b.m.Reset()
	iterations, last := 0, 0
	for edge := 1; edge <= last+3; edge++ {
		if err := b.clk.Run(1); err != nil {
			return err
		}
		granted, err := b.grants()
		if err != nil {
			return err
		}
		if granted > 0 {
			iterations++
			last = edge
		}
	}
	if refused := b.x.Refused.Get(); refused != 0 {
		return fmt.Errorf("%d notifications refused", refused)
	}
	return b.record(formed, iterations, last)
}

// grants adds the grants that stand at the scheduler's output to the matching and returns how many there are.
func (b *iterationsBench) grants() (int, error) {
	granted := 0
	for source := range b.x.Grant {
		g := b.x.Grant[source].Get()
		if !g.Valid {
			continue
		}
		if b.m.DestOf[source] >= 0 || b.m.SourceOf[g.Dest] >= 0 {
			return 0, fmt.Errorf("%d → %d is granted while one of them has a circuit", source, g.Dest)
		}
		b.m.Pair(source, int(g.Dest))
		granted++
	}
	return granted, nil
}

// record checks the matching and counts it in.
func (b *iterationsBench) record(f *Formed, iterations, cycles int) error {
	if err := b.m.Check(b.demand); err != nil {
		return err
	}
	if !b.m.Maximal(b.demand) {
		return fmt.Errorf("it is not maximal after %d iterations", iterations)
	}
	f.Iterations.Add(uint64(iterations), 1)
	f.Cycles.Add(uint64(cycles), 1)
	f.Pairs += uint64(b.m.Pairs())
	return nil
}
