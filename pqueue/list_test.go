package pqueue_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/pqueue"
	"github.com/goldwire/goldwire/rtl"
)

// The list is a slice that is sorted anew after every operation.
func TestListIsASortedSlice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const capacity, ids, flows = 12, 20, 8
		l := pqueue.NewList(capacity, ids)
		var naive []pqueue.Entry // in the order of arrival
		for range rapid.IntRange(1, 80).Draw(t, "operations") {
			id := rapid.Uint32Range(0, ids-1).Draw(t, "id")
			at := slices.IndexFunc(naive, func(e pqueue.Entry) bool { return e.ID == id })
			if rapid.IntRange(0, 2).Draw(t, "kind") > 0 {
				e := pqueue.Entry{Key: rapid.Uint64Range(0, 5).Draw(t, "key"), ID: id,
					Flow: uint16(rapid.IntRange(0, flows-1).Draw(t, "flow"))}
				want := pqueue.Done
				switch {
				case at >= 0:
					want = pqueue.Duplicate
				case len(naive) == capacity:
					want = pqueue.Full
				default:
					naive = append(naive, e)
				}
				require.Equal(t, want, l.Insert(e))
			} else {
				e, outcome := l.Delete(id)
				if at < 0 {
					require.Equal(t, pqueue.Missing, outcome)
				} else {
					require.Equal(t, naive[at], e)
					naive = slices.Delete(naive, at, at+1)
				}
			}
			sorted := slices.Clone(naive)
			slices.SortStableFunc(sorted, func(a, b pqueue.Entry) int { return int(a.Key) - int(b.Key) })
			require.Equal(t, len(sorted), l.Len())
			require.True(t, slices.Equal(sorted, l.Entries()))
			eligible := blocks.NewBits(flows)
			eligible[0] = rapid.Uint64Range(0, 1<<flows-1).Draw(t, "eligible")
			got, ok := l.Highest(eligible)
			first := slices.IndexFunc(sorted, func(e pqueue.Entry) bool { return eligible.Has(int(e.Flow)) })
			require.Equal(t, first >= 0, ok)
			if ok {
				require.Equal(t, sorted[first], got)
			}
		}
	})
}

// listDriver plays operations and records what the list shows after each edge.
type listDriver struct {
	Op       rtl.Out[pqueue.ListOp]
	Eligible rtl.Out[uint16]

	ops []pqueue.ListOp
}

func (d *listDriver) Tick() {
	d.Eligible.Set(0xffff)
	d.Op.Set(pqueue.ListOp{})
	if len(d.ops) > 0 {
		d.Op.Set(d.ops[0])
		d.ops = d.ops[1:]
	}
}

// Counted between edges: an insert and a delete take 2 cycles each and one starts in every cycle; the highest takes 1.
func TestOrderedListLatencies(t *testing.T) {
	insert := func(key uint16, id uint8) pqueue.ListOp { return pqueue.ListOp{Insert: true, Key: key, ID: id} }
	d := &listDriver{ops: []pqueue.ListOp{insert(9, 1), insert(5, 2), insert(7, 3), {Delete: true, ID: 2},
		{Delete: true, ID: 2}, insert(1, 3)}}
	o := &pqueue.OrderedList{Capacity: 2}
	sim := rtl.New(rtl.Config{Mode: rtl.Strict, Seed: 1})
	clk := sim.Clock("clk", clock.Block25G)
	s := sim.Scope("test").On(clk)
	s.Add("driver", d)
	s.Add("list", o)
	rtl.Connect(&d.Op, &o.Op)
	rtl.Connect(&d.Eligible, &o.Eligible)
	require.NoError(t, sim.Elaborate())
	type state struct {
		length  uint8
		valid   bool
		outcome pqueue.Outcome
		highest uint16
	}
	var got []state
	for range 9 {
		require.NoError(t, clk.Run(1))
		r := o.Result.Get()
		got = append(got, state{o.Length.Get(), r.Valid, pqueue.Outcome(r.Outcome), o.Highest.Get().Key})
	}
	require.Equal(t, []state{
		{0, false, 0, 0},             // the first operation stands at the input after this edge
		{0, false, 0, 0},             // its first cycle
		{1, true, pqueue.Done, 0},    // its second: it is in the list
		{2, true, pqueue.Done, 9},    // and one cycle later it is the highest; the next operation is done
		{2, true, pqueue.Full, 5},    // no room for a third
		{1, true, pqueue.Done, 5},    // deleted
		{1, true, pqueue.Missing, 9}, // not there any more
		{2, true, pqueue.Done, 9},    // 3 was never in: no duplicate
		{2, false, pqueue.Done, 1},
	}, got)
}
