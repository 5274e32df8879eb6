package edm

import (
	"bytes"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/internal/state"
)

// A table whose entries have memory only while they are used reads like one that has all of them, whatever is used and
// freed in which order.
func TestSlotsAgainstAnArray(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{1, 2, 7, 40, 1 << 20}).Draw(t, "slots")
		// Of many slots those are taken that lie near each other, or far apart: both are what a hash may do badly with.
		apart := rapid.SampledFrom([]int{1, 64, 1 << 14}).Draw(t, "apart")
		s, model := newSlots[uint64](n), map[int]uint64{}
		require.Equal(t, n, s.len())
		most := 0
		for range rapid.IntRange(0, 200).Draw(t, "steps") {
			slot := rapid.IntRange(0, 60).Draw(t, "slot") * apart % n
			if rapid.IntRange(0, 2).Draw(t, "what") == 0 {
				s.free(slot)
				delete(model, slot)
			} else {
				v := rapid.Uint64().Draw(t, "value")
				*s.entry(slot) += v
				model[slot] += v
			}
			most = max(most, len(model))
			require.Equal(t, len(model), s.size())
			indices := map[int]bool{}
			for k := range 61 {
				slot := k * apart % n
				v, used := model[slot]
				require.Equal(t, used, s.has(slot))
				require.Equal(t, v, *s.look(slot))
				if used {
					require.Less(t, s.index(slot), s.room())
					indices[s.index(slot)] = true
				}
			}
			require.Len(t, indices, len(model), "each has an entry of its own")
		}
		require.Equal(t, most, s.room(), "entries are used again")
	})
}

// A run of cells that goes around the end of the table closes up when one of them is freed, whichever it is.
func TestSlotsAroundTheEnd(t *testing.T) {
	s := newSlots[int](1 << 20)
	last := len(s.cells) - 1
	var slots []int // three of the last cell, one of the first
	for slot := 1; len(slots) < 4; slot++ {
		if home := s.home(uint32(slot)); len(slots) < 3 && home == last || len(slots) == 3 && home == 0 {
			slots = append(slots, slot)
		}
	}
	for freed := range slots {
		s := newSlots[int](1 << 20)
		for _, slot := range slots {
			*s.entry(slot) = slot
		}
		require.Len(t, s.cells, last+1, "no growth")
		s.free(slots[freed])
		for i, slot := range slots {
			want := slot
			if i == freed {
				want = 0
			}
			require.Equal(t, want, *s.look(slot), "slot %d of %v without %d", slot, slots, slots[freed])
		}
		require.Zero(t, s.cells[2].entry, "closed up")
	}
}

// All slots of a table are used, then freed, then used again.
func TestSlotsThatAreAllUsed(t *testing.T) {
	const n = 1 << 17 // more than 16 bits can number
	s := newSlots[uint32](n)
	for round := range 2 {
		for i := range n {
			*s.entry(i) += uint32(i + 1)
		}
		for i := range n {
			if *s.look(i) != uint32(i+1) {
				require.Fail(t, "another entry", "slot %d in round %d", i, round)
			}
		}
		require.Equal(t, [2]int{n, n}, [2]int{s.size(), s.room()})
		for i := range n {
			s.free(i)
		}
		require.Equal(t, [2]int{0, n}, [2]int{s.size(), s.room()})
	}
}

// Pages that nobody wrote read as zero and have no memory.
func TestPagesAgainstAnArray(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := 8 * rapid.IntRange(1, 200).Draw(t, "words")
		p, model, touched := newPages(size), make([]byte, size), map[int]bool{}
		for range rapid.IntRange(0, 40).Draw(t, "writes") {
			at, n := 8*rapid.IntRange(0, size/8-1).Draw(t, "word"), rapid.IntRange(1, 8).Draw(t, "bytes")
			v := rapid.Uint64().Draw(t, "value")
			p.write(uint64(at), v, n)
			for i := range n {
				model[at+i] = byte(v >> (8 * i))
			}
			touched[at/pageBytes] = true
		}
		for at := 0; at < size; at += 8 {
			want := uint64(0)
			for i := range 8 {
				want |= uint64(model[at+i]) << (8 * i)
			}
			require.Equal(t, want, p.word(uint64(at)))
		}
		have := 0
		for _, q := range p.page {
			if q != nil {
				have++
			}
		}
		require.Len(t, touched, have)
	})
}

