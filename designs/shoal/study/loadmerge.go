package study

import (
	"math"

	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/experiment/plots"
)

// Completion times of short flows are counted in bins of one part in histogramSteps of a doubling, from 1 ns on, so
// that the runs of one load can be merged: a quantile is then the upper bound of its bin, at most 2.2 % too high.
const (
	histogramSteps = 32
	histogramBins  = 40 * histogramSteps
)

func histogramBin(ns float64) int {
	return min(max(int(math.Ceil(math.Log2(ns)*histogramSteps)), 0), histogramBins-1)
}

func histogramQuantile(bins []int, all int, share float64) float64 {
	left := max(int(math.Ceil(share*float64(all))), 1) - 1 // the nearest rank, as [measures.Quantile] has it
	for b, n := range bins {
		if left -= n; left < 0 {
			return math.Exp2(float64(b) / histogramSteps)
		}
	}
	return 0
}

// mergeLoads makes one result of neighbouring ones of the same point, whose seeds differ.
func mergeLoads(done []experiment.Result[LoadPoint, loadResult]) []experiment.Result[LoadPoint, loadResult] {
	var merged []experiment.Result[LoadPoint, loadResult]
	for _, d := range done {
		k := len(merged) - 1
		if k < 0 || merged[k].Point != d.Point {
			merged = append(merged, d)
			continue
		}
		merged[k].Value = merged[k].Value.merge(d.Value)
	}
	return merged
}

func (a loadResult) merge(b loadResult) loadResult {
	slots := float64(a.Slots + b.Slots)
	a.Offered = (a.Offered*float64(a.Slots) + b.Offered*float64(b.Slots)) / slots
	a.Arrived = (a.Arrived*float64(a.Slots) + b.Arrived*float64(b.Slots)) / slots
	a.Carried = mergeCarried(a.Carried, b.Carried)
	a.Slots += b.Slots
	a.Short, a.Long, a.Lost = a.Short+b.Short, a.Long+b.Long, a.Lost+b.Lost
	a.ShortSum, a.LongSum = a.ShortSum+b.ShortSum, a.LongSum+b.LongSum
	bins := make([]int, histogramBins)
	for i := range bins {
		bins[i] = a.Histogram[i] + b.Histogram[i]
	}
	a.Histogram = bins
	if a.Short > 0 {
		a.ShortMean = a.ShortSum / float64(a.Short)
		a.Short99, a.Short999 = histogramQuantile(bins, a.Short, 0.99), histogramQuantile(bins, a.Short, 0.999)
	}
	if a.Long > 0 {
		a.LongGbps = a.LongSum / float64(a.Long)
	}
	a.MaxQueue, a.MaxQueued, a.MaxReorder = max(a.MaxQueue, b.MaxQueue), max(a.MaxQueued, b.MaxQueued),
		max(a.MaxReorder, b.MaxReorder)
	return a
}

// loadCharts are the charts of Figures 15b and 17 (goodput) and 16 (queues and order).
func loadCharts(done []experiment.Result[LoadPoint, loadResult], axis string, failures bool) []experiment.Chart {
	goodput, queue, node, order := plots.Series{Name: "long flows"}, plots.Series{Name: "one queue"},
		plots.Series{Name: "all queues of a node", Dashed: true}, plots.Series{Name: "reordering"}
	for _, d := range done {
		x := d.Point.Load
		if failures {
			x = d.Point.Failed
		}
		for s, y := range map[*plots.Series]float64{&goodput: d.Value.LongGbps, &queue: float64(d.Value.MaxQueue),
			&node:  float64(d.Value.MaxQueued),
			&order: float64(d.Value.MaxReorder) / 1e3} {
			s.X, s.Y = append(s.X, x), append(s.Y, y)
		}
	}
	return []experiment.Chart{
		{Lines: &plots.Chart{Title: "Goodput of long flows", X: axis, Y: "Gb/s", Series: []plots.Series{goodput}}},
		{Lines: &plots.Chart{Title: "Longest queues", X: axis, Y: "cells", LogY: true, Series: []plots.Series{queue, node}}},
		{
			Lines: &plots.Chart{
				Title: "Furthest that a cell came ahead of its place", X: axis, Y: "KB", Series: []plots.Series{order},
			},
		},
	}
}
