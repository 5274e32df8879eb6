package claims

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// Measurement is a figure that was counted or computed from observations of a running model.
type Measurement struct {
	// Value is the figure. With Exact given it may stay 0 and is filled in by the runner.
	Value float64
	// Exact, if not nil, is the figure as a rational. An exact judge asks for it; counts and multiples of a clock
	// period should always have it.
	Exact *big.Rat
	// Unit must be that of the judge; it is empty for a plain number.
	Unit string
	// Detail says in one line how the figure was counted: "edge 7 -> edge 9, 1000 blocks". It is required.
	Detail string
	// Rows is an optional breakdown, or the points of a curve that a shape is judged by, or what else was counted.
	Rows []Row
	// Wave is an optional picture of the cycles that were counted, as WaveJSON.
	Wave []byte
}

// RowKind says how a row belongs to its measurement, so that a report can draw it.
type RowKind int

// The zero RowKind is something else that was counted.
const (
	Part    RowKind = iota + 1 // of the sum that the figure is: exact parts must add up to it
	Point                      // of a curve: At is its place on the axis
	Variant                    // the same figure under another reading, profile or size
)

// String returns the kind as the JSON form has it, empty for the zero kind.
func (k RowKind) String() string {
	return [...]string{"", "part", "point", "variant"}[k]
}

// Row is one part of a breakdown, one point of a curve, a variant, or something else that was counted.
type Row struct {
	Label  string
	Kind   RowKind
	Series string   // of a Point, if there are several curves
	At     float64  // of a Point
	Value  float64  // as in Measurement
	Exact  *big.Rat // as in Measurement
	Unit   string   // empty: that of the measurement
}

// String returns the figure with its unit, as reports show it.
func (m Measurement) String() string { return figure(m.Exact, m.Value, m.Unit) }

// complete fills in what a measurement may leave out and refuses one that cannot be judged in the unit given.
func (m Measurement) complete(unit string) (Measurement, error) {
	if m.Unit != unit {
		return m, fmt.Errorf("measured in %q, judged in %q", m.Unit, unit)
	}
	switch {
	case strings.TrimSpace(m.Detail) == "":
		return m, errors.New("no Detail: the measurement does not say how it was counted")
	case strings.ContainsAny(m.Detail, "\r\n"):
		return m, errors.New("Detail is more than one line")
	}
	if m.Wave != nil && !json.Valid(m.Wave) {
		return m, errors.New("Wave is no JSON")
	}
	var err error
	if m.Value, err = resolve(m.Exact, m.Value); err != nil {
		return m, err
	}
	m.Rows = slices.Clone(m.Rows)
	parts, exact, sum := 0, m.Exact != nil, new(big.Rat)
	for i := range m.Rows {
		row := &m.Rows[i]
		if row.Value, err = resolve(row.Exact, row.Value); err != nil {
			return m, fmt.Errorf("row %q: %w", row.Label, err)
		}
		if row.Unit == "" {
			row.Unit = m.Unit
		}
		if row.Kind == Part {
			parts++
			if exact = exact && row.Exact != nil && row.Unit == m.Unit; exact {
				sum.Add(sum, row.Exact)
			}
		}
	}
	if parts > 0 && exact && sum.Cmp(m.Exact) != 0 {
		return m, fmt.Errorf("the parts add up to %s, not to %s", sum.RatString(), m.Exact.RatString())
	}
	return m, nil
}
