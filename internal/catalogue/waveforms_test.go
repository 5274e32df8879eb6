package catalogue_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim"
	"github.com/goldwire/goldwire/internal/catalogue"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/wave"
)

// Goldwire's own waveform of every module with one clock has every signal that a replay needs, and agrees with the
// module.
func TestOwnWaveformsReplay(t *testing.T) {
	replayed := 0
	for _, u := range catalogue.Designs().Units() {
		if len(u.Clocks) > 0 {
			continue
		}
		replayed++
		t.Run(strings.ReplaceAll(u.Name, "/", "_"), func(t *testing.T) {
			in, err := u.Simulate(rtl.Config{}, 5)
			require.NoError(t, err)
			path := filepath.Join(t.TempDir(), "dump.vcd")
			f, err := os.Create(path)
			require.NoError(t, err)
			v, err := wave.NewVCD(f, in.Sim, wave.Options{})
			require.NoError(t, err)
			const cycles = 200
			require.NoError(t, in.Clock.Run(cycles))
			require.NoError(t, v.Close())
			require.NoError(t, f.Close())
			m := cosim.Map{Reset: "none"}
			got, err := cosim.Replay{Unit: u, Path: path, Scope: "top.bench.dut", Clock: "top.clk", Map: m,
				Unknown: '0'}.Run(t.Context())
			require.NoError(t, err)
			require.Nil(t, got.Divergence)
			require.EqualValues(t, cycles, got.Cycles)
		})
	}
	require.Greater(t, replayed, 50)
}
