package rifl

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// An error in each direction while the first frames are on their way delays the start and nothing more, whatever the profile and
// wherever the errors are.
func TestErrorsAtTheStart(t *testing.T) {
	for _, p := range []Profile{Core, Safe} {
		for _, s := range []int{6, 7} {
			for f := uint64(0); f < 200; f++ {
				for _, apart := range []uint64{0, 3, 17} {
					cfg := Default()
					cfg.Profile, cfg.IDBits = p, s
					l, err := NewFrameLink(FrameLinkConfig{Config: cfg})
					require.NoError(t, err)
					require.NoError(t, l.Flip(0, 0, f*256+100))
					require.NoError(t, l.Flip(1, 0, (f+apart)*256+100))
					l.Run(4000)
					for e := range 2 {
						r := l.Report(e)
						require.Greater(t, r.Delivered, uint64(1000), "profile %v, S = %d, end %d, frame %d and %d later", p, s, e, f, apart)
						require.Zero(t, r.Wrong)
						require.Zero(t, r.Overflow)
					}
				}
			}
		}
	}
}
