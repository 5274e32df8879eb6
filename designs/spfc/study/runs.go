package study

import (
	"iter"
	"slices"

	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/experiment/plots"
	"github.com/goldwire/goldwire/workload/measure"
)

// repeat returns a point once for each of its runs, with seeds from seed on.
func repeat[Q any](q Q, runs int, seed uint64) []experiment.Point[Q] {
	points := make([]experiment.Point[Q], runs)
	for k := range points {
		points[k] = experiment.Point[Q]{Params: q, Seed: seed + uint64(k)}
	}
	return points
}

// byPoint yields the results of each point's runs together. They stand next to each other.
func byPoint[Q comparable, R any](done []experiment.Result[Q, R]) iter.Seq[[]experiment.Result[Q, R]] {
	return func(yield func([]experiment.Result[Q, R]) bool) {
		for len(done) > 0 {
			n := 1
			for n < len(done) && done[n].Point == done[0].Point {
				n++
			}
			if !yield(done[:n]) {
				return
			}
			done = done[n:]
		}
	}
}

// over is the mean of a figure over runs.
func over[Q, R any](of []experiment.Result[Q, R], figure func(R) float64) measure.Interval {
	values := make([]float64, len(of))
	for i, d := range of {
		values[i] = figure(d.Value)
	}
	return measure.Mean(values)
}

// ends are the ends of an interval; a single run has no interval, and both ends are its figure.
func ends(v measure.Interval) (low, high float64) {
	if v.Runs < 2 {
		return v.Mean, v.Mean
	}
	return v.Mean - v.Half, v.Mean + v.Half
}

// addPoint adds a figure with its interval to the series of a name.
func addPoint(all []plots.Series, name string, x float64, v measure.Interval) []plots.Series {
	at := slices.IndexFunc(all, func(s plots.Series) bool { return s.Name == name })
	if at < 0 {
		at = len(all)
		all = append(all, plots.Series{Name: name})
	}
	s := &all[at]
	low, high := ends(v)
	s.X, s.Y = append(s.X, x), append(s.Y, v.Mean)
	s.Low, s.High = append(s.Low, low), append(s.High, high)
	return all
}
