package pcs_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// The endpoint's receiver finds the blocks, has frames and sees a high error rate; its transmitter stops the MAC.
func TestEndpointUnit(t *testing.T) {
	in, err := pcs.EndpointUnit().Simulate(rtl.Config{}, 1)
	require.NoError(t, err)
	seen := &columns{in: in, row: make([]uint64, len(in.Fields)), ones: map[string]int{}}
	in.Observe(seen)
	const rows = 400_000
	require.NoError(t, in.Run(rows))
	require.Greater(t, seen.ones["lock"], rows/2)
	for _, name := range []string{"hi_ber", "enable", "out_valid", "start"} {
		require.Greater(t, seen.ones[name], 1000, name)
		require.Less(t, seen.ones[name], rows-1000, name)
	}
}

// columns counts the rows in which fields of one bit are 1, and those with the start of a frame at the XGMII.
type columns struct {
	in   *vectors.Instance
	row  []uint64
	ones map[string]int
}

func (c *columns) Observe(rtl.Edges) {
	c.in.Row(c.row)
	var out pcs.XGMII
	for i, f := range c.in.Fields {
		if f.Width == 1 && c.row[i] == 1 {
			c.ones[f.Name]++
		}
		switch f.Name {
		case "out_data":
			out.Data = c.row[i]
		case "out_ctrl":
			out.Ctrl = uint8(c.row[i])
		case "out_valid":
			out.Valid = c.row[i] == 1
		}
	}
	if char, ctrl := out.Lane(0); out.Valid && ctrl && char == pcs.CharStart {
		c.ones["start"]++
	}
}
