//go:build unix

package hdl_test

import (
	"context"
	"errors"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/hdl"
)

func TestLines(t *testing.T) {
	var got []string
	err := hdl.Lines(
		t.Context(), 0, t.TempDir(), []string{"sh", "-c", "echo a; printf b; echo c >&2; printf end; exit 3"},
		func(s string) { got = append(got, s) },
	)
	require.Equal(t, []string{"a", "bc", "end"}, got)
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	require.Equal(t, 3, exit.ExitCode())
}

// When the time is up the command ends, and its children too.
func TestLinesLeavesNoProcess(t *testing.T) {
	late := errors.New("late")
	ctx, cancel := context.WithTimeoutCause(t.Context(), 300*time.Millisecond, late)
	defer cancel()
	child := 0
	err := hdl.Lines(
		ctx, 1<<30, t.TempDir(), []string{"sh", "-c", "sleep 1000 & echo $!; wait"},
		func(s string) { child, _ = strconv.Atoi(s) },
	)
	require.ErrorIs(t, err, late)
	require.Positive(t, child)
	require.Eventually(
		t, func() bool { return errors.Is(syscall.Kill(child, 0), syscall.ESRCH) }, 5*time.Second, 10*time.Millisecond,
	)
}

// What cannot be handed over whole is an error: nobody takes a part for all of it.
func TestLinesThatAreTooLong(t *testing.T) {
	long := func(bytes int) error {
		command := []string{"sh", "-c", "head -c " + strconv.Itoa(bytes) + " /dev/zero | tr '\\0' a; echo; echo b"}
		return hdl.Lines(t.Context(), 0, t.TempDir(), command, func(string) {})
	}
	require.NoError(t, long(16<<20))
	require.EqualError(
		t, long(16<<20+1), "sh wrote a line of more than 16777216 bytes, want shorter ones: it cannot be read whole",
	)
}

func TestOutputAndLines(t *testing.T) {
	var out strings.Builder
	var lines []string
	err := hdl.OutputAndLines(
		t.Context(), 0, t.TempDir(), []string{"sh", "-c", "echo a; echo b >&2; printf c"}, &out,
		func(s string) { lines = append(lines, s) },
	)
	require.NoError(t, err)
	require.Equal(t, "a\nc", out.String())
	require.Equal(t, []string{"b"}, lines)
}
