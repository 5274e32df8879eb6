package cosim_test

import (
	"runtime"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/goldwire/goldwire/cosim"
	"github.com/goldwire/goldwire/internal/process"
)

// RTL may run where it was allowed to when it started, but not on the processor that the model ran on when it told it
// the last time.
// not parallel: it looks for the one RTL among this process's children
func TestRTLLeavesTheModelsProcessor(t *testing.T) {
	var all, one, other, others unix.CPUSet
	runtime.LockOSThread() // never unlocked: the thread ends with the test
	require.NoError(t, unix.SchedGetaffinity(0, &all))
	if all.Count() < 2 {
		t.Skip("where the RTL runs was NOT tested: there is one processor alone")
	}
	for cpu := 0; one.Count()*other.Count() == 0; cpu++ {
		if all.IsSet(cpu) && one.Count() == 0 {
			one.Set(cpu)
		} else if all.IsSet(cpu) {
			other.Set(cpu)
		}
	}
	except := func(not unix.CPUSet) (rest unix.CPUSet) {
		for cpu := range 8 * len(all) * int(unsafe.Sizeof(all[0])) {
			if all.IsSet(cpu) && !not.IsSet(cpu) {
				rest.Set(cpu)
			}
		}
		return rest
	}
	others = except(one)
	s, err := start(t, plain, nil)
	require.NoError(t, err)
	pid := childNamed(t, "rtl")
	allowed := func() (now unix.CPUSet) {
		require.NoError(t, unix.SchedGetaffinity(pid, &now))
		return now
	}
	run := func(batches int) {
		for k := range batches {
			s.BeginBatch(k, 100)
		}
		for range batches {
			n, err := s.EndBatch()
			require.NoError(t, err)
			require.Equal(t, 100, n)
		}
	}
	require.NoError(t, unix.SchedSetaffinity(0, &one))
	require.NoError(t, s.ResetRTL())
	require.Equal(t, others, allowed())
	run(3)
	require.Equal(t, others, allowed())
	require.NoError(t, unix.SchedSetaffinity(0, &other)) // the model moves
	run(1)
	require.Equal(t, except(other), allowed())
	require.NoError(t, unix.SchedSetaffinity(0, &all))
	r, err := s.Run(t.Context(), cosim.Stimulus{Cycles: 5000, Seed: 8}, nil)
	require.NoError(t, err)
	require.Nil(t, r.Divergence)

	require.NoError(t, unix.SchedSetaffinity(0, &one))
	require.NoError(t, unix.Kill(pid, unix.SIGKILL)) // a new one, started by this thread, has no other processor
	require.Error(t, s.ResetRTL())
	require.NoError(t, s.ResetRTL())
	pid = childNamed(t, "rtl")
	require.Equal(t, one, allowed())
	run(2)
	require.Equal(t, one, allowed())
}

// childNamed is the one child of this process that runs a program of that name.
func childNamed(t *testing.T, name string) int {
	found, err := process.Children(name)
	require.NoError(t, err)
	require.Len(t, found, 1)
	return found[0]
}
