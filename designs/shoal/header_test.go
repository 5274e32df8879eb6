package shoal

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/rtl"
)

// crcByBits divides the 56 bits of a header, followed by eight zeros, by x^8+x^2+x+1, with pencil and paper.
func crcByBits(fields string) string {
	bits := []byte(fields + "00000000")
	for i := range fields {
		if bits[i] == '1' {
			for k, g := range "100000111" {
				if g == '1' {
					bits[i+k] ^= 1
				}
			}
		}
	}
	return string(bits[len(fields):])
}

// Fields stand where Figure 5 lists them, in its order, and the CRC is the remainder of the division.
func TestHeaderByBits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		source, dest := rapid.IntRange(0, 1023).Draw(t, "source"), rapid.IntRange(0, 1023).Draw(t, "dest")
		sequence, feedback := rapid.Uint32Range(0, 1<<22-1).Draw(t, "sequence"), rapid.IntRange(0, 2047).Draw(t, "feedback")
		start, end, dropped := rapid.Bool().Draw(t, "start"), rapid.Bool().Draw(t, "end"), rapid.Bool().Draw(t, "dropped")
		c := NewCell(source, dest, sequence, start, end).withFeedback(feedback)
		if dropped {
			c = c.withDropped()
		}
		bit := map[bool]string{false: "0", true: "1"}
		fields := fmt.Sprintf("%010b%010b%022b%011b", source, dest, sequence, feedback) + bit[start] + bit[end] + bit[dropped]
		require.Equal(t, fields+crcByBits(fields), fmt.Sprintf("%064b", uint64(c.Seal())))
		h := c.Seal().header()
		require.Equal(t, Header{uint16(source), uint16(dest), sequence, uint16(feedback), start, end, dropped, true}, h)
		require.Equal(t, c, h.cell())
		require.Equal(t, source == dest, c.Dummy())
	})
}

// A header with one to three wrong bits is never taken for intact.
func TestCRCFindsThreeErrors(t *testing.T) {
	c := Cell(rand.New(rand.NewPCG(1, 2)).Uint64()).Seal()
	require.True(t, c.Intact())
	for a := range 64 {
		require.False(t, (c ^ 1<<a).Intact())
		for b := range a {
			require.False(t, (c ^ 1<<a ^ 1<<b).Intact())
			for d := range b {
				require.False(t, (c ^ 1<<a ^ 1<<b ^ 1<<d).Intact())
			}
		}
	}
}

// Encoder and decoder, one after the other, two cycles later give back what went in.
func TestHeaderModules(t *testing.T) {
	var in poke[Header]
	var e HeaderEncoder
	var d HeaderDecoder
	sim := rtl.New(rtl.Config{Mode: rtl.Strict})
	clk := sim.Clock("clk", XGMIIClock)
	top := sim.Scope("top").On(clk)
	top.Add("in", &in)
	top.Add("encoder", &e)
	top.Add("decoder", &d)
	rtl.Connect(&in.Out, &e.In)
	rtl.Connect(&e.Out, &d.In)
	require.NoError(t, sim.Elaborate())
	rng := rand.New(rand.NewPCG(7, 8))
	sent := make([]Header, 0, 1000)
	for k := range 1000 {
		in.next = Cell(rng.Uint64()).header()
		in.next.Valid = rng.IntN(3) > 0
		sent = append(sent, in.next)
		require.NoError(t, clk.Run(1))
		require.False(t, d.Corrupt.Get())
		if k >= 2 {
			require.Equal(t, sent[k-2], d.Out.Get())
		}
	}
}

