package mutation

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/formal"
	"github.com/goldwire/goldwire/vectors"
)

// guarded is a circuit with rules of its inputs, with an Invariant, that two registers are never 1 at once, and with
// registers that only count where another is 1.
func guarded() *circuit {
	c := newCircuit()
	in, other, rst := c.input("in", ""), c.input("other", ""), c.port("rst")
	zero, one := int32(0), int32(1)
	after := func(x, inReset int32) int32 { return c.delay(c.mux(rst, inReset, x)) }
	a, b := after(in, zero), after(c.not(in), zero)
	c.asserts = append(c.asserts, assume{zero, c.and(a, b)}, assume{one, a})
	c.shows("what the invariant excludes", true, c.or(a, b), c.xor(a, b))
	c.shows("what it does not exclude", false, c.or(a, b), a)

	full := after(in, zero)
	counted := func(data, where, y int32) {
		c.counts = append(c.counts, count{data, where})
		c.output("y"+c.names[len(c.names)-1], y, "")
	}
	m := c.mutant("data that does not count", true)
	data := after(c.xor(other, c.and(m, c.not(in))), zero)
	counted(data, full, c.and(data, full))
	m = c.mutant("data that counts", false)
	data = after(c.xor(other, c.and(m, in)), zero)
	counted(data, full, c.and(data, full))

	loaded := c.register(0, func(q int32) int32 { return c.mux(rst, zero, c.or(q, in)) })
	kept := func(m int32) int32 {
		return c.register(0, func(q int32) int32 { return c.mux(rst, m, c.mux(in, other, q)) })
	}
	data = kept(c.mutant("a reset of data that is loaded before it counts", true))
	counted(data, loaded, c.and(data, loaded))
	data = kept(c.mutant("a reset of data that is seen before it counts", false))
	counted(data, loaded, data)

	held := func(inReset int32) int32 { return c.register(0, func(q int32) int32 { return c.mux(rst, inReset, q) }) }
	c.output("held", held(c.mutant("a reset of data that always counts", false)), "")
	forbidden := c.and(in, other)
	c.assumes = append(c.assumes, assume{c.not(forbidden), one})
	c.shows("inputs that the rules exclude", true, in, c.xor(in, forbidden))
	m = c.mutant("such inputs in the reset", true)
	c.output("kept", c.register(0, func(q int32) int32 { return c.mux(rst, c.or(q, c.and(m, forbidden)), q) }), "")
	return c
}

// What an Invariant leaves out is proved equal, and no more.
func TestInduction(t *testing.T) {
	if err := formal.Available(formal.PDR); err != nil {
		t.Skipf("mutants were NOT proved equal: %v", err)
	}
	u := vectors.Unit{Name: "test/guarded", Invariant: "in the netlist"}
	search := func(c *circuit) *search {
		require.NoError(t, c.order([]string{selector}))
		c.fold()
		return &search{Options: Options{Time: time.Minute, Progress: func(string) {}}, unit: u, fields: c.fields,
			equal:   map[int]bool{},
			mutated: &mutated{names: c.names, netlist: c.netlist}}
	}
	c := guarded()
	s := search(c)
	left, err := s.proveInduced(t.Context(), s.everyone())
	require.NoError(t, err)
	for k := 1; k < len(c.names); k++ {
		require.Equal(t, s.equal[k], !slices.Contains(left, k), c.names[k])
		require.Equal(t, slices.Contains(c.equal, k), s.equal[k], c.names[k])
	}

	// The reset leaves zeros, and a step ones.
	for _, of := range []func(c *circuit) int32{
		func(c *circuit) int32 { return c.or(c.regs[0].q, c.regs[1].q) },
		func(c *circuit) int32 { return c.not(c.regs[0].q) },
	} {
		c := guarded()
		c.asserts = append(c.asserts, assume{of(c), 1})
		s := search(c)
		_, err := s.proveInduced(t.Context(), s.everyone())
		require.EqualError(
			t, err,
			"unit test/guarded: its Invariant does not hold after the reset, or not after a step from registers of which "+
				"it holds",
		)
	}
}
