package engine

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"unsafe"

	"github.com/goldwire/goldwire/internal/edgecalls"
)

// FaultKind is the kind of a fault.
type FaultKind int

// The faults that strict mode finds.
const (
	TooWide         FaultKind = iota // a value wider than its declaration
	ReadUndriven                     // a read of an output that nothing has driven
	Latch                            // a Comb that leaves a Wire undriven
	ImpureComb                       // a Comb that gives another value when called again
	UndeclaredInput                  // a Comb that reads an input its comb tags leave out
	MisplacedDrive                   // an Out set in Comb, or a Wire set in Tick
	AsyncInComb                      // an Async read in Comb
)

// Fault is one thing that is wrong, with the full path of where.
type Fault struct {
	Kind         FaultKind
	Path, Detail string
}

// StrictState is the state of strict mode that a checkpoint keeps.
type StrictState struct {
	Random *rand.Rand
	Ticks  [][]*Node // [clock], shuffled before use
	Jitter bool
	Late   []*Jitter
}

// Strict returns the state of strict mode, nil in other modes.
func (e *Engine) Strict() *StrictState {
	if e.strict == nil {
		return nil
	}
	return &e.strict.StrictState
}

// strict runs a simulation in strict mode: one module at a time, in a random order, with a look at its ports after
// each.
type strict struct {
	StrictState
	engine *Engine
	combs  [][]*Node // [clock], in the order of the calls

	mayRead map[*Node]map[*Input]bool // what the Comb of a module may read, by its comb tags
	fresh   []*Output                 // driven for the first time at this instant
	faults  []Fault
}

func newStrict(e *Engine) *strict {
	t := &strict{engine: e, mayRead: map[*Node]map[*Input]bool{}}
	t.Random = rand.New(rand.NewPCG(e.cfg.Seed, 0x676f6c6477697265)) // "goldwire", a stream of our own
	t.Jitter = e.cfg.Jitter
	byComber := map[edgecalls.Comber]*Node{}
	for _, n := range e.nodes {
		if n.Comber == nil {
			continue
		}
		byComber[n.Comber] = n
		t.mayRead[n] = map[*Input]bool{}
		for _, w := range n.Wires {
			for _, in := range w.combInputs(nil) {
				t.mayRead[n][in] = true
			}
		}
	}
	for _, sh := range e.parts[0].shards {
		t.Ticks = append(t.Ticks, append([]*Node(nil), sh.nodes...))
		var combs []*Node
		for _, c := range sh.combs {
			combs = append(combs, byComber[c])
		}
		t.combs = append(t.combs, combs)
	}
	if e.cfg.Jitter {
		for _, n := range e.nodes {
			for _, in := range n.Ins {
				if o := in.From; o != nil && in.IsAsync && o.Node.Clock != n.Clock {
					t.Late = append(t.Late, newJitter(in, o))
				}
			}
		}
	}
	return t
}

func (t *strict) fault(k FaultKind, path, format string, args ...any) {
	t.faults = append(t.faults, Fault{k, path, fmt.Sprintf(format, args...)})
}

// strictInstant runs the next instant in strict mode.
func (e *Engine) strictInstant() []Fault {
	edges := e.schedule.Next()
	e.strict.instant(edges)
	e.strict.settle(edges)
	e.observe(edges)
	faults := e.strict.faults
	e.strict.faults = nil
	return faults
}

func (t *strict) instant(edges []int) {
	for _, j := range t.Late {
		if slices.Contains(edges, j.clock) {
			j.sample(t.Random)
		}
	}
	for _, c := range edges {
		for _, n := range t.combs[c] {
			t.comb(n)
		}
		t.checkPure(c)
	}
	for _, c := range edges {
		ticks := t.Ticks[c]
		t.Random.Shuffle(len(ticks), func(i, j int) { ticks[i], ticks[j] = ticks[j], ticks[i] })
		for _, n := range ticks {
			t.tick(n)
		}
		for _, n := range ticks {
			if n.Length != nil && n.column == 0 {
				n.line.Tick()
			}
		}
	}
	for _, c := range edges {
		t.engine.whole.Clocks[c].Commit()
	}
	for _, o := range t.fresh { // only now: the order of ticks must not matter
		o.Driven = true
	}
	t.fresh = t.fresh[:0]
}

// settle brings the wires up to date after the edge, and forgets its reads and drives: that is looked at before the
// next.
func (t *strict) settle(edges []int) {
	for _, c := range edges {
		t.engine.whole.Clocks[c].Comb()
	}
	for _, c := range edges {
		t.forget(c)
	}
}

