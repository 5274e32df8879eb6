//go:build soak

package emit_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim"
	"github.com/goldwire/goldwire/internal/catalogue"
	"github.com/goldwire/goldwire/internal/emit"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// Every unit's Verilog is in lockstep with its module, or the record says why there is none.
func TestCatalogue(t *testing.T) {
	var modules []rtl.Module
	var units []vectors.Unit
	for _, u := range catalogue.Designs().Units() {
		if u.Assemble != nil { // TestTwoClocks
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
		_, why := emit.Recorded(u.Name)
		if err != nil {
			require.NotEmptyf(t, why, "%s: %v", u.Name, err)
			require.ErrorContains(t, err, why)
			continue
		}
		require.Empty(t, why, u.Name)
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
