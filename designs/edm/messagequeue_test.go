package edm

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// pop blocks queues whose first request the function may refuses, in turn, until it allows one, and takes that.
func pop(q *messageQueue, may func(*Request) bool) (Request, bool) {
	for d := q.candidate(); d >= 0; d = q.candidate() {
		if may(q.first(d)) {
			return q.takeInTurn(d), true
		}
		q.block(d)
	}
	return Request{}, false
}

func any1(*Request) bool { return true }

// Destinations take turns, and so do the reads and the writes of one; the requests of one queue keep their order.
func TestMessageQueueTakesTurns(t *testing.T) {
	q := newMessageQueue(16, 8)
	for _, r := range []Request{
		{Kind: RREQ, Dest: 0, Tag: 1}, {Kind: RREQ, Dest: 0, Tag: 2}, {Kind: RMWREQ, Dest: 0, Tag: 3},
		{Kind: WREQ, Dest: 0, Tag: 4},
		{Kind: WREQ, Dest: 2, Tag: 5}, {Kind: WREQ, Dest: 2, Tag: 6}, {Kind: RREQ, Dest: 3, Tag: 7},
	} {
		q.push(r)
	}
	var tags []uint32
	for {
		r, ok := pop(q, any1)
		if !ok {
			break
		}
		tags = append(tags, r.Tag)
	}
	// first round: reads of 0, writes of 0, writes of 2, reads of 3; then the rest
	require.Equal(t, []uint32{1, 4, 5, 7, 2, 6, 3}, tags)
	require.False(t, q.full())
}

// A destination without a free ID is passed over, and does not lose its place.
func TestMessageQueuePassesOverTheBlocked(t *testing.T) {
	q := newMessageQueue(4, 8)
	q.push(Request{Kind: RREQ, Dest: 0, Tag: 1})
	q.push(Request{Kind: RREQ, Dest: 1, Tag: 2})
	r, ok := pop(q, func(r *Request) bool { return r.Dest != 0 })
	require.True(t, ok)
	require.EqualValues(t, 2, r.Tag)
	_, ok = pop(q, any1)
	require.False(t, ok, "it stays blocked until an ID is free")
	q.unblock(queueOf(Request{Kind: RREQ, Dest: 0}))
	r, ok = pop(q, any1)
	require.True(t, ok)
	require.EqualValues(t, 1, r.Tag)
}

// What may go is the same as by a look at each queue, from the one in turn on.
func TestMessageQueueAgainstALook(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const queues = 6
		depth := rapid.IntRange(1, 30).Draw(t, "depth")
		q := newMessageQueue(depth, queues)
		model, blocked, turn := make([][]uint32, queues), make([]bool, queues), 0
		for tag := range uint32(rapid.IntRange(1, 60).Draw(t, "steps")) {
			d := rapid.IntRange(0, queues-1).Draw(t, "queue")
			n := 0
			for _, m := range model {
				n += len(m)
			}
			require.Equal(t, n == depth, q.full())
			require.Equal(t, n, q.Len())
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0, 1:
				if n == depth {
					continue
				}
				kind := RREQ
				if d%2 == 1 {
					kind = WREQ
				}
				q.push(Request{Kind: kind, Dest: uint16(d / 2), Tag: tag})
				model[d] = append(model[d], tag)
			case 2:
				q.unblock(d)
				blocked[d] = false
			default:
				want := -1
				for i := range queues {
					if k := (turn + i) % queues; want < 0 && len(model[k]) > 0 && !blocked[k] {
						want = k
					}
				}
				got := q.candidate()
				require.Equal(t, want, got)
				if want < turn { // a new round
					turn = 0
				}
				switch {
				case want < 0:
				case rapid.Bool().Draw(t, "it may go"):
					require.Equal(t, model[want][0], q.takeInTurn(got).Tag)
					model[want], turn = model[want][1:], want+1
					for len(model[want]) > 0 && rapid.Bool().Draw(t, "another goes along") { // in a mega message
						require.Equal(t, model[want][0], q.first(want).Tag)
						require.Equal(t, model[want][0], q.take(want).Tag)
						model[want] = model[want][1:]
					}
					require.Equal(t, len(model[want]) == 0, q.first(want) == nil)
				default:
					q.block(got)
					blocked[want] = true
				}
			}
		}
	})
}

// A mega message takes as many bytes as the batch has, with the places of its further writes, and no piece of a longer
// message.
func TestMegaMessageKeepsToItsBatch(t *testing.T) {
	for _, c := range []struct {
		batch int
		rest  uint32
		want  uint16
	}{{24, 0, 24}, {23, 0, 8}, {24, 1, 8}} {
		var m mega
		waiting := newMessageQueue(4, 4)
		waiting.push(Request{Kind: WREQ, Dest: 1, Bytes: 8, Rest: c.rest})
		require.Equal(t, c.want, m.gather(waiting, Request{Kind: WREQ, Dest: 1, Bytes: 8}, c.batch))
	}
}

// The oracle keeps the bytes of a word that a response leaves out.
func TestOracleReceivesBytes(t *testing.T) {
	o := memoryOracle{local: newOracleBytes(8)}
	o.receive(0, 0x1122334455667788, 8)
	o.receive(0, 0xaabbcc, 3)
	require.EqualValues(t, uint64(0x1122334455aabbcc), o.local.word(0))
}
