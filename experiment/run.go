package experiment

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/goldwire/goldwire/workload/journey"
)

// Options of a run. The zero value is ready for use.
type Options struct {
	// Seed is the run's; [Spec.Points] makes the points' seeds from it.
	Seed uint64
	// Workers is how many points are measured at a time, or how many workers a simulation in parallel mode has if there is
	// one point; 0 means one a processor.
	Workers int
	// Progress, if not nil, is told which share of all work is done, from 0 to 1, by one goroutine at a time.
	Progress func(share float64)
	// Waves, if not nil, asks for waveforms of the first point.
	Waves *Waves
	// Journeys is how many messages of each point are followed at most; 0 for none.
	Journeys int
	// Monitor, if not nil, sees how the run goes on.
	Monitor *Monitor
	// Checkpoints, if not nil, keeps the state of simulations in files.
	Checkpoints *Checkpoints
	// Limits refuses points that would take more, before they start.
	Limits Limits
	// Contain makes an error of a point's panic: one of many runs in a process must not end the others.
	Contain bool
}

// Run is what the measurement of a point gets from the runner.
type Run struct {
	// Seed is the only source of randomness that a measurement may use.
	Seed uint64
	// Workers is how many a simulation in parallel mode may have; 0 means one a processor.
	Workers int
	// Waves is what to record of the simulation, nil for nothing; see [Run.Watch].
	Waves *Waves
	// Journeys takes the ways of messages. It is nil, which takes them too, if nobody asks for them.
	Journeys *journey.Recorder

	limits   Limits
	together int // points that are measured at a time
	progress func(share float64)
	waves    waveFiles
	monitor  *Monitor
	watched  *watched
	stop     func(error) // ends the point

	checkpoints *Checkpoints // nil for none
	keys        keys         // of the point, where there are checkpoints
	from        source       // the checkpoint that it goes on from
	simulation  Simulation   // the last one
	simulations int          // how many there have been
	seen        uint64       // its cycle at the last look
	unsaved     uint64       // cycles of all simulations since the last checkpoint
	replay      *replay      // nil if no fault is waited for
}

// Progress tells how much of the point is done. It is cheap enough for every thousandth cycle. Of a simulation that was
// passed to [Run.Watch] the goroutine that runs it tells, between two instants; of others any goroutine may.
func (r *Run) Progress(done, total uint64) {
	if r.monitor != nil {
		if stalled := r.monitor.progress(r.watched, done, total); stalled != nil {
			r.stop(r.waves.stalled(stalled))
		}
	}
	if r.progress != nil && total > 0 {
		r.progress(min(1, float64(done)/float64(total)))
	}
}

// Outcome is what a run of an experiment returns.
type Outcome struct {
	Experiment  string
	Seed        uint64
	Params      *Params
	Points      []Finished   // in the order of [Spec.Points]
	Report      *Report      // nil if no point is finished
	Journeys    *journey.Log // of all finished points, if they were asked for; nil if none was followed to its end
	Asked       int          // how many points there are, finished or not
	Interrupted bool         // not all points are finished, since the context was cancelled
}

// Finished is a point with its result, for machines.
type Finished struct {
	Point  any    `json:"parameters"`
	Seed   uint64 `json:"seed"`
	Result any    `json:"result"`
}

// Plan implements [Experiment].
func (d *Defined[P, Q, R]) Plan(params *Params, seed uint64) (int, error) {
	_, points, err := d.plan(params, seed)
	return len(points), err
}

// plan returns the parameters with their type and the points that they ask for.
func (d *Defined[P, Q, R]) plan(params *Params, seed uint64) (*P, []Point[Q], error) {
	p, ok := params.target.(*P)
	if !ok {
		return nil, nil, fmt.Errorf("experiment %s: the parameters are a %T, want a %T", d.spec.Name, params.target, p)
	}
	if d.spec.Check != nil {
		if err := d.spec.Check(p); err != nil {
			return nil, nil, err
		}
	}
	points, err := d.spec.Points(p, seed)
	if err == nil && len(points) == 0 {
		err = errors.New("the parameters ask for no point")
	}
	for i := 0; i < len(points) && err == nil && d.spec.Fit != nil; i++ {
		err = d.spec.Fit(&points[i].Params)
	}
	return p, points, err
}

// Run implements [Experiment].
func (d *Defined[P, Q, R]) Run(ctx context.Context, params *Params, opt Options) (*Outcome, error) {
	p, points, err := d.plan(params, opt.Seed)
	if err != nil {
		return nil, err
	}
	out := &Outcome{Experiment: d.spec.Name, Seed: opt.Seed, Params: params, Asked: len(points)}
	var ways []*journey.Recorder // of the points
	if opt.Journeys > 0 {
		for range points {
			ways = append(ways, journey.NewRecorder(opt.Journeys))
		}
	}
	results, err := d.all(ctx, points, opt, ways)
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	var finished []*journey.Recorder
	var done []Result[Q, R]
	for i, r := range results {
		if r != nil {
			done = append(done, *r)
			out.Points = append(out.Points, Finished{points[i].Params, points[i].Seed, r.Value})
			if ways != nil {
				finished = append(finished, ways[i])
			}
		}
	}
	out.Interrupted = len(done) < len(points)
	if len(done) == 0 {
		return out, ctx.Err()
	}
	if ways != nil {
		if out.Journeys, err = journey.Join(finished...); err != nil {
			return nil, fmt.Errorf("journeys: %w", err)
		}
	}
	out.Report, err = d.spec.Report(p, done)
	return out, err
}

