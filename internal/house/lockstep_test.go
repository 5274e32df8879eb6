package house_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim"
	"github.com/goldwire/goldwire/hdl"
	"github.com/goldwire/goldwire/internal/house"
	"github.com/goldwire/goldwire/vectors"
)

// reference returns a file with the project's own RTL of a unit.
func reference(t *testing.T, u vectors.Unit) string {
	t.Helper()
	text := []byte(u.RTL)
	path := filepath.Join(t.TempDir(), u.Module()+".v")
	require.NoError(t, os.WriteFile(path, text, 0o644))
	return path
}

// Model and RTL of every unit agree in every cycle of a million at least.
func TestLockstep(t *testing.T) {
	if err := cosim.Verilator.Available(); err != nil {
		t.Skipf("the lockstep of the RTL was NOT run: %v", err)
	}
	for _, u := range house.Designs().Units() {
		t.Run(u.Module(), func(t *testing.T) {
			t.Parallel()
			s, err := cosim.Start(t.Context(), cosim.Options{Unit: u, Dirty: cosim.DefaultDirty, Seed: 11,
				Design: cosim.Design{Sources: []string{reference(t, u)}, Top: u.Module(), Simulator: cosim.Verilator}})
			require.NoError(t, err)
			defer s.Close()
			res, err := s.Run(t.Context(), cosim.Stimulus{Cycles: lockstepCycles, Seed: 11}, nil)
			require.NoError(t, err)
			if res.Divergence != nil {
				var text strings.Builder
				res.Divergence.Write(&text)
				t.Fatal(text.String())
			}
			require.Equal(t, lockstepCycles, res.Cycles)
		})
	}
}

func TestMain(m *testing.M) {
	code := m.Run()
	hdl.RemoveRuntime()
	os.Exit(code)
}