// sparse has memory from its first use on, beside its expected contents.
type sparse struct {
	table  slots[uint64]
	memory pages
	oracle oracleBytes

	words, rows []uint64       `state:"none"` // of memory and oracle
	entries     map[int]uint64 `state:"none"` // of the table
}

const (
	sparseSlots = 40
	sparseBytes = 40 * pageBytes
)

func newSparse() *sparse {
	return &sparse{newSlots[uint64](sparseSlots), newPages(sparseBytes), newOracleBytes(sparseBytes),
		make([]uint64, sparseBytes/8), make([]uint64, sparseBytes/8), map[int]uint64{}}
}

// use sets some of each.
func (s *sparse) use(t *rapid.T) {
	for range rapid.IntRange(0, 40).Draw(t, "uses") {
		if rapid.IntRange(0, 3).Draw(t, "free") == 0 {
			slot := rapid.IntRange(0, sparseSlots-1).Draw(t, "freed")
			s.table.free(slot)
			delete(s.entries, slot)
		}
		slot, word, x := rapid.IntRange(0, sparseSlots-1).
			Draw(t, "slot"),
			rapid.IntRange(0, sparseBytes/8-1).
				Draw(t, "word"),
			rapid.Uint64().
				Draw(t, "value")
		*s.table.entry(slot) += x
		s.entries[slot] += x
		low := x & 0xff // of a byte, so that the others of a page show its earlier contents
		s.memory.write(uint64(8*word), low, 1)
		s.words[word] = s.words[word]&^0xff | low
		s.oracle.flip(uint64(8*word), x)
		s.rows[word] ^= x
	}
}

func (s *sparse) check(t *rapid.T) {
	require.Equal(t, len(s.entries), s.table.size())
	for slot := range sparseSlots {
		require.Equal(t, s.entries[slot], *s.table.look(slot))
	}
	for i := range s.words {
		require.Equal(t, s.words[i], s.memory.word(uint64(8*i)))
		require.Equal(t, s.rows[i], s.oracle.word(uint64(8*i)))
	}
}

// A checkpoint of a full table goes into an empty one, of an empty one into a full one, and into its own: nothing of
// before is left, also not in pages that get memory afterwards.
func TestSparseMemoryAfterARestore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := [2]*sparse{newSparse(), newSparse()}
		for range rapid.IntRange(1, 6).Draw(t, "checkpoints") {
			from := all[rapid.IntRange(0, 1).Draw(t, "from")]
			from.use(t)
			file, err := state.Save(from)
			require.NoError(t, err)
			words, rows, entries := slices.Clone(from.words), slices.Clone(from.rows), maps.Clone(from.entries)

			to := all[rapid.IntRange(0, 1).Draw(t, "to")]
			to.use(t)
			require.NoError(t, state.Restore(bytes.NewReader(file), to))
			to.words, to.rows, to.entries = words, rows, entries
			to.check(t)
			to.use(t)
			to.check(t)
		}
	})
}

// When all messages are over, no table has an entry for any of them, in any mode; with timers too.
func TestTablesAreEmptyAtTheEnd(t *testing.T) {
	for _, timeout := range []string{"0ns", "1ms"} {
		for _, mode := range modes {
			cfg := Config{Nodes: 8, Timeout: clock.MustTime(timeout), TimeWrites: true, Sim: mode}
			var n *Network
			r, err := Run(t.Context(), cfg, mixed(3, 8, 400, 64, 20_000), Options{Prepare: func(made *Network) { n = made }})
			require.NoError(t, err)
			require.Zero(t, r.Monitor.Count, r.Monitor.Violations)
			sizes := map[string]int{}
			for i, h := range n.Hosts {
				sizes["messages"] += h.Tx.state.messages.size()
				if h.Tx.Timeout > 0 {
					sizes["timers"] += h.Tx.state.timers.size()
				}
				sizes["responses"] += h.Tx.responses.size()
				sizes["words"] += r.Monitor.expected[i].by.size()
				sizes["pairs"] += n.Scheduler.dests[i].pairs.size()
				require.Positive(t, h.Tx.state.messages.room()+h.Tx.responses.room(), "host %d had something to do", i)
			}
			for _, f := range n.Switches {
				sizes["requests"] += f.Grants.requests.size() + f.Grants.more.size()
				require.Positive(t, f.Grants.more.room())
			}
			for table, size := range sizes {
				require.Zero(t, size, "%s, mode %v, timeout %s", table, mode, timeout)
			}
		}
	}
}
