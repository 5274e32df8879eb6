package edm

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/rtl"
)

func TestMirrorModes(t *testing.T) {
	for _, lanes := range []int{1, 4} {
		var want uint64
		for i, sim := range modes {
			var hash *rtl.TraceHash
			r, err := Run(
				t.Context(),
				Config{Nodes: 4, Lanes: lanes, Mirror: true, FailStop: true, Slack: SlackRMW, Sim: sim},
				mixed(5, 4, portion(40), 300, 3000),
				Options{Prepare: func(n *Network) {
					hash = rtl.NewTraceHash(n.Sim)
					require.NoError(t, n.KillSwitch(0, 500))
				}},
			)
			require.NoError(t, err)
			finished(t, r)
			if i == 0 {
				want = hash.Sum()
			}
			require.Equal(t, want, hash.Sum(), "%v", sim)
		}
	}
}

func TestMirrorDoesNotAllocatePerCycle(t *testing.T) {
	n, err := NewNetwork(Config{Nodes: 4, Lanes: 4, Mirror: true})
	require.NoError(t, err)
	for i, h := range n.Hosts {
		for k := range 2000 {
			h.App.Requests = append(
				h.App.Requests,
				Timed{
					uint64(300 + 20*k),
					Request{Kind: Kind(2 * (k % 2)), Dest: uint16((i + 1 + k%3) % 4), Address: uint64(64 * k % 1024), Bytes: 64},
				},
			)
		}
	}
	// all places of the memories have been written, all IDs of a pair have been used
	require.NoError(t, n.Clock.Run(12_000))
	require.Zero(t, testing.AllocsPerRun(5, func() { _ = n.Clock.Run(1000) }))
	require.Greater(t, n.Hosts[0].App.Asked(), 100)
}

func TestBadPlans(t *testing.T) {
	n, err := NewNetwork(Config{Nodes: 2})
	require.NoError(t, err)
	require.Error(t, n.CutLink(1, 0, true, 5), "there is one switch")
	require.Error(t, n.KillSwitch(-1, 5))
	require.Error(t, n.KillNode(2, 5))
	require.Error(t, n.FlipBits(0, 7, false, 1))
	require.Error(t, n.BitErrors(0, 1, true, 2, 1), "a rate above 1")
	require.NoError(t, n.BitErrors(0, 1, true, 1e-3, 1))
	require.NoError(t, n.FlipBits(0, 0, true, 5, 3))
	require.NoError(t, n.Clock.Run(2000))
	require.True(t, n.Disabled(), "an idle line with that many errors is seen to be bad")
}
