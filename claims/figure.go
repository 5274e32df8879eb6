package claims

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

const (
	maxDecimals = 12 // an exact figure with more decimals than this is shown rounded
	maxFraction = 16 // and a fraction with more characters than this is not shown at all
	sigDigits   = 4  // of a rounded figure
)

const rounded = "≈ " // before the rounded form of an exact figure

// figure is a number as tables show it, with its unit.
func figure(exact *big.Rat, value float64, unit string) string {
	if exact != nil {
		return withUnit(formatRat(exact), unit)
	}
	return withUnit(formatFloat(value), unit)
}

// inFull is a number unrounded: what a reader needs to see that 1.2004 is not "at most 1.2".
func inFull(exact *big.Rat, value float64, unit string) string {
	if exact == nil {
		return withUnit(strconv.FormatFloat(value, 'g', -1, 64), unit)
	}
	if s := formatRat(exact); !strings.HasPrefix(s, rounded) {
		return withUnit(s, unit)
	}
	return withUnit(exact.RatString(), unit)
}

func withUnit(number, unit string) string {
	if unit == "" {
		return number
	}
	return number + " " + unit
}

// formatRat writes r as the shortest decimal that equals it; as fraction and rounded decimal if there is none.
func formatRat(r *big.Rat) string {
	if decimals, exact := r.FloatPrec(); exact && decimals <= maxDecimals {
		return r.FloatString(decimals)
	}
	f, _ := r.Float64()
	if s := r.String(); len(s) <= maxFraction {
		return s + " " + rounded + formatFloat(f)
	}
	return rounded + formatFloat(f)
}

// formatFloat writes f with four significant digits, without trailing zeros. The whole digits of a number below a
// million are all kept; from there on, and below 0.0001, the form is 1.88e7.
func formatFloat(f float64) string {
	if f == 0 {
		return "0"
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(f, 'e', sigDigits-1, 64), "e")
	exp, _ := strconv.Atoi(exponent)
	if exp < -4 || math.Abs(f) >= 1e6 {
		return trimZeros(mantissa) + "e" + strconv.Itoa(exp)
	}
	return trimZeros(strconv.FormatFloat(f, 'f', max(0, sigDigits-1-exp), 64))
}

func trimZeros(s string) string {
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// parseFigure reads a decimal ("5.12", "1.88e7") or a fraction ("51200/33").
func parseFigure(s string) (*big.Rat, error) {
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		return nil, fmt.Errorf(`%q is not a number such as "5.12" or "51200/33"`, s)
	}
	return r, nil
}

// rational returns exact, or else the shortest decimal that reads back as value, which must be finite.
func rational(exact *big.Rat, value float64) *big.Rat {
	if exact != nil {
		return exact
	}
	r, _ := new(big.Rat).SetString(strconv.FormatFloat(value, 'g', -1, 64))
	return r
}

// resolve returns the float that goes with a figure: of exact if there is one, which a value that is not 0 must then
// agree with.
func resolve(exact *big.Rat, value float64) (float64, error) {
	if exact != nil {
		f, _ := exact.Float64()
		if value != 0 && math.Abs(value-f) > 1e-9*math.Abs(f) { // far above rounding, far below any tolerance
			return 0, fmt.Errorf("value %v contradicts the exact value %s", value, exact.RatString())
		}
		value = f
	}
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return 0, fmt.Errorf("value is %v", value)
	}
	return value, nil
}
