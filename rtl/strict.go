package rtl

import (
	"math/rand/v2"
	"unsafe"

	"github.com/goldwire/goldwire/internal/edgecalls"
)

// strict runs a simulation in strict mode: one module at a time, in a random order, with a look at its ports after
// each.
type strict struct {
	sim   *Sim
	rng   *rand.Rand
	combs [][]*node // [clock], in the order of the calls
	ticks [][]*node // [clock], shuffled before use
	late  []*jitter

	mayRead map[*node]map[*inPort]bool // what the Comb of a module may read, by its comb tags
	fresh   []*outPort                 // driven for the first time at this instant
}

func newStrict(s *Sim) *strict {
	t := &strict{
		sim:     s,
		rng:     rand.New(rand.NewPCG(s.cfg.Seed, 0x676f6c6477697265)), // "goldwire", a stream of our own
		mayRead: map[*node]map[*inPort]bool{},
	}
	byComber := map[edgecalls.Comber]*node{}
	for _, n := range s.nodes {
		if n.comber == nil {
			continue
		}
		byComber[n.comber] = n
		t.mayRead[n] = map[*inPort]bool{}
		for _, w := range n.wires {
			for _, in := range s.combInputs(w) {
				t.mayRead[n][in] = true
			}
		}
	}
	for _, sh := range s.parts[0].shards {
		t.ticks = append(t.ticks, append([]*node(nil), sh.nodes...))
		var combs []*node
		for _, c := range sh.combs {
			combs = append(combs, byComber[c])
		}
		t.combs = append(t.combs, combs)
	}
	if s.cfg.Jitter {
		for _, n := range s.nodes {
			for _, in := range n.ins {
				if o, ok := in.src.(*outPort); ok && in.port.async() && o.node.clock != n.clock {
					t.late = append(t.late, newJitter(in, o))
				}
			}
		}
	}
	return t
}

func (t *strict) instant(edges Edges) {
	for _, j := range t.late {
		if edges.Has(j.clock) {
			j.sample(t.rng)
		}
	}
	for _, c := range edges {
		for _, n := range t.combs[c] {
			t.comb(n)
		}
		t.checkPure(c)
	}
	for _, c := range edges {
		ticks := t.ticks[c]
		t.rng.Shuffle(len(ticks), func(i, j int) { ticks[i], ticks[j] = ticks[j], ticks[i] })
		for _, n := range ticks {
			t.tick(n)
		}
		for _, n := range ticks {
			if n.delay != nil && n.column == 0 {
				n.line.Tick()
			}
		}
	}
	for _, c := range edges {
		t.sim.whole.Clocks[c].Commit()
	}
	for _, o := range t.fresh { // only now: the order of ticks must not matter
		o.driven = true
	}
	t.fresh = t.fresh[:0]
}

// settle brings the wires up to date after the edge, and forgets its reads and drives: that is looked at before the
// next.
func (t *strict) settle(edges Edges) {
	for _, c := range edges {
		t.sim.whole.Clocks[c].Comb()
	}
	for _, c := range edges {
		t.forget(c)
	}
}

func (t *strict) comb(n *node) {
	n.comber.Comb()
	for _, w := range n.wires {
		if !*w.port.driven() {
			t.sim.fault(Latch, w.path(), "was not driven by Comb at cycle %d of clock %s", n.clock.Cycle(), n.clock.Name())
		}
		*w.port.driven() = false
		t.checkWidth(w.signal, w.signal.p)
	}
	for _, o := range n.outs {
		if *o.port.driven() {
			t.sim.fault(MisplacedDrive, o.path(), "is an Out, but Comb sets it")
		}
	}
	for _, in := range n.ins {
		if *in.port.read() && in.port.async() {
			t.sim.fault(ClockCrossing, in.path(), "is an Async, but Comb reads it")
		} else if *in.port.read() && !t.mayRead[n][in] {
			t.sim.fault(UndeclaredInput, in.path(), "is read by Comb, but no comb tag of the module names it")
		}
	}
	t.checkReads(n)
}

// checkPure settles all wires of a clock once more and wants the same values.
func (t *strict) checkPure(clock int) {
	var before []uint64
	t.eachWire(clock, func(_ *wirePort, v uint64) { before = append(before, v) })
	for _, n := range t.combs[clock] {
		n.comber.Comb()
	}
	i := 0
	t.eachWire(clock, func(w *wirePort, v uint64) {
		if v != before[i] {
			t.sim.fault(ImpureComb, w.path(), "was %#x, then %#x when Comb was called again", before[i], v)
		}
		i++
	})
	t.forget(clock)
}

func (t *strict) forget(clock int) {
	for _, n := range t.combs[clock] {
		for _, w := range n.wires {
			*w.port.driven() = false
		}
		for _, in := range n.ins {
			*in.port.read() = false
		}
	}
}

func (t *strict) eachWire(clock int, f func(w *wirePort, v uint64)) {
	for _, n := range t.combs[clock] {
		for _, w := range n.wires {
			for i := range w.signal.Leaves {
				f(w, w.signal.Value(i))
			}
		}
	}
}

func (t *strict) tick(n *node) {
	if n.delay != nil { // its line reads its source
		*n.ins[0].port.read() = true
	}
	n.module.Tick()
	for _, w := range n.wires {
		if *w.port.driven() {
			t.sim.fault(MisplacedDrive, w.path(), "is a Wire, but Tick sets it")
			*w.port.driven() = false
		}
	}
	t.checkReads(n)
	for _, o := range n.outs {
		if *o.port.driven() {
			*o.port.driven() = false
			if !o.driven {
				t.fresh = append(t.fresh, o)
			}
			t.checkWidth(o.signal, o.signal.next)
		}
	}
}

func (t *strict) checkReads(n *node) {
	for _, in := range n.ins {
		if !*in.port.read() {
			continue
		}
		*in.port.read() = false
		if o, ok := in.src.(*outPort); ok && !o.driven {
			t.sim.fault(ReadUndriven, in.path(), "reads %s at cycle %d of clock %s, which neither Reset nor Tick has driven",
				o.path(), n.clock.Cycle(), n.clock.Name())
		}
	}
}

// checkWidth looks at a signal's value, which lies at p.
func (t *strict) checkWidth(s *Signal, p unsafe.Pointer) {
	for i := range s.Leaves {
		l := &s.Leaves[i]
		if v := l.Load(p); l.Width < 64 && v>>l.Width != 0 {
			t.sim.fault(
				TooWide, join(s.Path, l.Name), "gets %#x at cycle %d of clock %s, want %d bits", v, s.Clock.Cycle(),
				s.Clock.Name(), l.Width,
			)
		}
	}
}

// jitter stands between an Async and its source: a change shows at once or one edge later.
type jitter struct {
	clock    *Clock // the reader's
	src, see []byte
	held     bool
}

func newJitter(in *inPort, o *outPort) *jitter {
	size := int(o.port.elem().Size())
	see := unsafe.Pointer(unsafe.SliceData(slab(uintptr(size))))
	j := &jitter{
		clock: in.node.clock,
		src:   unsafe.Slice((*byte)(o.signal.p), size),
		see:   unsafe.Slice((*byte)(see), size),
	}
	copy(j.see, j.src)
	in.port.bindTo(see)
	return j
}

func (j *jitter) sample(rng *rand.Rand) {
	if string(j.src) == string(j.see) {
		j.held = false
		return
	}
	if !j.held && rng.IntN(2) == 0 {
		j.held = true
		return
	}
	copy(j.see, j.src)
	j.held = false
}
