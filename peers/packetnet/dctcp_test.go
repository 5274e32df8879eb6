package packetnet

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/workload"
)

// Equations 1 and 2 of DCTCP (SIGCOMM 2010), once a round trip of ten segments: alpha becomes 15/16 alpha + F/16 with
// F the share of marks, and if there were any the window W becomes W (1 - alpha/2). Alpha is kept in 1/1024.
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

// hole is a switch that loses all before some time.
type hole struct {
	discipline
	f     *fabric
	until int64
}

func (h *hole) forward(id int32) {
	if h.f.Now < h.until {
		h.f.release(id)
		return
	}
	h.discipline.forward(id)
}

// A window of ten frames is lost whole. The timer of the first finds all of them after 200 µs, and they follow it as
// the window grows: in no less than four round trips of 1526 × 2 there and 74 × 2 back, for 1, 2, 4 and 3 of them, and
// in no more than one for each. If each had to wait for a timer of its own, each twice as long as the one before, the
// last would come after 200 µs × (2^10 - 1).
func TestATimeoutIsForTheWholeWindow(t *testing.T) {
	for _, each := range []bool{false, true} {
		c := DefaultConfig(DCTCP)
		c.Nodes, c.HostDelay, c.LinkDelay, c.SwitchDelay, c.MinTimeout, c.PerMessage = 2, 0, 0, 0, 200_000_000, each
		f, err := newFabric(c, []workload.Message{{Type: workload.Write, Source: 0, Dest: 1, Bytes: 10*1456 - 8}})
		require.NoError(t, err)
		f.build()
		f.discipline = &hole{f.discipline, f, 100_000_000 / 80}
		require.NoError(t, f.run(t.Context()))
		require.EqualValues(t, []uint64{1, 10}, []uint64{f.result.Timeouts, f.result.Retransmissions})
		took := f.result.Finish[0]/80 - 200_000_000/80
		require.Greater(t, took, int64(2*1526+3*(2*1526+2*74)))
		require.Less(t, took, int64(10*(2*1526+2*74)))
	}
}
