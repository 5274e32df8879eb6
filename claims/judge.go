package claims

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
)

// Judge decides whether a measurement is what a claim says, in one unit. Figures are given as text, a decimal ("5.12",
// "1e-7") or a fraction ("51200/33"), and compared as rationals. Bounds are accepted too. A figure that cannot be read
// is reported by [NewSet].
type Judge struct {
	text      string // the accepted values: "at most 1.3"
	unit      string
	needExact bool
	accepts   func(Measurement) bool
	fault     error
}

// Exactly accepts the figure alone, and only from a measurement with an exact value: any other is an error, not a
// deviation.
func Exactly(want, unit string) Judge {
	r, err := parseFigure(want)
	if err != nil {
		return Judge{fault: err}
	}
	return Judge{
		text:      "exactly " + inFull(r, 0, unit),
		unit:      unit,
		needExact: true,
		accepts:   func(m Measurement) bool { return m.Exact.Cmp(r) == 0 },
	}
}

// Within accepts figures no further from want than the tolerance: "0.05" is in the unit, "2%" is relative to want.
func Within(want, tolerance, unit string) Judge {
	percent, relative := strings.CutSuffix(tolerance, "%")
	centre, err1 := parseFigure(want)
	reach, err2 := parseFigure(strings.TrimSpace(percent))
	if err := errors.Join(err1, err2); err != nil {
		return Judge{fault: err}
	}
	if reach.Sign() < 0 || relative && centre.Sign() == 0 {
		return Judge{fault: fmt.Errorf("tolerance %q around %q", tolerance, want)}
	}

	text := fmt.Sprintf("%s ± %s", inFull(centre, 0, ""), inFull(reach, 0, unit))
	if relative {
		text = fmt.Sprintf("%s ± %s of that", inFull(centre, 0, unit), inFull(reach, 0, "%"))
		reach.Mul(reach, big.NewRat(1, 100))
		reach.Mul(reach, new(big.Rat).Abs(centre))
	}
	return Judge{
		text: text,
		unit: unit,
		accepts: func(m Measurement) bool {
			d := new(big.Rat).Sub(rational(m.Exact, m.Value), centre)
			return d.Abs(d).Cmp(reach) <= 0
		},
	}
}

// AtMost accepts the limit and anything below.
func AtMost(limit, unit string) Judge { return bound("at most ", limit, unit, -1) }

// AtLeast accepts the limit and anything above.
func AtLeast(limit, unit string) Judge { return bound("at least ", limit, unit, +1) }

func bound(text, limit, unit string, side int) Judge {
	r, err := parseFigure(limit)
	if err != nil {
		return Judge{fault: err}
	}
	return Judge{
		text:    text + inFull(r, 0, unit),
		unit:    unit,
		accepts: func(m Measurement) bool { return rational(m.Exact, m.Value).Cmp(r)*side >= 0 },
	}
}

// Shape accepts what the predicate does, as described: "latency rises with load and stays below 1.3". The predicate
// sees the measurement completed: every Value filled in and every row with its unit.
func Shape(description, unit string, predicate func(Measurement) bool) Judge {
	j := Judge{text: description, unit: unit, accepts: predicate}
	switch {
	case strings.TrimSpace(description) == "":
		j.fault = errors.New("a shape without a description")
	case strings.ContainsAny(description, "\r\n"):
		j.fault = errors.New("a shape's description is more than one line")
	case predicate == nil:
		j.fault = errors.New("a shape without a predicate")
	}
	return j
}

// String returns the accepted values.
func (j Judge) String() string { return j.text }

func (j Judge) isZero() bool { return j.accepts == nil && j.fault == nil }

// judge wants a completed measurement.
func (j Judge) judge(m Measurement) (bool, error) {
	if j.needExact && m.Exact == nil {
		return false, fmt.Errorf("judged by %q, but the measurement has no exact value", j.text)
	}
	return j.accepts(m), nil
}
