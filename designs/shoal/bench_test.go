package shoal

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// A permutation of all nodes: every link carries two subflows, each node forwards as much as it sends.
func BenchmarkPermutation(b *testing.B) {
	for _, c := range []struct{ nodes, channels int }{{64, 1}, {64, 4}, {512, 1}, {512, 4}, {1024, 4}} {
		b.Run(fmt.Sprintf("nodes=%d/channels=%d", c.nodes, c.channels), func(b *testing.B) {
			s, err := Cyclic(c.nodes, c.channels)
			require.NoError(b, err)
			r, err := NewRack(RackConfig{Schedule: s})
			require.NoError(b, err)
			for i := range c.nodes {
				require.NoError(b, r.Offer(uint64(i), i, (i*5+3)%c.nodes, 1<<30))
			}
			require.NoError(b, r.Run(b.Context(), uint64(4*r.Epoch())))
			b.ResetTimer()
			b.ReportAllocs()
			for b.Loop() {
				r.Step()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*c.nodes*c.channels), "ns/cell")
		})
	}
}
