package spfc

import (
	"iter"

	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/measure"
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
