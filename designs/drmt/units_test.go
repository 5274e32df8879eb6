package drmt_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim"
	"github.com/goldwire/goldwire/designs/drmt"
	"github.com/goldwire/goldwire/hdl"
	"github.com/goldwire/goldwire/tb"
	"github.com/goldwire/goldwire/vectors"
)

func TestUnits(t *testing.T) {
	require.NoError(t, drmt.Units().Check())
	for _, u := range drmt.Units() {
		t.Run(u.Module(), func(t *testing.T) { tb.CheckUnit(t, u) })
	}
}

// bugs are planted in the RTL: what to replace, by what, and a field that has to show it.
var bugs = map[string]struct{ old, bug, field string }{
	"drmt/alu":           {"5'd13:   value = {31'd0, in_a <= in_b};", "5'd13:   value = {31'd0, in_a < in_b};", "out_value"},
	"drmt/scratch_pad":   {"if (valid[k]) entry", "if (valid[k] && k != 7) entry", `out_\d_.*`}, // the last write port is not joined
	"drmt/vliw_fetch":    {"pointer[10*select", "pointer[10*~select", `out_\d_bits`},            // the selects count from the other end
	"drmt/key_generator": {"packet[s] ? second", "packet[0] ? second", `key_1_data_(lo|hi)`},    // IPC 2 for all segments together
}

// The exported testbench passes on the project's RTL and names a field on RTL with a bug.
func TestExportedTestbenches(t *testing.T) {
	if err := hdl.Icarus.Available(); err != nil {
		t.Skipf("the exported testbenches were NOT run: %v", err)
	}
	for _, u := range drmt.Units() {
		t.Run(u.Module(), func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "set")
			set, err := vectors.Capture(u, 1000, 7)
			require.NoError(t, err)
			require.NoError(t, vectors.Write(dir, set))
			right := reference(t, u)
			res := simulate(t, dir, u.Module(), right)
			require.True(t, res.Passed(), res.Output)
			require.Contains(t, res.Output, fmt.Sprintf("PASS %s 1000 cycles\n", u.Name))

			bug := bugs[u.Name]
			require.Equal(t, 1, strings.Count(right, bug.old), "%q stands once in the RTL", bug.old)
			res = simulate(t, dir, u.Module(), strings.Replace(right, bug.old, bug.bug, 1))
			require.False(t, res.Passed())
			require.Regexp(t, `FAIL cycle \d+ field `+bug.field+` wanted [0-9a-f]+ got [0-9a-f]+\n`, res.Output)
		})
	}
}

// Model and RTL agree in lockstep.
func TestLockstep(t *testing.T) {
	if err := cosim.Icarus.Available(); err != nil {
		t.Skipf("the lockstep of the RTL was NOT run: %v", err)
	}
	const cycles = 400 // Icarus is slow on wide words; the catalogue runs a million under Verilator
	for _, u := range drmt.Units() {
		t.Run(u.Module(), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), u.Module()+".v")
			require.NoError(t, os.WriteFile(path, []byte(reference(t, u)), 0o644))
			s, err := cosim.Start(t.Context(), cosim.Options{Unit: u, Seed: 11, Design: cosim.Design{Sources: []string{path}, Top: u.Module(), Simulator: cosim.Icarus}})
			require.NoError(t, err)
			defer s.Close()
			res, err := s.Run(t.Context(), cosim.Stimulus{Cycles: cycles, Seed: 11}, nil)
			require.NoError(t, err)
			if res.Divergence != nil {
				var text strings.Builder
				res.Divergence.Write(&text)
				t.Fatal(text.String())
			}
			require.Equal(t, cycles, res.Cycles)
		})
	}
}

func reference(t *testing.T, u vectors.Unit) string {
	t.Helper()
	text, err := drmt.Verilog.ReadFile("verilog/" + u.Module() + ".v")
	require.NoError(t, err)
	return string(text)
}

func simulate(t *testing.T, dir, module, rtl string) hdl.Result {
	t.Helper()
	source := filepath.Join(t.TempDir(), module+".v")
	require.NoError(t, os.WriteFile(source, []byte(rtl), 0o644))
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	results, err := hdl.Icarus.Run(ctx, hdl.Job{Top: module + "_tb", Sources: []string{filepath.Join(dir, module+"_tb.sv"), source}, Dir: dir})
	require.NoError(t, err)
	return results[0]
}
