package claims

import (
	"context"
	"fmt"
	"math/big"

	"github.com/goldwire/goldwire/clock"
)

// Measure measures a claim's figure on a running model.
type Measure func(ctx context.Context, run *Run) (Measurement, error)

// Experiment measures a point of an experiment, for claims: an experiment.Defined does.
type Experiment[Q, R any] interface {
	Measure(ctx context.Context, point Q, seed uint64) (R, error)
}

// Of measures a point of an experiment with the run's seed. Pick makes the figure of its result.
//
//	Measure: claims.Of(latency, latencyPoint{Metres: 10}, func(r latencyResult) claims.Measurement {
//		return claims.Nanoseconds(r.Total, "from handshake to handshake")
//	})
func Of[Q, R any](e Experiment[Q, R], point Q, pick func(R) Measurement) Measure {
	return OfAll(e, []Q{point}, func(rs []R) Measurement { return pick(rs[0]) })
}

// OfAll is [Of] with several points, measured one after the other. Pick has their results in the order of the points.
func OfAll[Q, R any](e Experiment[Q, R], points []Q, pick func([]R) Measurement) Measure {
	samples := make([]Sample[Q], len(points))
	for i, q := range points {
		samples[i].Point = q
	}
	return OfSamples(e, samples, pick)
}

// Sample is a point of an experiment with a seed, as a distance from the run's: the seed is their sum.
type Sample[Q any] struct {
	Point Q
	Seed  uint64
}

// Samples are a point with as many seeds as n says, from the run's on.
func Samples[Q any](point Q, n int) []Sample[Q] {
	samples := make([]Sample[Q], n)
	for k := range samples {
		samples[k] = Sample[Q]{point, uint64(k)}
	}
	return samples
}

// OfSamples is [OfAll] for figures over several seeds, such as a mean. Pick has the results in the order of the
// samples.
func OfSamples[Q, R any](e Experiment[Q, R], samples []Sample[Q], pick func([]R) Measurement) Measure {
	return func(ctx context.Context, run *Run) (Measurement, error) {
		results := make([]R, len(samples))
		for i, s := range samples {
			var err error
			if results[i], err = e.Measure(ctx, s.Point, run.Seed+s.Seed); err != nil {
				return Measurement{}, err
			}
		}
		m := pick(results)
		return m, m.fault
	}
}

// For is a measurement that depends on its run: on the number of flows that [Run.Count] returns, for example.
func For(of func(run *Run) Measure) Measure {
	return func(ctx context.Context, run *Run) (Measurement, error) { return of(run)(ctx, run) }
}

// Fixed is a measurement that takes neither time nor chance: of a unit or a schedule.
func Fixed(measure func() (Measurement, error)) Measure {
	return func(context.Context, *Run) (Measurement, error) { return measure() }
}

// Seeded is a measurement that takes the run's seed, and little time.
func Seeded(measure func(seed uint64) (Measurement, error)) Measure {
	return func(_ context.Context, run *Run) (Measurement, error) { return measure(run.Seed) }
}

// integer is a type of numbers that are counted.
type integer interface {
	~int | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

// Count is a number that was counted.
func Count[N integer](n N, unit, format string, args ...any) Measurement {
	v := new(big.Rat)
	if n < 0 {
		v.SetInt64(int64(n))
	} else {
		v.SetUint64(uint64(n))
	}
	return Exact(v, unit, format, args...)
}

// Cycles is a time in cycles between two edges of a clock.
func Cycles[N integer](n N, format string, args ...any) Measurement {
	return Count(n, "cycles", format, args...)
}

// Nanoseconds is an exact time.
func Nanoseconds(t clock.Time, format string, args ...any) Measurement {
	return Exact(t.In(clock.Nanosecond), "ns", format, args...)
}

// Exact is a figure that is a rational.
func Exact(v *big.Rat, unit, format string, args ...any) Measurement {
	return Measurement{Exact: v, Unit: unit, Detail: fmt.Sprintf(format, args...)}
}

// Figure is a figure in floating point.
func Figure(v float64, unit, format string, args ...any) Measurement {
	return Measurement{Value: v, Unit: unit, Detail: fmt.Sprintf(format, args...)}
}

// Unfit is no figure: the model did what the claim's figure cannot be told of, as the text says. The claim's verdict is
// [Failed].
func Unfit(format string, args ...any) Measurement {
	return Measurement{fault: fmt.Errorf(format, args...)}
}

// Float is the figure as a float: of Exact, if it is there.
func (m Measurement) Float() float64 {
	if m.Exact == nil {
		return m.Value
	}
	f, _ := m.Exact.Float64()
	return f
}

// With returns the measurement with further rows.
func (m Measurement) With(rows ...Row) Measurement {
	m.Rows = append(m.Rows[:len(m.Rows):len(m.Rows)], rows...)
	return m
}
