package study

import (
	"math/rand/v2"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/workload"

	"github.com/goldwire/goldwire/designs/edm"
)

// mixed returns messages of all types and many sizes between any two nodes, crowded.
func mixed(seed uint64, nodes, messages, most int, interval int64) []workload.Message {
	rng := rand.New(rand.NewPCG(seed, 1))
	var m []workload.Message
	at := int64(0)
	for id := range messages {
		at += rng.Int64N(2*interval + 1)
		s := rng.IntN(nodes)
		x := workload.Message{
			ID: uint64(id), Type: workload.MessageType(rng.IntN(3)), Source: s, Dest: (s + 1 + rng.IntN(nodes-1)) % nodes,
			Bytes: 1 + rng.IntN(most), Start: at,
		}
		if x.Type == workload.CompareSwap {
			x.Bytes = 1
		}
		m = append(m, x)
	}
	return m
}

func finished(t require.TestingT, r *edm.Result) {
	require.Empty(t, r.Monitor.Violations)
	require.Zero(t, r.Monitor.Count)
	for _, m := range r.Messages {
		require.True(t, m.Finished, "message %d", m.ID)
		require.Positive(t, m.Latency(), "message %d", m.ID)
	}
}