func (t *strict) comb(n *Node) {
	n.Comber.Comb()
	for _, w := range n.Wires {
		if !*w.Used {
			t.fault(Latch, w.Path(), "was not driven by Comb at %s", t.now(n.Clock))
		}
		*w.Used = false
		t.checkWidth(w, w.Place())
	}
	for _, o := range n.Outs {
		if *o.Used {
			t.fault(MisplacedDrive, o.Path(), "is an Out, but Comb sets it")
		}
	}
	for _, in := range n.Ins {
		if *in.Used && in.IsAsync {
			t.fault(AsyncInComb, in.Path(), "is an Async, but Comb reads it")
		} else if *in.Used && !t.mayRead[n][in] {
			t.fault(UndeclaredInput, in.Path(), "is read by Comb, but no comb tag of the module names it")
		}
	}
	t.checkReads(n)
}

// checkPure settles all wires of a clock once more and wants the same values.
func (t *strict) checkPure(clock int) {
	var before []uint64
	t.eachWire(clock, func(_ *Output, v uint64) { before = append(before, v) })
	for _, n := range t.combs[clock] {
		n.Comber.Comb()
	}
	i := 0
	t.eachWire(clock, func(w *Output, v uint64) {
		if v != before[i] {
			t.fault(ImpureComb, w.Path(), "was %#x, then %#x when Comb was called again", before[i], v)
		}
		i++
	})
	t.forget(clock)
}

func (t *strict) forget(clock int) {
	for _, n := range t.combs[clock] {
		for _, w := range n.Wires {
			*w.Used = false
		}
		for _, in := range n.Ins {
			*in.Used = false
		}
	}
}

func (t *strict) eachWire(clock int, f func(w *Output, v uint64)) {
	for _, n := range t.combs[clock] {
		for _, w := range n.Wires {
			for i := range w.Leaves {
				f(w, w.Leaves[i].Load(w.Place()))
			}
		}
	}
}

func (t *strict) tick(n *Node) {
	if n.Length != nil { // its line reads its source
		*n.Ins[0].Used = true
	}
	n.Module.Tick()
	for _, w := range n.Wires {
		if *w.Used {
			t.fault(MisplacedDrive, w.Path(), "is a Wire, but Tick sets it")
			*w.Used = false
		}
	}
	t.checkReads(n)
	for _, o := range n.Outs {
		if *o.Used {
			*o.Used = false
			if !o.Driven {
				t.fresh = append(t.fresh, o)
			}
			t.checkWidth(o, o.NextPlace())
		}
	}
}

func (t *strict) checkReads(n *Node) {
	for _, in := range n.Ins {
		if !*in.Used {
			continue
		}
		*in.Used = false
		if o := in.From; o != nil && !o.IsWire && !o.Driven {
			t.fault(ReadUndriven, in.Path(), "reads %s at %s, which neither Reset nor Tick has driven", o.Path(),
				t.now(n.Clock))
		}
	}
}

// checkWidth looks at an output's value, which lies at p.
func (t *strict) checkWidth(o *Output, p unsafe.Pointer) {
	for i := range o.Leaves {
		l := &o.Leaves[i]
		if v := l.Load(p); l.Width < 64 && v>>l.Width != 0 {
			path := o.Path()
			if l.Name != "" {
				path += "." + l.Name
			}
			t.fault(TooWide, path, "gets %#x at %s, want %d bits", v, t.now(o.Node.Clock), l.Width)
		}
	}
}

// now names the latest edge of a clock.
func (t *strict) now(clock int) string {
	return fmt.Sprintf("cycle %d of clock %s", t.engine.schedule.Edges(clock), t.engine.clocks[clock].Name)
}

// Jitter stands between an Async and its source: a change shows at once or one edge later.
type Jitter struct {
	See   []byte // what the Async reads
	Held  bool   // a change is held back
	clock int    // the reader's
	src   []byte
}

func newJitter(in *Input, o *Output) *Jitter {
	size := int(o.size())
	see := unsafe.Pointer(unsafe.SliceData(slab(uintptr(size))))
	j := &Jitter{
		clock: in.Node.Clock,
		src:   unsafe.Slice((*byte)(o.Place()), size),
		See:   unsafe.Slice((*byte)(see), size),
	}
	copy(j.See, j.src)
	in.bind(see)
	return j
}

func (j *Jitter) sample(rng *rand.Rand) {
	if string(j.src) == string(j.See) {
		j.Held = false
		return
	}
	if !j.Held && rng.IntN(2) == 0 {
		j.Held = true
		return
	}
	copy(j.See, j.src)
	j.Held = false
}
