package measure_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/workload"
	"github.com/goldwire/goldwire/workload/measure"
)

// Compare-and-swaps have their share of all messages and their own size, and the reads are the same messages as
// without them.
func TestShareOfSwaps(t *testing.T) {
	make := func(swaps float64) []workload.Message {
		m, err := measure.Traffic{Nodes: 4, Sizes: workload.Fixed(64), Reads: 0.5, Swaps: swaps,
			Seed: 1}.Messages(20_000, 100)
		require.NoError(t, err)
		return m
	}
	plain, mixed := make(0), make(0.3)
	swaps := 0.0
	for i, m := range mixed {
		if m.Type == workload.CompareSwap {
			swaps++
			require.Equal(t, workload.Write, plain[i].Type)
			require.Equal(t, measure.SwapBytes, m.Bytes)
			continue
		}
		require.Equal(t, plain[i], m)
	}
	require.InDelta(t, 0.3, swaps/20_000, 0.015)
	_, err := measure.Traffic{Nodes: 4, Sizes: workload.Fixed(64), Reads: 0.8, Swaps: 0.3}.Messages(10, 100)
	require.ErrorContains(t, err, "at most 1 together")
}
