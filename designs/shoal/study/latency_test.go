package study

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/experiment"

	"github.com/goldwire/goldwire/designs/shoal"
)

// A word's way through the rack, by the paper's figures (§4.1, §6.1, §6.2, Fig. 6), with every cycle counted between
// edges: 50 cycles a switch, 90 for MAC and PHY of both ends, 4 and 5 in the NIC, slots of 12 cycles, epochs of 84. A
// wire of a fraction of a cycle makes each of the four FIFOs shorter by that fraction, and nothing else: its four edges
// begin at the next edge of the distributed clock.
func TestLatencyByHand(t *testing.T) {
	for _, c := range []struct {
		wire          string
		cycles, spare *big.Rat // of the wire; of it beyond whole cycles
	}{{"12.8ns", big.NewRat(2, 1), new(big.Rat)}, {"10ns", big.NewRat(25, 16), big.NewRat(9, 16)},
		{"14.4ns", big.NewRat(9, 4), big.NewRat(1, 4)}} {
		run := experiment.Run{Seed: 1}
		r, err := runLatency(t.Context(), &run, latencyPoint{Wire: clock.MustTime(c.wire), Bytes: shoal.CellBytes})
		require.NoError(t, err)
		for _, hop := range [][2]string{{placeLeafIn, placeLeafOut}, {placeSpineIn, placeSpineOut},
			{placeDownIn, placeDownOut}} {
			got, err := r.Cycles(hop[0], hop[1])
			require.NoError(t, err)
			require.Equal(
				t, new(big.Rat).Sub(big.NewRat(50, 1), c.spare).RatString(), got.RatString(), "%s to %s, wires of %s",
				hop[0], hop[1], c.wire,
			)
		}
		for _, wire := range [][2]string{{placeLeafOut, placeSpineIn}, {placeSpineOut, placeDownIn},
			{placeDownOut, placeNode}} {
			got, err := r.Cycles(wire[0], wire[1])
			require.NoError(t, err)
			require.Equal(t, c.cycles.RatString(), got.RatString(), "%s to %s, wires of %s", wire[0], wire[1], c.wire)
		}
		got, err := r.Cycles(placeMAC, placeArrived)
		require.NoError(t, err)
		one := new(big.Rat).Sub(c.cycles, c.spare) // what a wire and its FIFO's gain come to
		want := new(big.Rat).Add(big.NewRat(3*50+90, 1), one.Mul(one, big.NewRat(4, 1)))
		require.Equal(t, want.RatString(), got.RatString(), "node to node, wires of %s", c.wire)
		require.Equal(t, []int{4, 5, 12, 84}, []int{r.Tx, r.Rx, r.Slot, r.Epoch})
	}
}