// ReleaseLogic lets a flow go exactly when a Node of the slot-accurate rack does: the same feedback or none, the same
// queue length, the same epoch, the same age.
func TestReleaseLogicAgainstNode(t *testing.T) {
	s, err := HalfEpoch(ReleaseNodes, 1)
	require.NoError(t, err)
	f, err := newFabricTimes(s, 0, Options{})
	require.NoError(t, err)

	l, err := NewReleaseLogic(ReleaseNodes, ReleaseAges)
	require.NoError(t, err)
	var feedback poke[FeedbackWrite]
	var sent poke[Sending]
	var query poke[ReleaseQuery]
	var started poke[FlowStart]
	sim := rtl.New(rtl.Config{Mode: rtl.Strict})
	clk := sim.Clock("clk", XGMIIClock)
	top := sim.Scope("top").On(clk)
	top.Add("feedback", &feedback)
	top.Add("sent", &sent)
	top.Add("query", &query)
	top.Add("started", &started)
	top.Add("dut", l)
	rtl.Connect(&feedback.Out, &l.Feedback)
	rtl.Connect(&sent.Out, &l.Sent)
	rtl.Connect(&query.Out, &l.Query)
	rtl.Connect(&started.Out, &l.Started)
	require.NoError(t, sim.Elaborate())

	rng := rand.New(rand.NewPCG(3, 4))
	differ := map[[2]bool]int{}
	for range 3000 {
		n := newNode(0, f, newLinks(1, f), 0)
		row, dest := rng.IntN(7), 1+rng.IntN(7)
		q := n.Link(row)
		if q.none || n.neighbour(row) == dest {
			continue
		}
		length, at, epoch, queued := rng.IntN(12), int32(rng.IntN(4)), int32(rng.IntN(16)), rng.IntN(10)
		start, answered := int32(rng.IntN(int(epoch)+1)), rng.IntN(8) > 0
		if rng.IntN(8) == 0 {
			length = FeedbackMine
		}
		n.Offer(dest, 2, 0)
		n.Release(row, 0) // the first cell waits for feedback now
		n.Transmit(row, 0)
		if answered {
			n.answer(
				NewCell(0, dest, 0, true, false), row, n.neighbour(row), int(f.pair[n.neighbour(row)*ReleaseNodes]), length,
				at,
			)
		}
		n.flows[n.flowOf[dest]].started = start
		for k := range queued {
			q.push(NewCell(1+k%6, 7, uint32(k), false, false), &n.links.spills[0])
		}
		n.Release(row, epoch)

		started.next = FlowStart{uint8(dest), uint16(start), true}
		sent.next = Sending{uint8(row), uint8(dest), true}
		require.NoError(t, clk.Run(1))
		started.next, sent.next = FlowStart{}, Sending{}
		if answered {
			drains := n.drains(row, int(f.pair[n.neighbour(row)*ReleaseNodes]), int(f.pair[n.neighbour(row)*ReleaseNodes+dest]))
			feedback.next = FeedbackWrite{uint8(row), uint8(dest), uint16(length), uint16(at), uint8(drains + 1), true}
		}
		require.NoError(t, clk.Run(1))
		feedback.next = FeedbackWrite{}
		query.next = ReleaseQuery{uint8(row), uint16(queued), uint16(epoch), 1 << dest, true}
		require.NoError(t, clk.Run(2))
		query.next = ReleaseQuery{}
		want := Eligible{Row: uint8(row), Valid: true}
		if q.local == 1 {
			want.Flows = 1 << dest
		}
		require.Equal(t, want, l.Eligible.Get(), "row %d dest %d length %d at %d epoch %d queued %d started %d answered %v",
			row, dest, length, at, epoch, queued, start, answered)
		differ[[2]bool{answered, q.local == 1}]++
	}
	require.Zero(t, differ[[2]bool{false, true}], "without feedback nothing goes")
	require.Greater(t, min(differ[[2]bool{true, true}], differ[[2]bool{true, false}], differ[[2]bool{false, false}]), 200)
}

// A text of the entries into Q in each cycle, by a queue that is a slice.
func TestCellSchedulerAgainstSlice(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	var want, got strings.Builder
	s, err := NewCellScheduler(ReleaseNodes)
	require.NoError(t, err)
	bench := newSchedulerBench(t, s)
	var queue []uint8
	held := false
	var last struct { // what the module has seen at this edge: its inputs are registers
		e      Eligible
		unsent uint8
		busy   bool
	}
	for range 3000 {
		flows, also := uint8(rng.Uint32()), uint8(rng.Uint32()) // both: a bit in four
		e := Eligible{Flows: flows & also, Valid: rng.IntN(4) == 0}
		unsent, busy := uint8(rng.Uint32()|rng.Uint32()), rng.IntN(3) == 0
		bench.step(e, unsent, busy)
		fmt.Fprintln(&got, s.Out.Get(), s.Ready.Get())
		e, last.e = last.e, e
		unsent, last.unsent = last.unsent, unsent
		busy, last.busy = last.busy, busy

		out := Bound{}
		if len(queue) > 0 && !busy && !held {
			out = Bound{queue[0], unsent>>queue[0]&1 != 0}
			queue = queue[1:]
		}
		held = out.Valid
		for k := range uint8(8) {
			if e.Valid && e.Flows>>k&1 != 0 && !strings.ContainsRune(string(runes(queue)), rune('a'+k)) {
				queue = append(queue, k)
			}
		}
		fmt.Fprintln(&want, out, len(queue))
	}
	require.Equal(t, want.String(), got.String())
}

func runes(q []uint8) (r []rune) {
	for _, k := range q {
		r = append(r, rune('a'+k))
	}
	return r
}
