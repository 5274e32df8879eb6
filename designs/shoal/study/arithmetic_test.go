package study

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/workload"

	"github.com/goldwire/goldwire/designs/shoal"
)

// The arithmetic of experiments, against results worked out by hand.

// Flows of 25,000 bytes, 200,000 bits, load four nodes of 50 Gb/s to a half if one starts every 200,000 / (0.5 x 4 x
// 50) = 2,000 ns.
func TestSlotsBetweenFlows(t *testing.T) {
	require.InDelta(t, 2000/23.25, (&loadRun{slot: 23.25, gbps: 50}).slotsBetween(25_000, 0.5, 4), 1e-9)
}

// With half of the nodes dead the living ones are under the load that was asked for: 2,000 flows make it to some 2 % of
// standard deviation.
func TestLoadIsOfLivingNodes(t *testing.T) {
	q := LoadPoint{
		Fabric: shoal.FabricParams{
			Nodes: 16, Channels: 4, Schedule: "cyclic", Equation: shoal.ByDrains, Pair: shoal.PairTurns,
		},
		Load:   0.3,
		Flows:  2000,
		Sizes:  "fixed:1000",
		Failed: 0.5,
	}
	res, err := runLoad(t.Context(), &experiment.Run{Seed: 1}, q)
	require.NoError(t, err)
	require.InDelta(t, 0.3, res.Offered, 0.03)
}

// A thousand short flows of 1 to 1,000 slots, two long ones, and one that is neither. A slot is 23.25 ns.
func TestLoadSummary(t *testing.T) {
	x := &loadRun{offered: 5e6, slot: 23.25, gbps: 50, cell: 64}
	add := func(bytes int, slots uint64) {
		x.bytes = append(x.bytes, bytes)
		x.complete(&shoal.Completion{ID: uint64(len(x.bytes) - 1), Start: 10, End: 10 + slots - 1})
	}
	for k := 1000; k >= 1; k-- {
		add(100, uint64(k))
	}
	add(100_000, 2000)   // the largest short one
	add(100_001, 50_000) // the smallest that is not short
	add(999_999, 1)      // the largest that is not long
	add(1_000_000, 8000) // 8 Mbit in 186 us
	add(4_000_000, 8000)
	x.summarise(
		10_000,
		[]*shoal.Counts{{MaxQueue: 3, MaxQueued: 70, Ahead: 12, Lost: 1}, {MaxQueue: 5, MaxQueued: 60, Ahead: 7, Lost: 2}},
	)
	r := x.res
	require.Equal(t, []int{1001, 2}, []int{r.Short, r.Long})
	require.InDelta(t, 23.25*(1000*1001/2+2000)/1001, r.ShortMean, 1e-6)
	// of 1,001 values 990 are less than the one at 99 %, and 999 than the one at 99.9 %
	require.InDelta(t, 991*23.25, r.Short99, 1e-9)
	require.InDelta(t, 1000*23.25, r.Short999, 1e-9)
	require.InDelta(t, (8e6+32e6)/2/(8000*23.25), r.LongGbps, 1e-9)
	// 5 MB and 6.299999 MB over two nodes of 50 Gb/s for 232.5 us
	const room = 2 * 50 * 232_500.0
	require.InDelta(t, 40e6/room, r.Offered, 1e-9)
	require.InDelta(t, 8*(1000*100+100_000+100_001+999_999+5_000_000)/room, r.Arrived, 1e-9)
	require.Equal(
		t, []int{5, 70, 12 * 64}, []int{r.MaxQueue, r.MaxQueued, r.MaxReorder}, "bytes of whole cells, headers too",
	)
	require.EqualValues(t, 3, r.Lost)
}

