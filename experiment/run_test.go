package experiment_test

import (
	stdcontext "context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/experiment/plots"
	"github.com/goldwire/goldwire/rtl"
)

type context = stdcontext.Context

var background = stdcontext.Background()

type squareParams struct {
	Most int `flag:"most" min:"1" max:"1000" help:"the greatest number that is squared"`
}

type squarePoint struct{ N int }

type square struct {
	Square int    `json:"square"`
	Seed   uint64 `json:"seed_seen"`
}

// squares is an experiment whose points run a function first.
func squares(
	before func(ctx context, run *experiment.Run, n int) error,
) *experiment.Defined[squareParams, squarePoint, square] {
	return experiment.Define(experiment.Spec[squareParams, squarePoint, square]{
		Name: "squares", Short: "Squares of numbers", Defaults: squareParams{20},
		Points: func(p *squareParams, seed uint64) ([]experiment.Point[squarePoint], error) {
			var points []experiment.Point[squarePoint]
			for n := range p.Most {
				points = append(points, experiment.Point[squarePoint]{Params: squarePoint{n + 1}, Seed: seed + uint64(n)})
			}
			return points, nil
		},
		Run: func(ctx context, run *experiment.Run, q squarePoint) (square, error) {
			if before != nil {
				if err := before(ctx, run, q.N); err != nil {
					return square{}, err
				}
			}
			return square{q.N * q.N, run.Seed}, nil
		},
		Report: func(p *squareParams, done []experiment.Result[squarePoint, square]) (*experiment.Report, error) {
			r := &experiment.Report{}
			r.Linef("Squares to %d", p.Most)
			t := &experiment.Table{Name: "squares", Columns: experiment.Columns("Number", "", "Square m²", "%.1f", "Remark", "")}
			chart := plots.Chart{Title: "Squares", X: "number", Y: "square", Series: []plots.Series{{Name: "square"}}}
			for _, d := range done {
				t.Row(d.Point.N, float64(d.Value.Square), "")
				chart.Series[0].X, chart.Series[0].Y = append(chart.Series[0].X, float64(d.Point.N)),
					append(chart.Series[0].Y, float64(d.Value.Square))
			}
			r.Table(t)
			r.Chart(experiment.Chart{Name: "squares", Lines: &chart})
			if len(done) < 3 {
				r.Failf("%d squares are few", len(done))
			}
			return r, nil
		},
	})
}

func run(
	t *testing.T, ctx context, e experiment.Experiment, most string, opt experiment.Options,
) (*experiment.Outcome, error) {
	t.Helper()
	p := e.Params()
	require.NoError(t, p.Find("most").Set(most))
	return e.Run(ctx, p, opt)
}

func text(t *testing.T, out *experiment.Outcome) (text, machine string) {
	t.Helper()
	var a, b strings.Builder
	require.NoError(t, out.Report.WriteText(&a, 0))
	require.NoError(t, out.WriteJSON(&b))
	return a.String(), b.String()
}

// Points that finish in any order, on any number of workers, are reported in the order in which they were asked for.
func TestOrderDoesNotDependOnWorkers(t *testing.T) {
	e := squares(func(_ context, _ *experiment.Run, n int) error {
		time.Sleep(time.Duration(n*7%5) * time.Millisecond)
		return nil
	})
	var texts, machines []string
	for _, workers := range []int{0, 1, 3, 64} {
		out, err := run(t, background, e, "20", experiment.Options{Seed: 5, Workers: workers})
		require.NoError(t, err)
		require.False(t, out.Interrupted)
		require.Len(t, out.Points, 20)
		for i, p := range out.Points {
			require.Equal(t, square{(i + 1) * (i + 1), uint64(5 + i)}, p.Result)
			require.Equal(t, uint64(5+i), p.Seed)
		}
		a, b := text(t, out)
		texts, machines = append(texts, a), append(machines, b)
	}
	for i := range texts {
		require.Equal(t, texts[0], texts[i])
		require.Equal(t, machines[0], machines[i])
	}
}

