package shoal

import (
	"math/rand/v2"

	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// Packets of 3, 2 and 1 cells for one node, the last one when two cells have left, in each order. The letters are the
// packets' cells in the order in which they get their numbers, E marks last cells.
func TestPairOrderByHand(t *testing.T) {
	for order, want := range map[PairOrder]string{
		PairFIFO:     "a a aE b bE cE",
		PairTurns:    "a b a bE cE aE", // after a and b it is a's turn, then b's, then c's
		PairShortest: "b bE cE a a aE", // b is the shortest at first, and is over before c comes
	} {
		n := testNode(t, 0, 9, Options{Pair: order})
		n.offer(4, 0, 3, 0, 'a')
		n.offer(4, 0, 2, 0, 'b')
		f := &n.flows[n.flowOf[4]]
		got := ""
		for k := range 6 {
			if k == 2 {
				n.offer(4, 0, 1, 0, 'c')
			}
			got += " " + string(rune(n.packets.lengths[f.packets.head].message))
			before := len(n.ended)
			c := n.nextCell(f)
			require.EqualValues(t, k, c.Sequence())
			if c.End() {
				got += "E"
			}
			if order != PairFIFO {
				require.Equal(t, c.End(), len(n.ended) > before)
			}
		}
		require.Equal(t, " "+want, got)
	}
	// A packet that is stopped by a shorter one goes on where it was.
	n := testNode(t, 0, 9, Options{Pair: PairShortest})
	n.offer(4, 0, 5, 0, 'a')
	f := &n.flows[n.flowOf[4]]
	require.True(t, n.nextCell(f).Start())
	n.nextCell(f)
	n.offer(4, 0, 3, 0, 'b') // as many as are left of a, which is older
	n.offer(4, 0, 2, 0, 'c')
	n.offer(4, 0, 1, 0, 'd')
	got := ""
	for range 9 {
		got += string(rune(n.packets.lengths[f.packets.head].message))
		n.nextCell(f)
	}
	require.Equal(t, "dccaaabbb", got)
	require.EqualValues(t, []int32{-1, -1}, []int32{f.packets.head, f.packets.tail})
	require.Zero(t, unsafe.Sizeof(Node{})%64)
}

// A single cell behind a flow of 100,000 of its pair waits for all of them in the order of the flows, and for next to
// none if they take turns.
func TestShortFlowBehindALongOne(t *testing.T) {
	for pair, most := range map[PairOrder]uint64{PairFIFO: 1 << 40, PairTurns: 60, PairShortest: 60} {
		p := FabricParams{Nodes: 8, Channels: 1, Schedule: "cyclic", Pair: pair}
		r, err := p.NewRack()
		require.NoError(t, err)
		require.NoError(t, r.Offer(1, 0, 1, 100_000))
		require.NoError(t, r.Run(t.Context(), 1000))
		require.NoError(t, r.Offer(2, 0, 1, 1))
		require.NoError(t, r.Run(t.Context(), 300_000))
		took := map[uint64]uint64{}
		for _, d := range r.Done() {
			took[d.ID] = d.Slots()
		}
		require.Len(t, took, 2)
		require.LessOrEqual(t, took[2], most, pair)
		if pair == PairFIFO {
			require.Greater(t, took[2], uint64(90_000))
		}
	}
}

// In any order, under failures and corrupt headers, in classes, every message is complete once, none before its cells
// can have come, and the bounds of §3.3 hold. Where no pair has two messages at a time the orders do not differ.
func TestPairOrdersCompleteAllMessages(t *testing.T) {
	for seed := range uint64(12) {
		for _, order := range []PairOrder{PairFIFO, PairTurns, PairShortest} {
			rng := rand.New(rand.NewPCG(seed, 18))
			s, err := Cyclic(9, 1)
			require.NoError(t, err)
			classes := 1 + int(seed%2)
			cfg := RackConfig{Schedule: s, Flight: int(seed%3) * 4, Options: Options{Pair: order, Classes: classes}}
			if seed%4 == 3 {
				cfg.Corrupt = 0.02
			}
			r, err := NewRack(cfg)
			require.NoError(t, err)
			sizes := map[uint64]uint32{}
			for id := range uint64(300) {
				from := rng.IntN(9)
				to := (from + 1 + rng.IntN(2)) % 9 // few pairs, so that messages meet
				cells := uint32(1 + rng.IntN(60))
				sizes[id] = cells
				require.NoError(t, r.OfferClass(id, from, to, rng.IntN(classes), cells))
				require.NoError(t, r.Run(t.Context(), uint64(rng.IntN(40))))
			}
			require.NoError(t, r.Run(t.Context(), 60_000))
			require.Zero(t, r.Pending())
			require.NoError(t, r.Conservation())
			for _, d := range r.Done() {
				cells, ok := sizes[d.ID]
				require.True(t, ok, "message %d is complete twice", d.ID)
				require.GreaterOrEqual(t, d.Slots(), uint64(cells))
				delete(sizes, d.ID)
			}
			require.Empty(t, sizes)
			for to := range 9 {
				require.Zero(t, r.Incast[to])
			}
		}
	}
	var all [][]Completion
	for order := range PairShortest + 1 {
		r := newTestRack(t, halfEpoch(t, 9), 3, Options{Pair: order})
		for i := range 9 {
			for j := range 9 {
				if i != j {
					require.NoError(t, r.Offer(uint64(9*i+j), i, j, uint32(1+i*j)))
				}
			}
		}
		require.NoError(t, r.Run(t.Context(), 5_000))
		require.Zero(t, r.Pending())
		all = append(all, append([]Completion{}, r.Done()...))
	}
	require.Equal(t, all[0], all[1])
	require.Equal(t, all[0], all[2])
	_, err := NewRack(RackConfig{Schedule: halfEpoch(t, 9), Options: Options{Pair: PairTurns}, Workers: 2})
	require.ErrorContains(t, err, "one worker")
	_, err = NewPrototype(
		PrototypeConfig{Schedule: halfEpoch(t, 8), CellBytes: CellBytes, Options: Options{Pair: PairTurns}},
	)
	require.ErrorContains(t, err, "one after the other")
}
