package mutation

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/formal"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// circuit is a netlist made by hand, each of whose mutants shows at an output of its own, if it shows.
type circuit struct {
	*netlist
	fields []vectors.Field
	equal  []int
	names  []string
}

func newCircuit() *circuit {
	c := &circuit{netlist: &netlist{nets: 2, ports: map[string][]int32{}}, names: []string{"none"}}
	for range 5 {
		c.ports[selector] = append(c.ports[selector], c.net())
	}
	return c
}

func (c *circuit) net() int32 {
	c.nets++
	return int32(c.nets - 1)
}

func (c *circuit) port(name string) int32 {
	x := c.net()
	c.ports[name] = []int32{x}
	return x
}

func (c *circuit) input(name, port string) int32 {
	c.fields = append(c.fields, vectors.Field{Name: name, Port: port, Dir: rtl.Input, Width: 1})
	return c.port(name)
}

func (c *circuit) gate(kind gateKind, a, b, s int32) int32 {
	y := c.net()
	c.gates = append(c.gates, gate{kind, a, b, s, y})
	return y
}

func (c *circuit) not(a int32) int32       { return c.gate(gateNot, a, 0, 0) }
func (c *circuit) and(a, b int32) int32    { return c.gate(gateAnd, a, b, 0) }
func (c *circuit) or(a, b int32) int32     { return c.gate(gateOr, a, b, 0) }
func (c *circuit) xor(a, b int32) int32    { return c.gate(gateXor, a, b, 0) }
func (c *circuit) mux(s, b, a int32) int32 { return c.gate(gateMux, a, b, s) } // b if s

// register takes what d makes of its own value.
func (c *circuit) register(clock int, d func(q int32) int32) int32 {
	q := c.net()
	c.regs = append(c.regs, register{q: q, clock: clock})
	at := len(c.regs) - 1
	c.regs[at].d = d(q)
	return q
}

func (c *circuit) delay(d int32) int32 { return c.register(0, func(int32) int32 { return d }) }

// mutant returns a net that is 1 in the next mutant.
func (c *circuit) mutant(name string, equal bool) int32 {
	k := len(c.names)
	if c.names = append(c.names, name); equal {
		c.equal = append(c.equal, k)
	}
	is := int32(1)
	for bit, x := range c.ports[selector] {
		if k>>bit&1 == 0 {
			x = c.not(x)
		}
		is = c.and(is, x)
	}
	return is
}

func (c *circuit) output(name string, y int32, valid string) {
	c.fields = append(c.fields, vectors.Field{Name: name, Dir: rtl.Output, Width: 1, Valid: valid})
	c.ports[name] = []int32{y}
}

// shows makes a mutant whose output is another net than the reference's.
func (c *circuit) shows(name string, equal bool, reference, mutant int32) {
	c.output(fmt.Sprintf("y%d", len(c.names)), c.mux(c.mutant(name, equal), mutant, reference), "")
}

// judge wants exactly the mutants that are equal to be proved so, by all mutants in one graph and each in its own.
func (c *circuit) judge(t *testing.T, u vectors.Unit) {
	t.Helper()
	if err := formal.Available(formal.PDR); err != nil {
		t.Skipf("mutants were NOT proved equal: %v", err)
	}
	require.NoError(t, c.order([]string{selector}))
	for _, way := range []func(s *search, all []int) ([]int, error){
		func(s *search, all []int) ([]int, error) { return s.proveTogether(t.Context(), all) },
		func(s *search, all []int) ([]int, error) { return s.prove(t.Context(), all, wholeProof) },
	} {
		s := &search{Options: Options{Time: time.Minute, Progress: func(string) {}}, unit: u, fields: c.fields,
			reasons: map[int]string{}, equal: map[int]bool{},
			mutated: &mutated{names: c.names, netlist: c.netlist}}
		left, err := way(s, s.everyone())
		require.NoError(t, err)
		for k := 1; k < len(c.names); k++ {
			require.NotEqual(t, s.equal[k], slices.Contains(left, k), c.names[k])
			if !slices.Contains(c.equal, k) {
				require.False(t, s.equal[k], "proved equal: %s", c.names[k])
			}
		}
		require.Len(t, s.equal, len(c.equal), "left are %v", left)
	}
}

