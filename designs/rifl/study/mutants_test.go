package study

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/rifl"
)

// The flow-control buffer holds a queue of 16 and 2 x 2^S frames more in the core, 2 x 2^S in the paper's profile, and
// not one less.
func TestFlowBufferHoldsWhatItSays(t *testing.T) {
	for _, c := range []struct {
		profile           rifl.Profile
		s, depth, on, off int
	}{
		{rifl.Core, 5, 80, 42, 21}, {rifl.Core, 6, 144, 85, 42}, {rifl.Core, 7, 272, 170, 85}, {rifl.Paper, 6, 128, 85, 42},
		{rifl.Safe, 6, 400, 192, 96},
	} {
		b := newFlowControl(c.profile, c.s)
		for held := 1; held <= c.depth; held++ {
			require.True(t, b.Push(), "%v, S = %d: frame %d of %d", c.profile, c.s, held, c.depth)
			b.Judge(b.Len)
			require.Equal(t, held > c.on, b.Full, "%v, S = %d: %d held", c.profile, c.s, held)
		}
		require.False(t, b.Push(), "%v, S = %d: one more than %d", c.profile, c.s, c.depth)
		require.EqualValues(t, 1, b.Overflow)
		for held := c.depth - 1; held >= 0; held-- {
			b.Pop()
			b.Judge(b.Len)
			require.Equal(t, held >= c.off, b.Full, "%v, S = %d: %d left", c.profile, c.s, held)
		}
	}
}
