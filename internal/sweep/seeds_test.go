package sweep_test

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/sweep"
)

// half is half of the 95 % confidence interval with Student's t as tables print it, for 2, 5, 8 and 11 degrees of
// freedom.
func half(t *testing.T, x []float64) float64 {
	t.Helper()
	quantile, ok := map[int]float64{3: 4.303, 6: 2.571, 9: 2.306, 12: 2.201}[len(x)]
	require.True(t, ok, "%d values", len(x))
	sum, squares := 0.0, 0.0
	for _, v := range x {
		sum += v
	}
	for _, v := range x {
		squares += (v - sum/float64(len(x))) * (v - sum/float64(len(x)))
	}
	n := float64(len(x))
	return quantile * math.Sqrt(squares/(n-1)/n)
}

// Seeds are added three at a time, to each combination as many as it needs; the number does not depend on which
// machine measures them, or in which order.
func TestSeedsUntilAnIntervalIsNarrow(t *testing.T) {
	p := plan()
	p.Set = map[string]string{}
	p.Vary = []sweep.Axis{{Flag: "sides", Values: []string{"4", "20", "100"}}}
	p.Seeds.Count, p.Seeds.Until = 3, &sweep.Until{Figure: "mean", Half: 3, Most: 12}
	s, store := open(t, p)
	var done, total, grown int
	measured := run(t, s, store, sweep.Options{Workers: 4, Progress: func(n, of int) {
		require.Equal(t, done+1, n, "each point is told once")
		require.LessOrEqual(t, n, of)
		if done = n; of != total {
			require.Greater(t, of, total)
			total, grown = of, grown+1
		}
	}})
	require.Equal(t, []int{measured, measured}, []int{done, total})
	require.Greater(t, grown, 1, "no seeds were added while it ran")
	text, _ := merged(t, s, store)
	var file struct {
		Points []struct {
			Vary    map[string]string
			Outcome struct{ Points []struct{ Result diceResult } }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(text), &file))
	means := map[string][]float64{}
	for _, pt := range file.Points {
		means[pt.Vary["sides"]] = append(means[pt.Vary["sides"]], pt.Outcome.Points[0].Result.Mean)
	}
	open := 0
	counts := map[int]bool{}
	for sides, x := range means {
		t.Logf("%s sides: %d seeds, ± %.2f", sides, len(x), half(t, x))
		counts[len(x)] = true
		if len(x) < 12 {
			require.LessOrEqual(t, half(t, x), 3.0)
		} else if half(t, x) > 3 {
			open++
		}
		for n := 3; n < len(x); n += 3 {
			require.Greater(t, half(t, x[:n]), 3.0, "%s sides were settled with %d seeds", sides, n)
		}
	}
	require.GreaterOrEqual(t, len(counts), 2, "all dice took as many seeds: this compares nothing")
	status, err := s.Status(store, sweep.Options{})
	require.NoError(t, err)
	require.True(t, status.Complete())
	require.Equal(t, open, status.Open)
	require.Equal(t, 1, open, "the largest die is there to stay open")

	// shards that do not know of each other end as soon as nothing of theirs is wanted; together, round by round, they
	// come to the same
	other := sweep.Store{Dir: t.TempDir()}
	for round := 0; ; round++ {
		require.Less(t, round, 13)
		n := 0
		for i := 2; i >= 0; i-- {
			n += run(t, s, other, sweep.Options{Share: sweep.Share{Index: i, Of: 3}})
		}
		if n == 0 {
			break
		}
	}
	again, _ := merged(t, s, other)
	require.Equal(t, text, again)

	// seeds that somebody measured beyond need do not count
	q := p
	q.Seeds = sweep.Seeds{First: 1, Count: 12}
	all, err := sweep.New(q, dice)
	require.NoError(t, err)
	require.Equal(t, 36-len(file.Points), run(t, all, other, sweep.Options{}))
	again, _ = merged(t, s, other)
	require.Equal(t, text, again)

	p.Seeds.Until = &sweep.Until{Figure: "median", Half: 3, Most: 12}
	wrong, err := sweep.New(p, dice)
	require.NoError(t, err)
	_, err = wrong.Run(t.Context(), other, sweep.Options{})
	require.EqualError(t, err, `--sides 4: no figure "median" in the result, want one of: mean, seen.high, seen.low, null`)

	p.Seeds.Until = &sweep.Until{Figure: "null", Half: 3, Most: 12}
	null, err := sweep.New(p, dice)
	require.NoError(t, err)
	status, err = null.Status(other, sweep.Options{})
	require.NoError(t, err)
	require.Equal(t, 3, status.Open, "a figure that is null has no interval")

	p.Seeds.Until = &sweep.Until{Figure: "mean", Relative: 10, Most: 12}
	wide, err := sweep.New(p, dice)
	require.NoError(t, err)
	status, err = wide.Status(other, sweep.Options{})
	require.NoError(t, err)
	require.Equal(t, 9, status.Wanted, "ten times the mean is wide enough at once")
}

