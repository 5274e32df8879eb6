package process_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/process"
)

// A child is found by its name, whatever stands in that, until it has ended; then it has, before and after this
// process waits for it.
func TestChild(t *testing.T) {
	require.False(t, process.Ended(os.Getpid()))
	require.False(t, process.Ended(1), "of another user, mostly")
	sleep, err := exec.LookPath("sleep")
	require.NoError(t, err)
	const name = "a) Z 1 (b"
	program := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.Symlink(sleep, program))
	// where one program is sleep and more, it goes by its first argument
	cmd := &exec.Cmd{Path: program, Args: []string{"sleep", "1000"}}
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	pid := cmd.Process.Pid
	children, err := process.Children(name)
	require.NoError(t, err)
	require.Equal(t, []int{pid}, children)
	require.False(t, process.Ended(pid))
	children, err = process.Children("sleep")
	require.NoError(t, err)
	require.Empty(t, children)

	require.NoError(t, cmd.Process.Kill())
	require.Eventually(t, func() bool { return process.Ended(pid) }, 5*time.Second, 10*time.Millisecond)
	require.Error(t, cmd.Wait())
	require.True(t, process.Ended(pid))
}
