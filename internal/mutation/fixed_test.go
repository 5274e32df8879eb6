package mutation

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/formal"
	"github.com/goldwire/goldwire/vectors"
)

// Registers that no input changes are known without being looked at in each mutant; one that only the rows leave
// alone, or that the mutant itself changes, in the reset or later, proves nothing.
func TestFixedRegisters(t *testing.T) {
	if err := formal.Available(formal.PDR); err != nil {
		t.Skipf("registers were NOT asked about: %v", err)
	}
	c := newCircuit()
	in, rst := c.input("in", ""), c.port("rst")
	zero, one := int32(0), int32(1)
	after := func(x, inReset int32) int32 { return c.delay(c.mux(rst, inReset, x)) }
	// Two registers that only each other could change: induction finds it, folding does not.
	first, second := c.net(), c.net()
	c.regs = append(c.regs, register{q: first}, register{q: second})
	c.regs[0].d, c.regs[1].d = c.mux(rst, zero, c.and(second, in)), c.mux(rst, zero, c.or(first, second))
	set := c.register(0, func(q int32) int32 { return c.mux(rst, one, c.or(q, in)) })
	moved := after(c.and(in, c.delay(in)), zero) // no row has in twice
	never := c.register(0, func(q int32) int32 { return c.and(q, one) })
	forbidden := c.input("forbidden", "")
	c.assumes = append(c.assumes, assume{c.not(forbidden), one})
	kept := after(forbidden, zero)

	c.shows("what a register that stays 0 hides", true, c.and(first, in), c.and(first, c.not(in)))
	c.shows("what a register that stays 1 hides", true, c.or(set, in), c.or(set, c.not(in)))
	c.shows("what a register that only stood still hides", false, c.and(moved, in), c.and(moved, c.not(in)))
	c.shows("what a register that the rules keep at 0 hides", true, c.and(kept, in), c.and(kept, c.not(in)))
	m := c.mutant("the register itself is changed", false)
	c.output("changed", after(c.and(m, in), zero), "")
	m = c.mutant("it is changed in the reset alone", false)
	c.output("reset", after(zero, m), "")
	require.NoError(t, c.order([]string{selector}))

	rows, err := newCampaign(vectors.Unit{Name: "test/fixed"}, c.fields, c.netlist, nil, 1)
	require.NoError(t, err)
	s := &search{Options: Options{Time: time.Minute, Progress: func(string) {}}, unit: vectors.Unit{Name: "test/fixed"},
		fields: c.fields, equal: map[int]bool{},
		mutated: &mutated{names: c.names, netlist: c.netlist}}
	for _, x := range []uint64{0, 1, 0, 1, 0} {
		row := make([]uint64, len(c.fields))
		row[0] = x
		rows.answer(row)
		rows.row(row)
		s.rows = append(s.rows, row)
	}
	require.NoError(t, s.fix(t.Context()))
	for i, r := range c.regs {
		x, is := s.fixed[i]
		switch r.q {
		case first, second, kept:
			require.True(t, is)
			require.Equal(t, literalFalse, x)
		case set:
			require.True(t, is)
			require.Equal(t, literalTrue, x)
		case moved, never:
			require.False(t, is)
		}
	}
	left, err := s.proveFolded(t.Context(), s.everyone())
	require.NoError(t, err)
	for k := 1; k < len(c.names); k++ {
		require.Equal(t, slices.Contains(c.equal, k), s.equal[k], c.names[k])
		require.NotEqual(t, s.equal[k], slices.Contains(left, k), c.names[k])
	}
}

// Once some searches ran out of time, no more of that kind are made, and the mutants not asked about are left.
func TestLateParts(t *testing.T) {
	if err := formal.Available(formal.PDR); err != nil {
		t.Skipf("mutants were NOT asked about: %v", err)
	}
	all := mostNodes
	t.Cleanup(func() { mostNodes = all })
	mostNodes = 1 // a graph for each mutant
	c := newCircuit()
	in, rst := c.input("in", ""), c.port("rst")
	for k := range 4 {
		hidden := c.register(0, func(q int32) int32 { return c.and(c.not(rst), c.and(q, in)) })
		c.shows(fmt.Sprintf("hidden %d", k), true, c.and(hidden, in), c.and(hidden, c.not(in)))
	}
	require.NoError(t, c.order([]string{selector}))
	for _, late := range []int{0, 1, 3} {
		s := &search{Options: Options{Time: time.Minute, Late: late, Progress: func(string) {}},
			unit: vectors.Unit{Name: "test/late"}, fields: c.fields,
			equal: map[int]bool{}, mutated: &mutated{names: c.names, netlist: c.netlist}}
		left, err := s.proveInParts(t.Context(), s.everyone(), together[1])
		require.NoError(t, err)
		require.Empty(t, left)
		require.Len(t, s.equal, 4)
		s.Time, s.equal = time.Nanosecond, map[int]bool{}
		left, err = s.proveInParts(t.Context(), s.everyone(), together[1])
		require.NoError(t, err)
		require.Equal(t, s.everyone(), left)
		require.Empty(t, s.equal)
	}
}
