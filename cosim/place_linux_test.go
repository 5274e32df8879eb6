package cosim_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/goldwire/goldwire/cosim"
)

// RTL that finds itself on the model's processor leaves it.
func TestRTLLeavesTheModelsProcessor(t *testing.T) { // not parallel: it looks for the one RTL among this process's children
	s, err := start(t, plain, nil)
	require.NoError(t, err)
	var all, one unix.CPUSet
	runtime.LockOSThread() // never unlocked: the thread ends with the test
	require.NoError(t, unix.SchedGetaffinity(0, &all))
	if all.Count() < 2 {
		t.Skip("NOT checked: one processor")
	}
	first := 0
	for !all.IsSet(first) {
		first++
	}
	one.Set(first)
	require.NoError(t, unix.SchedSetaffinity(0, &one))
	pid := childNamed(t, "rtl")
	require.NoError(t, unix.SchedSetaffinity(pid, &one))
	r, err := s.Run(t.Context(), cosim.Stimulus{Cycles: 20_000, Seed: 8}, nil)
	require.NoError(t, err)
	require.Nil(t, r.Divergence)
	var now unix.CPUSet
	require.NoError(t, unix.SchedGetaffinity(pid, &now))
	require.NotEqual(t, one, now)
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
