package edm

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/blocks"
)

// A backlog does what a FIFO of all its capacity does, with less memory until it is needed.
func TestBacklogAgainstAFIFO(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.IntRange(1, 200).Draw(t, "capacity")
		b, model := newBacklog[int](most), blocks.NewFIFO[int](most)
		require.LessOrEqual(t, b.FIFO.Cap(), backlogFirst)
		for i := range 600 {
			if rapid.IntRange(0, 2).Draw(t, "push") > 0 {
				require.Equal(t, model.Push(i), b.Push(i))
			} else {
				want, some := model.Pop()
				v, ok := b.Pop()
				require.Equal(t, []any{want, some}, []any{v, ok})
			}
			require.Equal(t, []int{model.Len(), most, model.HighWater()}, []int{b.Len(), b.Cap(), b.HighWater()})
			require.Equal(t, model.Full(), b.Full())
		}
	})
}
