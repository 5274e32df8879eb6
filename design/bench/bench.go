// Package bench measures speed for `goldwire bench`: budgets, and the figures of this machine beside them.
//
// A figure has a value a round; its median is printed. The two sides of a ratio are measured in turns, and the ratio
// is made round by round, so that a machine whose speed drifts favours neither side. A missed budget is printed and is
// no failure: it depends on the machine.
package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
)

// Measure measures lines that belong together.
type Measure struct {
	Name string // argument of `--only`: "rifl", "kernel"
	Run  func(context.Context) ([]Line, error)
}

// Line is one figure, with a budget or without.
type Line struct {
	What    string  `json:"what"`
	Unit    string  `json:"unit"`             // "ns", "times as fast"
	Values  Samples `json:"values"`           // a value a round; none if it was not measured
	Budget  *Budget `json:"budget,omitempty"` // nil for a figure without one
	Note    string  `json:"note,omitempty"`   // the work of each side, absolute figures
	Missing string  `json:"missing,omitempty"`
}

// Budget is a limit on the median.
type Budget struct {
	AtLeast bool    `json:"at_least"` // if not, at most
	Limit   float64 `json:"limit"`
}

// AtMost is a line whose median must not be above the limit.
func AtMost(what string, limit float64, values Samples, unit, note string) Line {
	return Line{What: what, Unit: unit, Values: values, Budget: &Budget{false, limit}, Note: note}
}

// AtLeast is a line whose median must not be below the limit.
func AtLeast(what string, limit float64, values Samples, unit, note string) Line {
	return Line{What: what, Unit: unit, Values: values, Budget: &Budget{true, limit}, Note: note}
}

// Figure is a line without a budget.
func Figure(what string, values Samples, unit, note string) Line {
	return Line{What: what, Unit: unit, Values: values, Note: note}
}

// NotMeasured is a line whose measurement lacks a tool or a file; why says which.
func NotMeasured(what string, why error) Line { return Line{What: what, Missing: why.Error()} }

// Met reports whether the budget, if there is one, is met. A line that was not measured does not meet it.
func (l Line) Met() bool {
	switch {
	case l.Budget == nil:
		return true
	case len(l.Values) == 0:
		return false
	case l.Budget.AtLeast:
		return l.Values.Median() >= l.Budget.Limit
	}
	return l.Values.Median() <= l.Budget.Limit
}

// Measured is the median with its unit, as printed.
func (l Line) Measured() string {
	if len(l.Values) == 0 {
		return "not measured"
	}
	return number(l.Values.Median()) + " " + l.Unit
}

// Allowed is the budget with its unit, as printed, or "" without one.
func (l Line) Allowed() string {
	switch {
	case l.Budget == nil:
		return ""
	case l.Budget.AtLeast:
		return fmt.Sprintf("at least %s %s", number(l.Budget.Limit), l.Unit)
	}
	return fmt.Sprintf("at most %s %s", number(l.Budget.Limit), l.Unit)
}

// number prints three digits, and all digits before the point.
func number(x float64) string {
	if x >= 1000 || x <= -1000 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}

// MarshalJSON adds the median and whether the budget is met.
func (l Line) MarshalJSON() ([]byte, error) {
	type plain Line
	out := struct {
		plain
		Median *float64 `json:"median,omitempty"`
		Met    *bool    `json:"met,omitempty"`
	}{plain: plain(l)}
	if len(l.Values) > 0 {
		m := l.Values.Median()
		out.Median = &m
	}
	if l.Budget != nil {
		met := l.Met()
		out.Met = &met
	}
	return json.Marshal(out)
}

// Samples are the figures of the rounds, in their order.
type Samples []float64

// Once is a figure that is taken once: memory, a share.
func Once(x float64) Samples { return Samples{x} }

// Median is the middle value, of two the larger.
func (s Samples) Median() float64 {
	sorted := slices.Sorted(slices.Values(s))
	return sorted[len(sorted)/2]
}

// Times returns the samples, each times x.
func (s Samples) Times(x float64) Samples {
	out := slices.Clone(s)
	for i := range out {
		out[i] *= x
	}
	return out
}

// Over returns the ratios to other samples, round by round.
func (s Samples) Over(other Samples) Samples {
	out := make(Samples, min(len(s), len(other)))
	for i := range out {
		out[i] = s[i] / other[i]
	}
	return out
}

// Rate returns n divided by each sample: from seconds to events a second.
func (s Samples) Rate(n float64) Samples {
	out := make(Samples, len(s))
	for i := range out {
		out[i] = n / s[i]
	}
	return out
}
