package cosim_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim"
)

// FuzzReplay: whatever the waveform, there is a verdict or one line.
func FuzzReplay(f *testing.F) {
	f.Add(
		"$timescale 1ns $end $scope module t $end $var wire 1 c clk $end $var wire 1 r rst $end $var wire 64 i in $end " +
			"$var wire 6 o out_index $end $var wire 1 v out_valid $end $enddefinitions $end\n#0\n0c 1r b0 i b0 o 0v\n#1\n" +
			"1c 0r\n#2\n0c\n#3\n1c\n",
	)
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(t.TempDir(), "dump.vcd")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		res, err := cosim.Replay{Unit: lowest(), Path: path, Scope: "t"}.Run(t.Context())
		if err != nil {
			require.NotContains(t, err.Error(), "\n")
			return
		}
		require.Positive(t, res.Cycles)
	})
}

// FuzzReadMap: whatever the map, it is read or refused in one line that names the file.
func FuzzReadMap(f *testing.F) {
	f.Add("clock: ~clk\nports: {in: 'a[3:0]'}\nstall: 0.5\nstreams: {in: {ready: r}}\n")
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(t.TempDir(), "map.yaml")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		if _, err := cosim.ReadMap(t.Context(), path); err != nil {
			require.NotContains(t, err.Error(), "\n")
			require.Contains(t, err.Error(), "map.yaml")
		}
	})
}
