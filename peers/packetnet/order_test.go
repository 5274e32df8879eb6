package packetnet

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/workload"
)

func startedNDP(t *testing.T) *ndp {
	cfg := DefaultConfig(NDP)
	cfg.Nodes = 3
	var all []workload.Message
	for from := range 2 {
		all = append(all, workload.Message{Type: workload.Write, Source: from, Dest: 2, Bytes: 100_000})
	}
	f, err := newFabric(cfg, all)
	require.NoError(t, err)
	f.build()
	h := f.hosts.(*ndp)
	h.start(0)
	h.start(1)
	return h
}

// A sender that has both sends frames that were trimmed before new ones.
func TestNDPSendsAgainBeforeNew(t *testing.T) {
	h := startedNDP(t)
	at := h.flows[0].state
	h.push(&h.pool[at].again, h.packet(packet{flow: 0, payload: 7, wire: 90, kind: data}))
	h.serve(0)
	require.Zero(t, h.flows[0].sent)
	require.EqualValues(t, 1, h.result.Retransmissions)
	h.ports[0].busy = false
	h.serve(0)
	require.Equal(t, h.mss, h.flows[0].sent)
}

// Pulls go to the transfers of a receiver in turn, the one that has waited longest first.
func TestNDPPullsInTurn(t *testing.T) {
	h := startedNDP(t)
	first, second := h.flows[0].state, h.flows[2].state
	h.pool[first].pulls, h.pool[second].pulls = 2, 2
	h.queuePull(2, first)
	h.queuePull(2, second)
	var order []int32
	for range 4 {
		order = append(order, h.pulling[2].head)
		h.next[2] = h.Now
		h.pace(2)
	}
	require.Equal(t, []int32{first, second, first, second}, order)
	require.Zero(t, h.pulling[2].head)
}
