package spfc

import (
	"cmp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Events come out as a sorted list has them, whatever goes in between.
func TestEventHeapAgainstSortedList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var h eventHeap
		var list []event
		for range rapid.IntRange(1, 120).Draw(t, "steps") {
			e := event{at: Time(rapid.IntRange(0, 9).Draw(t, "at")), key: rapid.Uint64Range(0, 3).Draw(t, "key"), data: rapid.Uint64Range(0, 2).Draw(t, "data")}
			switch op := rapid.IntRange(0, 4).Draw(t, "op"); {
			case op < 3 || len(list) == 0:
				h.push(e)
				list = append(list, e)
			case op == 3:
				require.Equal(t, list[0], h.pop())
				list = list[1:]
			default:
				h.sink(e) // in the place of the first
				list[0] = e
			}
			slices.SortFunc(list, func(a, b event) int {
				switch {
				case a.before(&b):
					return -1
				case b.before(&a):
					return 1
				}
				return 0
			})
			require.Len(t, h.items, len(list))
			if len(list) > 0 {
				require.Equal(t, list[0], h.items[0])
			}
		}
	})
}

// The same of buckets and heap together, for times in one bucket, in the next ones, around the wheel and beyond it.
func TestEventQueueAgainstSortedList(t *testing.T) {
	beyond := 0
	rapid.Check(t, func(t *rapid.T) {
		q := newEventQueue()
		var list []event
		now := Time(0)
		for range rapid.IntRange(1, 200).Draw(t, "steps") {
			if len(list) > 0 && rapid.IntRange(0, 2).Draw(t, "op") == 0 {
				require.Equal(t, list[0], *q.first())
				require.Equal(t, list[0], q.pop())
				now, list = list[0].at, list[1:]
				require.Equal(t, len(list) == 0, q.empty())
				continue
			}
			reach := rapid.SampledFrom([]Time{0, 3, 1 << (bucketShift + 2), bucketCount << bucketShift, bucketCount << (bucketShift + 2)}).Draw(t, "reach")
			e := event{at: now + Time(rapid.Int64Range(0, int64(reach)).Draw(t, "after")), key: rapid.Uint64Range(0, 3).Draw(t, "key"), data: rapid.Uint64Range(0, 2).Draw(t, "data")}
			q.push(e)
			list = append(list, e)
			slices.SortFunc(list, func(a, b event) int {
				return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.key, b.key), cmp.Compare(a.data, b.data))
			})
			beyond = max(beyond, len(q.far.items))
		}
		for _, want := range list {
			require.Equal(t, want, q.pop())
		}
		require.Nil(t, q.first())
	})
	require.Positive(t, beyond)
}

// What happens at one instant is ordered: arrivals, PFC, timers, and transmitters last.
func TestOrderOfAnInstant(t *testing.T) {
	h := newEventQueue()
	kinds := []eventKind{transmitterFree, timerDue, packetArrives, refreshDue, pfcActs, pauseExpires, pfcArrives}
	for _, k := range kinds {
		h.push(event{at: 5, key: uint64(k)<<32 | 7})
	}
	h.push(event{at: 4, key: uint64(transmitterFree) << 32})
	require.EqualValues(t, 4, h.pop().at)
	for _, want := range []eventKind{packetArrives, pfcArrives, pfcActs, pauseExpires, refreshDue, timerDue, transmitterFree} {
		require.Equal(t, want, eventKind(h.pop().key>>32))
	}
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
