package measure

import (
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Quantile returns the least of the sorted values that at least a share q of them does not exceed: the nearest rank.
// It panics if there is no value or q is not from 0 to 1.
func Quantile(sorted []float64, q float64) float64 {
	return stat.Quantile(q, stat.Empirical, sorted, nil)
}

// Interval is a mean over independent runs with its 95 % confidence interval, Mean ± Half.
type Interval struct {
	Mean float64 `json:"mean"`
	Half float64 `json:"half"` // NaN with one run, which has no interval
	Runs int     `json:"runs"`
}

// Mean returns the mean of values of independent runs, by Student's t distribution. It panics if there is none.
func Mean(values []float64) Interval {
	if len(values) == 0 {
		panic("measure: mean of no values")
	}
	mean, deviation := stat.MeanStdDev(values, nil)
	n := float64(len(values))
	if n == 1 {
		return Interval{mean, math.NaN(), 1}
	}
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Quantile(0.975)
	return Interval{mean, t * deviation / math.Sqrt(n), len(values)}
}
