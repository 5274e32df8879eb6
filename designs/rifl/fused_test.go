package rifl

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/rtl/fused"
)

// The generated code runs links of one lane and of four, and everything that it delivers was sent, in order, as with
// modules, flipped bits and their retransmissions included. Registers, wires and checkpoints are compared by
// TestDesign.
func TestFusedLinkCarriesTraffic(t *testing.T) {
	for _, lanes := range []int{1, 4} {
		var links []*Link
		for _, plain := range []bool{false, true} {
			cfg := LinkConfig{Config: Default(), Sim: rtl.Config{Plain: plain}}
			cfg.Lanes, cfg.IDBits, cfg.UpBit = lanes, 6, 6
			l := twoWay(t, cfg, 1, 900)
			run := func(frames uint64) { require.NoError(t, l.Ends[0].Frame.Run(frames)) }
			run(cfg.Settle())
			line := l.Ends[1].Lanes[lanes-1].Line
			require.NoError(t, line.Flip(line.Position()+12_345))
			run(50)
			run(3)
			run(700)
			intact(t, l, 200)
			require.Equal(t, !plain, fused.Shapes(l.Sim)[0].Ran, "%d lanes", lanes)
			links = append(links, l)
		}
		for e := range 2 {
			fused, plain := links[0].Ends[e], links[1].Ends[e]
			require.Equal(t, plain.Validator.Arrived(), fused.Validator.Arrived(), "%d lanes, end %d", lanes, e)
			require.Equal(t, plain.Generator.Taken(), fused.Generator.Taken(), "%d lanes, end %d", lanes, e)
		}
		require.NotZero(t, links[0].Ends[1].Lanes[lanes-1].Line.loss.Count())
	}
}
