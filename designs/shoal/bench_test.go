package shoal

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/design/bench"
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
			w := bench.Start()
			for b.Loop() {
				r.Step()
			}
			_, cpu := w.Seconds()
			b.ReportMetric(1e9*cpu/float64(b.N*c.nodes*c.channels), "cpu-ns/cell")
			b.ReportMetric(float64(b.N)/cpu, "slots/cpu-s")
		})
	}
}

// The same on several workers; the time by the clock counts. It needs a machine with idle processors.
func BenchmarkPermutationShared(b *testing.B) {
	for _, c := range []struct{ nodes, workers, flight int }{{512, 1, 0}, {512, 2, 0}, {512, 1, 16}, {512, 2, 16}} {
		b.Run(fmt.Sprintf("nodes=%d/workers=%d/flight=%d", c.nodes, c.workers, c.flight), func(b *testing.B) {
			s, err := Cyclic(c.nodes, 1)
			require.NoError(b, err)
			r, err := NewRack(RackConfig{Schedule: s, Flight: c.flight, Workers: c.workers})
			require.NoError(b, err)
			for i := range c.nodes {
				require.NoError(b, r.Offer(uint64(i), i, (i*5+3)%c.nodes, 1<<30))
			}
			require.NoError(b, r.Run(b.Context(), uint64(4*r.Epoch())))
			const slots = 64
			w := bench.Start()
			for b.Loop() {
				require.NoError(b, r.Run(b.Context(), slots))
			}
			b.ReportMetric(float64(b.N*slots)/b.Elapsed().Seconds(), "slots/s")
			_, cpu := w.Seconds()
			b.ReportMetric(float64(b.N*slots)/cpu, "slots/cpu-s")
		})
	}
}
