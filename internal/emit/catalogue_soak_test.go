//go:build soak

package emit_test

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim"
	"github.com/goldwire/goldwire/internal/catalogue"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// refused are the rows of docs/verilog.md that say why a unit's Verilog is not written.
var refused = regexp.MustCompile("(?m)^\\| `([a-z0-9_/]+)` \\| (.+) \\|$")

// Every unit's Verilog is in lockstep with its module, or docs/verilog.md says why there is none.
func TestCatalogue(t *testing.T) {
	page, err := os.ReadFile("../../docs/verilog.md")
	require.NoError(t, err)
	said := map[string]string{}
	for _, row := range refused.FindAllStringSubmatch(string(page), -1) {
		said[row[1]] = row[2]
	}
	var modules []rtl.Module
	var units []vectors.Unit
	for _, u := range catalogue.Designs().Units() {
		if u.Assemble != nil {
			require.Contains(t, said, u.Name)
			continue
		}
		in, err := u.Simulate(rtl.Config{}, 1)
		require.NoError(t, err)
		units, modules = append(units, u), append(modules, in.Module)
	}
	src := load(t, modules...)
	written := 0
	for i, u := range units {
		c, err := src.Circuit(modules[i], u.Module())
		if err != nil {
			require.NotEmptyf(t, said[u.Name], "%s: %v", u.Name, err)
			require.ErrorContains(t, err, said[u.Name])
			continue
		}
		require.NotContains(t, said, u.Name)
		if written++; c.Large() {
			t.Logf("%s: %d operations, NOT run: no simulator compiles it in a reasonable time", u.Name, c.Nodes)
			continue
		}
		path := t.TempDir() + "/" + u.Module() + ".v"
		require.NoError(t, os.WriteFile(path, []byte(c.Verilog()), 0o600))
		lockstep(t, u, path, cosim.Verilator, 1_000_000)
	}
	t.Logf("%d of %d units written", written, len(units))
}
