// Package bench measures speed for `goldwire bench`: budgets, and what a machine does beside them.
//
// A figure is the median of several rounds. Two figures that make a ratio are taken in turns, so that a machine whose speed drifts
// does not favour one. A missed budget is printed and is no failure: it depends on the machine.
package bench

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// Line is a budget and what was measured.
type Line struct {
	What     string `json:"what"`
	Budget   string `json:"budget"` // "at least 4 times as fast"; "none" for a figure without one
	Measured string `json:"measured"`
	Met      bool   `json:"met"`
	Note     string `json:"note,omitempty"` // what each side does, absolute figures
}

// Measure measures one or a few lines that belong together.
type Measure func(context.Context) ([]Line, error)

// Rounds is how often a figure is taken; the median counts.
const Rounds = 7

// Timed returns the seconds that each of the functions takes, the median of [Rounds] in turns, after one to warm up.
func Timed(fs ...func()) []float64 {
	times := make([][]float64, len(fs))
	for _, f := range fs {
		f()
	}
	for range Rounds {
		for i, f := range fs {
			start := time.Now()
			f()
			times[i] = append(times[i], time.Since(start).Seconds())
		}
	}
	medians := make([]float64, len(fs))
	for i, t := range times {
		slices.Sort(t)
		medians[i] = t[len(t)/2]
	}
	return medians
}

// AtMost is a line whose figure must not be above the limit.
func AtMost(what string, limit, got float64, unit, note string) Line {
	return Line{what, fmt.Sprintf("at most %g%s", limit, unit), fmt.Sprintf("%.3g%s", got, unit), got <= limit, note}
}

// AtLeast is a line whose figure must not be below the limit.
func AtLeast(what string, limit, got float64, unit, note string) Line {
	return Line{what, fmt.Sprintf("at least %g%s", limit, unit), fmt.Sprintf("%.3g%s", got, unit), got >= limit, note}
}

// Figure is a line without a budget.
func Figure(what, measured, note string) Line { return Line{what, "none", measured, true, note} }

// NotMeasured is a line whose measurement wants what is not there.
func NotMeasured(what, budget string, why error) Line {
	return Line{What: what, Budget: budget, Measured: "not measured", Note: why.Error()}
}
