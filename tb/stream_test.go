package tb

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// bench is a sender, a slot and a receiver, with a monitor on the way in.
type bench struct {
	clk      *rtl.Clock
	sender   vectors.Sender[item]
	slot     slot
	receiver Receiver[item]
	monitor  Monitor[item]
}

func newBench(t testing.TB, cfg rtl.Config, send, receive func() bool) *bench {
	b := &bench{sender: vectors.Sender[item]{Next: count(send)}, receiver: Receiver[item]{Stall: receive}}
	sim := rtl.New(cfg)
	b.clk = sim.Clock("clk", clock.MHz(100))
	top := sim.Scope("top").On(b.clk)
	top.Add("sender", &b.sender)
	top.Add("slot", &b.slot)
	top.Add("receiver", &b.receiver)
	top.Add("monitor", &b.monitor)
	rtl.ConnectStream(b.sender.Output(), b.slot.Input(), b.monitor.Tap())
	rtl.ConnectStream(b.slot.Output(), b.receiver.Input())
	require.NoError(t, sim.Elaborate())
	return b
}

// beats makes beats from pairs of cycle and data.
func beats(pairs ...uint64) (list []Beat[item]) {
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, Beat[item]{pairs[i], item{uint8(pairs[i+1]), true}})
	}
	return list
}

// Without stalls a beat a cycle goes through, each one cycle after it was taken at the entrance.
func TestStreamWithoutStalls(t *testing.T) {
	b := newBench(t, rtl.Config{Mode: rtl.Strict}, nil, nil)
	require.NoError(t, b.clk.Run(6))
	require.Equal(t, beats(1, 1, 2, 2, 3, 3, 4, 4, 5, 5), b.monitor.Beats())
	require.Equal(t, beats(2, 1, 3, 2, 4, 3, 5, 4), b.receiver.Beats())
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
		board := Scoreboard[item]{Name: "slot"}
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
	b.sender.Next = func(uint64) item {
		left--
		return item{uint8(left), left >= 0}
	}
	require.NoError(t, b.clk.Run(10))
	require.Equal(t, beats(2, 2, 3, 1, 4, 0), b.receiver.Beats())
}

// A buffer that drops valid before ready is caught, in the cycle in which it does.
func TestProtocolBreachesAreFound(t *testing.T) {
	never := func() bool { return true }
	b := newBench(t, rtl.Config{}, nil, never)
	b.slot.drops = true
	require.NoError(t, b.clk.Run(10))
	require.EqualError(t, b.receiver.Err(), "cycle 3: valid fell before {Data:1 Valid:true} was taken")

	var s stream[item]
	s.tick(item{5, true}, nil, false)
	s.tick(item{5, true}, nil, false)
	s.tick(item{6, true}, nil, true)
	s.tick(item{9, true}, nil, false)
	s.tick(item{8, true}, nil, true)
	require.EqualError(
		t, s.err, "cycle 2: the beat changed from {Data:5 Valid:true} to {Data:6 Valid:true} before it was taken",
		"the first breach stays",
	)
	require.Equal(t, beats(2, 6, 4, 8), s.beats)
}

// The words of a wide stream stand as its beat does.
func TestProtocolBreachesInWords(t *testing.T) {
	var s stream[item]
	s.tick(item{5, true}, []uint64{1, 2}, false)
	s.tick(item{5, true}, []uint64{1, 2}, true)
	s.tick(item{5, true}, []uint64{1, 3}, false)
	require.NoError(t, s.err)
	s.tick(item{5, true}, []uint64{1, 4}, true)
	require.EqualError(
		t, s.err, "cycle 3: the words of {Data:5 Valid:true} changed from [1 3] to [1 4] before it was taken",
	)
}

// A unit whose driver does not wait for ready, one that is never driven, and one that has no such ports, are found.
func TestUnitsThatBreakTheirStreams(t *testing.T) {
	u := slotUnit()
	u.Build = func(b *vectors.Bench) rtl.Module {
		m := &slot{}
		vectors.Drive(b, &m.In, func(cycle uint64) item { return item{uint8(cycle), true} })
		vectors.Drive(b, &m.OutReady, func(cycle uint64) bool { return cycle != 3 })
		return m
	}
	require.EqualError(t, keepsStreams(u),
		"unit tb/slot: port in: cycle 4: in_data changed from 0x3 to 0x4 before the beat was taken")
	u.Build = func(b *vectors.Bench) rtl.Module {
		m := &slot{}
		rtl.Tie(item{}, &m.In)
		rtl.Tie(true, &m.OutReady)
		return m
	}
	require.EqualError(t, keepsStreams(u),
		"unit tb/slot: port in: 0 beats were taken and 0 waited in 4096 cycles, want some of each")
	u.Ready = map[string]string{"in": "go"}
	require.EqualError(t, keepsStreams(u),
		"unit tb/slot: port in: declares a handshake with in_valid and go, which it does not have")
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
