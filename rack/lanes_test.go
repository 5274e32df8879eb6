package rack

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/pcs"

	"github.com/goldwire/goldwire/designs/rifl"
)

// A stream of blocks is their bits in order, sync header first and the lowest bit first; a beat is there when the
// last of its blocks is.
func TestBlockStream(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	blocks := make([]pcs.Block, 37)
	for i := range blocks {
		blocks[i] = pcs.Block{Header: uint8(1 + i%2), Payload: rng.Uint64(), Valid: true}
	}
	s := &blockStream{blocks: blocks, start: 100, num: 7, den: 25}
	var bits []byte
	for beat := 0; ; beat++ {
		data := make([]uint64, 4)
		c, ready := s.Next(data, 32)
		if !c.Valid {
			break
		}
		for i := range 256 {
			bits = append(bits, byte(data[i/64]>>(i%64)&1))
		}
		last := min((beat+1)*256-1, 37*66-1) / 66
		require.EqualValues(t, 100+((last+1)*7+24)/25, ready, "beat %d", beat)
		require.Equal(t, last == 36 && (beat+1)*256 >= 37*66, c.Last)
	}
	for i, b := range blocks {
		var header, payload uint64
		for k := range 2 {
			header |= uint64(bits[i*66+k]) << k
		}
		for k := range 64 {
			payload |= uint64(bits[i*66+2+k]) << k
		}
		require.EqualValues(t, b.Header, header)
		require.Equal(t, b.Payload, payload, "block %d", i)
	}
}

// EDM over RIFL lanes with bit errors: every block comes in time and equal, every message finishes, and the messages
// take longer by the play-out's delay on each link. Play-out for one pass is not enough where two passes meet.
func TestEDMOverRIFL(t *testing.T) {
	q := lanesPoint{Nodes: 4, Metres: 2, Passes: 2, Load: 0.4, Messages: 300, BER: 1e-7}
	r, err := runLanes(t.Context(), &experiment.Run{Seed: 1}, q)
	require.NoError(t, err)
	require.Positive(t, r.Flips)
	require.Zero(t, r.Late)
	require.Equal(t, 300, r.Finished)
	require.LessOrEqual(t, r.Worst, r.Playout)
	require.Greater(t, r.Blocks, uint64(8*5000))
	frame := rifl.Default().FrameNs()
	require.InDelta(t, r.Clean, 48+28*frame/4, 20*frame, "a cable of 48 ns and some 20 frames")
	require.Greater(t, r.Pass, 32*frame, "half of the 64 frames' IDs at least")
	require.Greater(t, r.Mean-r.Plain, 2*(r.Playout-48)-100)

	q.BER = 1e-6
	r, err = runLanes(t.Context(), &experiment.Run{Seed: 1}, q)
	require.NoError(t, err)
	require.Positive(t, r.Late, "an error every 40 us, and 80 us to catch up with a pass")
}
