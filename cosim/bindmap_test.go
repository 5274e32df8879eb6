package cosim_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/blocks/units"
	"github.com/goldwire/goldwire/cosim"
)

// A FIFO whose ports do not bind by their names is given a map with its streams. With the usual names it is complete:
// it binds as it is.
func TestMapToBeginWith(t *testing.T) {
	write := func(t *testing.T, text string) cosim.Map {
		path := filepath.Join(t.TempDir(), "map.yaml")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		m, err := cosim.ReadMap(t.Context(), path)
		require.NoError(t, err)
		return m
	}
	for file, want := range map[string]string{
		"sfifo.v": "~o_full", "fifo_1r1w.sv": "yumi_i", "axis_fifo.v": "s_axis_tready", "skidbuffer.v": "o_ready",
		"fifo_v3.sv": "~full_o", "prim_fifo_sync.sv": "wready_o", "afifo.v": "~o_wr_full", "async_fifo.v": "rinc",
		"cdc_fifo_gray.sv": "src_ready_o",
	} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			name := "blocks/fifo"
			if strings.Contains("afifo.v async_fifo.v cdc_fifo_gray.sv", file) {
				name = "blocks/async_fifo"
			}
			u, err := units.Units().Find(name)
			require.NoError(t, err)
			text, err := os.ReadFile(filepath.Join("testdata/cores", file))
			require.NoError(t, err)
			bind := func(m cosim.Map) error {
				_, err := start(t, string(text), func(o *cosim.Options) {
					o.Unit, o.Map, o.BindOnly = u, m, true
					o.Design.Top = strings.TrimSuffix(file, filepath.Ext(file))
				})
				return err
			}
			var misfits *cosim.BindError
			require.ErrorAs(t, bind(cosim.Map{}), &misfits)
			require.Contains(t, misfits.Map, "{ready: ")
			require.Contains(t, misfits.Map, want)
			require.NotContains(t, misfits.Map, "…")
			require.NoError(t, bind(write(t, misfits.Map)))
		})
	}
	// the map of an ordinary FIFO makes it agree
	fifo := wordsOptions(t, 0)
	_, err := start(t, wordsRTL, func(o *cosim.Options) { icarus(o); fifo(o); o.Map = cosim.Map{} })
	var misfits *cosim.BindError
	require.ErrorAs(t, err, &misfits)
	m := write(t, misfits.Map)
	s, err := start(t, wordsRTL, func(o *cosim.Options) { icarus(o); fifo(o); o.Map = m })
	agree(t, s, err)
	// names that say nothing stay open
	text := strings.NewReplacer("wr_en", "alpha", "din", "beta", "rd_en", "gamma").Replace(wordsRTL)
	_, err = start(t, text, func(o *cosim.Options) { icarus(o); fifo(o); o.Map = cosim.Map{} })
	require.ErrorAs(t, err, &misfits)
	require.Contains(t, misfits.Map, "  in_valid: …\n")
	require.Contains(t, misfits.Map, "  out: {ready: …, stall: 0.2}\n")
}
