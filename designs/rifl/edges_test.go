package rifl

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Whatever edges are added, the same come out, and they take no more memory than a number for each.
func TestEdges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var got edges
		want := []uint64{}
		at := rapid.Uint64Range(0, 1<<40).Draw(t, "first edge")
		for range rapid.IntRange(0, 40).Draw(t, "runs") {
			for range rapid.OneOf(rapid.IntRange(1, 3), rapid.IntRange(1, 1000)).Draw(t, "length") {
				got.add(at)
				want = append(want, at)
				at++
			}
			at += rapid.OneOf(rapid.Uint64Range(0, 3), rapid.Uint64Range(0, 1<<40)).Draw(t, "gap") // without one the run goes on
		}
		require.Equal(t, len(want), got.len())
		require.Equal(t, want, got.list())
		require.LessOrEqual(t, len(got.runs), 8*len(want))
	})
}

// The stamps of a user that pauses at every tenth edge take two bytes for nine of them.
func TestEdgesTakeLittleMemory(t *testing.T) {
	var e edges
	for i := range uint64(10_000) {
		if i%10 > 0 {
			e.add(i)
		}
	}
	e.add(20_000)
	require.Len(t, e.runs, 2*1000)
	require.Equal(t, 9001, e.len())
}
