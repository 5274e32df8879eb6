package study

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/experiment"

	"github.com/goldwire/goldwire/designs/spfc"
)

// An interrupted experiment is taken up again: runs of the file are not made again, a line that was cut off is.
func TestDeadlockResumes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.csv")
	q := DeadlockPoint{Settings: spfc.DefaultSettings(), Scheme: "dt2", Runs: 3, Load: 0.9,
		Lasts: 100 * spfc.Microsecond, Sizes: "fbhadoop", Memory: 4}
	whole, err := deadlockTest.Measure(t.Context(), q, 1)
	require.NoError(t, err)
	q.State = path
	q.Runs = 2
	_, err = deadlockTest.Measure(t.Context(), q, 1)
	require.NoError(t, err)
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, b[:len(b)-3], 0o644))
	finished, err := readState(path)
	require.NoError(t, err)
	require.Len(t, finished, 1)
	q.Runs = 3
	resumed, err := deadlockTest.Measure(t.Context(), q, 1)
	require.NoError(t, err)
	for i := range whole.Runs {
		require.Equal(t, whole.Runs[i].At, resumed.Runs[i].At)
		require.Equal(t, whole.Runs[i].Pauses, resumed.Runs[i].Pauses)
	}
	finished, err = readState(path)
	require.NoError(t, err)
	require.Len(t, finished, 3)

	// Two machines: one has the first run, the other, with --first 1, the rest. Their files together are the whole, and
	// nothing is run again.
	var files []byte
	for k, of := range []struct{ first, runs int }{{0, 1}, {1, 2}} {
		part := q
		part.State, part.First, part.Runs = filepath.Join(t.TempDir(), strconv.Itoa(k)), of.first, of.runs
		_, err := deadlockTest.Measure(t.Context(), part, 1)
		require.NoError(t, err)
		b, err := os.ReadFile(part.State)
		require.NoError(t, err)
		files = append(files, b...)
	}
	q.State = filepath.Join(t.TempDir(), "both")
	require.NoError(t, os.WriteFile(q.State, files, 0o644))
	resumed, err = deadlockTest.Measure(t.Context(), q, 1)
	require.NoError(t, err)
	for i := range whole.Runs {
		require.Equal(t, []any{i, whole.Runs[i].At, whole.Runs[i].Pauses},
			[]any{resumed.Runs[i].Run, resumed.Runs[i].At, resumed.Runs[i].Pauses})
	}
	b, err = os.ReadFile(q.State)
	require.NoError(t, err)
	require.Equal(t, string(files), string(b))
	require.NoError(t, os.WriteFile(path, []byte("a,b,c\n"), 0o644))
	_, err = readState(path)
	require.EqualError(t, err, path+`:1: 3 fields, want the 5 of "run,number,deadlock_ps,pauses,cycle"`)
}

// Where DT decides nothing, SPFC's result is DT's run, and equals the run that SPFC makes itself; where DT decides
// anything, SPFC is run, and differs.
func TestDeadlockRunsAreShared(t *testing.T) {
	q := DeadlockPoint{Settings: spfc.DefaultSettings(), Scheme: "spfc", Runs: 2, Load: 0.9,
		Lasts: 250 * spfc.Microsecond, Sizes: "websearch"}
	q.Timers = "paper"
	for _, of := range []struct {
		memory float64
		alike  bool
	}{{32, true}, {1.6, false}} {
		q.Memory = of.memory
		q.Scheme, q.Alone = "spfc", true
		alone, err := deadlockTest.Measure(t.Context(), q, 1)
		require.NoError(t, err)
		q.Alone = false
		ctx := experiment.WithMemo(t.Context())
		shared, err := deadlockTest.Measure(ctx, q, 1)
		require.NoError(t, err)
		q.Scheme = "dt2"
		dt, err := deadlockTest.Measure(ctx, q, 1)
		require.NoError(t, err)
		require.Equal(t, alone, shared)
		for i := range dt.Runs {
			require.Equal(t, of.alike, dt.Runs[i].open)
			require.Equal(t, of.alike, dt.Runs[i].Pauses == alone.Runs[i].Pauses)
			require.Equal(t, of.alike, dt.Runs[i].FCT == alone.Runs[i].FCT)
			require.NotZero(t, alone.Runs[i].FCT[3].Flows)
		}
	}
}

// By hand: 0 of 10 is up to 0.278 by Wilson, 5 of 10 from 0.237 to 0.763.
func TestShareInterval(t *testing.T) {
	low, high := share{0, 10}.interval()
	require.Zero(t, low)
	require.InDelta(t, 0.278, high, 0.001)
	low, high = share{5, 10}.interval()
	require.InDelta(t, 0.237, low, 0.001)
	require.InDelta(t, 0.763, high, 0.001)
}

// The paper's share stands beside runs at the paper's point alone, whatever number of them.
func TestThePapersShareIsOfItsPoint(t *testing.T) {
	at := func(change func(*deadlockParams)) string {
		p := deadlockDefaults()
		change(&p)
		return p.printed("dcqcn", "dt2")
	}
	require.Equal(t, "0.612", at(func(p *deadlockParams) { p.Runs = 17 }))
	for _, change := range []func(*deadlockParams){
		func(p *deadlockParams) { p.Load = 0.6 }, func(p *deadlockParams) { p.Memory = 16 },
		func(p *deadlockParams) { p.Sizes = "fbhadoop" }, func(p *deadlockParams) { p.Lasts = clock.MustTime("5ms") },
		func(p *deadlockParams) { p.Static = 3 },
	} {
		require.Empty(t, at(change))
	}
}
