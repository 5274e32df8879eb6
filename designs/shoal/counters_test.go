package shoal

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Cells that each destination got in 1,000 slots of 12 cycles in a recording of the authors' hardware: four nodes,
// endless flows from 0 to 1, 1 to 3, 3 to 2 and 2 to 0, cells 15 and 39 cycles on their way, which is one slot and
// three beyond their own. Of the readings of Equation 2 only the difference of epoch counters gives them.
func TestEpochCountersAgainstTheAuthorsHardware(t *testing.T) {
	for _, c := range []struct {
		flight int
		want   []uint64
	}{{1, []uint64{499, 416, 499, 499}}, {3, []uint64{249, 278, 277, 249}}} {
		for _, equation := range []Equation{ByCounters, ByDrains, ByEpochs} {
			p := FabricParams{Nodes: 4, Channels: 1, Schedule: "cyclic", Flight: c.flight, Equation: equation}
			r, err := p.NewRack()
			require.NoError(t, err)
			for from, to := range []int{1, 3, 0, 2} {
				require.NoError(t, r.Offer(uint64(from), from, to, 2000))
			}
			require.NoError(t, r.Run(t.Context(), 1000))
			var got []uint64
			for i := range r.Nodes {
				got = append(got, r.Nodes[i].Counts.Delivered)
			}
			if equation == ByCounters {
				require.Equal(t, c.want, got, "flight %d", c.flight)
			} else {
				require.NotEqual(t, c.want, got, "flight %d, %s", c.flight, equation)
			}
		}
	}
	_, err := NewRack(RackConfig{Schedule: halfEpoch(t, 4), Options: Options{WholeEpochs: true, Counters: true}})
	require.ErrorContains(t, err, "want one of them")
}
