package vectors_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/hdl"
	"github.com/goldwire/goldwire/vectors"
)

// simulate runs an exported testbench with RTL of ours, once for each list of plusargs.
func simulate(t *testing.T, sim hdl.Simulator, dir, module, rtl string, plusArgs ...[]string) []hdl.Result {
	t.Helper()
	if err := sim.Available(); err != nil {
		t.Skipf("the exported testbench of %s was NOT run under %s: %v", module, sim.Name, err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	results, err := sim.Run(ctx, hdl.Job{
		Top:     module + "_tb",
		Sources: []string{filepath.Join(dir, module+"_tb.sv"), filepath.Join("testdata", "rtl", rtl)},
		Dir:     dir,
		// waveforms are compiled in only where they are asked for: it costs Verilator a second
		Trace:    strings.Contains(fmt.Sprint(plusArgs), "+vcd="),
		PlusArgs: plusArgs,
	})
	require.NoError(t, err)
	return results
}

// Correct RTL, written by hand, passes the exported testbench.
func TestTestbenchPassesRightRTL(t *testing.T) {
	for _, c := range []struct {
		unit vectors.Unit
		rtl  string
		sims []hdl.Simulator
	}{
		{adderUnit(), "adder.sv", hdl.Simulators()},
		{skidUnit(), "skid.sv", hdl.Simulators()},
		{majorityUnit(), "majority.sv", hdl.Simulators()},
		{counterUnit(), "counter.sv", []hdl.Simulator{hdl.Icarus}},
	} {
		for _, sim := range c.sims {
			t.Run(c.unit.Module()+"/"+sim.Name, func(t *testing.T) {
				t.Parallel()
				dir, _ := export(t, c.unit, 500)
				res := simulate(t, sim, dir, c.unit.Module(), c.rtl)[0]
				require.Contains(t, res.Output, "PASS "+c.unit.Name+" 500 cycles\n")
				require.True(t, res.Passed(), res.Output)
				require.NotContains(t, strings.ToLower(res.Output), "warning")
			})
		}
	}
}

// A planted bug fails it at the row that Compare, given the same bug in the model, names too.
func TestTestbenchFindsABug(t *testing.T) {
	for _, sim := range hdl.Simulators() {
		t.Run(sim.Name, func(t *testing.T) {
			t.Parallel()
			u := adderUnit()
			dir, s := export(t, u, 500)
			waveform := filepath.Join(t.TempDir(), "bug.vcd")
			results := simulate(t, sim, dir, u.Module(), "adder_bug.sv",
				[]string{"+max=1", "+vcd=" + waveform}, nil, []string{"+stimulus=none.hex"}, []string{"+max=0"})

			bug, sum := firstLostCarry(s)
			fail := fmt.Sprintf("FAIL cycle %d field out_sum wanted %03x got %03x\n", bug+1, sum, sum-256)
			cause := fmt.Sprintf("  inputs of cycle %d: in_a=%02x in_b=%02x in_valid=1\n", bug, s.Rows[bug][0], s.Rows[bug][1])

			first := results[0]
			require.False(t, first.Passed())
			require.Contains(t, first.Output, fail)
			require.Contains(t, first.Output, cause)
			require.Contains(t, first.Output, fmt.Sprintf("FAIL test/adder 1 mismatches in %d cycles\n", bug+2))
			require.NotContains(t, first.Output, "PASS")
			vcd := readFile(t, filepath.Dir(waveform), "bug.vcd")
			require.Contains(t, vcd, "$enddefinitions")
			require.Contains(t, vcd, "out_sum")

			many := results[1]
			require.False(t, many.Passed())
			require.Contains(t, many.Output, fail)
			require.Equal(t, 8, strings.Count(many.Output, "FAIL cycle"), "it stops after eight")
			require.Contains(t, many.Output, "FAIL test/adder 8 mismatches in ")

			require.False(t, results[2].Passed())
			require.Contains(t, results[2].Output, "FAIL test/adder cannot open none.hex\n")
			require.NotContains(t, results[2].Output, "PASS")

			require.False(t, results[3].Passed())
			require.Contains(t, results[3].Output,
				"FAIL test/adder +extra=0 +max=0 +skip=0, want at least 0, at least 1, and 0 to 499\n")
		})
	}
}

// The reset comes again after the last row: RTL that it leaves wrong then fails in a row after it, and +resets=0 leaves
// it out.
func TestTestbenchPulsesTheResetAgain(t *testing.T) {
	for _, sim := range hdl.Simulators() {
		t.Run(sim.Name, func(t *testing.T) {
			t.Parallel()
			dir, s := export(t, adderUnit(), 200)
			require.Equal(t, 2, s.Coverage.Resets)
			results := simulate(
				t, sim, dir, "test_adder", "adder_second_reset.sv", nil, []string{"+resets=0"}, []string{"+resets=3"},
			)
			require.False(t, results[0].Passed())
			require.Contains(t, results[0].Output, "FAIL cycle 0 after reset 2 field out_valid wanted 0 got 1\n")
			require.NotContains(t, results[0].Output, "FAIL cycle 0 field")
			require.True(t, results[1].Passed(), results[1].Output)
			require.Contains(t, results[2].Output, "FAIL test/adder +resets=3, want 0 to 2\n")

			u := adderUnit()
			u.ResetOnce = "its reset is that of the whole machine"
			dir, s = export(t, u, 200)
			require.Zero(t, s.Coverage.Resets)
			require.True(t, simulate(t, sim, dir, u.Module(), "adder_second_reset.sv")[0].Passed())
		})
	}
}

// Inputs change at no edge: a register of the falling one sees them under each simulator alike.
func TestTestbenchMovesInputsAwayFromTheEdges(t *testing.T) {
	for _, sim := range hdl.Simulators() {
		t.Run(sim.Name, func(t *testing.T) {
			t.Parallel()
			dir, _ := export(t, adderUnit(), 200)
			res := simulate(t, sim, dir, "test_adder", "adder_negedge.sv")[0]
			require.True(t, res.Passed(), res.Output)
		})
	}
}

// firstLostCarry returns the first row whose addends the planted bug adds wrongly, and their sum.
func firstLostCarry(s *vectors.Set) (row int, sum uint64) {
	a, b, v := s.Column("in_a"), s.Column("in_b"), s.Column("in_valid")
	for k, r := range s.Rows {
		if r[v] == 1 && r[a]&r[b]&1 == 1 && r[a]+r[b] > 255 {
			return k, r[a] + r[b]
		}
	}
	panic("no addends for the bug")
}

// RTL with two more stages passes with +extra=2 and with nothing else.
func TestTestbenchAllowsForMoreStages(t *testing.T) {
	u := adderUnit()
	dir, _ := export(t, u, 100)
	results := simulate(t, hdl.Icarus, dir, u.Module(), "adder_late.sv", []string{"+extra=2"}, []string{"+extra=1"}, nil)
	require.Contains(t, results[0].Output, "PASS test/adder 100 cycles\n")
	require.True(t, results[0].Passed())
	for _, r := range results[1:] {
		require.False(t, r.Passed(), r.Output)
	}
}

// An x is a mismatch, though it equals nothing.
func TestTestbenchCountsX(t *testing.T) {
	u := adderUnit()
	dir, _ := export(t, u, 100)
	results := simulate(t, hdl.Icarus, dir, u.Module(), "adder_noreset.sv", nil, []string{"+skip=4"},
		[]string{"+skip=100"})
	res := results[0]
	require.False(t, res.Passed())
	require.True(t, results[1].Passed(), "RTL without reset may forget its past: %s", results[1].Output)
	require.False(t, results[2].Passed(), "nothing is left to compare")
	require.Contains(t, res.Output, "FAIL cycle 0 field out_valid wanted 0 got x\n")
}

// RTL that ends the run itself has no verdict but FAIL, and another status than 0.
func TestTestbenchWantsItsVerdict(t *testing.T) {
	for _, sim := range hdl.Simulators() {
		t.Run(sim.Name, func(t *testing.T) {
			t.Parallel()
			u := adderUnit()
			dir, _ := export(t, u, 500)
			res := simulate(t, sim, dir, u.Module(), "adder_finish.sv")[0]
			require.False(t, res.Passed(), res.Output)
			require.NotContains(t, res.Output, "PASS")
			require.Regexp(t, "FAIL "+u.Name+` the run ended in row 9\d: the RTL called \$finish or \$stop`, res.Output)
		})
	}
}
