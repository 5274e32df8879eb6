package study

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/peers/packetnet"
	"github.com/goldwire/goldwire/workload"

	"github.com/goldwire/goldwire/designs/shoal"
)

// A rack that carries messages: a cell that can leave in slot 0 or, since it came in its middle, in slot 2, and goes
// straight or by another node; its time counts from the message's start to the end of a slot.
func TestRackCarriesMessages(t *testing.T) {
	f := &Network{
		Fabric: shoal.FabricParams{Nodes: 9, Channels: 1, Schedule: "half-epoch", Pair: shoal.PairTurns}, Limit: 1e9,
	}
	results, err := f.Run(t.Context(), []workload.Message{
		{ID: 5, Type: workload.Write, Source: 0, Dest: 1, Bytes: 56, Start: SlotPicoseconds + 1},
		{ID: 6, Type: workload.Write, Source: 3, Dest: 4, Bytes: 56_000},
		{ID: 7, Type: workload.Write, Source: 2, Dest: 1, Bytes: 1, Start: 2e9}})
	require.NoError(t, err)
	require.Equal(t, []bool{true, true, false}, []bool{results[0].Finished, results[1].Finished, results[2].Finished})
	require.Zero(t, results[0].Finish%SlotPicoseconds)
	// no earlier than the end of slot 2, no later than two epochs after it
	require.GreaterOrEqual(t, results[0].Finish, int64(3*SlotPicoseconds))
	require.LessOrEqual(t, results[0].Finish, int64((3+16)*SlotPicoseconds))
	// 1,000 cells: eight slots of nine reach somebody, one a slot
	require.GreaterOrEqual(t, results[1].Finish, int64(1000*SlotPicoseconds))
	require.LessOrEqual(t, results[1].Finish, int64(1300*SlotPicoseconds))

	_, err = f.Run(t.Context(), []workload.Message{{ID: 1, Type: workload.CompareSwap, Source: 0, Dest: 1, Bytes: 8}})
	require.EqualError(t, err, "message 0 (ID 1): cas of 8 bytes, want a read or write of 1 to 939524096")
}

// A third of the nodes has 84 % of the flows within itself, and the others are not within it; flows come a mean
// interval apart.
func TestSkewedFlows(t *testing.T) {
	const n = 20_000
	flows := skewedFlows(90, n, workload.Fixed(100), 12.65, 3)
	degree := make([]int, 90)
	for _, f := range flows {
		require.NotEqual(t, f.Source, f.Dest)
		degree[f.Source]++
		degree[f.Dest]++
	}
	slices.Sort(degree)
	busy := 0
	for _, d := range degree[60:] {
		busy += d
	}
	// 84 % have both ends among 30 nodes; of the others, one of 90 × 89 - 30 × 29 ordered pairs each, 2 × 30 × 60 have one
	// end there
	want := (2*0.84 + 0.16*3600/(90*89-30*29)) * n
	require.InEpsilon(t, want, float64(busy), 0.01)
	require.InEpsilon(t, 12_650.0, float64(flows[n-1].Start)/n, 0.03)
}

// The peers are built as §7.3 describes them.
func TestPeersAreThoseOfThePaper(t *testing.T) {
	p := defaultNetwork()
	for _, s := range []packetnet.Scheme{packetnet.DCTCP, packetnet.DCQCN, packetnet.NDP} {
		c := p.peer(s, 1)
		n, err := c.Switches()
		require.NoError(t, err)
		require.Equal(t, []int{512, 24, 50, 1500}, []int{c.Nodes, n, c.RateGbps, c.MTU})
		require.Equal(t, s == packetnet.NDP, c.Spray)
	}
	require.Equal(t, []int{35, 12}, []int{p.peer(packetnet.NDP, 1).FirstPackets, p.peer(packetnet.NDP, 1).QueuePackets})
	d := p.peer(packetnet.DCTCP, 1)
	require.Equal(t, []int{35, 100}, []int{d.InitialWindow / 1456, d.BufferBytes / 1518})
	require.Equal(t, []int{100, 8}, []int{p.peer(packetnet.R2C2, 1).RateGbps, p.peer(packetnet.R2C2, 1).Side})
}

// A run that waits for short flows alone has the same ones as a run to the end of all, at the same times, and ends
// before it: in each network, at a load that it carries and at one that it does not.
func TestAwaitingShortFlows(t *testing.T) {
	left := 0
	for _, load := range []float64{0.2, 1} {
		for _, network := range []string{networkShoal, "dctcp", "dcqcn", "ndp", "output-queued", "r2c2"} {
			p := PeersPoint{
				NetworkParams{FabricParams: fabricOf(64, 2), Ports: 16}, network, load, 400, "pareto:20000000", awaitAll,
			}
			all, err := peers.Measure(t.Context(), p, 1)
			require.NoError(t, err)
			require.Zero(t, all.Unfinished+all.Left)
			p.Await = awaitShort
			short, err := peers.Measure(t.Context(), p, 1)
			require.NoError(t, err)
			left += short.Left
			require.Equal(t, all.Short, short.Short, network)
			require.Equal(t, all.Carried, short.Carried, network)
			require.Equal(t, all.Gbps, short.Gbps, network)
			require.Equal(t, all.All.Flows, short.All.Flows+short.Left, network)
		}
	}
	require.Positive(t, left)
}
