package budgets

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// The RTL of a budget ends when the process that measures it is killed: hdl.Start has started it.
func TestRTLEndsWithItsBudget(t *testing.T) {
	v := &verilated{t.TempDir()}
	require.NoError(t, os.WriteFile(filepath.Join(v.dir, "rifl_link"), []byte("#!/bin/sh\nread n\n"), 0o755))
	r, err := startRIFL(t.Context(), v, 0)
	require.NoError(t, err)
	defer r.stop()
	require.NotNil(t, r.cmd.SysProcAttr)
	require.Equal(t, syscall.SIGKILL, r.cmd.SysProcAttr.Pdeathsig)
}
