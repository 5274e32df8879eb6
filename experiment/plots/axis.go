package plots

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"
)

// largest is the greatest magnitude that a chart takes, its inverse the least on a logarithmic axis: far from where
// float64 arithmetic on the bounds of an axis would overflow.
const largest = 1e100

const (
	linearSteps = 5    // aimed at between the ticks of a linear axis
	slack       = 1e-9 // of a step: rounding, not a value beyond a tick
	mostDecades = 8    // that are all labelled
)

// linearAxis sets bounds and ticks to round numbers around the values from lo to hi. The axis starts, or ends, at 0 if
// that costs at most half of it.
func linearAxis(axis *plot.Axis, lo, hi float64) {
	switch {
	case lo > 0 && lo <= hi/2:
		lo = 0
	case hi < 0 && hi >= lo/2:
		hi = 0
	}
	size := max(math.Abs(lo), math.Abs(hi))
	if size < 1/largest { // as good as 0
		lo, hi, size = 0, 0, 1
	}
	if hi-lo <= slack*size { // one value
		lo, hi = lo-size/2, hi+size/2
	}
	step := roundStep((hi - lo) / linearSteps)
	first, last := math.Floor(lo/step+slack), math.Ceil(hi/step-slack)
	unit, suffix := prefix(max(math.Abs(first), math.Abs(last)) * step)
	var ticks plot.ConstantTicks
	for i := first; i <= last; i++ {
		ticks = append(ticks, plot.Tick{Value: i * step, Label: number(i * step / unit)})
		if i != 0 {
			ticks[len(ticks)-1].Label += suffix
		}
	}
	axis.Min, axis.Max = first*step, last*step
	axis.Tick.Marker = ticks
}

// roundStep returns the least of 1, 2 and 5 times a power of ten that is not below x.
func roundStep(x float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, digit := range []float64{1, 2, 5} {
		if x <= digit*power*(1+slack) {
			return digit * power
		}
	}
	return 10 * power
}

// logAxis sets bounds to the decades around the values from lo to hi. In up to two decades the ticks at 2 and 5 have
// labels too; where there are many decades, not all have.
func logAxis(axis *plot.Axis, lo, hi float64) {
	first := int(math.Floor(math.Log10(lo) + slack))
	last := max(int(math.Ceil(math.Log10(hi)-slack)), first+1)
	every := (last - first + mostDecades - 1) / mostDecades
	var ticks plot.ConstantTicks
	for k := first; k <= last; k++ {
		for digit := 1; digit < 10 && (k < last || digit == 1); digit++ {
			tick := plot.Tick{Value: float64(digit) * math.Pow(10, float64(k))}
			labelled := digit == 1 && (k-first)%every == 0
			if labelled || (digit == 2 || digit == 5) && last-first <= 2 {
				unit, suffix := prefix(tick.Value)
				tick.Label = number(tick.Value/unit) + suffix
			}
			ticks = append(ticks, tick)
		}
	}
	axis.Min, axis.Max = math.Pow(10, float64(first)), math.Pow(10, float64(last))
	axis.Tick.Marker = ticks
	axis.Scale = plot.LogScale{}
}

// prefix returns the SI prefix for values up to size: k and above.
func prefix(size float64) (unit float64, suffix string) {
	unit = 1
	for _, suffix := range []string{"", "k", "M", "G", "T"} {
		if size < unit*1000*(1-slack) {
			return unit, suffix
		}
		unit *= 1000
	}
	return 1, ""
}

// number writes x without what arithmetic has left after its twelfth digit.
func number(x float64) string {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 12, 64), 64)
	if err != nil {
		panic(err) // it was written by FormatFloat
	}
	return strconv.FormatFloat(rounded+0, 'g', -1, 64) // + 0: a negative zero is none
}
