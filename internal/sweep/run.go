package sweep

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/goldwire/goldwire/experiment"
)

// Share is a part of the points: a point is in it if its number divided by Of leaves the remainder Index. The shares
// of a plan do not depend on the results so far, so several machines can measure them at the same time without talking
// to each other. The zero value is all points.
type Share struct{ Index, Of int }

// Check refuses a share that is none.
func (s Share) Check() error {
	if s.Of < 1 || s.Of > mostPoints || s.Index < 0 || s.Index >= s.Of {
		return fmt.Errorf("share %d of %d: want an index from 0 to one less than the number of shares, at most %d",
			s.Index, s.Of, mostPoints)
	}
	return nil
}

func (s Share) has(number int) bool { return s.Of <= 1 || number%s.Of == s.Index }

// Options of a run. The zero value is ready for use.
type Options struct {
	Workers  int          // points measured at a time; 0 means one a processor
	Share    Share        // which points
	Points   map[int]bool // only these numbers; nil for all
	Progress func(done, total int)
	Monitor  *Monitor // nil for none
}

// has tells whether the options ask for the point of a number.
func (o *Options) has(number int) bool {
	return o.Share.has(number) && (o.Points == nil || o.Points[number])
}

// look calls f for the points that are wanted now and that the options ask for, with their results, nil where there is
// none. Settled is how many combinations need no further seed, open how many settled combinations have an interval
// that is too wide.
func (s *Sweep) look(store Store, opt *Options, f func(pt *Point, r *Result)) (settled, open int, err error) {
	highest := 0
	for n := range opt.Points {
		highest = max(highest, n)
	}
	if points := s.combinations() * s.Seeds.most(); highest >= points {
		return 0, 0, fmt.Errorf("point %d: the plan has points 0 to %d", highest, points-1)
	}
	for c := range s.combinations() {
		var st *state
		if s.Seeds.Until != nil { // which points are wanted depends on all results of the combination
			if st, err = s.stateOf(store, c); err != nil {
				return settled, open, err
			}
		} else {
			st = &state{results: make([]*Result, s.Seeds.Count)}
		}
		complete := true
		for n, r := range st.results {
			if !opt.has(s.number(c, n)) {
				complete = false
				continue
			}
			pt, err := s.point(c, n)
			if err == nil && s.Seeds.Until == nil {
				r, err = store.Get(pt)
			}
			if err != nil {
				return settled, open, err
			}
			complete = complete && r != nil
			f(pt, r)
		}
		if st.settled || s.Seeds.Until == nil && complete {
			settled++
		}
		if st.open {
			open++
		}
	}
	return settled, open, nil
}

// Missing returns the points that are wanted now and have no result, by their numbers. Where seeds are added until an
// interval is narrow enough, there may be more when these are measured.
func (s *Sweep) Missing(store Store, opt Options) ([]*Point, error) {
	var missing []*Point
	_, _, err := s.look(store, &opt, func(pt *Point, r *Result) {
		if r == nil {
			missing = append(missing, pt)
		}
	})
	slices.SortFunc(missing, func(a, b *Point) int { return cmp.Compare(a.Number, b.Number) })
	return missing, err
}

// Run measures the missing points, and returns their number. A point that fails has a result as well: it is not
// measured again.
func (s *Sweep) Run(ctx context.Context, store Store, opt Options) (measured int, err error) {
	for {
		mine, err := s.Missing(store, opt)
		if err != nil || len(mine) == 0 {
			return measured, cmp.Or(err, ctx.Err())
		}
		n, err := s.measureAll(ctx, store, mine, opt, measured)
		measured += n
		if err != nil {
			return measured, err
		}
	}
}

// measureAll measures points, as many at a time as there are workers.
func (s *Sweep) measureAll(ctx context.Context, store Store, points []*Point, opt Options,
	before int) (measured int, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	workers := opt.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	opt.Monitor.expect(before + len(points))
	jobs := make(chan *Point)
	go func() {
		defer close(jobs)
		for _, pt := range points {
			select {
			case <-ctx.Done():
				return
			case jobs <- pt:
			}
		}
	}()
	var mu sync.Mutex // of measured and opt.Progress
	var wg sync.WaitGroup
	for range min(workers, len(points)) {
		wg.Go(func() {
			for pt := range jobs {
				if err := s.measure(ctx, store, pt, opt.Monitor); err != nil {
					cancel(err)
					return
				}
				mu.Lock()
				measured++
				if opt.Progress != nil {
					opt.Progress(before+measured, before+len(points))
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return measured, context.Cause(ctx)
}

// measure runs one point and writes its result. It returns errors of the store and of an interrupted run; an error of
// the experiment is a result.
func (s *Sweep) measure(ctx context.Context, store Store, pt *Point, m *Monitor) error {
	start := time.Now()
	var r *Result
	inner := m.begin(pt)
	defer func() { m.end(pt, r) }()
	// points share nothing: a result must not depend on other points that this process measured, and a long sweep keeps
	// nothing
	out, err := s.of.Run(experiment.WithMemo(ctx), pt.params,
		experiment.Options{Seed: pt.Seed, Workers: 1, Contain: true, Monitor: inner})
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err == nil && out.Interrupted:
		return errors.New("a run ended early that nobody interrupted")
	}
	r = &Result{}
	if err == nil {
		var b, short bytes.Buffer
		if err = out.WriteJSON(&b); err == nil {
			err = json.Compact(&short, b.Bytes())
		}
		r.Outcome, r.Failed = short.Bytes(), out.Report.Failed
	}
	if err != nil {
		r = &Result{Error: err.Error()}
	}
	return store.Put(pt, r, time.Since(start))
}
