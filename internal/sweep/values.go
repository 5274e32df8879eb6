package sweep

import (
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/floats"

	"github.com/goldwire/goldwire/experiment"
)

// mostValues is how many values a parameter may be given.
const mostValues = 10_000

var (
	// spanned is a range: from, to, and how it goes on, +2, *10 or /7.
	spanned = regexp.MustCompile(`^(.+?)\.\.(.+?)([+*/])(.+)$`)
	single  = regexp.MustCompile(`^(.+?)\.\.(.+)$`)
	// quantity is a number and its unit: 10ns. The exponent has two digits at most, so that exact arithmetic stays small.
	quantity = regexp.MustCompile(`^([+-]?[0-9]{1,18}(?:\.[0-9]{1,18})?(?:[eE][+-]?[0-9]{1,2})?)([A-Za-zµ/]*)$`)
)

// Values reads what a parameter shall be, one after the other. Between commas stand single values and ranges, whose
// ends belong to them:
//
//	1,2,4          these
//	1..8           1, 2, … 8
//	0.1..0.9+0.2   0.1, 0.3, … 0.9
//	1e-9..1e-5*10  1e-9, 1e-8, … 1e-5
//	1e-9..1e-5/9   nine numbers at equal steps of their logarithm, rounded to four digits
//	10ns..50ns+10ns
//
// Steps are exact: 0.1 + 0.2 is 0.3.
func Values(text string) ([]string, error) {
	var all []string
	for _, word := range strings.Split(text, ",") {
		word = strings.TrimSpace(word)
		values, err := valuesOf(word)
		if err != nil {
			return nil, err
		}
		if all = append(all, values...); len(all) > mostValues {
			return nil, fmt.Errorf("more than %d values", mostValues)
		}
	}
	return all, nil
}

func valuesOf(word string) ([]string, error) {
	m := spanned.FindStringSubmatch(word)
	if m == nil {
		if s := single.FindStringSubmatch(word); s != nil && quantity.MatchString(s[1]) && quantity.MatchString(s[2]) {
			m = []string{word, s[1], s[2], "+", "1" + quantity.FindStringSubmatch(s[2])[2]}
		}
	}
	if m == nil || !quantity.MatchString(m[1]) {
		return []string{word}, nil // a word, or a path with two dots
	}
	fault := func(what string) error { return fmt.Errorf("%s: %s", experiment.Quote(word), what) }
	from, unit, _ := number(m[1])
	to, toUnit, ok := number(m[2])
	if !ok {
		return nil, fault("want a number after ..")
	}
	step, stepUnit, ok := number(m[4])
	alone := !strings.HasSuffix(word, m[3]+m[4]) // two ends without a step
	switch {
	case alone && !(from.IsInt() && to.IsInt()):
		return nil, fault("want whole numbers, or a step: 0.1..0.9+0.2, 1e-9..1e-5*10")
	case !ok:
		return nil, fault("want a number after " + m[3])
	case unit != toUnit || m[3] == "+" && stepUnit != unit || m[3] != "+" && stepUnit != "":
		return nil, fault("want the same unit at both ends, and after +")
	case from.Cmp(to) > 0:
		return nil, fault("want the lower end first")
	}
	var values []*big.Rat
	switch m[3] {
	case "+":
		if step.Sign() <= 0 {
			return nil, fault("want a step above 0")
		}
		for x := from; x.Cmp(to) <= 0 && len(values) <= mostValues; x = new(big.Rat).Add(x, step) {
			values = append(values, x)
		}
	case "*":
		if step.Cmp(big.NewRat(1, 1)) <= 0 || from.Sign() <= 0 {
			return nil, fault("want a factor above 1 and a start above 0")
		}
		const most = 200 // exact products grow with their number
		for x := from; x.Cmp(to) <= 0; x = new(big.Rat).Mul(x, step) {
			if values = append(values, x); len(values) > most {
				return nil, fault(fmt.Sprintf("more than %d factors", most))
			}
		}
	case "/":
		if !step.IsInt() || step.Cmp(big.NewRat(2, 1)) < 0 || step.Cmp(big.NewRat(mostValues, 1)) > 0 || from.Sign() <= 0 {
			return nil, fault(fmt.Sprintf("want 2 to %d values and a start above 0", mostValues))
		}
		return logarithmic(from, to, int(step.Num().Int64()), unit), nil
	}
	if len(values) > mostValues {
		return nil, fault(fmt.Sprintf("more than %d values", mostValues))
	}
	var texts []string
	for _, x := range values {
		texts = append(texts, decimal(x)+unit)
	}
	return texts, nil
}

// logarithmic returns n numbers at equal steps of their logarithm. The ends are as they were given.
func logarithmic(from, to *big.Rat, n int, unit string) []string {
	low, _ := from.Float64()
	high, _ := to.Float64()
	var texts []string
	for i, x := range floats.LogSpan(make([]float64, n), low, high) {
		text := strconv.FormatFloat(x, 'g', 4, 64)
		x, _ = strconv.ParseFloat(text, 64) // it has just been written
		text = strconv.FormatFloat(x, 'g', -1, 64)
		switch i {
		case 0:
			text = decimal(from)
		case n - 1:
			text = decimal(to)
		}
		texts = append(texts, text+unit)
	}
	return texts
}

// number reads a quantity.
func number(text string) (x *big.Rat, unit string, ok bool) {
	m := quantity.FindStringSubmatch(text)
	if m == nil {
		return nil, "", false
	}
	x, ok = new(big.Rat).SetString(m[1])
	return x, m[2], ok
}

// decimal writes a number as shortly as it can be read again: a whole one with all its digits, another as the nearest
// float64.
func decimal(x *big.Rat) string {
	if x.IsInt() && x.Num().IsInt64() {
		return x.Num().String()
	}
	f, _ := x.Float64()
	if math.Abs(f) >= 1e-4 && math.Abs(f) < 1e6 {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}
