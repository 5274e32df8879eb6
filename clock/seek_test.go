package clock_test

import (
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/clock"
)

// A schedule that is put to where another one is goes on with the same edges, whatever the clocks.
func TestSeekGoesOnAlike(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var specs []clock.Spec
		for i := range rapid.IntRange(1, 5).Draw(t, "clocks") {
			f := rapid.SampledFrom([]clock.Freq{clock.MHz(390.625), clock.MHz(156.25), clock.MHz(644.53125), clock.MHz(100),
				clock.MHz(99.9987)}).Draw(t, "freq")
			specs = append(specs, clock.Spec{Name: string(rune('a' + i)), Freq: f,
				Phase: clock.Seconds(big.NewRat(rapid.Int64Range(0, 20_000).Draw(t, "phase"), 1e12))})
		}
		a, err := clock.NewSchedule(specs...)
		require.NoError(t, err)
		b, err := clock.NewSchedule(specs...)
		require.NoError(t, err)
		for range rapid.IntRange(0, 300).Draw(t, "before") {
			a.Next()
		}
		for range rapid.IntRange(0, 50).Draw(t, "elsewhere") {
			b.Next()
		}
		edges := make([]uint64, len(specs))
		for i := range specs {
			edges[i] = a.Edges(i)
		}
		require.NoError(t, b.Seek(edges))
		for range 200 {
			require.Equal(t, slices.Clone(a.Next()), b.Next())
		}
		for i := range specs {
			require.Equal(t, a.Edges(i), b.Edges(i))
		}
	})
}

func TestSeekRefusesWhatNeverIs(t *testing.T) {
	s, err := clock.NewSchedule(clock.Spec{Name: "slow", Freq: clock.MHz(100)},
		clock.Spec{Name: "fast", Freq: clock.MHz(200)})
	require.NoError(t, err)
	require.EqualError(t, s.Seek([]uint64{1, 1}), "clock slow has had edge 1, but clock fast not the earlier edge 2")
	require.EqualError(t, s.Seek([]uint64{1}), "edges of 1 clocks, want 2")
	require.EqualError(t, s.Seek([]uint64{0, 1<<64 - 1}), "clock fast: edge 18446744073709551615 has none after it")
	require.NoError(t, s.Seek([]uint64{1, 2}))
}
