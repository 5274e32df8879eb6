package cosim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/blocks/units"
	"github.com/goldwire/goldwire/cosim"
	"github.com/goldwire/goldwire/internal/formal"
)

// A command for one clock refuses a unit of several in a line, before it runs anything.
func TestSeveralClocksAreRefused(t *testing.T) {
	u, err := units.Units().Find("blocks/async_fifo")
	require.NoError(t, err)
	_, err = cosim.Prove(t.Context(), cosim.Options{Unit: u}, formal.Options{})
	require.EqualError(t, err, "unit blocks/async_fifo has 2 clocks: a proof knows one; cosim and vectors take several")
	_, err = cosim.Replay{Unit: u, Path: "none.vcd"}.Run(t.Context())
	require.EqualError(
		t, err, "unit blocks/async_fifo has 2 clocks: a replay samples at one; cosim and vectors take several",
	)
	// any file does: it is not read
	for _, opt := range []cosim.Options{{Extra: 1}, {Map: cosim.Map{Enable: "ce"}},
		{Map: cosim.Map{Extra: map[string]int{"read_data": 1}}}} {
		opt.Unit, opt.Design = u, cosim.Design{Sources: []string{"clocks_test.go"}, Top: "none"}
		_, err := cosim.Start(t.Context(), opt)
		require.EqualError(
			t, err, "unit blocks/async_fifo has 2 clocks: its rows are instants, so that extra and enable mean nothing",
		)
	}
}
