package experiment

import (
	"context"
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strings"
)

// Spec declares an experiment. P is the struct of its parameters, Q the point's, R the result's.
type Spec[P, Q, R any] struct {
	Name     string   // as the command has it: "latency"; lower-case letters, digits and dashes
	Aliases  []string // names under which `goldwire run` finds it without its design
	Short    string   // one line without a full stop
	Long     string   // the simulation, the counts, the judgement
	Source   string   // where the paper has it: "EDM Figure 8a"; empty without a paper
	Examples []string // command lines after `goldwire run DESIGN`, the name first: "latency --type write"

	// Waves offers --vcd and --on-fault: Run then passes its simulation to [Run.Watch].
	Waves bool
	// Journeys offers --journeys: Run then tells [Run.Journeys] at which edges messages were seen where.
	Journeys bool

	// Checkpoints offers --checkpoint and --resume: Run then passes its simulations to [Run.Simulate] and calls
	// [Run.Between]. If a point has knobs, fields with the tag `knob:"true"`, it offers --fork too.
	Checkpoints bool

	// Defaults are the parameters without flags.
	Defaults P
	// Check finds what the bounds of single parameters cannot: parameters that do not go together. Optional.
	Check func(*P) error
	// Points returns the jobs, in the order of the report. The seed is the run's; a point that shall have noise of its own
	// gets another one. Optional if the parameters have a point in them: the jobs then are [Grid]'s, all with the run's
	// seed.
	Points func(p *P, seed uint64) ([]Point[Q], error)
	// Fit completes a point that Points or Grid has made, or refuses it: values that do not go together. Optional.
	Fit func(q *Q) error
	// Run measures a point. It returns early with the context's error when it is cancelled.
	Run func(ctx context.Context, run *Run, q Q) (R, error)
	// Report shows the results. An interrupted run has fewer results than points.
	Report func(p *P, done []Result[Q, R]) (*Report, error)
}

// Point is one job: its parameters and its seed.
type Point[Q any] struct {
	Params Q
	Seed   uint64
}

// Result is a finished point.
type Result[Q, R any] struct {
	Point Q
	Seed  uint64
	Value R
}

// One is the only point of an experiment that has one.
func One[Q any](q Q, seed uint64) []Point[Q] { return []Point[Q]{{q, seed}} }

// Each gives every point the same seed, so that points differ by their parameters alone.
func Each[Q any](seed uint64, qs ...Q) []Point[Q] {
	points := make([]Point[Q], len(qs))
	for i, q := range qs {
		points[i] = Point[Q]{q, seed}
	}
	return points
}

// Repeat gives each point several runs, which stand together. The first has the seed, each further one a step more.
func Repeat[Q any](runs int, seed, step uint64, qs ...Q) []Point[Q] {
	points := make([]Point[Q], 0, runs*len(qs))
	for _, q := range qs {
		for k := range uint64(runs) {
			points = append(points, Point[Q]{q, seed + k*step})
		}
	}
	return points
}

// Inner is an experiment that no command runs: its points are measured by other experiments and by claims, which share
// the results.
func Inner[Q, R any](
	name, short string, run func(ctx context.Context, run *Run, q Q) (R, error),
) *Defined[struct{}, Q, R] {
	return Define(Spec[struct{}, Q, R]{
		Name: name, Short: short, Run: run,
		Points: func(*struct{}, uint64) ([]Point[Q], error) { return nil, nil },
		Report: func(*struct{}, []Result[Q, R]) (*Report, error) { return &Report{}, nil },
	})
}

// Info is shown by lists and help.
type Info struct {
	Name, Short, Long, Source string
	Aliases, Examples         []string
	Waves, Journeys           bool
	Checkpoints               bool
	Knobs                     []string // what a point may change when it goes on from another's state
}

// Experiment is an experiment of any types, as a design lists it. Only [Define] makes one.
type Experiment interface {
	Info() Info
	// Params returns the parameters at their defaults, ready to be set by their flags.
	Params() *Params
	// Plan holds the parameters to each other and returns how many points they ask for. It measures nothing.
	Plan(p *Params, seed uint64) (points int, err error)
	// Run measures all points that the parameters ask for.
	Run(ctx context.Context, p *Params, opt Options) (*Outcome, error)

	sealed()
}

// Defined is an experiment with its types, for callers that measure single points of it.
type Defined[P, Q, R any] struct {
	spec   Spec[P, Q, R]
	params *Params // at the defaults
}

