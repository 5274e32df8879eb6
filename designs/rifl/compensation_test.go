package rifl

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/internal/hdl"
	"github.com/goldwire/goldwire/vectors"
)

// Which end is the faster one is decided once: the slower end's RTL asks for nothing, though its clock gains a frame
// at times. The unit has the faster end, so this one's vectors are made here.
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
		res, err := hdl.Icarus.Run(t.Context(), hdl.Job{Top: u.Module() + "_tb", Dir: dir,
			Sources: []string{filepath.Join(dir, u.Module()+"_tb.sv"), file}})
		require.NoError(t, err)
		return res[0]
	}
	require.Contains(t, run(u.RTL).Output, "PASS rifl/compensation 2000 cycles\n")
	bug := strings.Replace(u.RTL, "decided ? faster : due > 0", "due > 0", 1)
	require.Contains(t, run(bug).Output, "FAIL cycle ", "an end that compensates whenever it is ahead")
}

// A counter comes through five flip-flops, whichever way it moves: a step is seen in the sixth cycle that has it at
// the input.
func TestCounterComesThroughFiveFlipFlops(t *testing.T) {
	var s counterSync
	n := uint64(0)
	for _, gain := range []uint64{1, 2, 7, 15, 4, 8, 1, 15, 11} {
		n = (n + gain) & 15
		for cycle := range 12 {
			want := 0
			if cycle == 5 {
				want = int(gain)
			}
			require.EqualValues(t, want, s.step(uint8(blocks.BinaryToGray(n))), "to %d, cycle %d", n, cycle)
		}
	}
}
