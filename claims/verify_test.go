package claims_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/claims"
)

func verify(t *testing.T, opt claims.Options, group ...claims.Claim) *claims.Report {
	t.Helper()
	set, err := claims.NewSet(group)
	require.NoError(t, err)
	report, err := claims.Verify(context.Background(), set, opt)
	require.NoError(t, err)
	require.Len(t, report.Results, len(group))
	return report
}

func TestOutcomes(t *testing.T) {
	withRecord := func(recorded claims.Judge, m claims.Measurement) claims.Claim {
		c := holding("a/b")
		c.Expect, c.Reason, c.Recorded, c.Measure = claims.Deviates, "known", recorded, gives(m)
		return c
	}
	regressed := holding("a/b")
	regressed.Measure = gives(exact(192, 25, "ns"))
	absent := claims.Claim{ID: "a/b", Source: "P", Text: "T", Printed: "1", Expect: claims.NotModelled, Reason: "no DRAM"}
	broken := holding("a/b")
	broken.Measure = func(context.Context, *claims.Run) (claims.Measurement, error) {
		return exact(128, 25, "ns"), errors.Join(errors.New("first"), errors.New("second"))
	}
	panicking := holding("a/b")
	panicking.Measure = func(context.Context, *claims.Run) (claims.Measurement, error) { panic("port 3 is not connected") }
	leaving := holding("a/b")
	leaving.Measure = func(context.Context, *claims.Run) (claims.Measurement, error) {
		runtime.Goexit()
		panic("unreachable")
	}
	badPredicate := holding("a/b")
	badPredicate.Judge = claims.Shape("rises", "ns", func(m claims.Measurement) bool { return m.Rows[1].Value > 0 })

	for name, c := range map[string]struct {
		claim      claims.Claim
		verdict    claims.Verdict
		difference string
	}{
		"holds": {holding("a/b"), claims.Holds, ""},
		"regressed": {regressed, claims.Deviates,
			"recorded as holds, but 7.68 ns deviates (wanted: exactly 5.12 ns)"},
		"deviates as recorded":  {withRecord(claims.Judge{}, exact(6, 1, "ns")), claims.Deviates, ""},
		"deviates by as much":   {withRecord(claims.Within("6", "0.1", "ns"), exact(61, 10, "ns")), claims.Deviates, ""},
		"deviates by an amount": {withRecord(claims.Exactly("6", "ns"), exact(6, 1, "ns")), claims.Deviates, ""},
		"drifted": {withRecord(claims.Within("6", "0.1", "ns"), exact(6101, 1000, "ns")), claims.Deviates,
			"deviates as recorded, but 6.101 ns is not the figure on record (6 ± 0.1 ns)"},
		"holds again": {withRecord(claims.Exactly("6", "ns"), exact(128, 25, "ns")), claims.Holds,
			"recorded as deviates, but 5.12 ns holds (wanted: exactly 5.12 ns)"},
		"not modelled": {absent, claims.NotModelled, ""},
		"error":        {broken, claims.Failed, "measurement failed: first; second"},
		"panic":        {panicking, claims.Failed, "measurement failed: panic in a/b: port 3 is not connected"},
		"goexit":       {leaving, claims.Failed, "measurement failed: it ended its goroutine instead of returning"},
		"judge panics": {badPredicate, claims.Failed,
			"measurement failed: panic in a/b: runtime error: index out of range [1] with length 0"},
	} {
		t.Run(name, func(t *testing.T) {
			report := verify(t, claims.Options{}, c.claim)
			r := report.Results[0]
			require.Equal(t, c.verdict, r.Verdict)
			require.Equal(t, c.difference, r.Difference)
			require.Equal(t, c.difference == "", r.AsRecorded())
			require.Equal(t, c.difference == "", report.OK())
		})
	}

	// An exact record on a claim that is judged by a bound still asks for an exact figure.
	c := withRecord(claims.Exactly("6", "ns"), approx(6, "ns"))
	c.Judge = claims.AtMost("5", "ns")
	require.Equal(t, claims.Failed, verify(t, claims.Options{}, c).Results[0].Verdict)
}

// Whatever the number of workers, results stand in the order of the set and each measurement got the seed.
func TestOrderDoesNotDependOnWorkers(t *testing.T) {
	const n = 40
	var group []claims.Claim
	for i := range n {
		c := holding(fmt.Sprintf("a/%d", i))
		c.Judge = claims.AtLeast("0", "")
		c.Measure = func(_ context.Context, run *claims.Run) (claims.Measurement, error) {
			for range n - i {
				runtime.Gosched() // the later the claim, the sooner it ends
			}
			return approx(rand.New(rand.NewPCG(run.Seed, uint64(i))).Float64(), ""), nil
		}
		group = append(group, c)
	}
	for _, workers := range []int{0, 1, 2, 7, 100} {
		report := verify(t, claims.Options{Seed: 5, Workers: workers}, group...)
		require.Equal(t, uint64(5), report.Seed)
		for i, r := range report.Results {
			require.Equal(t, group[i].ID, r.Claim.ID)
			require.Equal(t, rand.New(rand.NewPCG(5, uint64(i))).Float64(), r.Measured.Value)
		}
	}
}

