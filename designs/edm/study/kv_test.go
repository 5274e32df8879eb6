package study

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/peers/ethernet"
	"github.com/goldwire/goldwire/workload"

	"github.com/goldwire/goldwire/designs/edm"
)

// By hand: an RREQ is 2 blocks; a write of 100 B is an /N/, an /MS/, an address, 12 whole words and an /MT/, 16 blocks.
// Over RoCEv2 a read request is 78 bytes from destination address to FCS, a write 178, and each has 8 of preamble and
// 12 of gap (package ethernet's README). 25 Gb/s are a block every 2.56 ns, or a byte every 0.32 ns.
func TestRequestLink(t *testing.T) {
	const requests, seed = 400, 3
	k, err := runKV(t.Context(), "A", requests, seed, edm.Options{})
	require.NoError(t, err)
	messages, err := kvMessages("A", requests, seed)
	require.NoError(t, err)
	writes := writeShare(messages)
	require.InEpsilon(t, 1e9/(2.56*(2*(1-writes)+16*writes)), k.EDMRequestLink, 1e-9)

	mix, err := ethernet.Mix{
		Writes: writes, ReadBytes: workload.YCSBReadBytes, WriteBytes: 100, Requests: requests, Seed: seed,
	}.Messages()
	require.NoError(t, err)
	writes = writeShare(mix)
	require.InEpsilon(t, 1e9/(0.32*(98*(1-writes)+198*writes)), k.RDMARequestLink, 1e-9)
	require.InEpsilon(t, k.EDMRequestLink/k.RDMARequestLink, k.RatioRequest, 1e-12)
}
