package mutation

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/goldwire/goldwire/vectors"
)

// countsPrefix begins the name of a wire in a unit's Invariant that says which bits of a register count. The
// register's name follows.
const countsPrefix = "goldwire_counts_"

// induction is one step of the reference, as a graph without latches, from any register values for which the unit's
// Invariant holds. A register value "counts" in a step if it can matter there (see countsPrefix). A mutant is equal to
// the reference if two things hold: the reset brings both to the same values in all counting registers; and a step
// from equal counting registers gives equal outputs and again equal counting registers.
type induction struct {
	*miter           // nets of the reference, its start, and the inputs of a step
	next   []literal // nets in the next step; its inputs may be any
	first  []literal // nets in the first step after the reset
	kept   literal   // the rules of the inputs hold in the reset
	given  literal   // they hold in the step, and the Invariant does
	counts []int32   // by register: the net that says whether its content counts
}

// newInduction makes the reference's side.
func newInduction(u vectors.Unit, fields []vectors.Field, n *netlist, fixed map[int]literal) *induction {
	x := &induction{miter: &miter{graph: newGraph(), unit: u, fields: fields, n: n, legal: literalTrue}, kept: literalTrue}
	x.inputs, x.free = x.step()
	q := make([]literal, len(n.regs))
	for i := range n.regs {
		x.before = append(x.before, x.input())
		known, ok := fixed[i]
		if !ok {
			known = x.input()
		}
		q[i] = known
	}
	for range vectors.ResetCycles {
		_, free := x.step()
		x.resets = append(x.resets, x.inReset(free))
	}
	x.start = x.starts(0, func(v []literal) { x.kept = x.and(x.kept, x.assumed(v)) })
	x.first = x.values(x.free, 0, x.start)
	x.reference = x.values(x.free, 0, q)
	for i, r := range n.regs {
		q[i] = x.reference[r.d]
	}
	_, free := x.step()
	x.next = x.values(free, 0, q)
	x.given = x.and(x.holds(x.reference), x.assumed(x.reference))
	x.findCounts()
	return x
}

// holds is true if the Invariant holds for the nets' values v.
func (x *induction) holds(v []literal) literal {
	broken := make([]literal, 0, len(x.n.asserts))
	for _, a := range x.n.asserts {
		broken = append(broken, x.and(v[a.en], v[a.a].Not()))
	}
	return x.any(broken).Not()
}

// findCounts finds, for each register, the wire that says whether its value matters in this cycle. The wire's name
// carries the name of a net with the register's value.
func (x *induction) findCounts() {
	register := map[literal]int{}
	for i, r := range x.n.regs {
		if x.reference[r.q] > literalTrue {
			register[x.reference[r.q]] = i
		}
	}
	x.counts = slices.Repeat([]int32{1}, len(x.n.regs))
	for _, c := range x.n.counts {
		if i, ok := register[x.reference[c.is]]; ok {
			x.counts[i] = c.where
		}
	}
}

// broken is true if the Invariant fails in the first step after the reset, or fails after a step in which it holds.
func (x *induction) broken() literal {
	return x.or(x.and(x.kept, x.holds(x.first).Not()), x.and(x.given, x.holds(x.next).Not()))
}

// apart is true in a step in which the mutant's outputs, or its next register values that count, differ from the
// reference's. A register whose value the mutant can change is free in cycles in which it does not matter.
func (x *induction) apart(mutant int) literal {
	start := x.starts(mutant, func([]literal) {})
	v := x.side(x.free, mutant)
	own := make([]bool, len(x.n.regs))
	separate := func(i int) {
		q := x.reference[x.n.regs[i].q]
		v[x.n.regs[i].q], own[i] = x.mux(x.input(), q, x.reference[x.counts[i]]), true
	}
	for i, r := range x.n.regs {
		if v[r.q] = x.reference[r.q]; start[i] != x.start[i] {
			separate(i)
		}
	}
	for settled := false; !settled; {
		x.run(x.n, v)
		settled = true
		for i, r := range x.n.regs {
			if !own[i] && v[r.d] != x.reference[r.d] {
				separate(i)
				settled = false
			}
		}
	}
	elsewhere, apart := []literal{}, []literal{x.parts(v)}
	for i, r := range x.n.regs {
		elsewhere = append(elsewhere, x.and(x.first[x.counts[i]], x.xor(x.start[i], start[i])))
		apart = append(apart, x.and(x.next[x.counts[i]], x.xor(x.reference[r.d], v[r.d])))
	}
	return x.or(x.and(x.kept, x.any(elsewhere)), x.and(x.given, x.any(apart)))
}

// proveInduced sorts out mutants that are equal by the unit's Invariant, which is proved first.
func (s *search) proveInduced(ctx context.Context, alive []int) (left []int, err error) {
	if len(alive) == 0 || s.unit.Invariant == "" || len(s.unit.Clocks) > 0 {
		return alive, nil
	}
	x := newInduction(s.unit, s.fields, s.mutated.netlist, s.fixed)
	ask := func(bad literal, limit time.Duration) (verdict, error) {
		return x.equal(ctx, bad, limit, s.Memory, "balance; ifraig -C 100; dsat")
	}
	s.Progress("does the invariant hold")
	switch v, err := ask(x.broken(), fixTimes*s.Time); {
	case err != nil:
		return nil, err
	case v == reached:
		return nil, fmt.Errorf(
			"unit %s: its Invariant does not hold after the reset, or not after a step from registers of which it holds",
			s.unit.Name,
		)
	case v != never:
		return alive, nil
	}
	late := 0
	for k, mutant := range alive {
		s.Progress(fmt.Sprintf("%d cycles: is mutant %d of %d equal by the invariant", len(s.rows), k+1, len(alive)))
		if s.Late > 0 && late == s.Late {
			return append(left, alive[k:]...), nil
		}
		if len(x.nodes) > 5*mostNodes {
			x = newInduction(s.unit, s.fields, s.mutated.netlist, s.fixed)
		}
		v, err := ask(x.apart(mutant), s.Time)
		if err != nil {
			return nil, err
		}
		switch v {
		case never:
			s.equal[mutant] = true
			continue
		case unknown:
			late++
		}
		left = append(left, mutant)
	}
	return left, nil
}
