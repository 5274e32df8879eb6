package packetnet

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Equations 1 and 2 of DCTCP (SIGCOMM 2010), once a round trip of ten segments: alpha becomes 15/16 alpha + F/16 with F the share of marks,
// and if there were any the window W becomes W (1 - alpha/2). Alpha is kept in 1/1024.
func TestWindowOfDCTCP(t *testing.T) {
	w := &windowed{fabric: &fabric{mss: 1000, cfg: Config{MaxWindow: 1 << 30}}}
	c := conn{window: 1_000_000, threshold: 1_000_000, alpha: 1024, roundEnd: 9}
	window, alpha := 1e6, 1.0
	sequence := int64(0)
	for round, marks := range []int{0, 3, 10, 0, 0, 5, 1, 10, 10, 0} {
		c.sequence = sequence + 19 // the last segment of the next round trip
		for k := range 10 {
			before := c.window
			w.control(&c, 1000, sequence, k < marks)
			sequence++
			if k < 9 {
				require.Equal(t, before, c.window)
			}
		}
		alpha = 15.0/16*alpha + float64(marks)/10/16
		if marks > 0 {
			window *= 1 - alpha/2
		}
		require.InDelta(t, alpha, float64(c.alpha)/1024, 0.02, round)
		require.InEpsilon(t, window, float64(c.window), 0.03, round)
	}
	require.Less(t, c.window, int64(50_000)) // seven cuts, by a quarter to a half
}
