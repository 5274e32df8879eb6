package cosim_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim"
	"github.com/goldwire/goldwire/internal/formal"
	"github.com/goldwire/goldwire/pcs"
)

// A proof's first look is by the time on the processor: a yosys that others keep from it answers no worse. The
// stimulus, which finds the difference too, would be asked next.
func TestFirstLookDoesNotDependOnTheMachine(t *testing.T) {
	yosys, err := exec.LookPath("yosys")
	if err != nil {
		t.Skipf("a proof that gets little of the processor was NOT tested: %v", err)
	}
	u, err := pcs.Units().Find("pcs/block_sync")
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(
		t,
		os.WriteFile(filepath.Join(dir, "yosys"), fmt.Appendf(nil, "#!/bin/sh\nsleep 0.8\nexec %s \"$@\"\n", yosys), 0o755),
	)
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	path := filepath.Join(dir, "block_sync.v")
	text := strings.Replace(u.RTL, "<=", "<= ~", 1)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	p, err := cosim.Prove(
		t.Context(),
		cosim.Options{Unit: u, Design: cosim.Design{Sources: []string{path}, Top: u.Module(), Simulator: cosim.Verilator}},
		formal.Options{Time: 16 * time.Second},
	)
	require.NoError(t, err)
	require.Equal(t, formal.Refuted, p.Answer.Verdict)
	require.NotEqual(t, cosim.Simulation, p.Answer.Engine)
}
