package shoal

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// stepNodeByNode is Step in the plainest order: everything that a node sends before the next node, and everything that
// it receives. It has each node look at its flows for every row, whatever the queue keeps of them.
func (r *Rack) stepNodeByNode() {
	f, n, s := r.Times, len(r.Nodes), &r.shares[0]
	row, epoch, at := int(r.slot%uint64(f.Epoch))*f.channels, int32(r.slot/uint64(f.Epoch)), int(r.slot%r.ring)
	for i := range r.Nodes {
		for c := range f.channels {
			r.Links.begun[i]++
			r.Nodes[i].Release(row+c, epoch)
		}
		for c := range f.channels {
			r.wire[(at*f.channels+c)*n+i] = r.Nodes[i].Transmit(row+c, epoch)
		}
		r.flows[at*n+i] = r.Incast[i]
	}
	if flight := uint64(f.flight); r.slot >= flight {
		sent := r.slot - flight
		row, epoch := int(sent%uint64(f.Epoch))*f.channels, int32(sent/uint64(f.Epoch))
		for j := range r.Nodes {
			for c := range f.channels {
				r.receiveOne(s, r.slot, c, row+c, epoch, j)
			}
		}
	}
	r.slot++
	r.collect()
}

// anySchedule draws a schedule of any kind: its rows are shifts, halves of shifts, permutations with idle rows between
// them, or shifts in two rows each, so that receivers next to each other answer in different rows, and some get
// nothing.
func anySchedule(t *rapid.T) *Schedule {
	n := rapid.IntRange(3, 20).Draw(t, "nodes")
	channels := rapid.IntRange(1, min(3, n-1)).Draw(t, "channels")
	var s *Schedule
	var err error
	switch rapid.IntRange(0, 3).Draw(t, "schedule") {
	case 0:
		s, err = Cyclic(n, channels)
	case 1:
		s, err = HalfEpoch(n, channels)
	case 2:
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "parts"), 0))
		var rows [][]int16
		for d := 1; d < n; d++ {
			parts := [2][]int16{idleRow(n), idleRow(n)}
			for i := range n {
				parts[rng.IntN(2)][i] = int16((i + d) % n)
			}
			rows = append(rows, parts[:]...)
		}
		s, err = NewSchedule("shifts in parts", n, channels, rows)
	default:
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "permutation"), 0))
		names := rng.Perm(n)
		var rows [][]int16
		for _, d := range rng.Perm(n - 1) {
			row := idleRow(n)
			for i := range row {
				row[names[i]] = int16(names[(i+d+1)%n])
			}
			rows = append(rows, row, idleRow(n))[:len(rows)+1+rng.IntN(2)]
		}
		s, err = NewSchedule("permutations", n, channels, rows)
	}
	require.NoError(t, err)
	return s
}

// A slot in steps for all nodes gives what a slot node by node gives: every cell with its feedback, every completion
// and count, and the same fault. Judged are the order of the steps, which nodes a step collects, stretches, and when
// queues are passed over. What a node does with a cell is the same code on both sides; other tests judge it.
func TestSlotAgainstNodeByNode(t *testing.T) {
	moved, faults, dropped := uint64(0), 0, uint64(0)
	rapid.Check(t, func(t *rapid.T) {
		s := anySchedule(t)
		o := Options{Classes: rapid.IntRange(1, 3).Draw(t, "classes"), Limit: max(0, rapid.IntRange(-6, 4).Draw(t, "limit"))}
		for _, x := range []*bool{&o.WholeEpochs, &o.Counters, &o.NoReady, &o.NoAge, &o.QueueAlone} {
			*x = rapid.IntRange(0, 2).Draw(t, "option") == 0
		}
		o.Counters = o.Counters && !o.WholeEpochs
		o.LessOne = o.Classes == 1 && rapid.Bool().Draw(t, "less one")
		flight := rapid.SampledFrom([]int{0, 0, 1, 3, 21}).Draw(t, "flight")
		var racks [2]*Rack
		for k := range racks {
			r, err := NewRack(RackConfig{Schedule: s, Flight: flight, Options: o})
			require.NoError(t, err)
			racks[k] = r
		}
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "traffic"), 0))
		for slot := range uint64(200) {
			if from, to := rng.IntN(s.Nodes()), rng.IntN(s.Nodes())*rng.IntN(2); from != to && slot < 150 {
				class, cells := rng.IntN(o.Classes), uint32(1+rng.IntN(40))
				for _, r := range racks {
					require.NoError(t, r.OfferClass(slot, from, to, class, cells))
				}
			}
			racks[0].Step()
			racks[1].stepNodeByNode()
			require.Equal(t, racks[1].sentIn(slot), racks[0].sentIn(slot), "slot %d", slot)
			require.Equal(t, racks[1].Done(), racks[0].Done(), "slot %d", slot)
		}
		for i := range racks[0].Nodes {
			require.Equal(t, racks[1].Nodes[i].Counts, racks[0].Nodes[i].Counts, "node %d", i)
			moved += racks[0].Nodes[i].Counts.Delivered
			dropped += racks[0].Nodes[i].Counts.Lost
		}
		require.Equal(t, racks[1].Broken(), racks[0].Broken())
		require.NoError(t, racks[0].Conservation())
		if racks[0].Broken() != nil {
			faults++
		}
	})
	require.Positive(t, moved)
	require.Positive(t, dropped)
	require.Positive(t, faults)
}
