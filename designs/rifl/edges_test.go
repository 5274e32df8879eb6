package rifl

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Whatever edges are added, the same come out, and no more numbers are kept than edges.
func TestEdges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var got edges
		var want []uint64
		at := rapid.Uint64Range(0, 1<<40).Draw(t, "first edge")
		for range rapid.IntRange(0, 40).Draw(t, "runs") {
			n := rapid.OneOf(rapid.IntRange(1, 3), rapid.SampledFrom([]int{longestRun - 1, longestRun, longestRun + 1, 2 * longestRun})).Draw(t, "length")
			for range n {
				got.add(at)
				want = append(want, at)
				at++
			}
			at += rapid.Uint64Range(0, 3).Draw(t, "gap") // without one the run goes on
		}
		require.Equal(t, len(want), got.len())
		require.Equal(t, append([]uint64{}, want...), got.list())
		require.LessOrEqual(t, len(got.runs), len(want))
	})
}

// A user that takes a beat with each edge needs one number for 65,536 of them.
func TestEdgesOfAFullUserTakeLittleMemory(t *testing.T) {
	var e edges
	for i := range uint64(1_000_000) {
		e.add(i + 1)
	}
	e.add(2_000_000)
	require.Len(t, e.runs, 16)
	require.Equal(t, 1_000_001, e.len())
}
