package tb

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
)

// bench is a sender, a slot and a receiver, with a monitor on the way in.
type bench struct {
	clk      *rtl.Clock
	sender   Sender[uint8]
	slot     slot
	receiver Receiver[uint8]
	monitor  Monitor[uint8]
}

func newBench(t testing.TB, cfg rtl.Config, send, receive func() bool) *bench {
	b := &bench{sender: Sender[uint8]{Next: count(), Stall: send}, receiver: Receiver[uint8]{Stall: receive}}
	sim := rtl.New(cfg)
	b.clk = sim.Clock("clk", clock.MHz(100))
	top := sim.Scope("top").On(b.clk)
	top.Add("sender", &b.sender)
	top.Add("slot", &b.slot)
	top.Add("receiver", &b.receiver)
	top.Add("monitor", &b.monitor)
	rtl.Connect(&b.sender.Data, &b.slot.InData, &b.monitor.Data)
	rtl.Connect(&b.sender.Valid, &b.slot.InValid, &b.monitor.Valid)
	rtl.Connect(&b.slot.InReady, &b.sender.Ready, &b.monitor.Ready)
	rtl.Connect(&b.slot.OutData, &b.receiver.Data)
	rtl.Connect(&b.slot.OutValid, &b.receiver.Valid)
	rtl.Connect(&b.receiver.Ready, &b.slot.OutReady)
	require.NoError(t, sim.Elaborate())
	return b
}

// Without stalls a beat a cycle goes through, each one cycle after it was taken at the entrance.
func TestStreamWithoutStalls(t *testing.T) {
	b := newBench(t, rtl.Config{Mode: rtl.Strict}, nil, nil)
	require.NoError(t, b.clk.Run(6))
	require.Equal(t, []Beat[uint8]{{1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}}, b.monitor.Beats())
	require.Equal(t, []Beat[uint8]{{2, 1}, {3, 2}, {4, 3}, {5, 4}}, b.receiver.Beats())
	issued := Cycles(b.monitor.Beats())[:4]
	require.NoError(t, ExactLatency(issued, Cycles(b.receiver.Beats()), 1))
	require.EqualError(t, ExactLatency(issued, Cycles(b.receiver.Beats()), 2),
		"item 0 was issued in cycle 1 and arrived in cycle 2: 1 cycles, want 2")
}

// Whatever stalls, nothing is lost, doubled or reordered, and the protocol is kept.
func TestStreamWithStalls(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		seed := rapid.Uint64().Draw(rt, "seed")
		send := Stalls(rand.New(rand.NewPCG(seed, 1)), rapid.Float64Range(0, 0.9).Draw(rt, "sender stalls"))
		receive := Stalls(rand.New(rand.NewPCG(seed, 2)), rapid.Float64Range(0, 0.9).Draw(rt, "receiver stalls"))
		b := newBench(t, rtl.Config{Mode: rtl.Strict, Seed: seed}, send, receive)
		if err := b.clk.Run(300); err != nil {
			rt.Fatal(err)
		}
		board := Scoreboard[uint8]{Name: "slot"}
		for _, beat := range b.monitor.Beats() {
			board.Expect(beat.Data)
		}
		for _, beat := range b.receiver.Beats() {
			board.Observe(beat.Cycle, beat.Data)
		}
		in, out := len(b.monitor.Beats()), board.Matched()
		if out != len(b.receiver.Beats()) || in-out > 1 || out == 0 { // the slot holds one beat
			rt.Fatalf("%d beats in, %d out as expected: %v", in, out, board.Finish())
		}
		if b.monitor.Err() != nil || b.receiver.Err() != nil {
			rt.Fatal(b.monitor.Err(), b.receiver.Err())
		}
	})
}

func TestSenderPausesAndEnds(t *testing.T) {
	left := 3
	b := newBench(t, rtl.Config{}, nil, nil)
	b.sender.Next = func() (uint8, bool) {
		left--
		return uint8(left), left >= 0
	}
	require.NoError(t, b.clk.Run(10))
	require.Equal(t, []Beat[uint8]{{2, 2}, {3, 1}, {4, 0}}, b.receiver.Beats())
}

// A buffer that drops valid before ready is caught, in the cycle in which it does.
func TestProtocolBreachesAreFound(t *testing.T) {
	never := func() bool { return true }
	b := newBench(t, rtl.Config{}, nil, never)
	b.slot.drops = true
	require.NoError(t, b.clk.Run(10))
	require.EqualError(t, b.receiver.Err(), "cycle 3: valid fell before 1 was taken")

	var s stream[uint8]
	s.tick(5, true, false)
	s.tick(5, true, false)
	s.tick(6, true, true)
	s.tick(9, true, false)
	s.tick(8, true, true)
	require.EqualError(t, s.err, "cycle 2: data changed from 5 to 6 before it was taken", "the first breach stays")
	require.Equal(t, []Beat[uint8]{{2, 6}, {4, 8}}, s.beats)
}

func TestScoreboard(t *testing.T) {
	s := Scoreboard[word]{Name: "out"}
	require.NoError(t, s.Finish())
	s.Expect(word{1, true})
	s.Expect(word{2, true})
	s.Observe(4, word{1, true})
	require.EqualError(t, s.Finish(), "out: 1 of 2 items have not come, the next is {Data:2 Valid:true}")
	wrong := s
	wrong.Observe(5, word{3, true})
	wrong.Observe(6, word{2, true})
	require.EqualError(t, wrong.Finish(), "out: cycle 5: item 1 is {Data:3 Valid:true}, want {Data:2 Valid:true}")
	s.Observe(5, word{2, true})
	require.NoError(t, s.Finish())
	require.Equal(t, 2, s.Matched())
	s.Observe(9, word{})
	require.EqualError(t, s.Finish(), "out: cycle 9: got {Data:0 Valid:false}, want nothing after 2 items")
}

func TestLatencies(t *testing.T) {
	got, err := Latencies([]uint64{1, 5, 6}, []uint64{4, 5, 16})
	require.NoError(t, err)
	require.Equal(t, []uint64{3, 0, 10}, got)
	_, err = Latencies([]uint64{1, 5}, []uint64{4, 4})
	require.EqualError(t, err, "item 1 was issued in cycle 5 and arrived in cycle 4, before that")
	require.EqualError(t, ExactLatency([]uint64{1}, nil, 1), "1 items were issued and 0 arrived")
}