// When a combination has seeds enough, on outcomes that are written down: {figure of seed 1, of seed 2, …} and how
// many seeds it wants.
func TestWhenSeedsAreEnough(t *testing.T) {
	outcome := func(x float64, failed string) string {
		return fmt.Sprintf(`{"points":[{"result":{"x":%v}}],"failed":[%s]}`, x, failed)
	}
	for name, c := range map[string]struct {
		until  sweep.Until
		seeds  int
		values []float64
		failed int // the seed that fails
		want   int
		open   int
	}{
		// two values a and b: ± 12.706 * |a-b| / 2
		"narrow at once":           {sweep.Until{Half: 12.71, Most: 9}, 2, []float64{1, 3}, 0, 2, 0},
		"too wide":                 {sweep.Until{Half: 12.70, Most: 9}, 2, []float64{1, 3}, 0, 4, 0},
		"below zero":               {sweep.Until{Relative: 0.5, Most: 9}, 2, []float64{-100, -101}, 0, 2, 0},
		"a share of a mean":        {sweep.Until{Relative: 0.05, Most: 9}, 2, []float64{-100, -101}, 0, 4, 0},
		"the most, no multiple":    {sweep.Until{Half: 1, Most: 5}, 2, []float64{1, 9, 1, 9, 1}, 0, 5, 1},
		"not yet the most":         {sweep.Until{Half: 1, Most: 5}, 2, []float64{1, 9, 1, 9}, 0, 5, 0},
		"narrow at the most":       {sweep.Until{Half: 3, Most: 3}, 2, []float64{1, 2, 1.5}, 0, 3, 0},
		"a check that failed ends": {sweep.Until{Half: 1, Most: 9}, 2, []float64{1, 9}, 2, 2, 0},
	} {
		t.Run(name, func(t *testing.T) {
			p := small()
			p.Vary = []sweep.Axis{{Flag: "sides", Values: []string{"4"}}}
			c.until.Figure = "x"
			p.Seeds = sweep.Seeds{First: 1, Count: c.seeds, Until: &c.until}
			s, store := open(t, p)
			outcomes := map[int]string{}
			for i, x := range c.values {
				outcomes[i] = outcome(x, map[bool]string{true: `"wrong"`}[i+1 == c.failed])
			}
			for range c.values { // a round of seeds is wanted when the one before is there
				measured(t, s, store, outcomes)
			}
			status, err := s.Status(store, sweep.Options{})
			require.NoError(t, err)
			require.Equal(t, c.want, status.Wanted)
			require.Equal(t, c.open, status.Open)
			require.Equal(t, c.want == len(c.values), status.Settled == 1)
		})
	}

	p := small()
	p.Vary = p.Vary[:1]
	p.Seeds = sweep.Seeds{First: 1, Count: 2, Until: &sweep.Until{Figure: "x", Half: 1, Most: 9}}
	s, store := open(t, p)
	measured(t, s, store, map[int]string{0: outcome(1, ""),
		2: `{"points":[{"result":{"x":1}},{"result":{"x":1}}],"failed":[]}`})
	_, err := s.Status(store, sweep.Options{})
	require.EqualError(t, err, "--sides 4: 1 points with one seed and 2 with another: there is no interval")
}
