//go:build soak

package rifl

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/workload/measure"
)

// The tail of Figure 9 does not need a full line: a user that offers one flit in 1,009 cycles, until it is taken,
// meets the retransmissions of the frames without data as well.
func TestSeldomFlitsMeetTheSameTail(t *testing.T) {
	const apart = 1009
	for _, lanes := range []int{1, 4} {
		cfg := Default()
		cfg.Lanes = lanes
		var taken, offered measure.Histogram // from the handshake, and from the cycle in which the flit was first offered
		for seed := range uint64(2) {
			var l *FrameLink
			fc := FrameLinkConfig{Config: cfg, BER: [2]float64{1e-7, 1e-7}, Seed: seed}
			for e := range 2 {
				fc.Offer[e] = func(cycle uint64) bool { return (l.Ends[e].next-1)/uint64(lanes) < cycle/apart }
			}
			l, err := NewFrameLink(fc)
			require.NoError(t, err)
			var seen [2]uint64
			for range 20_000_000 {
				l.Step()
				for e := range 2 {
					if n := l.Ends[e].delivered / uint64(lanes); n > seen[e] {
						seen[e] = n
						offered.Add(l.cycle-1-n*apart, 1)
					}
				}
			}
			for e := range 2 {
				taken.Merge(l.Report(e).Latency)
			}
		}
		ns := func(h *measure.Histogram, q float64) float64 { return float64(h.Quantile(q)) * cfg.FrameNs() }
		for _, q := range []float64{0.5, 0.99, 0.999, 0.9995} {
			t.Logf("%d lanes, %g of %d flits: from the handshake %.1f ns, from the offer %.1f ns", lanes, q, offered.N,
				ns(&taken, q), ns(&offered, q))
		}
		require.InDelta(t, 109.7, ns(&offered, 0.5), 0.1)
		require.Greater(t, ns(&offered, 0.999), 980.0)
	}
}
