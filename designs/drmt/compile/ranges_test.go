package compile

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// The prefixes of each range of six bits match the values in it, each once, and no other. From 1 to 62 takes ten, the
// most that 2n - 2 bounds it to.
func TestPrefixesOfRanges(t *testing.T) {
	const width = 6
	for low := range uint64(1 << width) {
		for high := low; high < 1<<width; high++ {
			list := prefixes(low, high, width)
			require.LessOrEqual(t, len(list), 2*width-2)
			for v := range uint64(1 << width) {
				n := 0
				for _, k := range list {
					if v&k.Mask == k.Value {
						n++
					}
				}
				want := 0
				if low <= v && v <= high {
					want = 1
				}
				require.Equal(t, want, n, "%d in %d to %d", v, low, high)
			}
		}
	}
	require.Len(t, prefixes(1, 62, width), 10)
	require.Len(t, prefixes(0, ^uint64(0), 64), 1)
	require.Len(t, prefixes(1, ^uint64(0), 64), 64)
	require.Len(t, prefixes(1<<63, ^uint64(0), 64), 1)
}

// The ranges of an entry are bounded together: three of 16 bits can be 27,000 prefixes.
func TestPrefixesAreBounded(t *testing.T) {
	p := &p4.Program{Name: "p", Fields: []p4.Field{{Bits: 16}, {Bits: 16}, {Bits: 16}}}
	table, e := &p4.Table{Name: "ports"}, p4.Entry{Table: "ports"}
	for f, want := range []int{30, 900} {
		table.Key = append(table.Key, p4.KeyField{Field: f, Match: p4.Range})
		e.Key = append(e.Key, p4.KeyValue{Value: 1, Mask: 65534})
		list, err := withMasks(p, table, e)
		require.NoError(t, err)
		require.Len(t, list, want)
	}
	table.Key = append(table.Key, p4.KeyField{Field: 2, Match: p4.Range})
	e.Key = append(e.Key, p4.KeyValue{Value: 1, Mask: 65534})
	_, err := withMasks(p, table, e)
	require.EqualError(
		t, err, "p: an entry of table ports: its ranges are more than 10000 prefixes: want fewer or shorter ranges",
	)
}
