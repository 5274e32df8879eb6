package study

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/pcs"
)

// Two ports, by hand: port 0 goes from ingress 0 to 1 at edge 15 without a gap and back at 27 after two idle words,
// which makes three cycles; port 1 changes at edge 15.
func TestSwitchWatch(t *testing.T) {
	w := &switchWatch{ports: make([]watchedPort, 2)}
	word := func(from uint64) pcs.XGMII { return pcs.XGMII{Data: (from+1)<<32 | 7, Valid: true} }
	for w.edge = 10; w.edge < 30; w.edge++ {
		switch {
		case w.edge < 15 || w.edge >= 27:
			w.see(0, word(0))
		case w.edge >= 25:
			w.see(0, pcs.IdleWord())
		default:
			w.see(0, word(1))
		}
		if w.edge < 15 {
			w.see(1, word(1))
		} else {
			w.see(1, word(0))
		}
	}
	n, longest, err := w.result(1)
	require.NoError(t, err)
	require.Equal(t, 3, n)
	require.EqualValues(t, 3, longest)

	w.ports[1].changes[0]++
	_, _, err = w.result(1)
	require.NoError(t, err, "another direction has slots of its own")
	_, _, err = w.result(0)
	require.EqualError(t, err, "egress 1 changes at cycle 4 of a slot, others at 3")
	_, _, err = (&switchWatch{ports: make([]watchedPort, 2)}).result(1)
	require.EqualError(t, err, "no circuit changed")
}

// Of eight nodes with two dead, 1 and 5 are; the living ones, 0 2 3 4 6 7, send to the third living one after them.
func TestPermutationWithDeadNodes(t *testing.T) {
	to, failed := permutationOf(8, 2)
	require.Equal(t, []int{1, 5}, failed)
	require.Equal(t, map[int]int{0: 4, 2: 6, 3: 7, 4: 0, 6: 2, 7: 3}, to)
	to, failed = permutationOf(8, 3) // 1, 3, 6
	require.Equal(t, []int{1, 3, 6}, failed)
	require.Equal(t, map[int]int{0: 5, 2: 7, 4: 0, 5: 2, 7: 4}, to)
	to, failed = permutationOf(4, 0)
	require.Empty(t, failed)
	require.Equal(t, map[int]int{0: 3, 1: 0, 2: 1, 3: 2}, to)
}