// grace is how long a cancelled run waits for points that are under way to return: a step of theirs may take longer,
// the wiring of a great network say, and then goes on alone.
const grace = 500 * time.Millisecond

// all measures the points, as many at a time as there are workers. The result of a point that was not finished is nil;
// the error is the first that a point had. Ways are the recorders of the points, nil for none.
func (d *Defined[P, Q, R]) all(
	ctx context.Context, points []Point[Q], opt Options, ways []*journey.Recorder,
) ([]*Result[Q, R], error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	workers := opt.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	keys, err := keysOf(d.spec.Name, points, opt.Checkpoints)
	if err != nil {
		return nil, err
	}
	opt.Monitor.reset(len(points))
	bar := &shares{of: make([]float64, len(points)), report: opt.Progress}
	var mu sync.Mutex // of results and left
	results, left := make([]*Result[Q, R], len(points)), false
	slots := make(chan struct{}, workers)
	var wg sync.WaitGroup
	for i, pt := range slices.Backward(points) { // the last, as a rule the largest, takes longest: it comes first
		select {
		case <-ctx.Done():
		case slots <- struct{}{}:
		}
		if ctx.Err() != nil {
			break
		}
		wg.Go(func() {
			defer func() { <-slots }()
			if opt.Contain {
				defer func() {
					if reason := recover(); reason != nil {
						cancel(fmt.Errorf("panic in %s: %v", panicked(), reason))
					}
				}()
			}
			resumed := ""
			defer func() { // a state that no run of this program reaches, in a file that was made up
				if resumed == "" {
					return
				}
				if reason := recover(); reason != nil {
					cancel(fmt.Errorf("%s: checkpoint: no run goes on from its state: %s: %v", resumed, panicked(), reason))
				}
			}()
			run := &Run{Seed: pt.Seed, Workers: 1, progress: func(share float64) { bar.at(i, share) }}
			run.limits, run.together = opt.Limits, min(workers, len(points))
			if i == 0 {
				run.Waves = opt.Waves
			}
			if run.checkpoints = opt.Checkpoints; run.checkpoints != nil {
				run.keys = keys[i]
				f, from, err := opt.Checkpoints.open(run.keys)
				if err != nil {
					cancel(err)
					return
				}
				resumed = from.path
				if run.from = from; f != nil {
					f.Close()
				}
			}
			if ways != nil {
				run.Journeys = ways[i]
			}
			run.monitor, run.stop = opt.Monitor, cancel
			run.watched = opt.Monitor.begin(i)
			finished := false
			defer func() { opt.Monitor.end(i, finished) }()
			if len(points) == 1 {
				run.Workers = opt.Workers
			}
			defer run.waves.discard()
			value, err := d.measure(ctx, run, pt.Params)
			if err == nil {
				err = run.waves.keep()
			}
			if err != nil {
				cancel(err)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			if !left {
				results[i], finished = &Result[Q, R]{pt.Params, pt.Seed, value}, true
				bar.at(i, 1)
			}
		})
	}
	ended := make(chan struct{})
	go func() { wg.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-ctx.Done():
		select {
		case <-ended:
		case <-time.After(grace):
		}
	}
	mu.Lock()
	defer mu.Unlock()
	left = true
	bar.stop()
	if ctx.Err() != nil {
		return results, context.Cause(ctx)
	}
	return results, nil
}

// panicked names the function and the line of the panic that is being recovered, without the parts that differ from run
// to run: addresses, goroutines, where the source lay. A panic that was raised again, as the kernel does with a
// module's, is named where it was raised first: the lowest on the stack.
func panicked() string {
	pc := make([]uintptr, 64)
	frames := runtime.CallersFrames(pc[:runtime.Callers(1, pc)])
	where := "a function that is not known"
	for below := false; ; {
		f, more := frames.Next()
		if below && !strings.HasPrefix(f.Function, "runtime.") {
			where, below = fmt.Sprintf("%s, line %d", f.Function, f.Line), false
		}
		below = below || f.Function == "runtime.gopanic"
		if !more {
			return where
		}
	}
}

// shares adds up how much of each point is done.
type shares struct {
	mu     sync.Mutex
	of     []float64
	sum    float64
	report func(float64)
}

func (s *shares) at(point int, share float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.report == nil {
		return
	}
	s.sum += share - s.of[point]
	s.of[point] = share
	s.report(s.sum / float64(len(s.of)))
}

// stop ends all reports.
func (s *shares) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.report = nil
}
