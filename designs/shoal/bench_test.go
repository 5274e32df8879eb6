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
			start := cpuTime()
			for b.Loop() {
				r.Step()
			}
			used := cpuTime() - start
			b.ReportMetric(float64(used.Nanoseconds())/float64(b.N*c.nodes*c.channels), "cpu-ns/cell")
			b.ReportMetric(float64(b.N)/used.Seconds(), "slots/cpu-s")
		})
	}
}

// The same on several workers; what counts is the time by the clock. It needs a machine with idle processors.
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
			start := cpuTime()
			for b.Loop() {
				require.NoError(b, r.Run(b.Context(), slots))
			}
			b.ReportMetric(float64(b.N*slots)/b.Elapsed().Seconds(), "slots/s")
			b.ReportMetric(float64(b.N*slots)/(cpuTime()-start).Seconds(), "slots/cpu-s")
		})
	}
}
