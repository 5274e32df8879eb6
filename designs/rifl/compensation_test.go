package rifl

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/hdl"
	"github.com/goldwire/goldwire/vectors"
)

// Which end is the faster one is decided once: the slower end's RTL asks for nothing, though its clock gains a frame at times. The unit
// has the faster end, so this one's vectors are made here.
func TestSlowerEndNeverCompensates(t *testing.T) {
	if err := hdl.Icarus.Available(); err != nil {
		t.Skipf("the RTL of compensation was NOT run: %v", err)
	}
	u := compensationUnit(false)
	dir := filepath.Join(t.TempDir(), "set")
	set, err := vectors.Capture(u, 2000, 1)
	require.NoError(t, err)
	require.NoError(t, vectors.Write(dir, set))
	run := func(text string) hdl.Result {
		file := filepath.Join(t.TempDir(), "rtl.v")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		res, err := hdl.Icarus.Run(t.Context(), hdl.Job{Top: u.Module() + "_tb", Dir: dir, Sources: []string{filepath.Join(dir, u.Module()+"_tb.sv"), file}})
		require.NoError(t, err)
		return res[0]
	}
	require.Contains(t, run(u.RTL).Output, "PASS rifl/compensation 2000 cycles\n")
	bug := strings.Replace(u.RTL, "decided ? faster : due > 0", "due > 0", 1)
	require.Contains(t, run(bug).Output, "FAIL cycle ", "an end that compensates whenever it is ahead")
}
