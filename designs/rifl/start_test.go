package rifl

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// errorsAtTheStart runs links with an error in each direction while the first frames are on their way, wherever they
// are, and returns the frames that came wrong.
func errorsAtTheStart(t *testing.T, p Profile) (wrong uint64) {
	sizes, apart := []int{6}, []uint64{0, 17}
	if soaking {
		sizes, apart = []int{6, 7}, []uint64{0, 3, 17}
	}
	for _, s := range sizes {
		cfg := Default()
		cfg.Profile, cfg.IDBits, cfg.UpBit = p, s, 6
		for f := uint64(0); f < cfg.Settle(); f++ {
			for _, apart := range apart {
				l, err := NewFrameLink(FrameLinkConfig{Config: cfg})
				require.NoError(t, err)
				require.NoError(t, l.Flip(0, 0, f*256+100))
				require.NoError(t, l.Flip(1, 0, (f+apart)*256+100))
				l.Run(2000)
				for e := range 2 {
					r := l.Report(e)
					require.Greater(t, r.Delivered, uint64(500), "profile %v, S = %d, end %d, frame %d and %d later", p, s, e, f,
						apart)
					require.Zero(t, r.Overflow)
					wrong += r.Wrong
				}
			}
		}
	}
	return wrong
}

// Errors at the start delay it and lose nothing in the safe profile. The core counts its idles after an error among
// the frames before the user's first, and so loses the first ones.
func TestErrorsAtTheStart(t *testing.T) {
	require.Zero(t, errorsAtTheStart(t, Safe))
	require.NotZero(t, errorsAtTheStart(t, Core))
}