func TestPoolIsBoundedAndUsed(t *testing.T) {
	const workers = 3
	var running, over atomic.Int32
	full := make(chan struct{})
	var once sync.Once
	var group []claims.Claim
	for i := range 12 {
		c := holding(fmt.Sprintf("a/%d", i))
		c.Measure = func(context.Context, *claims.Run) (claims.Measurement, error) {
			switch now := running.Add(1); {
			case now == workers:
				once.Do(func() { close(full) })
			case now > workers:
				over.Add(1)
			}
			<-full // nobody goes on before all workers were busy at once
			running.Add(-1)
			return exact(128, 25, "ns"), nil
		}
		group = append(group, c)
	}
	require.True(t, verify(t, claims.Options{Workers: workers}, group...).OK())
	require.Zero(t, over.Load())
}

func TestProgressAndLog(t *testing.T) {
	noisy := holding("a/noisy")
	noisy.Measure = func(_ context.Context, run *claims.Run) (claims.Measurement, error) {
		run.Logf("%d blocks", 1000)
		return exact(128, 25, "ns"), nil
	}
	absent := claims.Claim{ID: "a/absent", Source: "P", Text: "T", Printed: "1", Expect: claims.NotModelled, Reason: "R"}
	panicking := holding("a/panicking")
	panicking.Measure = func(context.Context, *claims.Run) (claims.Measurement, error) { panic("oops") }

	var got []string
	var stack string
	verify(t, claims.Options{
		Workers:  1,
		Progress: func(done, total int, id string) { got = append(got, fmt.Sprintf("%d/%d %s", done, total, id)) },
		Logf: func(format string, args ...any) {
			line := fmt.Sprintf(format, args...)
			if line != "a/noisy: 1000 blocks" {
				stack = line
				return
			}
			got = append(got, line)
		},
	}, noisy, absent, panicking)
	require.Equal(t, []string{
		"0/3 a/noisy", "a/noisy: 1000 blocks", "1/3 a/noisy",
		"1/3 a/absent", "2/3 a/absent",
		"2/3 a/panicking", "3/3 a/panicking",
	}, got)
	require.Contains(t, stack, "a/panicking: panic: oops")
	require.Contains(t, stack, "verify_test.go", "the stack leads to the measurement")

	new(claims.Run).Logf("a zero Run has no log")
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	first, second := holding("a/first"), holding("a/second")
	first.Measure = func(ctx context.Context, _ *claims.Run) (claims.Measurement, error) {
		cancel(errors.New("interrupted"))
		<-ctx.Done()
		return claims.Measurement{}, ctx.Err()
	}
	started := false
	second.Measure = func(context.Context, *claims.Run) (claims.Measurement, error) {
		started = true
		return exact(128, 25, "ns"), nil
	}
	set, err := claims.NewSet([]claims.Claim{first, second})
	require.NoError(t, err)
	report, err := claims.Verify(ctx, set, claims.Options{Workers: 1})
	require.EqualError(t, err, "verification stopped: interrupted")
	require.Nil(t, report)
	require.False(t, started)
}

// A measurement's own deadline is its own failure, not the end of the verification.
func TestMeasurementsOwnDeadline(t *testing.T) {
	c := holding("a/b")
	c.Measure = func(ctx context.Context, _ *claims.Run) (claims.Measurement, error) {
		ctx, cancel := context.WithTimeout(ctx, 0)
		defer cancel()
		<-ctx.Done()
		return claims.Measurement{}, ctx.Err()
	}
	report := verify(t, claims.Options{}, c, holding("a/c"))
	require.Equal(t, claims.Failed, report.Results[0].Verdict)
	require.Equal(t, claims.Holds, report.Results[1].Verdict)
}

// A claim that the figure at the paper's point refutes deviates, also where our point satisfies the judge. A run at the
// paper's point is judged by its own figure.
func TestTheFigureAtThePapersPointRefutes(t *testing.T) {
	c := holding("a/b")
	c.Judge, c.Expect, c.Reason = claims.AtMost("11", "cells"), claims.Deviates, "it grows"
	c.PaperPoint, c.OwnPoint, c.PaperTakes, c.PaperFigure = "big", "small", "1 h", claims.Count(16, "cells", "a day")
	c.Measure = func(_ context.Context, run *claims.Run) (claims.Measurement, error) {
		return claims.Count(run.Count(8, 10), "cells", "d"), nil
	}
	written := func(r *claims.Report) string {
		var b strings.Builder
		require.NoError(t, r.WriteText(&b, claims.Layout{}))
		return b.String()
	}
	report := verify(t, claims.Options{}, c)
	require.Equal(t, claims.Deviates, report.Results[0].Verdict)
	require.True(t, report.OK())
	require.Contains(t, written(report), "8 cells; at the paper's point 16 cells on a day")

	report = verify(t, claims.Options{Paper: true}, c)
	require.Equal(t, claims.Holds, report.Results[0].Verdict, "ten cells are fewer than eleven")
	require.NotContains(t, written(report), "16 cells")

	for figure, want := range map[int]string{16: "", 11: "PaperFigure is 11 cells, which Judge does not refuse"} {
		c.PaperFigure = claims.Count(figure, "cells", "a day")
		if _, err := claims.NewSet([]claims.Claim{c}); want == "" {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, want)
		}
	}
	c.Expect, c.Reason = claims.Holds, ""
	_, err := claims.NewSet([]claims.Claim{c})
	require.ErrorContains(t, err, "PaperFigure is given for a claim that is not recorded as deviating")
	c.Expect, c.Reason, c.PaperTakes = claims.Deviates, "it grows", ""
	_, err = claims.NewSet([]claims.Claim{c})
	require.ErrorContains(t, err, "PaperTakes is missing")
}
