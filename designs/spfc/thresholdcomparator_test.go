package spfc

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors"
)

// The comparator's own stimulus against the prose, in fractions: X_off of a queue with cells in the pool is its
// threshold or a full pool; X_on is the offset below both; a queue without cells in the pool resumes and is not
// paused. No queue is told to pause and to resume at once.
func TestComparatorAgainstTheProse(t *testing.T) {
	u, err := Units().Find("spfc/threshold_comparator")
	require.NoError(t, err)
	const rows = 20_000
	set, err := vectors.Capture(u, rows, 5)
	require.NoError(t, err)
	seen := map[string]int{}
	for k := range rows - 1 {
		in := func(name string) int64 { return int64(set.Rows[k][set.Column(name)]) }
		out := func(name string) bool { return set.Rows[k+1][set.Column(name)] == 1 }
		pool, own, offset := in("config_pool"), in("query_used"), in("offset")
		shared := min(in("query_shared"), pool)
		shift := in("config_shift")
		threshold := big.NewRat(pool-shared, 1)
		switch {
		case in("config_fixed") == 1:
			threshold = big.NewRat(in("config_static"), 1)
		case in("query_victim") == 1:
			threshold = big.NewRat(pool, 1)
		case shift < 8:
			threshold.Mul(threshold, big.NewRat(1<<shift, 1))
		default:
			threshold.Mul(threshold, big.NewRat(1, 1<<(16-shift)))
		}
		reached := func(queue, whole int64) bool { // whole cells: as much as a fraction of a threshold allows
			return big.NewRat(queue+1, 1).Cmp(threshold) > 0 || whole >= pool
		}
		over := own > 0 && reached(own, shared)
		clear := own == 0 || !over && (offset == 0 || !reached(own+offset-1, shared+offset-1))
		require.Equal(t, over, out("out_over"), "row %d", k)
		require.Equal(t, clear, out("out_clear"), "row %d", k)
		require.False(t, out("out_over") && out("out_clear"), "row %d", k)
		switch {
		case own == 0 && shared == pool:
			seen["nothing in a full pool"]++
		case over && shared == pool && !reached(own, 0):
			seen["paused by the pool alone"]++
		case !over && !clear && !reached(own+offset-1, 0):
			seen["not resumed for want of room alone"]++
		case clear && own > 0:
			seen["resumed"]++
		}
	}
	for _, what := range []string{"nothing in a full pool", "paused by the pool alone",
		"not resumed for want of room alone", "resumed"} {
		require.Greater(t, seen[what], 20, what)
	}
}