// What the reset leaves is computed in the graph: four edges with any inputs, from any contents of the registers.
func TestProofsBeginAfterTheReset(t *testing.T) {
	c := newCircuit()
	in, rst := c.input("in", ""), c.port("rst")
	none, one := int32(0), int32(1)
	chain := func(n int) int32 {
		q := none
		for range n {
			q = c.delay(q)
		}
		return q
	}
	c.shows("what four edges clear", true, none, chain(vectors.ResetCycles))
	c.shows("what five edges clear", false, none, chain(vectors.ResetCycles+1))

	m := c.mutant("a register without its reset", false)
	c.output("unreset", c.delay(c.mux(c.and(rst, c.not(m)), none, in)), "")
	m = c.mutant("another value in the reset", false)
	c.output("value", c.delay(c.mux(rst, m, in)), "")
	m = c.mutant("a register that stands after the one that it feeds", false)
	c.output("fed", c.register(0, func(int32) int32 { return c.delay(c.mux(rst, none, c.xor(in, m))) }), "")
	m = c.mutant("another value, but not in the reset", false)
	c.output("later", c.delay(c.mux(rst, none, c.xor(in, m))), "")
	load := func(x int32) int32 {
		return c.register(0, func(q int32) int32 { return c.mux(rst, x, q) })
	}
	m = c.mutant("another input is kept from the reset", false)
	c.output("loaded", load(c.xor(in, m)), "")
	kept := load(in)
	c.shows("the same input is kept from the reset", true, kept, load(c.and(in, in)))
	first := c.delay(rst)
	c.shows("the first row's input in place of the reset's", false, c.and(first, kept), c.and(first, in))
	c.shows("the first row alone shows it", false, none, c.and(first, in))
	c.shows("no row but the first shows it, and it is covered there", true, none, c.and(first, c.and(in, c.not(in))))
	c.shows("four inputs in a row show it", false, none,
		c.and(in, c.and(c.delay(in), c.and(c.delay(c.delay(in)), c.delay(c.delay(c.delay(in)))))))
	stays := func() int32 {
		return c.register(0, func(q int32) int32 { return c.and(q, one) })
	}
	c.shows("what never was reset", false, stays(), stays())

	m = c.mutant("data that does not count", true)
	c.output("data", c.or(in, m), "valid")
	m = c.mutant("data is said to count", false)
	c.output("valid", c.or(in, m), "")

	x, other := c.net(), c.net()
	c.open = []int32{x, other}
	c.shows("another x", false, x, other)
	c.shows("the same x, said in more words", true, c.and(x, in), c.or(c.and(x, in), c.and(c.and(in, x), other)))

	m = c.mutant("a register and its output are inverted", true)
	c.output("inverted", c.xor(m, c.delay(c.mux(rst, m, c.xor(in, m)))), "")
	c.judge(t, vectors.Unit{Name: "test/miter"})
}

// Rows that break a rule of the inputs show no mutant, neither at once nor later; rows that keep the rules do.
func TestProofsKeepTheRules(t *testing.T) {
	c := newCircuit()
	rst := c.port("rst")
	open, bad, valid, data := c.input("open", ""), c.input("bad", ""), c.input("p_valid", "p"), c.input("p_data", "p")
	ready := c.delay(c.and(open, c.not(rst)))
	c.output("ready", ready, "")
	c.assumes = []assume{{a: c.not(bad), en: 1}}
	ever := func(x int32) int32 {
		return c.register(0, func(q int32) int32 { return c.and(c.or(q, x), c.not(rst)) })
	}
	waited := c.delay(c.and(c.and(valid, c.not(ready)), c.not(rst)))
	taken := c.delay(c.and(c.and(valid, ready), c.not(rst)))
	changed := c.xor(data, c.delay(data))
	c.shows("an offer is withdrawn", true, 0, c.and(waited, c.not(valid)))
	c.shows("an offer was withdrawn", true, 0, ever(c.and(waited, c.not(valid))))
	c.shows("an offer stays", false, 0, c.and(waited, valid))
	c.shows("an offer is changed", true, 0, c.and(waited, changed))
	c.shows("what follows a taken one is another", false, 0, c.and(taken, changed))
	c.shows("an input has what the environment excludes", true, 0, bad)
	c.shows("an input has had it", true, 0, ever(bad))
	c.shows("an input has had it in the reset", true, 0, c.register(0, func(q int32) int32 { return c.mux(rst, bad, q) }))
	c.shows("an input has what it may", false, 0, c.and(open, c.not(bad)))
	c.judge(t, vectors.Unit{Name: "test/miter", Ready: map[string]string{"p": "ready"}})
}

// Clocks rise in any order.
func TestProofsOfSeveralClocks(t *testing.T) {
	c := newCircuit()
	u := vectors.Unit{Name: "test/miter"}
	var flips, twins, passed []int32
	for i, name := range []string{"a", "b"} {
		u.Clocks = append(u.Clocks, vectors.UnitClock{Name: name})
		c.fields = append(c.fields, vectors.Field{Name: u.Clocks[i].ClockPort(), Dir: rtl.Input, Width: 1, Clock: true})
	}
	for i := range u.Clocks {
		rst := c.port(u.Clocks[i].ResetPort())
		flip := func(q int32) int32 { return c.and(c.not(q), c.not(rst)) }
		flips, twins = append(flips, c.register(i, flip)), append(twins, c.register(i, flip))
		passed = append(passed, c.register(i, func(int32) int32 { return c.not(rst) }))
	}
	c.shows("one clock rises more often", false, 0, c.xor(flips[0], flips[1]))
	c.shows("the first clock rises first", false, 0, c.and(passed[0], c.not(passed[1])))
	c.shows("the second clock rises first", false, 0, c.and(passed[1], c.not(passed[0])))
	c.shows("two of one clock", true, flips[1], twins[1])
	m := c.mutant("a register of the other follows its twin", true)
	rst := c.ports[u.Clocks[1].ResetPort()][0]
	c.output("follows", c.register(1, func(q int32) int32 { return c.and(c.not(c.mux(m, twins[1], q)), c.not(rst)) }), "")
	c.judge(t, u)
}
