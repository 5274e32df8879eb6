package mutation

import (
	"maps"
	"slices"

	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// miter is the reference beside a mutant, with the same inputs, as one graph: bad is that they part at an output that counts, in a step in
// which the inputs have kept the unit's rules so far.
type miter struct {
	*graph
	bad    literal
	fields []vectors.Field
}

// state is where a miter starts: what the registers of the reference, of the mutant and the row before hold. Nil: anything, the same in both, and then the reset.
type state struct {
	reference, mutant []uint64 // by register
	last              []uint64 // row
	open              uint64   // what all bits are that the RTL leaves open
}

// same tells whether the registers hold the same.
func (s *state) same(t *state) bool {
	return slices.Equal(s.reference, t.reference) && slices.Equal(s.mutant, t.mutant)
}

// newMiter makes the miter of a mutant. In one step the mutant starts each time from the registers of the reference, and bad is that it takes one of
// them elsewhere or that they part at an output: what never is so in the states that the reference reaches is equal.
func newMiter(u vectors.Unit, fields []vectors.Field, n *netlist, mutant int, from *state, oneStep bool) *miter {
	m := &miter{graph: newGraph(), fields: fields}
	inputs := make([][]literal, len(fields)) // the first inputs of the graph, in the fields' order
	for i, f := range fields {
		for range f.Width {
			if f.Dir == rtl.Input {
				inputs[i] = append(inputs[i], m.input())
			}
		}
	}
	// running is 1 after the reset, first in the first step of all.
	running, first := literalTrue, literalFalse
	if from == nil {
		for k := range vectors.ResetCycles {
			l := m.latch()
			m.next[len(m.next)-1] = running
			if running = l; k == 0 {
				first = l.not()
			}
		}
	}
	// Before the reset the registers of both sides hold the same, whatever that is.
	anything := make([]literal, len(n.regs))
	if from == nil {
		for i := range anything {
			anything[i] = m.input()
		}
	}
	// What the RTL leaves open is the same on both sides.
	open := make([]literal, len(n.open))
	for i := range open {
		if open[i] = m.input(); from != nil {
			open[i] = literal(from.open)
		}
	}
	// A side has values for all nets but those of registers and gates.
	side := func(selected int) []literal {
		v := make([]literal, n.nets)
		v[1] = literalTrue
		for bit, net := range n.ports[selector] {
			v[net] = literal(selected >> bit & 1)
		}
		for _, port := range resetPorts(u) {
			for _, net := range n.ports[port] {
				v[net] = running.not()
			}
		}
		for i, f := range fields {
			if f.Dir == rtl.Input {
				for bit, net := range n.ports[f.Name] {
					v[net] = inputs[i][bit]
				}
			}
		}
		for i, net := range n.open {
			v[net] = open[i]
		}
		return v
	}
	// register makes a latch for a register, and returns its index and its value.
	register := func(i int, start func(*state) []uint64) (latch int, value literal) {
		latch = len(m.latches)
		if value = m.latch(); from == nil {
			return latch, m.mux(value, anything[i], first)
		}
		return latch, value ^ literal(start(from)[i]&1)
	}
	next := func(latch, i int, start func(*state) []uint64, v []literal) {
		if m.next[latch] = v[n.regs[i].d]; from != nil {
			m.next[latch] ^= literal(start(from)[i] & 1)
		}
	}
	ofReference, ofMutant := func(s *state) []uint64 { return s.reference }, func(s *state) []uint64 { return s.mutant }
	reference := side(0)
	latches := make([]int, len(n.regs))
	for i, r := range n.regs {
		latches[i], reference[r.q] = register(i, ofReference)
	}
	m.run(n, reference)
	for i := range n.regs {
		next(latches[i], i, ofReference, reference)
	}
	legal := literalTrue
	for _, a := range n.assumes {
		legal = m.and(legal, m.or(reference[a.en].not(), reference[a.a]))
	}
	for _, port := range slices.Sorted(maps.Keys(u.Ready)) {
		legal = m.and(legal, m.stands(n, reference, inputs, port, u.Ready[port], running, from))
	}
	broken := m.latch()
	m.next[len(m.next)-1] = m.or(broken, legal.not())

	other := side(mutant)
	for _, r := range n.regs {
		other[r.q] = reference[r.q]
	}
	// The mutant shares the registers that hold the same as the reference's whatever happens: those that start alike and take the same
	// from registers that are shared.
	own := map[int]int{}
	separate := func(i int) {
		own[i], other[n.regs[i].q] = register(i, ofMutant)
	}
	for i := range n.regs {
		if from != nil && from.reference[i] != from.mutant[i] {
			separate(i)
		}
	}
	for settled := false; !settled; {
		m.run(n, other)
		settled = true
		for i, r := range n.regs {
			if _, ok := own[i]; !ok && !oneStep && other[r.d] != reference[r.d] {
				separate(i)
				settled = false
			}
		}
	}
	for i, latch := range own {
		next(latch, i, ofMutant, other)
	}
	parts := m.and(m.parts(n, reference, other), running)
	if oneStep {
		for _, r := range n.regs {
			parts = m.or(parts, m.xor(reference[r.d], other[r.d]))
		}
	}
	m.bad = m.and(parts, m.and(legal, broken.not()))
	return m
}

// parts says that an output which counts differs.
func (m *miter) parts(n *netlist, reference, other []literal) literal {
	parts := literalFalse
	for _, f := range m.fields {
		if f.Dir != rtl.Output {
			continue
		}
		differs := literalFalse
		for _, net := range n.ports[f.Name] {
			differs = m.or(differs, m.xor(reference[net], other[net]))
		}
		if f.Valid != "" {
			differs = m.and(differs, reference[n.ports[f.Valid][0]])
		}
		parts = m.or(parts, differs)
	}
	return parts
}

// stands says that a beat which was offered and not taken in the step before is offered still.
func (m *miter) stands(n *netlist, v []literal, inputs [][]literal, port, ready string, running literal, from *state) literal {
	delayed := func(x literal, start uint64) literal {
		l := m.latch()
		m.next[len(m.next)-1] = x ^ literal(start&1)
		return l ^ literal(start&1)
	}
	waits, waited := literalFalse, uint64(0)
	same := literalTrue
	for i, f := range m.fields {
		if f.Port != port {
			continue
		}
		for bit, x := range inputs[i] {
			start := uint64(0)
			if from != nil {
				start = from.last[i] >> bit
			}
			same = m.and(same, m.xor(x, delayed(x, start)).not())
		}
		if f.Name == port+"_valid" && len(n.ports[ready]) == 1 {
			waits = m.and(running, m.and(inputs[i][0], v[n.ports[ready][0]].not()))
			if from != nil {
				waited = from.last[i]
			}
		}
	}
	for i, f := range m.fields {
		if f.Name == ready && from != nil {
			waited &^= from.last[i]
		}
	}
	return m.or(delayed(waits, waited).not(), same)
}

// rows turns values of the graph's inputs, step by step, into rows.
func (m *miter) rows(steps [][]byte) [][]uint64 {
	rows := make([][]uint64, len(steps))
	for k, step := range steps {
		rows[k] = make([]uint64, len(m.fields))
		at := 0
		for i, f := range m.fields {
			if f.Dir != rtl.Input {
				continue
			}
			for bit := range f.Width {
				rows[k][i] |= uint64(step[at]&1) << bit
				at++
			}
		}
	}
	return rows
}

// stepsApart returns a graph in which all mutants share the registers of the reference, and for each of them whether a register's next value or
// an output can differ. One that never does is equal to the reference, since both start alike.
func stepsApart(n *netlist, fields []vectors.Field, mutants []int) (g *graph, apart []literal) {
	g = newGraph()
	shared := make([]literal, n.nets)
	shared[1] = literalTrue
	driven := map[int32]bool{}
	for _, x := range n.gates {
		driven[x.y] = true
	}
	for net := range shared {
		if net > 1 && !driven[int32(net)] { // registers, inputs, and what is open
			shared[net] = g.input()
		}
	}
	run := func(selected int) []literal {
		v := slices.Clone(shared)
		for bit, net := range n.ports[selector] {
			v[net] = literal(selected >> bit & 1)
		}
		g.run(n, v)
		return v
	}
	reference := run(0)
	for _, m := range mutants {
		v, differs := run(m), literalFalse
		for _, r := range n.regs {
			differs = g.or(differs, g.xor(reference[r.d], v[r.d]))
		}
		for _, f := range fields {
			if f.Dir == rtl.Output {
				for _, net := range n.ports[f.Name] {
					differs = g.or(differs, g.xor(reference[net], v[net]))
				}
			}
		}
		apart = append(apart, differs)
	}
	return g, apart
}
