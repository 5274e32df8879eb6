package workload

import (
	"math"
	"sort"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func parseSizes(t *testing.T, name string) Sizes {
	t.Helper()
	sizes, err := ParseSizes(name)
	require.NoError(t, err)
	require.Equal(t, name, sizes.String())
	return sizes
}

// Added up by hand from the published rows.
func TestSizesMean(t *testing.T) {
	for name, want := range map[string]float64{
		"hadoop":    74.5 * 1460,
		"spark":     72.8 * 1460,
		"sparksql":  74.9 * 1460,
		"graphlab":  82.5 * 1460,
		"memcached": 99.8 * 1460,
		"websearch": 1_711_250,
		"fbhadoop":  120_420.75,
		"pareto":    100_000,
		"fixed:64":  64,
	} {
		require.InDelta(t, want, parseSizes(t, name).Mean(), 1e-6, name)
	}
}

func TestSizesDrawHasTheMean(t *testing.T) {
	names := []string{"pareto:1000000", "fixed:1"}
	for _, table := range SizeTables() {
		names = append(names, table.Name)
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			const n = 200_000
			sizes, rng := parseSizes(t, name), newRand(1)
			var sum, squares float64
			for range n {
				x := float64(sizes.Draw(rng))
				sum += x
				squares += x * x
			}
			mean := sum / n
			deviation := math.Sqrt(max(squares/n-mean*mean, 0) / n)
			require.InDelta(t, sizes.Mean(), mean, 4*deviation+0.01)
		})
	}
}

// Each row of a table is hit by the share of draws at or below it.
func TestSizeTableDrawFollowsRows(t *testing.T) {
	for _, table := range SizeTables() {
		t.Run(table.Name, func(t *testing.T) {
			const n = 100_000
			rng := newRand(2)
			draws := make([]int, n)
			for i := range draws {
				draws[i] = table.Draw(rng)
				require.Zero(t, draws[i]%table.Unit)
			}
			sort.Ints(draws)
			require.GreaterOrEqual(t, draws[0], max(table.Rows[0].Size, 1)*table.Unit)
			require.LessOrEqual(t, draws[n-1], table.Rows[len(table.Rows)-1].Size*table.Unit)
			for i, row := range table.Rows[:len(table.Rows)-1] {
				if table.Rows[i+1].Size == row.Size {
					continue // the later row has the share at this size
				}
				below := sort.SearchInts(draws, row.Size*table.Unit+1)
				// A binomial deviation is at most 0.5 √n = 158; rounding moves half a unit over the row's edge.
				unit := 0.5 * float64(table.Rows[i+1].PerMille-row.PerMille) / 1000 * n / float64(table.Rows[i+1].Size-row.Size)
				require.InDelta(t, float64(row.PerMille)*n/1000, below, 5*158+unit, "row %d", i)
			}
		})
	}
}

func TestSizeTablesAreDistributions(t *testing.T) {
	for _, table := range SizeTables() {
		require.NotEmpty(t, table.Source)
		last := len(table.Rows) - 1
		require.Zero(t, table.Rows[0].PerMille)
		require.Equal(t, 1000, table.Rows[last].PerMille)
		for i, row := range table.Rows[1:] {
			require.Greater(t, row.PerMille, table.Rows[i].PerMille)
			require.GreaterOrEqual(t, row.Size, table.Rows[i].Size)
		}
	}
}

// Quantiles of a Pareto distribution are known where its mean cannot be sampled.
func TestParetoQuantiles(t *testing.T) {
	const n = 100_000
	sizes, rng := parseSizes(t, "pareto"), newRand(3)
	least := 100_000 * 0.05 / 1.05
	for _, tail := range []float64{0.5, 0.1, 0.01} {
		x := least * math.Pow(tail, -1/1.05)
		above := 0
		for range n {
			if size := sizes.Draw(rng); float64(size) > x {
				above++
			} else {
				require.GreaterOrEqual(t, size, int(least))
			}
		}
		require.InDelta(t, tail*n, above, 5*math.Sqrt(n*tail*(1-tail)), "tail %v", tail)
	}
}

// The mean of a cut Pareto distribution is the integral of P(size > x) from 0 to the cut.
func TestParetoMeanIsTheIntegralOfItsTail(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Pareto{
			Shape: rapid.Float64Range(1.05, 3).Draw(t, "shape"),
			Least: rapid.Float64Range(1, 1000).Draw(t, "least"),
			Most:  rapid.IntRange(1000, 1_000_000).Draw(t, "most"),
		}
		// Midpoints in the logarithm of x: ∫ P(x) dx = ∫ P(x) x d(ln x).
		const steps = 10_000
		h := math.Log(float64(p.Most)/p.Least) / steps
		integral := p.Least
		for i := range steps {
			x := p.Least * math.Exp((float64(i)+0.5)*h)
			integral += math.Pow(p.Least/x, p.Shape) * x * h
		}
		require.InEpsilon(t, integral, p.Mean(), 1e-4)
	})
}

func TestParseSizesErrors(t *testing.T) {
	for name, want := range map[string]string{
		"": `sizes "", want hadoop, spark, sparksql, graphlab, memcached, websearch, fbhadoop, pareto, pareto:N ` +
			`or fixed:N`,
		"fixed": `sizes "fixed", want hadoop, spark, sparksql, graphlab, memcached, websearch, fbhadoop, pareto, ` +
			`pareto:N or fixed:N`,
		"fixed:":      `sizes "fixed:": want fixed:N with N from 1 to 1099511627776 bytes`,
		"fixed:0":     `sizes "fixed:0": want fixed:N with N from 1 to 1099511627776 bytes`,
		"fixed:-1":    `sizes "fixed:-1": want fixed:N with N from 1 to 1099511627776 bytes`,
		"fixed:64x":   `sizes "fixed:64x": want fixed:N with N from 1 to 1099511627776 bytes`,
		"pareto:4761": `sizes "pareto:4761": want pareto:N with N from 4762 to 1099511627776 bytes`,
	} {
		_, err := ParseSizes(name)
		require.EqualError(t, err, want)
	}
}
