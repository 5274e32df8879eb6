package claims

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
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
	// Unit must be the judge's; it is empty for a plain number.
	Unit string
	// Detail says in one line how the figure was counted: "edge 7 -> edge 9, 1000 blocks". It is required.
	Detail string
	// Rows is an optional breakdown, or the points of a curve that a shape is judged by, or what else was counted.
	Rows []Row
	// Wave is an optional picture of the cycles that were counted, as WaveJSON.
	Wave []byte

	fault error // see [Unfit]
}

// RowKind says how a row belongs to its measurement, so that a report can draw it.
type RowKind int

// The zero RowKind is something else that was counted.
const (
	Part    RowKind = iota + 1 // of the sum that the figure is, in its unit: the parts must add up to it
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
	Unit   string   // empty: the measurement's
}

// String returns the figure with its unit, as reports show it.
func (m Measurement) String() string { return figure(m.Exact, m.Value, m.Unit) }

// addUp tells whether parts that are added up as floats are the figure: but for rounding, as in [resolve].
func addUp(parts, figure float64) bool { return math.Abs(parts-figure) <= 1e-9*math.Abs(figure) }

// complete fills in the optional parts of a measurement and refuses one that cannot be judged in the unit given.
func (m Measurement) complete(unit string) (Measurement, error) {
	if m.Unit != unit && m.fault == nil {
		return m, fmt.Errorf("measured in %q, judged in %q", m.Unit, unit)
	}
	switch {
	case m.fault != nil:
		return m, m.fault
	case strings.TrimSpace(m.Detail) == "":
		return m, errors.New("no Detail: the measurement does not say how it was counted")
	case strings.ContainsAny(m.Detail, "\r\n"):
		return m, errors.New("Detail is more than one line")
	}
	if m.Wave != nil && !json.Valid(m.Wave) {
		return m, errors.New("Wave is no JSON")
	}
	if n := compactBytes(m.Wave); n > mostWave {
		return m, fmt.Errorf("Wave has %d bytes, want at most %d", n, mostWave)
	}
	var err error
	if m.Value, err = resolve(m.Exact, m.Value); err != nil {
		return m, err
	}
	m.Rows = slices.Clone(m.Rows)
	parts, exact, sum, total := 0, m.Exact != nil, new(big.Rat), 0.0
	for i := range m.Rows {
		row := &m.Rows[i]
		if row.Value, err = resolve(row.Exact, row.Value); err != nil {
			return m, fmt.Errorf("row %q: %w", row.Label, err)
		}
		if row.Unit == "" {
			row.Unit = m.Unit
		}
		if row.Kind == Part {
			if row.Unit != m.Unit {
				return m, fmt.Errorf("part %q is in %q, the sum in %q", row.Label, row.Unit, m.Unit)
			}
			parts++
			total += row.Value
			if exact = exact && row.Exact != nil; exact {
				sum.Add(sum, row.Exact)
			}
		}
	}
	switch {
	case parts == 0:
	case exact && sum.Cmp(m.Exact) != 0:
		return m, fmt.Errorf("the parts add up to %s, not to %s", sum.RatString(), m.Exact.RatString())
	case !addUp(total, m.Value):
		return m, fmt.Errorf("the parts add up to %v, not to %v", total, m.Value)
	}
	return m, nil
}
