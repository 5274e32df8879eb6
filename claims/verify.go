package claims

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
)

// Options of a verification. The zero value is ready for use.
type Options struct {
	// Seed is given to every measurement and stands in the report.
	Seed uint64
	// Paper measures claims at the paper's point; all of the set need a [Claim.PaperTakes]. Their verdicts on record
	// are of their own points, so that another one at the paper's is no difference.
	Paper bool
	// Known are results of an earlier verification, by claim: these are not measured again. Ended, if not nil, is called
	// with each new result, by one goroutine at a time.
	Known map[string]Measurement
	Ended func(id string, m Measurement)
	// Workers is how many claims are measured at a time; 0 or less means GOMAXPROCS.
	Workers int
	// Progress, if not nil, is called whenever a claim starts or ends, with the number of claims that have ended, the
	// number of all, and the claim that started or ended.
	Progress func(done, total int, id string)
	// Logf, if not nil, receives the measurements' log, each line with the claim's ID in front, and the stack of a
	// measurement that panics.
	Logf func(format string, args ...any)
}

// Verify measures every claim of the set that has a measurement, and compares the verdicts with the record. Progress
// and Logf are called by one goroutine at a time, from any.
//
// A measurement that fails, or panics, is an outcome of its claim. The only error is a cancelled context's: Verify then
// starts no further claim, waits for those under way, which see the same context, and returns no report.
func Verify(ctx context.Context, set *Set, opt Options) (*Report, error) {
	workers := opt.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	v := &verification{opt: opt, total: set.Len()}
	results := make([]Result, set.Len())

	var wg sync.WaitGroup
	slots := make(chan struct{}, workers)
	if opt.Paper {
		for _, c := range set.claims {
			if c.PaperTakes == "" {
				return nil, fmt.Errorf("claim %s cannot be measured at the paper's point", c.ID)
			}
		}
	}
	for i, c := range set.claims {
		select {
		case <-ctx.Done():
		case slots <- struct{}{}:
		}
		if ctx.Err() != nil {
			break
		}
		results[i] = failed(c, errGoexit) // stands if measure does not come back
		wg.Go(func() {
			defer func() { <-slots }()
			v.progress(0, c.ID)
			defer v.progress(1, c.ID)
			results[i] = v.measure(ctx, c)
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return nil, fmt.Errorf("verification stopped: %w", context.Cause(ctx))
	}
	return &Report{Seed: opt.Seed, Paper: opt.Paper, Results: results}, nil
}

// errGoexit is the outcome of a measurement that left its goroutine without returning.
var errGoexit = errors.New("it ended its goroutine instead of returning")

// verification is the state that the workers of one Verify share.
type verification struct {
	opt   Options
	total int

	mu   sync.Mutex // held while a hook runs
	done int
}

func (v *verification) progress(ended int, id string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.done += ended
	if v.opt.Progress != nil {
		v.opt.Progress(v.done, v.total, id)
	}
}

func (v *verification) logf(id, format string, args ...any) {
	if v.opt.Logf == nil {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.opt.Logf("%s: %s", id, fmt.Sprintf(format, args...))
}

// measure runs one claim. A panic names the claim; its stack, which is never twice the same, goes to the log only.
func (v *verification) measure(ctx context.Context, c Claim) (result Result) {
	if c.Measure == nil {
		return Result{Claim: c, Verdict: c.Expect} // given or not modelled
	}
	defer func() {
		if p := recover(); p != nil {
			v.logf(c.ID, "panic: %v\n%s", p, debug.Stack())
			result = failed(c, fmt.Errorf("panic in %s: %v", c.ID, p))
		}
	}()
	run := &Run{Seed: v.opt.Seed, Paper: v.opt.Paper}
	run.logf = func(format string, args ...any) { v.logf(c.ID, format, args...) }
	m, known := v.opt.Known[c.ID]
	if !known {
		var err error
		if m, err = c.Measure(ctx, run); err != nil {
			return failed(c, err)
		}
		if m.fault == nil {
			v.ended(c.ID, m)
		}
	}
	if v.opt.Paper {
		c.PaperFigure = Measurement{} // this run measures it again
	}
	result = judge(c, m)
	if v.opt.Paper {
		result.Paper, result.Claim.OwnPoint = true, ""
		if result.Verdict != Failed {
			result.Difference = "" // the record is of our point
		}
	}
	return result
}

// ended hands a result on.
func (v *verification) ended(id string, m Measurement) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.opt.Ended != nil {
		v.opt.Ended(id, m)
	}
}

// judge compares a measurement with the paper's claim and with the record.
func judge(c Claim, m Measurement) Result {
	m, err := m.complete(c.Judge.unit)
	if err != nil {
		return failed(c, err)
	}
	holds, err := c.Judge.judge(m)
	if err != nil {
		return failed(c, err)
	}
	found := inFull(m.Exact, m.Value, m.Unit)
	r := Result{Claim: c, Verdict: Deviates, Measured: &m}
	if holds && !c.refuted() {
		r.Verdict = Holds
	}
	switch {
	case r.Verdict == Deviates && c.Expect == Holds:
		r.Difference = fmt.Sprintf("recorded as holds, but %s deviates (wanted: %s)", found, c.Judge)
	case r.Verdict == Holds && c.Expect == Deviates:
		r.Difference = fmt.Sprintf("recorded as deviates, but %s holds (wanted: %s)", found, c.Judge)
	case r.Verdict == Deviates && !c.Recorded.isZero():
		same, err := c.Recorded.judge(m)
		if err != nil {
			return failed(c, err)
		}
		if !same {
			r.Difference = fmt.Sprintf("deviates as recorded, but %s is not the figure on record (%s)", found, c.Recorded)
		}
	}
	return r
}

// failed is the outcome of a claim without a figure. An error of several lines becomes one.
func failed(c Claim, err error) Result {
	lines := strings.FieldsFunc(err.Error(), func(r rune) bool { return r == '\n' || r == '\r' })
	return Result{Claim: c, Verdict: Failed, Difference: "measurement failed: " + strings.Join(lines, "; ")}
}
