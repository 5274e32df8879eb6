package heap

import (
	"cmp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// A heap gives back what a sorted list would, whatever the order of pushes and pops.
func TestHeapAgainstSortedList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var h Heap[int]
		var list []Entry[int]
		for n := range rapid.IntRange(1, 120).Draw(t, "steps") {
			if len(list) > 0 && rapid.IntRange(0, 2).Draw(t, "op") == 0 {
				require.Equal(t, list[0], h.Pop())
				list = list[1:]
				continue
			}
			second := rapid.Uint64Range(0, 3).Draw(t, "second")<<32 | uint64(n) // no two are equal
			e := Entry[int]{n, rapid.Uint64Range(0, 9).Draw(t, "first"), second}
			h.Push(e)
			list = append(list, e)
			slices.SortFunc(list, func(a, b Entry[int]) int {
				return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(a.Second, b.Second))
			})
		}
		for _, want := range list {
			require.Equal(t, want, h.Pop())
		}
		require.Empty(t, h)
	})
}
