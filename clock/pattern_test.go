package clock

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Learnt or not, wherever it is learnt: the same clocks in every instant, and the same counts.
func TestPatternIsWhatNextGives(t *testing.T) {
	found, rounds := 0, 0
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
				if i := len(specs) - 1; table != nil {
					first, limit := learnt.Place() == len(table)-1, learnt.Edges(i)+uint64(len(table))/2
					if learnt.Round(i, limit) {
						rounds++
						require.True(t, first)
						require.Less(t, learnt.Edges(i), limit)
						for range table {
							plain.Next()
						}
					}
				}
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
	require.NotZero(t, rounds)
}

// A clock that starts late is not in the pattern that repeats before its start; Learn returns nil for a period that is
// too long.
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

// A clock whose phase is a whole period has yet to start, as one of a longer phase.
func TestPatternOfAPeriodsPhase(t *testing.T) {
	s, err := NewSchedule(Spec{Freq: MHz(100)}, Spec{Freq: MHz(100), Phase: MustTime("10ns")})
	require.NoError(t, err)
	require.Nil(t, s.Learn(10))
	require.Equal(t, []int{0}, s.Next())
	require.Equal(t, [][]int{{0, 1}}, s.Learn(10))
}

// Clocks that have no common unit: two of one frequency repeat, two of nearly one frequency do not.
func TestPatternOfFractions(t *testing.T) {
	same, err := NewSchedule(Spec{Freq: MHz(100)}, Spec{Freq: MHz(100), Phase: MustTime("1/1000000007 ns")},
		Spec{Freq: MHz(100), Phase: MustTime("1/998244353 ns")})
	require.NoError(t, err)
	require.False(t, same.plain)
	require.Equal(t, [][]int{{0}, {1}, {2}}, sorted(same.Learn(10)))

	near, err := NewSchedule(Spec{Freq: MHz(100)}, Spec{Freq: MustFreq("100.00000000000000001MHz")})
	require.NoError(t, err)
	require.False(t, near.plain)
	require.Nil(t, near.Learn(1000))
}

// Learn returns a long pattern only if its bound allows it; a schedule moved by Seek or Reset has to learn again.
func TestPatternIsLearntAgain(t *testing.T) {
	s, err := NewSchedule(Spec{Name: "a", Freq: MHz(100)}, Spec{Name: "b", Freq: MHz(60)})
	require.NoError(t, err)
	const long = 7 // five edges of one and three of the other, two of them at the same time
	require.Nil(t, s.Learn(long-1))
	require.Len(t, s.Learn(long), long)
	require.Nil(t, s.Learn(long-1))
	require.Len(t, s.Learn(long), long)

	ahead := s.Clone()
	ahead.Next()
	require.NotEqual(t, s.Place(), ahead.Place(), "a clone goes on by itself")

	goes := func(s *Schedule) (list [][]int) {
		for range 2*long + 3 {
			list = append(list, slices.Clone(s.Next()))
		}
		return list
	}
	want := goes(s)
	s.Reset()
	require.Equal(t, -1, s.Place())
	require.Equal(t, want, goes(s), "from the start, the pattern forgotten")
	require.NotNil(t, s.Learn(long))
	require.NoError(t, s.Seek([]uint64{0, 0}))
	require.Equal(t, -1, s.Place())
	require.Equal(t, want, goes(s), "after Seek")
}

func sorted(table [][]int) [][]int {
	table = slices.Clone(table)
	slices.SortFunc(table, slices.Compare[[]int])
	return table
}