func TestReportAsTextJSONCSVAndSVG(t *testing.T) {
	out, err := run(t, background, squares(nil), "2", experiment.Options{Seed: 9})
	require.NoError(t, err)
	a, b := text(t, out)
	require.Equal(t, `Squares to 2
 Number  Square m²  Remark
      1        1.0
      2        4.0
FAILED: 2 squares are few
`, a)
	require.JSONEq(
		t,
		`{"experiment": "squares", "seed": 9, "parameters": {"most": 2}, "points_asked": 2, "interrupted": false, "failed": ["2 squares are few"],
		"points": [{"parameters": {"N": 1}, "seed": 9, "result": {"square": 1, "seed_seen": 9}},
			{"parameters": {"N": 2}, "seed": 10, "result": {"square": 4, "seed_seen": 10}}]}`,
		b,
	)
	var csv, svg strings.Builder
	require.NoError(t, out.Report.Tables()[0].WriteCSV(&csv))
	require.Equal(t, "Number,Square m²,Remark\n1,1,\n2,4,\n", csv.String())
	require.NoError(t, out.Report.Charts[0].Draw(&svg))
	require.Contains(t, svg.String(), "<svg")
}

// A table of 41 columns' width in 24: words are not cut, a number keeps its interval and its unit.
func TestAWideTableIsWrapped(t *testing.T) {
	r := &experiment.Report{}
	table := &experiment.Table{Name: "t", Columns: experiment.Columns("N", "", "A long text", "", "Share", "")}
	table.Row(1, "one two three four five", "1.5 ± 0.1 %")
	r.Table(table)
	r.Linef("\n  A line of words that goes on")
	require.Equal(t, ` N  A long  Share
    text
 1  one     1.5 ± 0.1 %
    two
    three
    four
    five

  A line of words that
  goes on
`, reportText(t, r, 24))
	require.Equal(t, ` N  A long text              Share
 1  one two three four five  1.5 ± 0.1 %

  A line of words that goes on
`, reportText(t, r, 0))
}

// Columns that do not fit follow below, each row with the columns that tell it from the others: here two of them.
func TestATooWideTableGoesOnBelow(t *testing.T) {
	r := &experiment.Report{}
	table := &experiment.Table{
		Name: "t", Columns: experiment.Columns("Load", "", "Node", "", "Arrived", "", "Retransmissions", "", "Lost", ""),
	}
	table.Row(1, 1, 5, 6, 7)
	table.Row(1, 2, 8, 9, 10)
	r.Table(table)
	require.Equal(t, ` Load  Node  Arrived
    1     1        5
    1     2        8

 Load  Node  Retransmissions
    1     1                6
    1     2                9

 Load  Node  Lost
    1     1     7
    1     2    10
`, reportText(t, r, 30))
}

func reportText(t *testing.T, r *experiment.Report, width int) string {
	var b strings.Builder
	require.NoError(t, r.WriteText(&b, width))
	return b.String()
}

// A run that is cancelled reports the points that are finished. One that did not cancel the others would not end.
func TestCancelKeepsWhatIsFinished(t *testing.T) {
	ctx, cancel := stdcontext.WithCancel(background)
	var finished atomic.Int32
	e := squares(func(ctx context, _ *experiment.Run, n int) error {
		if n > 4 { // the others wait for the end
			if n%2 == 0 {
				finished.Add(1)
				return nil
			}
		}
		if finished.Load() >= 8 {
			cancel()
		}
		<-ctx.Done()
		return ctx.Err()
	})
	time.AfterFunc(100*time.Millisecond, cancel)
	out, err := run(t, ctx, e, "20", experiment.Options{Workers: 20})
	require.NoError(t, err)
	require.True(t, out.Interrupted)
	require.Equal(t, 20, out.Asked)
	require.Len(t, out.Points, 8)
	for i, p := range out.Points {
		require.Equal(t, squarePoint{6 + 2*i}, p.Point)
	}
	require.Len(t, out.Report.Tables()[0].Rows, 8)
	_, machine := text(t, out)
	require.Contains(t, machine, `"interrupted": true`)
}

// A point that does not look at the context is left behind. A run that waited for it would not end.
func TestCancelDoesNotWaitForAPointThatDoesNot(t *testing.T) {
	ctx, cancel := stdcontext.WithCancel(background)
	release := make(chan struct{})
	defer close(release)
	e := squares(func(_ context, run *experiment.Run, n int) error {
		if n < 3 {
			<-release
			run.Progress(1, 1)
		}
		return nil
	})
	time.AfterFunc(100*time.Millisecond, cancel)
	out, err := run(t, ctx, e, "5", experiment.Options{Workers: 5, Progress: func(float64) {}})
	require.NoError(t, err)
	require.True(t, out.Interrupted)
	require.Len(t, out.Points, 3)
}

func TestCancelBeforeAnyPointIsFinished(t *testing.T) {
	ctx, cancel := stdcontext.WithCancel(background)
	cancel()
	out, err := run(t, ctx, squares(nil), "3", experiment.Options{})
	require.ErrorIs(t, err, stdcontext.Canceled)
	require.Empty(t, out.Points)
	require.Nil(t, out.Report)
	require.Error(t, out.WriteJSON(&strings.Builder{}))
}

