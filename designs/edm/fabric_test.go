package edm_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/edm"
	"github.com/goldwire/goldwire/peers/ethernet"
	"github.com/goldwire/goldwire/peers/packetnet"
	"github.com/goldwire/goldwire/workload"
	"github.com/goldwire/goldwire/workload/measure"
)

// Every network carries the same messages behind the same interface, gives them back in their order, and none is faster
// than its bytes on a link of 25 Gb/s and two links of 48 ns.
func TestEveryNetworkIsAFabric(t *testing.T) {
	peer := packetnet.DefaultConfig(packetnet.DCTCP)
	peer.Nodes, peer.RateGbps = 4, 25
	messages := []workload.Message{
		{ID: 7, Type: workload.Write, Source: 2, Dest: 0, Bytes: 640, Start: 3_000_000},
		{ID: 3, Type: workload.Read, Source: 0, Dest: 1, Bytes: 64},
		{ID: 9, Type: workload.Write, Source: 1, Dest: 3, Bytes: 200, Start: 1_000_000},
	}
	for name, f := range map[string]measure.Fabric{
		"EDM": edm.Fabric{Config: edm.Config{Nodes: 4}}, "ethernet": ethernet.Fabric{Config: ethernet.Config{Ports: 4}},
		"DCTCP": &packetnet.Fabric{Config: peer},
	} {
		results, err := f.Run(t.Context(), messages)
		require.NoError(t, err, name)
		require.Len(t, results, len(messages))
		for i, r := range results {
			require.Equal(t, messages[i], r.Message, name)
			require.True(t, r.Finished, name)
			require.GreaterOrEqual(t, r.Latency(), int64(r.Bytes)*320+96_000, name)
		}
	}
	_, err := edm.Fabric{Config: edm.Config{Nodes: 4}}.Run(t.Context(), []workload.Message{{Source: 5, Dest: 1, Bytes: 8}})
	require.ErrorContains(t, err, "from node 5 to node 1")
}
