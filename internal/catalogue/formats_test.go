package catalogue_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim"
	"github.com/goldwire/goldwire/internal/catalogue"
	"github.com/goldwire/goldwire/internal/hdl"
	"github.com/goldwire/goldwire/vectors"
)

// exported writes a unit's vectors in all formats.
func exported(t *testing.T, name string, cycles int) (vectors.Unit, *vectors.Set, string) {
	t.Helper()
	u, err := catalogue.Designs().Units().Find(name)
	require.NoError(t, err)
	set, err := vectors.Capture(u, cycles, 7)
	require.NoError(t, err)
	dir := filepath.Join(t.TempDir(), u.Module())
	require.NoError(t, vectors.Write(dir, set, vectors.Formats()...))
	back, err := vectors.Read(dir)
	require.NoError(t, err)
	require.Equal(t, set.Rows, back.Rows)
	require.Equal(t, set.Coverage, back.Coverage)
	return u, set, dir
}

// command runs a program, at most ten minutes, and returns its output and its exit status.
func command(t *testing.T, dir string, env []string, args ...string) (string, int) {
	t.Helper()
	if _, err := exec.LookPath(args[0]); err != nil {
		t.Skipf("%s was NOT run: %s is not installed", t.Name(), args[0])
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		require.NoError(t, err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// The exported C++ harness passes on our RTL and fails, as the testbench does, on the same RTL with a bug.
func TestVerilatorHarness(t *testing.T) {
	for _, name := range []string{"pcs/encoder", "pcs/descrambler"} {
		t.Run(strings.ReplaceAll(name, "/", "_"), func(t *testing.T) {
			t.Parallel()
			u, _, dir := exported(t, name, 2000)
			bug := u.Bugs[0]
			right := reference(t, u)
			harness := filepath.Join(dir, u.Module()+"_harness.cpp")
			build := func(source string) (string, int) {
				obj := t.TempDir()
				// in the folder of the build: Verilator writes the path into the program, which would be another each time
				name := filepath.Base(source)
				require.NoError(t, os.Symlink(mustAbs(t, source), filepath.Join(obj, name)))
				text, status := command(t, obj, nil, "verilator", "--cc", "--top-module", u.Module(), "--Mdir", obj, name)
				require.Zero(t, status, text)
				program := filepath.Join(obj, "harness")
				v := hdl.Verilated{Top: u.Module(), Obj: obj, More: []string{harness}, Optimise: "-O0"}
				require.NoError(t, v.Build(t.Context(), program, nil))
				return command(t, dir, nil, program)
			}
			text, status := build(right)
			require.Zero(t, status, text)
			require.Equal(t, fmt.Sprintf("PASS %s 2000 cycles\n", name), text)
			text, status = build(withBug(t, u, bug.Edits))
			require.Equal(t, 1, status, text)
			require.Regexp(t, `FAIL cycle \d+ field `+bug.Field+` wanted [0-9a-f]+ got [0-9a-f]+\n`, text)
		})
	}
}

// The model behind DPI-C passes the exported testbench in the place of the RTL.
func TestDPI(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("the DPI-C library was NOT built: gcc is not installed")
	}
	archive := filepath.Join(t.TempDir(), "libgoldwire.a")
	text, status := command(t, "../..", []string{"CGO_ENABLED=1"}, "go", "build", "-ldflags=-w", "-buildmode=c-archive",
		"-o", archive, "./cmd/goldwire-dpi")
	require.Zero(t, status, text)
	for _, name := range []string{"pcs/scrambler", "pcs/descrambler", "pcs/decoder"} {
		u, set, dir := exported(t, name, 1000)
		var ports, wires []string
		for _, f := range set.Fields {
			dirText := map[bool]string{true: "output", false: "input"}[f.Dir == 1]
			ports = append(ports, fmt.Sprintf("%s logic [%d:0] %s", dirText, f.Width-1, f.Name))
			wires = append(wires, fmt.Sprintf(".%s(%s)", f.Name, f.Name))
		}
		shell := fmt.Sprintf(
			"`include \"%s_dpi.svh\"\nmodule %s(input logic clk, input logic rst, %s);\n"+
				"%s_model model(.clk(clk), .rst(rst), %s);\nendmodule\n",
			u.Module(),
			u.Module(),
			strings.Join(ports, ", "),
			u.Module(),
			strings.Join(wires, ", "),
		)
		require.NoError(t, os.WriteFile(filepath.Join(dir, "shell.sv"), []byte(shell), 0o644))
		// and it is compared: another digit in the expected text shows
		data, err := os.ReadFile(filepath.Join(dir, "expected.hex"))
		require.NoError(t, err)
		at := bytes.LastIndexByte(bytes.TrimSpace(data), '\n') + 2
		if data[at] == '0' {
			data[at] = '1'
		} else {
			data[at] = '0'
		}
		flipped := filepath.Join(dir, "flipped.hex")
		require.NoError(t, os.WriteFile(flipped, data, 0o644))
		results, err := hdl.Verilator.Run(t.Context(), hdl.Job{Top: u.Module() + "_tb", Dir: dir,
			Sources:  []string{filepath.Join(dir, u.Module()+"_tb.sv"), filepath.Join(dir, "shell.sv")},
			Options:  []string{"-Wno-fatal", "-I" + dir}, // warnings in the model's glue are its user's business
			Library:  archive,
			PlusArgs: [][]string{nil, {"+expected=" + flipped}}})
		require.NoError(t, err)
		require.True(t, results[0].Passed(), results[0].Output)
		require.Contains(t, results[0].Output, fmt.Sprintf("PASS %s 1000 cycles\n", name))
		require.False(t, results[1].Passed(), results[1].Output)
		require.Contains(t, results[1].Output, "FAIL cycle 999 field")
	}
}

// The exported cocotb test, on a module pretended in Python: right, and with one bit flipped.
func TestCocotb(t *testing.T) {
	t.Parallel()
	u, set, dir := exported(t, "pcs/encoder", 300)
	stub, err := filepath.Abs("../../vectors/testdata/cocotb")
	require.NoError(t, err)
	env := []string{"PYTHONPATH=" + stub, "PYTHONDONTWRITEBYTECODE=1"}
	text, status := command(t, dir, env, "python3", filepath.Join(stub, "run.py"), dir, u.Module())
	require.Zero(t, status, text)
	require.Contains(t, text, "PASS pcs/encoder 300 cycles")

	text, status = command(t, dir, env, "python3", filepath.Join(stub, "run.py"), dir, u.Module(), "123", "5")
	require.Equal(t, 1, status, text)
	want := set.Rows[123][set.Column("out_payload")]
	require.Contains(t, text, fmt.Sprintf("FAIL cycle 123 field out_payload wanted %016x got %016x\n", want, want^1<<5))
}

// The exported waveform, through Yosys and through replay: both agree with it; with one bit flipped, both do not.
func TestYosysAndReplayGiveOneVerdict(t *testing.T) {
	for name, flag := range map[string]string{
		"pcs/scrambler": "-sim-cmp", "pcs/block_sync": "-sim-cmp", "pcs/tx_gearbox": "-sim-cmp",
		"blocks/priority_encoder": "-sim-cmp",
		"pcs/descrambler":         "-sim-gate", // it has combinational outputs
	} {
		t.Run(strings.ReplaceAll(name, "/", "_"), func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath("vcd2fst"); err != nil {
				t.Skip("Yosys was NOT run: vcd2fst is not installed, with which it reads waveforms")
			}
			u, set, dir := exported(t, name, 400)
			verdicts := func(file string) (yosys, ours bool) {
				script := fmt.Sprintf(
					"read_verilog -sv %s; hierarchy -top %s; proc; opt_clean; sim -r %s -scope %s_tb.dut -clock clk %s %s",
					mustAbs(t, reference(t, u)), u.Module(), file, u.Module(), flag, u.Module(),
				)
				text, status := command(t, dir, nil, "yosys", "-q", "-p", script)
				if status != 0 {
					require.Contains(t, text, "Signal difference")
				}
				res, err := cosim.Replay{Unit: u, Path: filepath.Join(dir, file), Scope: u.Module() + "_tb.dut",
					Clock: "clk"}.Run(t.Context())
				require.NoError(t, err)
				return status == 0, res.Divergence == nil
			}
			yosys, ours := verdicts(u.Module() + ".vcd")
			require.True(t, yosys)
			require.True(t, ours)

			column := len(set.Fields) - 1
			set.Rows[200][column] ^= 1
			var flipped bytes.Buffer
			require.NoError(t, set.WriteVCD(&flipped))
			other := u.Module() + "_flipped.vcd" // Yosys converts it in a common folder, under its name
			require.NoError(t, os.WriteFile(filepath.Join(dir, other), flipped.Bytes(), 0o644))
			yosys, ours = verdicts(other)
			require.False(t, yosys)
			require.False(t, ours)
		})
	}
}

func mustAbs(t *testing.T, path string) string {
	t.Helper()
	abs, err := filepath.Abs(path)
	require.NoError(t, err)
	return abs
}

// A waveform that a simulator wrote of our RTL, right and with each bug, compares as the testbench did.
func TestReplayOfASimulatorsWaveform(t *testing.T) {
	for _, simulator := range hdl.Simulators() {
		t.Run(simulator.Name, func(t *testing.T) {
			t.Parallel()
			if err := simulator.Available(); err != nil {
				t.Skipf("the replay of a waveform of %s was NOT run: %v", simulator.Name, err)
			}
			u, set, dir := exported(t, "pcs/encoder", 500)
			bug := u.Bugs[0]
			for source, wrong := range map[string]bool{reference(t, u): false, withBug(t, u, bug.Edits): true} {
				vcd := filepath.Join(t.TempDir(), "dump.vcd")
				results, err := simulator.Run(
					t.Context(),
					hdl.Job{Top: u.Module() + "_tb", Sources: []string{filepath.Join(dir, u.Module()+"_tb.sv"), source},
						Dir: dir, Trace: true, PlusArgs: [][]string{{"+vcd=" + vcd}}},
				)
				require.NoError(t, err)
				require.Equal(t, wrong, !results[0].Passed(), results[0].Output)
				text := results[0].Output
				scope := u.Module() + "_tb.dut"
				wave, err := os.ReadFile(vcd)
				require.NoError(t, err)
				if bytes.Contains(wave, []byte("module TOP ")) { // Verilator's, up to 5.04x
					scope = "TOP." + scope
				}
				res, err := cosim.Replay{Unit: u, Path: vcd, Scope: scope, Clock: "clk"}.Run(t.Context())
				require.NoError(t, err)
				if !wrong {
					require.Nil(t, res.Divergence)
					require.GreaterOrEqual(t, res.Cycles, len(set.Rows)-1)
					continue
				}
				require.NotNil(t, res.Divergence)
				require.Contains(t, text, fmt.Sprintf("FAIL cycle %d field %s wanted", res.Divergence.Cycle, res.Divergence.Field))
			}
		})
	}
}