// The first point that fails ends the run, and its error is the run's.
func TestAFaultEndsTheRun(t *testing.T) {
	e := squares(func(ctx context, _ *experiment.Run, n int) error {
		if n == 3 {
			return fmt.Errorf("point %d: no lock", n)
		}
		select {
		case <-ctx.Done():
		case <-time.After(10 * time.Second):
		}
		return ctx.Err()
	})
	out, err := run(t, background, e, "4", experiment.Options{Workers: 4})
	require.EqualError(t, err, "point 3: no lock")
	require.Nil(t, out)
}

func TestProgressRisesToOne(t *testing.T) {
	var shares []float64
	e := squares(func(_ context, run *experiment.Run, n int) error {
		run.Progress(uint64(n), uint64(2*n))
		return nil
	})
	_, err := run(
		t, background, e, "10", experiment.Options{Workers: 3, Progress: func(s float64) { shares = append(shares, s) }},
	)
	require.NoError(t, err)
	require.IsNonDecreasing(t, shares)
	require.InDelta(t, 1, shares[len(shares)-1], 1e-9)
}

func TestWorkersOfAPoint(t *testing.T) {
	for most, want := range map[string]int{"1": 7, "2": 1} {
		e := squares(func(_ context, run *experiment.Run, _ int) error {
			if run.Workers != want {
				return fmt.Errorf("%d workers, want %d", run.Workers, want)
			}
			return nil
		})
		_, err := run(t, background, e, most, experiment.Options{Workers: 7})
		require.NoError(t, err)
	}
}

// Two callers that ask for the same point at once share one measurement; another seed, another point, another context
// do not.
func TestMemoIsSharedByWhatDecidesAResult(t *testing.T) {
	var measured atomic.Int32
	e := squares(func(context, *experiment.Run, int) error {
		measured.Add(1)
		time.Sleep(20 * time.Millisecond)
		return nil
	})
	ctx := experiment.WithMemo(background)
	var points []experiment.Point[squarePoint]
	for range 8 {
		points = append(points, experiment.Point[squarePoint]{Params: squarePoint{3}, Seed: 1})
	}
	values, err := e.MeasureAll(ctx, points)
	require.NoError(t, err)
	for _, v := range values {
		require.Equal(t, square{9, 1}, v)
	}
	require.EqualValues(t, 1, measured.Load())
	_, err = e.Measure(ctx, squarePoint{3}, 2)
	require.NoError(t, err)
	_, err = e.Measure(ctx, squarePoint{4}, 1)
	require.NoError(t, err)
	require.EqualValues(t, 3, measured.Load())
	_, err = e.Measure(background, squarePoint{3}, 1)
	require.NoError(t, err)
	_, err = e.Measure(experiment.WithMemo(background), squarePoint{3}, 1)
	require.NoError(t, err)
	require.EqualValues(t, 5, measured.Load())
}

// A measurement that fails, or whose caller went away, is made again for the next caller.
func TestMemoForgetsFailures(t *testing.T) {
	var calls atomic.Int32
	e := squares(func(ctx context, _ *experiment.Run, _ int) error {
		switch calls.Add(1) {
		case 1:
			return errors.New("no lock")
		case 2:
			<-ctx.Done()
			return ctx.Err()
		case 3:
			panic("port 3 is not connected")
		}
		return nil
	})
	ctx := experiment.WithMemo(background)
	_, err := e.Measure(ctx, squarePoint{3}, 1)
	require.EqualError(t, err, "no lock")
	gone, cancel := stdcontext.WithCancel(ctx)
	time.AfterFunc(20*time.Millisecond, cancel)
	_, err = e.Measure(gone, squarePoint{3}, 1)
	require.ErrorIs(t, err, stdcontext.Canceled)
	require.Panics(t, func() { _, _ = e.Measure(ctx, squarePoint{3}, 1) })
	v, err := e.Measure(ctx, squarePoint{3}, 1)
	require.NoError(t, err)
	require.Equal(t, 9, v.Square)
}

type mine struct{}

func (mine) blow()    { panic("boom") }
func (m *mine) Tick() { m.blow() }

