package mutation

import (
	"maps"
	"slices"

	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// miter is the reference beside mutants, with the same inputs, as one graph. A step is a row; before the first of them
// stands the reset.
type miter struct {
	*graph
	unit   vectors.Unit
	fields []vectors.Field
	n      *netlist
	from   *state

	inputs    [][]literal // of a step, by field
	free      []literal   // nets that no gate and no register drives, in a step
	resets    [][]literal // the same in the cycles of the reset
	before    []literal   // what the registers of the reference hold before it
	first     literal     // it is the first step
	reference []literal   // nets
	start     []literal   // what the registers of the reference hold in the first step
	legal     literal     // the inputs keep the unit's rules, and have kept them
}

// state is where a miter starts: what the registers of the reference, of the mutant and the row before hold. Nil:
// anything, the same in both, and then the reset, with any inputs.
type state struct {
	reference, mutant []uint64 // by register
	last              []uint64 // row; nil if the reset follows, with the inputs of the first step, as in a testbench
	open              uint64   // what all bits are that the RTL leaves open
}

// same tells whether the registers hold the same.
func (s *state) same(t *state) bool {
	return slices.Equal(s.reference, t.reference) && slices.Equal(s.mutant, t.mutant)
}

// newMiter makes the reference's side. Fixed maps a register of the reference to its constant value after the reset;
// it may be nil.
func newMiter(u vectors.Unit, fields []vectors.Field, n *netlist, from *state, fixed map[int]literal) *miter {
	m := &miter{graph: newGraph(), unit: u, fields: fields, n: n, from: from, legal: literalTrue}
	m.inputs, m.free = m.step() // the first inputs of the graph, in the fields' order
	l := m.hold(literalFalse)
	m.take(l, literalTrue)
	m.first = l.value.Not()
	for i := range n.regs {
		if from == nil {
			m.before = append(m.before, m.input())
		} else {
			m.before = append(m.before, literal(from.reference[i]))
		}
	}
	for range vectors.ResetCycles {
		free := m.free
		if from == nil {
			_, free = m.step()
		}
		m.resets = append(m.resets, m.inReset(free))
	}
	kept := literalTrue // the rules, in the reset
	m.start = m.starts(0, func(v []literal) { kept = m.and(kept, m.assumed(v)) })
	m.reference = slices.Clone(m.free)
	registers := make([]held, len(n.regs))
	for i, r := range n.regs {
		if x, ok := fixed[i]; ok {
			m.reference[r.q] = x
			continue
		}
		registers[i] = m.hold(m.start[i])
		m.reference[r.q] = registers[i].value
	}
	m.run(n, m.reference)
	for i := range n.regs {
		if _, ok := fixed[i]; !ok {
			m.edge(registers[i], i, m.reference)
		}
	}
	broken := m.hold(kept.Not())
	now := m.assumed(m.reference)
	if len(u.Clocks) == 0 {
		for _, port := range slices.Sorted(maps.Keys(u.Ready)) {
			now = m.and(now, m.stands(port, u.Ready[port]))
		}
	}
	m.take(broken, m.or(broken.value, now.Not()))
	m.legal = m.and(now, broken.value.Not())
	return m
}

// step makes the inputs of a step. It returns them by field, and a value per net: set for inputs, constants and open
// bits, unset for the outputs of registers and gates.
func (m *miter) step() (inputs [][]literal, free []literal) {
	inputs, free = make([][]literal, len(m.fields)), make([]literal, m.n.nets)
	free[1] = literalTrue
	for i, f := range m.fields {
		if f.Dir != rtl.Input {
			continue
		}
		for range f.Width {
			inputs[i] = append(inputs[i], m.input())
		}
		copyTo(free, m.n.ports[f.Name], inputs[i])
	}
	// What the RTL leaves open is the same on both sides.
	for _, net := range m.n.open {
		if free[net] = m.input(); m.from != nil {
			free[net] = literal(m.from.open)
		}
	}
	return inputs, free
}

// inReset returns free nets with the reset active.
func (m *miter) inReset(free []literal) []literal {
	v := slices.Clone(free)
	for _, port := range resetPorts(m.unit) {
		for _, net := range m.n.ports[port] {
			v[net] = literalTrue
		}
	}
	return v
}

func copyTo(values []literal, nets []int32, from []literal) {
	for bit, net := range nets {
		values[net] = from[bit]
	}
}

// side returns the values of a step's free nets for a mutant, 0 for the reference.
func (m *miter) side(free []literal, selected int) []literal {
	v := slices.Clone(free)
	for bit, net := range m.n.ports[selector] {
		v[net] = literal(selected >> bit & 1)
	}
	return v
}

// starts returns what the registers of a mutant, or of the reference, hold in the first step. Each is called with all
// nets in each cycle of the reset.
func (m *miter) starts(selected int, each func([]literal)) []literal {
	q := slices.Clone(m.before)
	if m.from != nil && selected != 0 {
		for i := range q {
			q[i] = literal(m.from.mutant[i])
		}
	}
	if m.from != nil && m.from.last != nil {
		return q
	}
	for _, free := range m.resets {
		v := m.values(free, selected, q)
		for i, r := range m.n.regs {
			q[i] = v[r.d]
		}
		each(v)
	}
	return q
}

// held is a register of the graph. AIGER's latches start at 0: one that starts at 1 is inverted, and one whose start
// value depends on inputs passes that value on in the first step.
type held struct {
	latch        int
	start, value literal
}

func (m *miter) hold(start literal) held {
	h := held{len(m.latches), start, m.latch()}
	if start <= literalTrue {
		h.value ^= start
	} else {
		h.value = m.mux(h.value, start, m.first)
	}
	return h
}

// take sets a register's value in the next step.
func (m *miter) take(h held, x literal) {
	if h.start <= literalTrue {
		x ^= h.start
	}
	m.next[h.latch] = x
}

// edge gives a side's register i its next value if its clock ticks in this step.
func (m *miter) edge(h held, i int, v []literal) {
	x := v[m.n.regs[i].d]
	if len(m.unit.Clocks) > 0 { // the first fields are the clocks
		x = m.mux(h.value, x, m.inputs[m.n.regs[i].clock][0])
	}
	m.take(h, x)
}

// assumed is true if the inputs keep the rules of the unit's Environment.
func (m *miter) assumed(v []literal) literal {
	legal := literalTrue
	for _, a := range m.n.assumes {
		legal = m.and(legal, m.or(v[a.en].Not(), v[a.a]))
	}
	return legal
}

// stands is true if a beat that was offered and not taken in the step before is still offered, unchanged.
func (m *miter) stands(port, ready string) literal {
	delayed := func(x literal, start uint64) literal {
		h := m.hold(literal(start & 1))
		m.take(h, x)
		return h.value
	}
	var last []uint64 // row
	if m.from != nil {
		last = m.from.last
	}
	waits, waited := literalFalse, uint64(0)
	same := literalTrue
	for i, f := range m.fields {
		if f.Port != port {
			continue
		}
		for bit, x := range m.inputs[i] {
			start := uint64(0)
			if last != nil {
				start = last[i] >> bit
			}
			same = m.and(same, m.xor(x, delayed(x, start)).Not())
		}
		if f.Name == port+"_valid" && len(m.n.ports[ready]) == 1 {
			waits = m.and(m.inputs[i][0], m.reference[m.n.ports[ready][0]].Not())
			if last != nil {
				waited = last[i]
			}
		}
	}
	for i, f := range m.fields {
		if f.Name == ready && last != nil {
			waited &^= last[i]
		}
	}
	return m.or(delayed(waits, waited).Not(), same)
}

// partsFrom is stepApart or apart.
func (m *miter) partsFrom(mutant int, oneStep bool) literal {
	if oneStep {
		return m.stepApart(mutant)
	}
	return m.apart(mutant)
}

// stepApart is true if a mutant that starts a step from the reference's register values gives a register another next
// value, or an output another value. A mutant for which it is never true is equal: neither in the reset from any
// register values, nor after it in any state that the reference reaches.
func (m *miter) stepApart(mutant int) literal {
	q := make([]literal, len(m.n.regs))
	for i, r := range m.n.regs {
		q[i] = m.reference[r.q]
	}
	v := m.values(m.free, mutant, q)
	reset, other := m.values(m.resets[0], 0, m.before), m.values(m.resets[0], mutant, m.before)
	apart := []literal{m.parts(v)}
	for _, r := range m.n.regs {
		apart = append(apart, m.xor(m.reference[r.d], v[r.d]), m.xor(reset[r.d], other[r.d]))
	}
	return m.and(m.any(apart), m.legal)
}

// values runs the gates of a step.
func (m *miter) values(free []literal, selected int, q []literal) []literal {
	v := m.side(free, selected)
	for i, r := range m.n.regs {
		v[r.q] = q[i]
	}
	m.run(m.n, v)
	return v
}

// apart is true if a mutant's output differs from the reference's. The mutant shares each register that always holds
// the reference's value: one that starts alike and takes the same next value from shared registers.
func (m *miter) apart(mutant int) literal {
	start := m.starts(mutant, func([]literal) {})
	v := m.side(m.free, mutant)
	own := make([]*held, len(m.n.regs))
	separate := func(i int) {
		h := m.hold(start[i])
		own[i], v[m.n.regs[i].q] = &h, h.value
	}
	for i, r := range m.n.regs {
		if v[r.q] = m.reference[r.q]; start[i] != m.start[i] {
			separate(i)
		}
	}
	for settled := false; !settled; {
		m.run(m.n, v)
		settled = true
		for i, r := range m.n.regs {
			if own[i] == nil && v[r.d] != m.reference[r.d] {
				separate(i)
				settled = false
			}
		}
	}
	for i, h := range own {
		if h != nil {
			m.edge(*h, i, v)
		}
	}
	return m.and(m.parts(v), m.legal)
}

// parts says that an output which counts differs.
func (m *miter) parts(other []literal) literal {
	parts := literalFalse
	for _, f := range m.fields {
		if f.Dir != rtl.Output {
			continue
		}
		differs := literalFalse
		for _, net := range m.n.ports[f.Name] {
			differs = m.or(differs, m.xor(m.reference[net], other[net]))
		}
		if f.Valid != "" {
			differs = m.and(differs, m.reference[m.n.ports[f.Valid][0]])
		}
		parts = m.or(parts, differs)
	}
	return parts
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
