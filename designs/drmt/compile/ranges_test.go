package compile

import (
	"testing"

	"github.com/stretchr/testify/require"
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
