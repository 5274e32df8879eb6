package spfc

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// The queue gives its events as a sorted list does, in whatever order they are put in: an arrival and an end of a
// transmission for each port, which can be put off or withdrawn, and any number of other events.
func TestDueQueueAgainstSortedList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ports := rapid.IntRange(0, maxPorts).Draw(t, "ports")
		q := newDueQueue(ports)
		var list []due
		for range rapid.IntRange(1, 150).Draw(t, "steps") {
			at := Time(rapid.IntRange(0, 9).Draw(t, "at"))
			port := int32(0)
			if ports > 0 {
				port = rapid.Int32Range(0, int32(ports-1)).Draw(t, "port")
			}
			one := func(k eventKind) due {
				list = slices.DeleteFunc(list, func(d due) bool { return d.kind() == k && d.port() == port })
				if rapid.IntRange(0, 4).Draw(t, "withdrawn") == 0 {
					return nothing
				}
				list = append(list, dueAt(at, k, port))
				return list[len(list)-1]
			}
			switch op := rapid.IntRange(0, 3).Draw(t, "op"); {
			case op == 0 && ports > 0:
				q.arrives(port, one(packetArrives))
			case op == 1 && ports > 0:
				q.frees(port, one(transmitterFree))
			case op == 2 && len(list) > 0:
				switch e := list[0]; e.kind() {
				case packetArrives:
					q.arrives(e.port(), nothing)
				case transmitterFree:
					q.frees(e.port(), nothing)
				default:
					require.Equal(t, uint64(e.time()), q.drop())
				}
				list = list[1:]
			default:
				e := dueAt(at, eventKind(rapid.IntRange(int(pfcArrives), int(timerDue)).Draw(t, "kind")), port)
				q.add(e, uint64(e.time())) // the data comes back with its entry
				list = append(list, e)
			}
			slices.Sort(list)
			first := nothing
			if len(list) > 0 {
				first = list[0]
			}
			require.Equal(t, first, q.first())
		}
	})
}

// Events of one instant are ordered: arrivals, PFC, timers, and transmitters last; then by port. An entry can hold the
// last instant of the longest run, and the last port.
func TestOrderOfAnInstant(t *testing.T) {
	kinds := []eventKind{packetArrives, pfcArrives, pfcActs, pauseExpires, refreshDue, timerDue, transmitterFree}
	before := dueAt(4, transmitterFree, maxPorts-1)
	for _, k := range kinds {
		for _, port := range []int32{0, 1, maxPorts - 1} {
			e := dueAt(5, k, port)
			require.Greater(t, e, before)
			require.Equal(t, []any{Time(5), k, port}, []any{e.time(), e.kind(), e.port()})
			before = e
		}
	}
	require.Equal(t, 2*lastTime-1, dueAt(2*lastTime-1, transmitterFree, maxPorts-1).time())
}

// Queues in one store, and rings, against plain slices.
func TestQueuesAgainstSlices(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		store := packetStore{free: -1}
		var queues [3]packetQueue
		var want [3][]Packet
		var r ring[int]
		var list []int
		for k := range rapid.IntRange(1, 200).Draw(t, "steps") {
			q := rapid.IntRange(0, 2).Draw(t, "queue")
			if rapid.IntRange(0, 4).Draw(t, "op") < 3 {
				p := Packet{Seq: uint64(k)}
				store.push(&queues[q], &p)
				want[q] = append(want[q], p)
				r.push(k)
				list = append(list, k)
			} else if len(want[q]) > 0 {
				require.Equal(t, want[q][0], *store.first(&queues[q]))
				require.Equal(t, want[q][0], *store.pop(&queues[q]))
				want[q] = want[q][1:]
				require.Equal(t, list[0], *r.front())
				require.Equal(t, list[0], r.pop())
				list = list[1:]
			}
			for i := range queues {
				require.Equal(t, len(want[i]) == 0, queues[i].empty())
				require.EqualValues(t, len(want[i]), queues[i].count)
			}
			require.Equal(t, len(list), r.count)
		}
	})
}

// Cells of frames written in turns come back in order, and all are free at the end.
func TestCellMemory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const cells = 20
		m := newCellMemory(cells)
		type frame struct {
			head, tail int32
			data       []uint64
		}
		var frames []*frame
		for k := range uint64(rapid.IntRange(1, 100).Draw(t, "steps")) {
			switch op := rapid.IntRange(0, 3).Draw(t, "op"); {
			case op == 0 || len(frames) == 0:
				frames = append(frames, &frame{head: -1, tail: -1})
				fallthrough
			case op < 3:
				f := frames[rapid.IntRange(0, len(frames)-1).Draw(t, "frame")]
				at := m.write(f.tail, &[8]uint64{k})
				if m.used == cells && at < 0 {
					continue
				}
				if f.head < 0 {
					f.head = at
				}
				f.tail = at
				f.data = append(f.data, k)
			default:
				f := frames[0]
				frames = frames[1:]
				for at := f.head; at >= 0; f.data = f.data[1:] {
					require.Equal(t, f.data[0], m.cells[at].data[0])
					at = m.release(at)
				}
				require.Empty(t, f.data)
			}
			stored := 0
			for _, f := range frames {
				stored += len(f.data)
			}
			require.Equal(t, stored, m.used)
		}
	})
}

// A flow keeps its way at a switch; flows spread evenly, and differently at switches of another salt.
func TestSpread(t *testing.T) {
	const flows, ways = 40_000, 4
	var count [ways]int
	same := 0
	for f := range uint32(flows) {
		w := spread(f, 1, ways)
		count[w]++
		require.Equal(t, w, spread(f, 1, ways))
		if w == spread(f, 2, ways) {
			same++
		}
	}
	for _, c := range append(count[:], same) { // a quarter of the flows, within five standard deviations
		require.InDelta(t, flows/ways, c, 5*87)
	}
}
