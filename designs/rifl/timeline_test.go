package rifl_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"goldwire/designs/rifl"
)

// One flipped bit, one way and both: what each end sends from the first frame out of the ordinary to the last. The modules on
// their clocks and the frame-level link agree frame by frame.
//
// To one end: end 1 requests from its verdict until the frame before the missing one is there, end 0 makes one pass as soon as
// it believes the request. The other end rests while it waits.
func TestSingleFlip(t *testing.T) {
	for _, c := range []struct {
		profile rifl.Profile
		s       int
		pass    int // frames of RETRANS
	}{
		{rifl.Core, 6, 161}, {rifl.Core, 7, 321}, {rifl.Paper, 6, 160}, {rifl.Paper, 7, 320}, {rifl.Safe, 6, 192}, {rifl.Safe, 7, 384},
	} {
		cfg := rifl.Default()
		cfg.Profile, cfg.IDBits = c.profile, c.s
		for _, to := range [][]int{{0}, {1}, {0, 1}} {
			got, err := rifl.SingleFlip(rifl.LinkConfig{Config: cfg}, to...)
			require.NoError(t, err)
			byFrames, err := rifl.SingleFlipByFrames(rifl.FrameLinkConfig{Config: cfg}, to...)
			require.NoError(t, err)
			require.Equal(t, byFrames, got, "%v, S=%d, flips to %v", c.profile, c.s, to)

			hit := to[0]
			require.Equal(t, 1, got.Passes[1-hit])
			require.Equal(t, c.pass, got.In(1-hit, rifl.Retrans))
			require.Positive(t, got.In(hit, rifl.SendRetrans))
			if len(to) == 1 {
				require.Zero(t, got.Passes[hit])
				require.Zero(t, got.In(1-hit, rifl.SendRetrans))
			} else { // symmetric
				require.Equal(t, got.Frames[0], got.Frames[1])
			}
			for e := range 2 {
				require.Zero(t, got.In(e, rifl.Init)+got.In(e, rifl.Pause)+got.In(e, rifl.SendPause))
			}
		}
	}
}
