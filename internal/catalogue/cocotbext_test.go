package catalogue_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/catalogue"
	"github.com/goldwire/goldwire/internal/hdl"
)

// extensionBench is a cocotb test of testdata/cocotbext with other people's models of Ethernet and AXI4-Stream.
type extensionBench struct {
	test, top string
	units     []string // whose RTL it takes
	args      []string
	passes    string // its last words
}

// extensionBugs are a bug in each unit that frames or words meet: a piece of the RTL, and another in its place.
var extensionBugs = map[string][2]string{
	"pcs/encoder":            {"1: term_type = 8'h99;", "1: term_type = 8'haa;"},
	"pcs/scrambler":          {"state[57:19]} ^ {6'h0, state}", "state[57:19]} ^ {7'h0, state[57:1]}"},
	"pcs/tx_gearbox":         {"enable    <= earned >= 66;", "enable    <= earned >= 60;"},
	"pcs/rx_gearbox":         {"h[65:2] : 64'h0", "h[64:1] : 64'h0"},
	"pcs/block_sync":         {"sh_cnt == 7'd63;", "sh_cnt == 7'd63 && 1'b0;"},
	"pcs/descrambler":        {"line[58 + i - 39]", "line[58 + i - 38]"},
	"pcs/decoder":            {"8'h99: term_lane = 4'd1;", "8'h99: term_lane = 4'd2;"},
	"blocks/fifo":            {"assign ready = level != DEPTH;", "assign ready = 1'b1;"},
	"blocks/width_converter": {"pop ? bits >> OUT : bits;", "pop ? bits >> (OUT - 1) : bits;"},
}

var extensionBenches = []extensionBench{
	{
		test: "test_pcs", top: "pcs_top", passes: `PASS 400 frames, \d{5} blocks sent, \d{5} received`,
		units: []string{"pcs/encoder", "pcs/scrambler", "pcs/tx_gearbox", "pcs/rx_gearbox", "pcs/block_sync",
			"pcs/descrambler", "pcs/decoder"},
	},
	{
		test: "test_axis", top: "axis_top", units: []string{"blocks/fifo"},
		args:   []string{"BITS_IN=64", "BITS_OUT=64", "COMPILE_ARGS=-DUNIT=blocks_fifo"},
		passes: `PASS 2000 words in, 2000 words out`,
	},
	{
		test: "test_axis", top: "axis_top", units: []string{"blocks/width_converter"},
		args:   []string{"BITS_IN=64", "BITS_OUT=21", "COMPILE_ARGS=-DUNIT=blocks_width_converter"},
		passes: `PASS 2000 words in, 6095 words out`,
	},
}

// The models of cocotbext-eth and cocotbext-axi drive and check the RTL of the PCS and of two units with streams, and
// see a bug planted in any of them.
func TestCocotbExtensions(t *testing.T) {
	env := environment(t)
	if err := hdl.Icarus.Available(); err != nil {
		t.Skipf("cocotbext-eth and cocotbext-axi were NOT run: %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	pip := filepath.Join(env, "bin", "pip")
	install := exec.CommandContext(ctx, pip, "install", "-q", "cocotbext-eth", "cocotbext-axi")
	if out, err := install.CombinedOutput(); err != nil {
		t.Skipf("cocotbext-eth and cocotbext-axi were NOT run: %v: %s", err, out)
	}
	for _, b := range extensionBenches {
		t.Run(b.units[0], func(t *testing.T) {
			out := b.run(t, env, "")
			require.Regexp(t, `TESTS=1 PASS=1 FAIL=0`, out)
			require.Regexp(t, b.passes, out)
			t.Log(regexp.MustCompile(b.passes).FindString(out))
		})
		for _, name := range b.units {
			t.Run("bug in "+name, func(t *testing.T) {
				require.Contains(t, b.run(t, env, name), "TESTS=1 PASS=0 FAIL=1")
			})
		}
	}
}

// run runs a bench with the RTL of its units, one of them with the bug of extensionBugs.
func (b *extensionBench) run(t *testing.T, env, faulty string) string {
	dir := t.TempDir()
	data, err := filepath.Abs("testdata/cocotbext")
	require.NoError(t, err)
	sources := []string{filepath.Join(data, b.top+".v")}
	for _, name := range b.units {
		u, err := catalogue.Designs().Units().Find(name)
		require.NoError(t, err)
		text := u.RTL
		if name == faulty {
			bug := extensionBugs[name]
			require.Equal(t, 1, strings.Count(text, bug[0]), "%s: %s", name, bug[0])
			text = strings.Replace(text, bug[0], bug[1], 1)
		}
		path := filepath.Join(dir, strings.ReplaceAll(name, "/", "_")+".v")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		sources = append(sources, path)
	}
	makefile := "export BITS_IN BITS_OUT PYTHONPATH\ninclude $(shell cocotb-config --makefiles)/Makefile.sim\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "Makefile"), []byte(makefile), 0o600))
	args := append(slices.Clone(b.args), "-C", dir, "SIM=icarus", "TOPLEVEL_LANG=verilog", "COCOTB_TOPLEVEL="+b.top,
		"COCOTB_TEST_MODULES="+b.test, "PYTHONPATH="+data, "VERILOG_SOURCES="+strings.Join(sources, " "))
	return makeCocotb(t, env, "", args...)
}
