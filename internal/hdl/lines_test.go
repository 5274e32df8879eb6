//go:build unix

package hdl_test

import (
	"context"
	"errors"
	"os/exec"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/hdl"
)

func TestLines(t *testing.T) {
	var got []string
	err := hdl.Lines(t.Context(), 0, t.TempDir(), []string{"sh", "-c", "echo a; printf b; echo c >&2; printf end; exit 3"}, func(s string) { got = append(got, s) })
	require.Equal(t, []string{"a", "bc", "end"}, got)
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	require.Equal(t, 3, exit.ExitCode())
}

// When the time is up the command ends, and what it has started too.
func TestLinesLeavesNoProcess(t *testing.T) {
	late := errors.New("late")
	ctx, cancel := context.WithTimeoutCause(t.Context(), 300*time.Millisecond, late)
	defer cancel()
	child := 0
	err := hdl.Lines(ctx, 1<<30, t.TempDir(), []string{"sh", "-c", "sleep 1000 & echo $!; wait"}, func(s string) { child, _ = strconv.Atoi(s) })
	require.ErrorIs(t, err, late)
	require.Positive(t, child)
	require.Eventually(t, func() bool { return errors.Is(syscall.Kill(child, 0), syscall.ESRCH) }, 5*time.Second, 10*time.Millisecond)
}
