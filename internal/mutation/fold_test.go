package mutation

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// random makes a circuit of random gates over inputs, constants, and registers of which none reads a later one.
func (c *circuit) random(random *rand.Rand, gates int) {
	nets := []int32{0, 1, c.input("a", ""), c.input("b", ""), c.input("d", ""), c.ports[selector][0]}
	for i := range gates {
		pin := func() int32 { return nets[random.IntN(len(nets))] }
		y := int32(0)
		switch kind := gateKind(random.IntN(int(gateMux) + 1)); {
		case random.IntN(8) == 0:
			y = c.delay(pin())
		case kind == gateMux:
			y = c.mux(pin(), pin(), pin())
		case kind <= gateNot:
			y = c.gate(kind, pin(), 0, 0)
		default:
			y = c.gate(kind, pin(), pin(), 0)
		}
		if nets = append(nets, y); i%4 == 0 {
			c.output(fmt.Sprintf("y%d", i), y, "")
		}
	}
	// what a register holds counts where a gate says that nobody else reads
	where := c.gate(gateAnd, nets[len(nets)-1], nets[len(nets)-4], 0)
	c.counts = []count{{c.regs[0].q, where}}
	c.assumes = []assume{{a: nets[len(nets)-1], en: nets[len(nets)-2]}}
	c.open = []int32{c.net()}
	c.output("x", c.xor(c.open[0], nets[len(nets)-3]), "")
}

// The gates left of a random circuit give at each output and in each assumption the values of the whole circuit, and
// no gate of a constant is left.
func TestFold(t *testing.T) {
	for seed := range uint64(10) {
		random := rand.New(rand.NewPCG(seed, 0))
		c := newCircuit()
		c.random(random, 120)
		require.NoError(t, c.order([]string{selector}))
		all := &netlist{nets: c.nets, gates: slices.Clone(c.gates), steady: c.steady, regs: slices.Clone(c.regs),
			assumes: slices.Clone(c.assumes),
			counts:  slices.Clone(c.counts),
			open:    slices.Clone(c.open), ports: map[string][]int32{}}
		for name, nets := range c.ports {
			all.ports[name] = slices.Clone(nets)
		}
		c.fold()
		require.Less(t, len(c.gates), len(all.gates), "seed %d", seed)
		known := map[gate]bool{}
		for _, g := range c.gates {
			require.Greater(t, max(g.a, g.b), int32(1), "seed %d: %v is of constants", seed, g)
			g.y = 0
			require.False(t, known[g], "seed %d: %v is there twice", seed, g)
			known[g] = true
		}
		mutants := []int{0, 0, 1, 1, 2}
		whole, folded := newLanes(all, mutants, 1), newLanes(c.netlist, mutants, 1)
		for k := range 100 {
			for _, f := range c.fields[:3] {
				x := random.Uint64()
				whole.input(f.Name, x)
				folded.input(f.Name, x)
			}
			whole.settle()
			folded.settle()
			if k > len(all.regs) { // all registers hold inputs of earlier cycles
				for _, f := range c.fields {
					for lane := range mutants {
						require.Equal(t, whole.bit(all.ports[f.Name][0], lane), folded.bit(c.ports[f.Name][0], lane),
							"seed %d: %s in cycle %d", seed, f.Name, k)
					}
				}
				for lane := range mutants {
					require.Equal(t, whole.bit(all.assumes[0].a, lane), folded.bit(c.assumes[0].a, lane))
					require.Equal(t, whole.bit(all.assumes[0].en, lane), folded.bit(c.assumes[0].en, lane))
					require.Equal(t, whole.bit(all.counts[0].is, lane), folded.bit(c.counts[0].is, lane))
					require.Equal(t, whole.bit(all.counts[0].where, lane), folded.bit(c.counts[0].where, lane))
				}
			}
			whole.edge(1)
			folded.edge(1)
		}
	}
}
