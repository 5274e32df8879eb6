package spfc

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/experiment"
)

// crossing are uncontrolled flows between all racks of a pod, two hosts of each, as far as the ways go.
func crossing() []Flow {
	var flows []Flow
	for from := range podHosts {
		to := (from + 16*(1+from%3)) % podHosts
		flows = append(flows, Flow{from, to, 4_000_000, 0, Uncontrolled})
	}
	return flows
}

// A deadlock that is found is for ever: its ports send nothing more, however long the run. The ports of its circle stand in a line of links.
func TestDeadlockIsForEver(t *testing.T) {
	for _, pause := range []bool{false, true} {
		top := DeadlockPod()
		top.Buffer = 2_000_000
		sc := DefaultScenario(top)
		sc.Policy, sc.Flows, sc.PFC.UntilResumed = DT, crossing(), pause
		f := newFabric(t, sc)
		var d *Deadlock
		for at := 50 * Microsecond; d == nil; at += 50 * Microsecond {
			require.Less(t, at, 3*Millisecond, "no deadlock")
			require.NoError(t, f.Run(t.Context(), at))
			d = f.Deadlocked()
		}
		require.Subset(t, []string{"L0", "T1", "L1", "T2"}, d.Cycle)
		require.Len(t, d.Cycle, 4)
		sent := func() (bytes []int64) {
			for i := range d.Cycle {
				for s, name := range top.Names {
					for port, peer := range f.wires.peers[top.Hosts+s] {
						if name == d.Cycle[i] && top.NodeName(peer.node) == d.Cycle[(i+1)%len(d.Cycle)] {
							bytes = append(bytes, f.Net.Counts(top.Hosts+s, port).Bytes)
						}
					}
				}
			}
			return bytes
		}
		before := sent()
		require.Len(t, before, 4)
		require.NoError(t, f.Run(t.Context(), 20*Millisecond))
		require.Equal(t, before, sent())
		again := f.Deadlocked()
		require.NotNil(t, again)
		require.GreaterOrEqual(t, again.Ports, d.Ports)
		require.NotZero(t, f.Traffic.unfinished)
	}
}

// The same flows in the whole pod have no circle to form: all finish, and at no time is there a deadlock.
func TestNoDeadlockWithoutFailures(t *testing.T) {
	top := Clos(1)
	top.Buffer = 2_000_000
	sc := DefaultScenario(top)
	sc.Policy, sc.Flows = DT, crossing()
	f := newFabric(t, sc)
	paused := int64(0)
	for at := 50 * Microsecond; at < 2*Millisecond; at += 50 * Microsecond {
		require.NoError(t, f.Run(t.Context(), at))
		require.Nil(t, f.Deadlocked())
	}
	for _, s := range f.Switches {
		paused += s.mmu.Counts.Pauses
	}
	require.Positive(t, paused)
	require.Zero(t, f.Traffic.unfinished)
}

// An interrupted experiment is taken up again: runs of the file are not made again, a line that was cut off is.
func TestDeadlockResumes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.csv")
	q := DeadlockPoint{Settings: DefaultSettings(), Scheme: "dt2", Runs: 3, Load: 0.9, Lasts: 100 * Microsecond, Sizes: "fbhadoop", Memory: 4}
	whole, err := DeadlockTest.Measure(t.Context(), q, 1)
	require.NoError(t, err)
	q.State = path
	q.Runs = 2
	_, err = DeadlockTest.Measure(t.Context(), q, 1)
	require.NoError(t, err)
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, b[:len(b)-3], 0o644))
	finished, err := readState(path)
	require.NoError(t, err)
	require.Len(t, finished, 1)
	q.Runs = 3
	resumed, err := DeadlockTest.Measure(t.Context(), q, 1)
	require.NoError(t, err)
	for i := range whole.Runs {
		require.Equal(t, whole.Runs[i].At, resumed.Runs[i].At)
		require.Equal(t, whole.Runs[i].Pauses, resumed.Runs[i].Pauses)
	}
	finished, err = readState(path)
	require.NoError(t, err)
	require.Len(t, finished, 3)

	// Two machines: one has the first run, the other, with --first 1, the rest. Their files together are the whole, and nothing is run again.
	var files []byte
	for k, of := range []struct{ first, runs int }{{0, 1}, {1, 2}} {
		part := q
		part.State, part.First, part.Runs = filepath.Join(t.TempDir(), strconv.Itoa(k)), of.first, of.runs
		_, err := DeadlockTest.Measure(t.Context(), part, 1)
		require.NoError(t, err)
		b, err := os.ReadFile(part.State)
		require.NoError(t, err)
		files = append(files, b...)
	}
	q.State = filepath.Join(t.TempDir(), "both")
	require.NoError(t, os.WriteFile(q.State, files, 0o644))
	resumed, err = DeadlockTest.Measure(t.Context(), q, 1)
	require.NoError(t, err)
	for i := range whole.Runs {
		require.Equal(t, []any{i, whole.Runs[i].At, whole.Runs[i].Pauses}, []any{resumed.Runs[i].Run, resumed.Runs[i].At, resumed.Runs[i].Pauses})
	}
	b, err = os.ReadFile(q.State)
	require.NoError(t, err)
	require.Equal(t, string(files), string(b))
	require.NoError(t, os.WriteFile(path, []byte("a,b,c\n"), 0o644))
	_, err = readState(path)
	require.EqualError(t, err, path+`:1: 3 fields, want the 5 of "run,number,deadlock_ps,pauses,cycle"`)
}

// A run of SPFC's that DT's has shown is the one that SPFC makes itself; where DT decides anything, SPFC's is run, and is another.
func TestDeadlockRunsAreShared(t *testing.T) {
	q := DeadlockPoint{Settings: DefaultSettings(), Scheme: "spfc", Runs: 2, Load: 0.9, Lasts: 250 * Microsecond, Sizes: "websearch"}
	q.Timers = "paper"
	for _, of := range []struct {
		memory float64
		alike  bool
	}{{32, true}, {1.6, false}} {
		q.Memory = of.memory
		q.Scheme, q.Alone = "spfc", true
		alone, err := DeadlockTest.Measure(t.Context(), q, 1)
		require.NoError(t, err)
		q.Alone = false
		ctx := experiment.WithMemo(t.Context())
		shared, err := DeadlockTest.Measure(ctx, q, 1)
		require.NoError(t, err)
		q.Scheme = "dt2"
		dt, err := DeadlockTest.Measure(ctx, q, 1)
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
