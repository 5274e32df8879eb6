package cosim_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/goldwire/goldwire/cosim"
)

// RTL that finds itself on the model's processor leaves it while batches run beside the model, comes back when its next batch waits, and never runs
// where it was not allowed to when it started.
func TestRTLLeavesTheModelsProcessor(t *testing.T) { // not parallel: it looks for the one RTL among this process's children
	s, err := start(t, plain, nil)
	require.NoError(t, err)
	var all, one, others unix.CPUSet
	runtime.LockOSThread() // never unlocked: the thread ends with the test
	require.NoError(t, unix.SchedGetaffinity(0, &all))
	if all.Count() < 2 {
		t.Skip("where the RTL runs was NOT tested: there is one processor alone")
	}
	first := 0
	for !all.IsSet(first) {
		first++
	}
	one.Set(first)
	others = all
	others.Clear(first)
	require.NoError(t, unix.SchedSetaffinity(0, &one))
	pid := childNamed(t, "rtl")
	allowed := func() (now unix.CPUSet) {
		require.NoError(t, unix.SchedGetaffinity(pid, &now))
		return now
	}
	asleep := func() { // it waits for its next batch
		require.Eventually(t, func() bool { return stat(t, pid)[0] == "S" }, 10*time.Second, time.Millisecond)
	}
	run := func(batches int) {
		for k := range batches {
			s.BeginBatch(k, 100)
		}
		require.NoError(t, unix.Kill(pid, unix.SIGCONT))
		for range batches {
			n, err := s.EndBatch()
			require.NoError(t, err)
			require.Equal(t, 100, n)
		}
	}

	require.NoError(t, unix.SchedSetaffinity(pid, &one))
	require.NoError(t, s.ResetRTL()) // the model waits for it
	require.Equal(t, one, allowed())
	run(1)
	require.Equal(t, others, allowed())
	asleep()
	run(1)
	require.Equal(t, others, allowed())
	stopped := func() { // the batches that follow are there before it reads the first
		asleep()
		require.NoError(t, unix.Kill(pid, unix.SIGSTOP))
	}
	stopped()
	run(2)
	require.Equal(t, all, allowed())
	require.NoError(t, unix.SchedSetaffinity(pid, &others)) // it has not left by itself
	stopped()
	run(2)
	require.Equal(t, others, allowed())
	r, err := s.Run(t.Context(), cosim.Stimulus{Cycles: 5000, Seed: 8}, nil)
	require.NoError(t, err)
	require.Nil(t, r.Divergence)

	require.NoError(t, unix.Kill(pid, unix.SIGKILL)) // a new one, started by this thread, has no other processor
	require.Error(t, s.ResetRTL())
	require.NoError(t, s.ResetRTL())
	pid = childNamed(t, "rtl")
	require.Equal(t, one, allowed())
	run(2)
	require.Equal(t, one, allowed())
}

// stat is what the system says of a process, from its state on.
func stat(t *testing.T, pid int) []string {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	require.NoError(t, err)
	_, rest, _ := strings.Cut(string(text), ") ")
	return strings.Fields(rest)
}

// childNamed is the one child of this process that runs a program of that name.
func childNamed(t *testing.T, name string) int {
	var found []int
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	require.NoError(t, err)
	for _, path := range stats {
		text, err := os.ReadFile(path)
		if err != nil { // it has ended
			continue
		}
		pid, rest, _ := strings.Cut(string(text), " (")
		comm, rest, _ := strings.Cut(rest, ") ")
		if fields := strings.Fields(rest); comm == name && len(fields) > 1 && fields[1] == strconv.Itoa(os.Getpid()) {
			n, err := strconv.Atoi(pid)
			require.NoError(t, err)
			found = append(found, n)
		}
	}
	require.Len(t, found, 1)
	return found[0]
}
