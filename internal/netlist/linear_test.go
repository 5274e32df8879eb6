package netlist_test

import (
	"hash/crc32"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/netlist"
)

// The table of a CRC is a sum of eight terms; with a constant added to all entries it still is; with one entry changed,
// or with fewer entries than an index has values, it is none.
func TestLinearTablesBecomeSums(t *testing.T) {
	g := netlist.New(100_000)
	index := g.Input("x", 8)
	table := func(of func(i int) uint32, entries int) *netlist.Node {
		var nodes []*netlist.Node
		for i := range entries {
			nodes = append(nodes, g.Const(uint64(of(i)), 32))
		}
		return g.Select(index, nodes)
	}
	crc := func(i int) uint32 { return crc32.IEEETable[i] }
	for _, of := range []func(int) uint32{crc, func(i int) uint32 { return crc(i) ^ 0x12345678 }} {
		n := table(of, 256)
		require.NotEqual(t, netlist.Select, n.Op)
		for x := range 256 {
			require.EqualValues(t, of(x), evaluate(n, map[string]uint64{"x": uint64(x)}), "at %d", x)
		}
	}
	require.Equal(t, netlist.Select, table(func(i int) uint32 {
		if i == 77 {
			return crc(i) ^ 1
		}
		return crc(i)
	}, 256).Op)
	require.Equal(t, netlist.Select, table(crc, 255).Op)
}
