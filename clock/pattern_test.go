package clock

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Learnt or not, wherever it is learnt: the same clocks in every instant, and the same counts.
func TestPatternIsWhatNextGives(t *testing.T) {
	found := 0
	rapid.Check(t, func(t *rapid.T) {
		var specs []Spec
		for range rapid.IntRange(1, 5).Draw(t, "clocks") {
			f := MHz(rapid.SampledFrom([]float64{100, 156.25, 200, 312.5, 390.625, 400, 644.53125}).Draw(t, "MHz")).
				PPM(rapid.SampledFrom([]float64{0, 0, 0, 100, -7}).Draw(t, "ppm"))
			phase := f.Times(10, 1).Period().Times(rapid.Int64Range(0, 40).Draw(t, "tenths of the phase"))
			specs = append(specs, Spec{Freq: f, Phase: phase})
		}
		plain, err := NewSchedule(specs...)
		require.NoError(t, err)
		learnt := plain.Clone()
		var table [][]int
		for range 3 {
			for range rapid.IntRange(0, 300).Draw(t, "instants") {
				want := plain.Next()
				got := learnt.Next()
				require.Equal(t, want, got)
				if at := learnt.Place(); table == nil {
					require.Equal(t, -1, at)
				} else {
					require.Equal(t, want, table[at])
				}
			}
			if table = learnt.Learn(200); table != nil {
				found++
				require.LessOrEqual(t, len(table), 200)
				learnt = learnt.Clone()
			}
			for i := range specs {
				require.Equal(t, plain.Edges(i), learnt.Edges(i))
			}
		}
	})
	require.NotZero(t, found)
}

// A clock that starts late is no part of what repeats before it does; a period too long is said to be.
func TestPatternWants(t *testing.T) {
	late, err := NewSchedule(Spec{Freq: MHz(100)}, Spec{Freq: MHz(50), Phase: MustTime("95ns")})
	require.NoError(t, err)
	require.Nil(t, late.Learn(10))
	for range 9 {
		late.Next()
	}
	require.Equal(t, -1, late.Place())
	require.Equal(t, [][]int{{0}, {0}, {1}}, sorted(late.Learn(10)))

	crystals, err := NewSchedule(Spec{Freq: MHz(100)}, Spec{Freq: MHz(100).PPM(1)})
	require.NoError(t, err)
	require.Nil(t, crystals.Learn(1000))
}

func sorted(table [][]int) [][]int {
	table = slices.Clone(table)
	slices.SortFunc(table, slices.Compare[[]int])
	return table
}