// The same thresholds hold for flows over the peers. Goodput counts a flow's bytes.
func TestPeersSummary(t *testing.T) {
	flow := func(bytes int, ns int64) workload.Result {
		return workload.Result{Message: workload.Message{Bytes: bytes, Start: 1000}, Finished: true, Finish: 1000 + ns*1000}
	}
	results := []workload.Result{
		flow(100_000, 700), flow(100_001, 900), flow(999_999, 10), flow(1_000_000, 100_000), flow(3_000_000, 100_000),
		{}, {Message: workload.Message{Bytes: 100_001}},
	}
	r := summarise(nil, results, 4, 100_000)
	require.Equal(t, []int{1, 1}, []int{r.Unfinished, r.Left}, "a short flow, and one that nobody waits for")
	r = summarise(nil, results, 4, 0)
	require.Equal(t, []int{1, 5, 2, 2, 0}, []int{r.Short.Flows, r.All.Flows, r.Long, r.Unfinished, r.Left})
	require.InDelta(t, 700, r.Short.Mean, 1e-9)
	require.InDelta(t, (80+240)/2.0, r.LongGbps, 1e-9)
}

// A cell from node 3 to node 0 of eight leaves in slot 0, in which node 3 sends to node 4, and waits there.
func TestMostWaitingLooksAtAllNodes(t *testing.T) {
	p := shoal.FabricParams{Nodes: 8, Channels: 1, Schedule: "cyclic", Equation: shoal.ByDrains}
	r, err := p.NewRack()
	require.NoError(t, err)
	require.NoError(t, r.Offer(0, 3, 0, 1))
	require.Zero(t, mostWaiting(r))
	r.Step()
	require.Equal(t, 1, mostWaiting(r))
	require.Zero(t, waitingAt(r.Node(1), 0))
}

// The epoch of N - 1 rows over four channels doubles with two channels, whose cells are twice as large, and with twice
// the nodes.
func TestEpochStudyDoublesTheEpochTwice(t *testing.T) {
	require.Equal(
		t,
		[]epochPoint{{100, 4, 64, 0.2, 10, "pareto"}, {100, 2, 128, 0.2, 10, "pareto"}, {200, 4, 64, 0.2, 10, "pareto"}},
		epochPoints(100, 0.2, 10, "pareto"),
	)
}

// carried leaves the first quarter of a run out: of eight samples after the first, those from the second on count, six
// windows of 64 slots. 1,000 bytes come and go in each.
func TestCarriedLeavesTheStartOut(t *testing.T) {
	samples := []carriedAt{{}}
	for k := 1; k <= 8; k++ {
		samples = append(samples, carriedAt{offered: 1000 * float64(k), arrived: 500 * float64(k), flows: k, pending: k})
	}
	c := carried(samples, 10)
	require.InDelta(t, 6*8000.0/(6*64*10), c.Offered, 1e-9)
	require.InDelta(t, c.Offered/2, c.Arrived, 1e-9)
	require.Equal(t, 8, c.Messages)
	require.Equal(t, [4]float64{1.5, 3.5, 5.5, 7.5}, [4]float64(c.UnderWay))
}

// A line rate whose slot is the usual one gives the usual run, of a load that is of half the rate of four channels. A
// cell of twice the payload halves a flow's cells.
func TestLoadAtALineRate(t *testing.T) {
	q := LoadPoint{
		Fabric: shoal.FabricParams{Nodes: 8, Channels: 4, Schedule: "cyclic", Equation: shoal.ByDrains,
			Pair: shoal.PairTurns},
		Load: 0.4, Flows: 300, Sizes: "fixed:5600",
	}
	usual, err := runLoad(t.Context(), &experiment.Run{Seed: 1}, q)
	require.NoError(t, err)
	q.Rate = 512 / 20.5 // Gb/s: a cell in 20.5 ns
	q.Load *= 50 / (4 * q.Rate / 2)
	rated, err := runLoad(t.Context(), &experiment.Run{Seed: 1}, q)
	require.NoError(t, err)
	require.Equal(t, usual.Slots, rated.Slots)
	require.InDelta(t, usual.ShortMean, rated.ShortMean, 1e-6)
	require.InDelta(t, usual.Arrived/rated.Arrived, 4*q.Rate/2/50, 1e-9)
	q.Cell, q.Rate = 120, 960/20.5 // the same slot, half the cells
	q.Load = 0.4 * 50 / (4 * q.Rate / 2)
	wide, err := runLoad(t.Context(), &experiment.Run{Seed: 1}, q)
	require.NoError(t, err)
	require.Less(t, wide.ShortMean, 0.7*usual.ShortMean)
}
