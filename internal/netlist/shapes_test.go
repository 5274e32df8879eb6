package netlist_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/netlist"
)

// Shapes that modules have often are narrow, and right for all values of two inputs of four bits.
func TestShapes(t *testing.T) {
	g := netlist.New(10_000)
	x, y := g.Extend(g.Input("x", 4), 64, false), g.Extend(g.Input("y", 4), 64, false)
	zero := g.Const(0, 64)
	var elements []*netlist.Node
	for i := range uint64(32) {
		elements = append(elements, g.Binary(netlist.Xor, y, g.Const(i*7&31, 64)))
	}
	four := g.Binary(netlist.Shl, x, g.Const(2, 7))
	for name, c := range map[string]struct {
		n    *netlist.Node
		most uint64
		want func(x, y uint64) uint64
	}{
		"y < x ? x - y : 0": {g.Mux(g.Binary(netlist.Ult, y, x), g.Binary(netlist.Sub, x, y), zero), 15,
			func(x, y uint64) uint64 { return max(x, y) - y }},
		"x < y ? 0 : x - y": {g.Mux(g.Binary(netlist.Ult, x, y), zero, g.Binary(netlist.Sub, x, y)), 15,
			func(x, y uint64) uint64 { return max(x, y) - y }},
		"x == 5 ? x : 5": {g.Mux(g.Binary(netlist.Eq, x, g.Const(5, 64)), x, g.Const(5, 64)), 5,
			func(x, y uint64) uint64 { return 5 }},
		"4x + 3": {g.Binary(netlist.Add, four, g.Const(3, 64)), 63, func(x, y uint64) uint64 { return 4*x + 3 }},
		"4x + 4": {g.Binary(netlist.Add, four, g.Const(4, 64)), 64, func(x, y uint64) uint64 { return 4*x + 4 }},
		"element 4x + 1, within 32": {g.Select(g.Binary(netlist.Add, four, g.Const(1, 64)), elements), 31,
			func(x, y uint64) uint64 { return y ^ (4*(x&7)+1)*7&31 }},
	} {
		_, hi := c.n.Range()
		require.LessOrEqual(t, hi, c.most, name)
		for i := range uint64(256) {
			in := map[string]uint64{"x": i & 15, "y": i >> 4}
			if i&15 > 7 && name == "element 4x + 1, within 32" {
				continue // beyond the elements
			}
			require.Equal(t, c.want(i&15, i>>4), evaluate(c.n, in), "%s: x = %d, y = %d", name, i&15, i>>4)
		}
	}
	n := g.Select(g.Binary(netlist.Add, four, g.Const(1, 64)), elements)
	for n.Op == netlist.Cat {
		n = n.Args[len(n.Args)-1]
	}
	require.LessOrEqual(t, len(n.Args), 9, "every fourth of 32 elements")
}
