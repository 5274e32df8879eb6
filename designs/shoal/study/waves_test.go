package study

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/wave"
)

// A run of Figure 9 with a waveform is one bit by bit, another engine than without, and has the same result.
func TestCellSizeBitByBit(t *testing.T) {
	for _, cell := range []string{"64", "256"} {
		var throughput [2]float64
		for k := range throughput {
			p := cellSize.Params()
			require.NoError(t, p.Find("cell").Set(cell))
			require.NoError(t, p.Find("epochs").Set("10"))
			opt := experiment.Options{Seed: 3}
			if k == 1 {
				path := filepath.Join(t.TempDir(), "cells.vcd")
				opt.Waves = &experiment.Waves{VCD: path, Options: wave.Options{From: 400, To: 410}}
				defer func() {
					info, err := os.Stat(path)
					require.NoError(t, err)
					require.Positive(t, info.Size())
				}()
			}
			out, err := cellSize.Run(t.Context(), p, opt)
			require.NoError(t, err)
			throughput[k] = out.Points[0].Result.(cellSizeResult).Throughput
		}
		require.Positive(t, throughput[0])
		require.InDelta(t, throughput[0], throughput[1], 0, "cells of %s bytes", cell)
	}
}

func TestCellSizeWaveformIsBounded(t *testing.T) {
	_, err := runCellSize(
		t.Context(), &experiment.Run{Seed: 1, Waves: &experiment.Waves{}},
		CellSizePoint{Bytes: 64, Schedule: "cyclic", Epochs: 10_000},
	)
	require.ErrorContains(t, err, "want --epochs of at most 2240")
}

// The first damaged cell of a node on its own clock is a fault, whose cycles are recorded.
func TestOwnClockRecordsTheFault(t *testing.T) {
	for _, c := range []struct {
		ppm  string
		seen bool
	}{{"0", false}, {"400", true}} {
		p := ownClock.Params()
		require.NoError(t, p.Find("ppm").Set(c.ppm))
		require.NoError(t, p.Find("slots").Set("100"))
		path := filepath.Join(t.TempDir(), "damage.vcd")
		_, err := ownClock.Run(
			t.Context(), p, experiment.Options{Seed: 1, Waves: &experiment.Waves{OnFault: path, Recorded: 10}},
		)
		require.NoError(t, err)
		if c.seen {
			require.FileExists(t, path)
		} else {
			require.NoFileExists(t, path)
		}
	}
}
