package rifl_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"goldwire/designs/rifl"
	"goldwire/internal/hdl"
	"goldwire/tb"
	"goldwire/vectors"
)

// Every unit: same trace in all modes, latency as declared, no allocation, vectors that replay, golden file.
func TestUnits(t *testing.T) {
	units := rifl.Units()
	require.NoError(t, units.Check())
	require.Len(t, units, 7)
	for _, u := range units {
		t.Run(u.Name, func(t *testing.T) { tb.CheckUnit(t, u) })
	}
}

// The stimuli move every bit that can move.
func TestUnitsAreCovered(t *testing.T) {
	for _, u := range rifl.Units() {
		set, err := vectors.Capture(u, 60_000, 1)
		require.NoError(t, err)
		require.Empty(t, set.Coverage.Missing, u.Name)
	}
}

// plantedBugs has a bug for each unit's reference RTL: what to replace, by what, and a field that has to show it.
var plantedBugs = map[string]struct{ old, bug, field string }{
	"rifl/meta_encoder":   {"payload[7:0] = {3'b000, n}", "payload[7:0] = {3'b000, n - 5'd1}", "frame_3"},
	"rifl/meta_decoder":   {"format > 8'd29 ? 5'd29", "format > 8'd30 ? 5'd30", "(data_3|control_bytes)"},
	"rifl/scrambler":      {"{33'd0, t[63:33]}", "{32'd0, t[63:32]}", "out_data"},
	"rifl/code_generator": {"12'h02f", "12'h80f", "out_data"},
	"rifl/aligner":        {"legal_row == 4'd15", "legal_row == 4'd14", "(aligned|out_.*)"},
	"rifl/receiver":       {"threshold == frame_id + {{(S-1){1'b0}}, 1'b1}", "threshold == frame_id", "missing"},
	"rifl/transmitter":    {"pass == 5 * IDS / 2 ?", "pass == 5 * IDS / 2 - 1 ?", "(state_value|id_value|frame_[0-3]|ready)"},
}

// The exported testbench of every unit passes on our RTL and fails on the same RTL with a bug.
func TestExportedTestbenches(t *testing.T) {
	for _, sim := range simulators {
		for _, u := range rifl.Units() {
			t.Run(u.Module()+"/"+sim.Name, func(t *testing.T) {
				if err := sim.Available(); err != nil {
					t.Skipf("the exported testbench of %s was NOT run under %s: %v", u.Name, sim.Name, err)
				}
				dir := filepath.Join(t.TempDir(), "set")
				set, err := vectors.Capture(u, rows, 7)
				require.NoError(t, err)
				require.NoError(t, vectors.Write(dir, set))
				right, err := rifl.Verilog.ReadFile("verilog/" + u.Module() + ".v")
				require.NoError(t, err)

				res := simulate(t, sim, dir, u.Module(), string(right))
				require.True(t, res.Passed(), res.Output)
				require.Contains(t, res.Output, fmt.Sprintf("PASS %s %d cycles\n", u.Name, rows))

				bug, ok := plantedBugs[u.Name]
				require.True(t, ok, "no bug is planted in %s", u.Name)
				require.Equal(t, 1, strings.Count(string(right), bug.old), "%q stands once in the RTL", bug.old)
				res = simulate(t, sim, dir, u.Module(), strings.Replace(string(right), bug.old, bug.bug, 1))
				require.False(t, res.Passed(), res.Output)
				require.Regexp(t, `FAIL cycle \d+ field `+bug.field+` wanted [0-9a-f]+ got [0-9a-f]+\n`, res.Output)
			})
		}
	}
}

func simulate(t *testing.T, sim hdl.Simulator, dir, module, rtl string) hdl.Result {
	t.Helper()
	source := filepath.Join(t.TempDir(), module+".v")
	require.NoError(t, os.WriteFile(source, []byte(rtl), 0o644))
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	results, err := sim.Run(ctx, hdl.Job{Top: module + "_tb", Sources: []string{filepath.Join(dir, module+"_tb.sv"), source}, Dir: dir})
	require.NoError(t, err)
	return results[0]
}
