package vectors_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// A cell is as wide as its widest word in WaveDrom's letters: 16 digits of 11 pt take 131 pixels, so that three cycles
// of 40 pixels are too few and four are enough.
func TestWordsFitTheirCells(t *testing.T) {
	for width, want := range map[int]int{1: 1, 8: 1, 12: 1, 16: 2, 32: 2, 40: 3, 48: 3, 52: 4, 64: 4} {
		s := &vectors.Set{
			Unit: "test/picture", Clock: clock.Block25G, Rows: [][]uint64{{1, 1}, {0, 1}},
			Fields: []vectors.Field{
				{Port: "in", Name: "in", Dir: rtl.Input, Width: width}, {Port: "out", Name: "out", Dir: rtl.Output, Width: 1},
			},
		}
		text, err := s.WaveJSON(0, 2)
		require.NoError(t, err)
		var doc struct{ Config struct{ Hscale int } }
		require.NoError(t, json.Unmarshal(text, &doc))
		require.Equal(t, want, doc.Config.Hscale, "%d bits", width)
	}
}
