package study

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/workload"
	"github.com/goldwire/goldwire/workload/measure"

	"github.com/goldwire/goldwire/designs/edm"
)

// Blocks of messages in chunks of 256 bytes, worked out by hand. A message of n bytes is an /MS/, an /MT/ and a block
// for each 8 bytes between them.
//
// A read of 600 bytes asks with one request, whose grant it is; two more grants go to the memory node. Its data comes
// in chunks of 256, 256 and 88 bytes, 32 + 32 + 11 blocks and a frame for each. A write of 600 bytes has one /N/ and a
// /G/ for each chunk.
func TestBlocksOfAMessage(t *testing.T) {
	request := float64(edm.MessageBlocks(edm.RREQ, 0))
	chunks := func(k edm.Kind, bytes ...int) (sum float64) {
		for _, n := range bytes {
			sum += float64(edm.MessageBlocks(k, n))
		}
		return sum
	}
	read := chunks(edm.RRES, 256, 256, 88)
	require.Equal(t, measure.Demand{SourceUp: request, SourceDown: read, DestUp: read, DestDown: request + 2},
		lineBlocks(workload.Read, 600, 256))
	write := chunks(edm.WREQ, 256, 256, 88)
	require.Equal(t, measure.Demand{SourceUp: 1 + write, SourceDown: 3, DestDown: write},
		lineBlocks(workload.Write, 600, 256))
	require.Equal(t, 75.0+3*2, read, "data and a frame of two blocks for each chunk")
	// a piece of its own asks and notifies again
	two := lineBlocks(workload.Write, edm.MostPiece+8, 256)
	one := lineBlocks(workload.Write, edm.MostPiece, 256)
	require.InDelta(t, 1+chunks(edm.WREQ, 8), two.SourceUp-one.SourceUp, 1e-9)
	require.InDelta(t, 1, two.SourceDown-one.SourceDown, 1e-9)
	// at 100 Gb/s a block takes 640 ps
	cfg := edm.Config{Chunk: 256, Lanes: 4}
	require.InDelta(t, 640*read, blockTime(workload.Read, 600, cfg).DestUp, 1e-6)
}

// Four nodes ask four for reads of 1,000 bytes of which the line needs 160 ns: at a load of the line of 0.5 a message
// comes every 320 ns, in which 100 Gb/s carry 4,000 bytes, so that the load of the payload is 0.25. Four links carry
// 400 Gb/s at a load of 1.
func TestOfferByHand(t *testing.T) {
	traffic := measure.Traffic{Nodes: 8, Sizes: workload.Fixed(1000), Reads: 1}
	line := func(workload.MessageType, int) measure.Demand { return measure.Demand{SourceDown: 160_000} }
	o, err := Load{Offered: 0.5}.offer(traffic, 100, line)
	require.NoError(t, err)
	require.InDelta(t, 320_000, o.interval, 1e-6)
	require.InDelta(t, 0.5, o.line, 1e-12)
	require.InDelta(t, 0.25, o.payload, 1e-12)
	require.InDelta(t, 400, o.gbpsOfShares, 1e-9)
	o, err = Load{Offered: 0.5, Of: payloadLoad}.offer(traffic, 100, line)
	require.NoError(t, err)
	require.InDelta(t, 160_000, o.interval, 1e-6)
	require.InDelta(t, 1, o.line, 1e-12)
	require.InDelta(t, 0.5, o.payload, 1e-12)
	_, err = Load{}.offer(traffic, 100, line)
	require.EqualError(t, err, "load 0, want more than 0")
}