// A panic of a module is contained as any other: with the function and line where it was raised, and with the module
// and the edge.
func TestAPanicOfAModuleIsContained(t *testing.T) {
	e := squares(func(context, *experiment.Run, int) error {
		sim := rtl.New(rtl.Config{})
		clk := sim.Clock("clk", clock.MHz(1))
		sim.Scope("top").On(clk).Add("m", &mine{})
		if err := sim.Elaborate(); err != nil {
			return err
		}
		return clk.Run(5)
	})
	_, err := e.Run(stdcontext.Background(), e.Params(), experiment.Options{Contain: true})
	require.Regexp(
		t,
		`^panic in github.com/goldwire/goldwire/experiment_test\.mine\.blow, line \d+: rtl: panic in Tick of top\.m, `+
			`(at|after) edge [01] of clk: boom$`,
		err.Error(),
	)
}

// A point must show everything that decides its result.
func TestAPointThatHidesAFieldIsRefused(t *testing.T) {
	type hidden struct {
		N int
		m int
	}
	_ = hidden{m: 1}.m
	require.PanicsWithValue(
		t,
		"experiment x: field m of a point is not in its JSON: two points that differ by it would share a result",
		func() {
			experiment.Define(experiment.Spec[squareParams, hidden, int]{
				Name: "x", Short: "S", Defaults: squareParams{1},
				Points: func(*squareParams, uint64) ([]experiment.Point[hidden], error) { return nil, nil },
				Run:    func(context, *experiment.Run, hidden) (int, error) { return 0, nil },
				Report: func(*squareParams, []experiment.Result[hidden, int]) (*experiment.Report, error) { return nil, nil },
			})
		},
	)
}

// Points whose messages do not arrive have a report all the same; followed messages are in the log, in the order of the
// points.
func TestJourneysOfThePointsThatHaveThem(t *testing.T) {
	for _, followed := range [][]int{nil, {2, 4}} {
		e := squares(func(_ context, run *experiment.Run, n int) error {
			run.Journeys.Describe("squares", clock.Nanosecond)
			run.Journeys.Begin(1, fmt.Sprint(n), clock.Nanosecond)
			run.Journeys.Reach(1, "box", "", clock.Nanosecond.Times(2))
			if slices.Contains(followed, n) {
				run.Journeys.End(1)
			}
			return nil
		})
		p := e.Params()
		out, err := e.Run(background, p, experiment.Options{Seed: 1, Journeys: 3})
		require.NoError(t, err)
		require.Len(t, out.Points, 20)
		require.NotNil(t, out.Report)
		if followed == nil {
			require.Nil(t, out.Journeys)
			continue
		}
		require.Len(t, out.Journeys.Journeys, 2)
		require.Equal(t, "2 4", out.Journeys.Journeys[0].Name+" "+out.Journeys.Journeys[1].Name)
	}
}

// Results that are kept outlast the memory: the next one does not measure them again. One that JSON changes, a NaN or a
// field without a name, is measured each time.
func TestRecordsOutlastAMemory(t *testing.T) {
	var measured atomic.Int32
	e := squares(func(context, *experiment.Run, int) error { measured.Add(1); return nil })
	known := map[string]json.RawMessage{}
	kept := map[string]json.RawMessage{}
	memory := func() context {
		return experiment.WithRecords(background, experiment.Records{
			Known: known, Keep: func(key string, result json.RawMessage) { kept[key] = result },
		})
	}
	first, err := e.Measure(memory(), squarePoint{3}, 1)
	require.NoError(t, err)
	require.Len(t, kept, 1)
	known = kept
	again, err := e.Measure(memory(), squarePoint{3}, 1)
	require.NoError(t, err)
	require.Equal(t, first, again)
	require.EqualValues(t, 1, measured.Load())
	for _, other := range []struct {
		p    squarePoint
		seed uint64
	}{{squarePoint{4}, 1}, {squarePoint{3}, 2}} {
		_, err = e.Measure(memory(), other.p, other.seed)
		require.NoError(t, err)
	}
	require.EqualValues(t, 3, measured.Load())

	hidden := experiment.Define(experiment.Spec[squareParams, squarePoint, []any]{
		Name: "hidden", Short: "hidden", Defaults: squareParams{20},
		Points: func(*squareParams, uint64) ([]experiment.Point[squarePoint], error) {
			return nil, nil
		},
		Run: func(_ context, _ *experiment.Run, p squarePoint) ([]any, error) {
			if p.N == 1 {
				return []any{math.NaN()}, nil
			}
			return []any{struct{ x int }{p.N}}, nil
		},
		Report: func(*squareParams, []experiment.Result[squarePoint, []any]) (*experiment.Report, error) {
			return nil, nil
		},
	})
	before := len(kept)
	for n := range 2 {
		_, err = hidden.Measure(memory(), squarePoint{1 + n}, 1)
		require.NoError(t, err)
	}
	require.Len(t, kept, before)
}
