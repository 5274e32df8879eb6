package study

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/rifl"
)

// A packet takes whole flits, on any number of lanes, with any size of a frame and a beat.
func TestPacketFrames(t *testing.T) {
	for _, c := range []struct{ frameBits, lanes, width int }{
		{128, 1, 8}, {256, 1, 32}, {256, 3, 64}, {512, 2, 16}, {2048, 1, 256},
	} {
		cfg := rifl.Default()
		cfg.FrameBits, cfg.Lanes = c.frameBits, c.lanes
		const most = 700
		frames, err := packetFrames(t.Context(), cfg, c.width, most)
		require.NoError(t, err)
		require.Len(t, frames, most+1)
		flit := c.lanes * (c.frameBits/8 - 2)
		for n := 1; n <= most; n++ {
			require.Equal(t, c.lanes*((n+flit-1)/flit), frames[n], "%+v, %d bytes", c, n)
		}
	}
}

func TestPacketFramesErrors(t *testing.T) {
	cfg := rifl.Default()
	_, err := packetFrames(t.Context(), cfg, 24, 10)
	require.EqualError(t, err, "user interface of 24 bytes, want a power of two from 1 to 2048")
	cfg.Lanes = 9
	_, err = packetFrames(t.Context(), cfg, 32, 10)
	require.EqualError(t, err, "9 lanes, want 1 to 8")
	cfg.Lanes = 1
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = packetFrames(ctx, cfg, 32, 10)
	require.ErrorIs(t, err, context.Canceled)
}
