package claims_test

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/clock"
)

// adder is an experiment that adds the seed to its point, but for points below 0.
type adder struct{ asked *[]int }

func (a adder) Measure(_ context.Context, point int, seed uint64) (uint64, error) {
	*a.asked = append(*a.asked, point)
	if point < 0 {
		return 0, fmt.Errorf("point %d", point)
	}
	return uint64(point) + seed, nil
}

// verdictOf is a claim's verdict with a measurement, at seed 40, and its difference from the record.
func verdictOf(t *testing.T, judge claims.Judge, measure claims.Measure) (claims.Verdict, string) {
	t.Helper()
	set, err := claims.NewSet(
		[]claims.Claim{
			{ID: "a/b", Source: "A", Text: "B.", Printed: "42", Judge: judge, Measure: measure, Expect: claims.Holds},
		},
	)
	require.NoError(t, err)
	r, err := claims.Verify(t.Context(), set, claims.Options{Seed: 40})
	require.NoError(t, err)
	return r.Results[0].Verdict, r.Results[0].Difference
}

func TestFiguresComeFromPointsOfExperiments(t *testing.T) {
	var asked []int
	e := adder{&asked}
	seen := func(n uint64) claims.Measurement { return claims.Count(n, "", "seen") }
	v, _ := verdictOf(t, claims.Exactly("42", ""), claims.Of(e, 2, seen))
	require.Equal(t, claims.Holds, v)
	v, _ = verdictOf(t, claims.Exactly("42", ""), claims.Of(e, 3, seen))
	require.Equal(t, claims.Deviates, v)
	_, difference := verdictOf(t, claims.Exactly("42", ""), claims.Of(e, -1, seen))
	require.Equal(t, "measurement failed: point -1", difference)

	asked = nil
	m, err := claims.OfAll(e, []int{5, 1, 3}, func(ns []uint64) claims.Measurement {
		return claims.Figure(float64(ns[0]), "x", "%v", ns)
	})(t.Context(), &claims.Run{Seed: 10})
	require.NoError(t, err)
	require.Equal(t, []int{5, 1, 3}, asked)
	require.Equal(t, "[15 11 13]", m.Detail)
	asked = nil
	_, err = claims.OfAll(e, []int{5, -2, 3}, func([]uint64) claims.Measurement { panic("there is a result missing") })(
		t.Context(), &claims.Run{},
	)
	require.EqualError(t, err, "point -2")
	require.Equal(t, []int{5, -2}, asked)
}

func TestFiguresComeFromSeveralSeeds(t *testing.T) {
	var asked []int
	samples := append(claims.Samples(5, 3), claims.Sample[int]{Point: 7, Seed: 100})
	m, err := claims.OfSamples(adder{&asked}, samples, func(ns []uint64) claims.Measurement {
		return claims.Figure(0, "", "%v", ns)
	})(t.Context(), &claims.Run{Seed: 10})
	require.NoError(t, err)
	require.Equal(t, []int{5, 5, 5, 7}, asked)
	require.Equal(t, "[15 16 17 117]", m.Detail)
}

func TestAMeasurementDependsOnItsRun(t *testing.T) {
	var asked []int
	measure := claims.For(func(run *claims.Run) claims.Measure {
		return claims.Of(adder{&asked}, run.Count(2, 1000), func(n uint64) claims.Measurement {
			return claims.Count(n, "", "seen")
		})
	})
	for paper, want := range map[bool]string{false: "9", true: "1007"} {
		m, err := measure(t.Context(), &claims.Run{Seed: 7, Paper: paper})
		require.NoError(t, err)
		require.Equal(t, want, m.String())
	}
}

func TestAnUnfitResultFailsTheClaim(t *testing.T) {
	var asked []int
	unfit := func(n uint64) claims.Measurement { return claims.Unfit("%d frames were lost", n) }
	v, difference := verdictOf(t, claims.Exactly("42", "ns"), claims.Of(adder{&asked}, 2, unfit))
	require.Equal(t, claims.Failed, v)
	require.Equal(t, "measurement failed: 42 frames were lost", difference)
	_, err := claims.Of(adder{&asked}, 2, unfit)(t.Context(), &claims.Run{})
	require.EqualError(t, err, "2 frames were lost", "who calls it by itself sees the same")
	fixed := claims.Fixed(func() (claims.Measurement, error) { return claims.Unfit("no code word"), nil })
	_, difference = verdictOf(t, claims.Exactly("42", "ns"), fixed)
	require.Equal(t, "measurement failed: no code word", difference)
}

func TestMeasurementsWithoutAPoint(t *testing.T) {
	v, _ := verdictOf(t, claims.Exactly("40", "cycles"), claims.Seeded(func(seed uint64) (claims.Measurement, error) {
		return claims.Cycles(seed, "edges"), nil
	}))
	require.Equal(t, claims.Holds, v)
	_, difference := verdictOf(t, claims.Exactly("40", "cycles"), claims.Fixed(func() (claims.Measurement, error) {
		return claims.Measurement{}, errors.New("it does not elaborate")
	}))
	require.Equal(t, "measurement failed: it does not elaborate", difference)
}

func TestHelpersMakeExactFigures(t *testing.T) {
	for want, m := range map[string]claims.Measurement{
		"-3 frames":                   claims.Count(-3, "frames", "d"),
		"18446744073709551615 cycles": claims.Cycles(^uint64(0), "d"),
		"2.56 ns":                     claims.Nanoseconds(clock.Block25G.Period(), "d"),
		"1/3 ≈ 0.3333 x":              claims.Exact(big.NewRat(1, 3), "x", "d"),
		"0.3333":                      claims.Figure(1.0/3, "", "d"),
	} {
		require.Equal(t, want, m.String())
		require.Equal(t, "d", m.Detail)
	}
}

func TestWithLeavesTheRowsOfTheMeasurementAlone(t *testing.T) {
	base := claims.Count(1, "", "d").With(claims.Row{Label: "a"})
	one, two := base.With(claims.Row{Label: "b"}), base.With(claims.Row{Label: "c"})
	require.Len(t, base.Rows, 1)
	require.Equal(t, "b", one.Rows[1].Label)
	require.Equal(t, "c", two.Rows[1].Label)
}