var validName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// Define makes an experiment. It panics if the declaration is not complete, or a tag of a parameter cannot be read:
// that is a mistake in the program, found as soon as it starts.
func Define[P, Q, R any](s Spec[P, Q, R]) *Defined[P, Q, R] {
	d := &Defined[P, Q, R]{spec: s}
	fault := func(format string, args ...any) {
		panic("experiment " + s.Name + ": " + fmt.Sprintf(format, args...))
	}
	switch {
	case !validName.MatchString(s.Name):
		fault("the name %q is not of lower-case letters, digits and dashes", s.Name)
	case s.Short == "" || strings.Contains(s.Short, "\n"):
		fault("Short is not one line")
	case s.Run == nil || s.Report == nil:
		fault("Run or Report is missing")
	}
	if grid, err := gridOf(reflect.TypeFor[P](), reflect.TypeFor[Q]()); err != nil &&
		(s.Points == nil || grid.lists != nil) {
		fault("%v", err)
	}
	if s.Points == nil {
		d.spec.Points = func(p *P, seed uint64) ([]Point[Q], error) { return Each(seed, Grid[Q](p)...), nil }
	}
	var err error
	if d.params, err = newParams(&s.Defaults); err != nil {
		fault("%v", err)
	}
	if p, q := inputFields(reflect.TypeFor[P]()), inputFields(reflect.TypeFor[Q]()); s.Checkpoints && p != q {
		fault(
			"%d parameters are files that are read, and %d fields of a point: a checkpoint must know the contents of each",
			p, q,
		)
	}
	if hidden := hiddenField(reflect.TypeFor[Q]()); hidden != "" {
		fault("field %s of a point is not in its JSON: two points that differ by it would share a result", hidden)
	}
	return d
}

// inputFields is how many fields with the tag `file:"in"` a struct has.
func inputFields(t reflect.Type) (n int) {
	for i := 0; t.Kind() == reflect.Struct && i < t.NumField(); i++ {
		switch f := t.Field(i); {
		case f.Tag.Get("file") == "in":
			n++
		case f.Anonymous:
			n += inputFields(f.Type)
		}
	}
	return n
}

// hiddenField returns a field that JSON does not show, empty if there is none.
func hiddenField(t reflect.Type) string {
	if t.Implements(reflect.TypeFor[json.Marshaler]()) || t.Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
		return ""
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Array, reflect.Pointer:
		return hiddenField(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if !f.IsExported() && !f.Anonymous || f.Tag.Get("json") == "-" {
				return f.Name
			}
			if inner := hiddenField(f.Type); inner != "" {
				return f.Name + "." + inner
			}
		}
	}
	return ""
}

// Info implements [Experiment].
func (d *Defined[P, Q, R]) Info() Info {
	s := &d.spec
	return Info{
		s.Name, s.Short, s.Long, s.Source, s.Aliases, s.Examples, s.Waves, s.Journeys, s.Checkpoints,
		clearKnobs(reflect.ValueOf(new(Q)).Elem()),
	}
}

// Params implements [Experiment].
func (d *Defined[P, Q, R]) Params() *Params {
	p := d.spec.Defaults
	return d.params.of(&p)
}

// Defaults returns the parameters without flags, to be changed and given to [Defined.Points].
func (d *Defined[P, Q, R]) Defaults() P { return d.spec.Defaults }

func (d *Defined[P, Q, R]) sealed() {}

// Measure measures one point, or returns the earlier measurement of the same point with the same seed, if the context
// has a memory (see [WithMemo]).
func (d *Defined[P, Q, R]) Measure(ctx context.Context, q Q, seed uint64) (R, error) {
	return d.measure(ctx, &Run{Seed: seed}, q)
}

// MeasureIn is [Defined.Measure] for another experiment's point that runs as this one. Where checkpoints are kept, or
// taken up, the simulations are that point's: they are run for it alone.
func (d *Defined[P, Q, R]) MeasureIn(ctx context.Context, run *Run, q Q) (R, error) {
	if run.checkpoints != nil {
		return d.spec.Run(ctx, run, q)
	}
	return d.Measure(ctx, q, run.Seed)
}

// MeasureAll is [Defined.Measure] of several points, one a processor at a time.
func (d *Defined[P, Q, R]) MeasureAll(ctx context.Context, points []Point[Q]) ([]R, error) {
	results, err := d.all(ctx, points, Options{}, nil)
	if err != nil {
		return nil, err
	}
	values := make([]R, len(points))
	for i, r := range results {
		values[i] = r.Value
	}
	return values, nil
}

// measure runs a point, or recalls it. A run with waves or journeys is never recalled: they are the wanted ones.
func (d *Defined[P, Q, R]) measure(ctx context.Context, run *Run, q Q) (R, error) {
	memo := memoOf(ctx)
	if memo == nil || run.Waves != nil || run.Journeys != nil {
		return d.spec.Run(ctx, run, q)
	}
	key, err := json.Marshal(struct {
		Experiment string
		Types      string
		Seed       uint64
		Point      Q
	}{d.spec.Name, fmt.Sprintf("%T", d), run.Seed, q})
	var none R
	if err != nil {
		return none, fmt.Errorf("experiment %s: a point that is no JSON: %w", d.spec.Name, err)
	}
	v, err := memo.do(ctx, string(key), func() (any, error) {
		return recorded(memo, string(key), func() (R, error) { return d.spec.Run(ctx, run, q) })
	})
	if err != nil {
		return none, err
	}
	return v.(R), nil
}
