package edm

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/rtl"
)

// An ID belongs to the message that uses it now, whatever became of the one before. Reads and writes that are counted
// apart do not see each other's.
func TestWhoHoldsAnID(t *testing.T) {
	for _, apart := range []bool{false, true} {
		m := newMessageTable(1, 1, apart, 10)
		free := func(k Kind) bool { _, ok := m.freeID(k, 0); return ok }
		state := func(k Kind) [2]bool { return [2]bool{free(k), m.unreachable(k, 0)} }
		none, lost, live := [2]bool{true, false}, [2]bool{false, true}, [2]bool{false, false}
		other := func(of [2]bool) [2]bool { // what the kind sees that has no message
			if apart {
				return none
			}
			return of
		}
		for _, kinds := range [][2]Kind{{RREQ, WREQ}, {WREQ, RREQ}} {
			asks, not := kinds[0], kinds[1]
			number := m.number(asks, 0)
			*m.messages.entry(number) = activeMessage{}
			require.Equal(t, [][2]bool{live, other(live)}, [][2]bool{state(asks), state(not)})
			m.messages.look(number).lost = true
			require.Equal(t, [][2]bool{lost, other(lost)}, [][2]bool{state(asks), state(not)})
			m.messages.free(number) // its response has come after all
			require.Equal(t, [][2]bool{none, none}, [][2]bool{state(asks), state(not)})
		}
	}
}

// Timers expire in the order in which they were started, whichever of them are stopped or started again.
func TestTimersAgainstAList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := newMessageTable(2, 3, false, 10)
		now := uint64(0)
		var model []int32
		for range 60 {
			now++
			slot := int32(rapid.IntRange(0, 11).Draw(t, "slot"))
			model = slices.DeleteFunc(model, func(i int32) bool { return i == slot })
			if rapid.Bool().Draw(t, "start") { // also one that runs
				m.startTimer(slot, now)
				model = append(model, slot)
			} else { // also one that does not
				m.stopTimer(slot)
			}
			var forth, back []int32
			for i := m.oldest; i >= 0 && len(forth) <= len(model); i = m.timers.look(int(i)).next {
				forth = append(forth, i)
			}
			for i := m.newest; i >= 0 && len(back) <= len(model); i = m.timers.look(int(i)).prev {
				back = append(back, i)
			}
			slices.Reverse(back)
			require.True(t, slices.Equal(model, forth) && slices.Equal(model, back), "%v: %v, %v", model, forth, back)
		}
	})
}

// A response that nobody waits for, after a bit error or a second time, completes nothing.
func TestResponsesThatNobodyWaitsFor(t *testing.T) {
	h := &HostTx{state: newMessageTable(2, 1, false, 10), done: newBacklog[Completion](4), waiting: newMessageQueue(4, 4)}
	response := func() { h.receive(1, 0, 8) }
	response()
	*h.state.messages.entry(1) = activeMessage{tag: 5, left: 16}
	for range 3 {
		response()
	}
	c, _ := h.done.Pop()
	require.Equal(t, Completion{true, 5, false}, c)
	require.True(t, h.done.Empty())
	require.Zero(t, *h.state.messages.look(0), "what stands for all that are not used")
}

// A reset frees all IDs: a host whose messages nobody answers sends after it the same messages as after the first one.
func TestResetFreesIDs(t *testing.T) {
	for _, kind := range []Kind{RREQ, WREQ} {
		h := &HostTx{
			Types: DefaultTypes, Node: 2, Nodes: 4, Active: 3, Chunk: 256, Queue: 4, Apart: true, Timeout: 1000,
			TimeWrites: true,
		}
		sim := rtl.New(rtl.Config{})
		clk := sim.Clock("clk", clock.Block25G)
		sim.Scope("node").On(clk).Add("host", h)
		rtl.Tie(Request{Valid: true, Kind: kind, Dest: 1, Bytes: 64, Tag: 5}, &h.Request)
		rtl.Tie(Event{}, &h.Event)
		rtl.Tie(Word{}, &h.Word)
		rtl.Tie(0, &h.Loaded)
		rtl.Tie(false, &h.Arrived, &h.Written, &h.HoldControl, &h.HoldData)
		require.NoError(t, sim.Elaborate())
		sent := func() (blocks []pcs.Block) {
			require.NoError(t, clk.RunEach(100, func() {
				if b := h.Control.Get(); b.Valid {
					blocks = append(blocks, b)
				}
			}))
			_, free := h.state.freeID(kind, 1)
			require.False(t, free, "all IDs are in use")
			return blocks
		}
		first := sent()
		require.NotEmpty(t, first)
		require.Empty(t, sent())
		h.Reset()
		require.Equal(t, first, sent())
	}
}

// A message that a response with a wrong ID seemed to end while its request still waited has no timer, and is completed
// once. The one before it expires.
func TestMessageThatEndsBeforeItsRequestLeaves(t *testing.T) {
	const timeout = 100
	h := &HostTx{Types: DefaultTypes, Node: 2, Nodes: 4, Active: 3, Chunk: 256, Queue: 4, Timeout: timeout}
	sim := rtl.New(rtl.Config{})
	clk := sim.Clock("clk", clock.Block25G)
	sim.Scope("node").On(clk).Add("host", h)
	rtl.Tie(Request{}, &h.Request)
	rtl.Tie(Event{}, &h.Event)
	rtl.Tie(Word{}, &h.Word)
	rtl.Tie(0, &h.Loaded)
	rtl.Tie(false, &h.Arrived, &h.Written, &h.HoldControl, &h.HoldData)
	require.NoError(t, sim.Elaborate())
	// five blocks, behind which the next one waits
	h.waiting.push(Request{Valid: true, Kind: RMWREQ, Dest: 1, Bytes: 8, Tag: 1})
	h.waiting.push(Request{Valid: true, Kind: RREQ, Dest: 1, Bytes: 8, Tag: 2})
	waits, err := clk.RunUntil(10, func() bool { return h.next.valid && h.next.Tag == 2 })
	require.NoError(t, err)
	require.True(t, waits && h.current.valid)
	h.receive(1, h.next.id, 8)
	var done []Completion
	requests := 0
	require.NoError(t, clk.RunEach(3*timeout, func() {
		if c := h.Done.Get(); c.Valid {
			done = append(done, c)
		}
		if b := h.Control.Get(); b.Valid && h.Types.Classify(b) == MS {
			requests++
		}
	}))
	require.Equal(t, 1, requests, "of tag 2, which leaves all the same")
	require.Equal(t, []Completion{{true, 2, false}, {true, 1, true}}, done)
	require.Zero(t, h.state.timers.size())
	require.Equal(t, 1, h.state.messages.size(), "the response to the first may still come")
}
