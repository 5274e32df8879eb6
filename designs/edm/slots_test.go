package edm

import (
	"bytes"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/internal/state"
)

// A table of which only what was set has memory reads like one that has all of it.
func TestSlotsAgainstAnArray(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const many = 1 << 16 // one more than 16 bits can number the entries of
		n := rapid.OneOf(rapid.IntRange(1, 40), rapid.Just(many)).Draw(t, "slots")
		s, model, set := newSlots[uint64](n), make([]uint64, n), map[int]bool{}
		require.Equal(t, n, s.len())
		for range rapid.IntRange(0, 60).Draw(t, "writes") {
			i, v := rapid.IntRange(0, n-1).Draw(t, "slot"), rapid.Uint64().Draw(t, "value")
			*s.entry(i) += v
			model[i], set[i] = model[i]+v, true
			for k := range model[:min(n, 40)] {
				require.Equal(t, model[k], *s.look(k))
			}
			require.Equal(t, model[i], *s.look(i))
		}
		require.Equal(t, len(set), s.size())
		indices := map[int]bool{}
		for i := range set {
			require.Less(t, s.index(i), s.size())
			indices[s.index(i)] = true
		}
		require.Len(t, indices, len(set))
	})
}

// All slots of a table are used, of the largest whose entries 16 bits number and of the next larger one.
func TestSlotsThatAreAllUsed(t *testing.T) {
	for _, n := range []int{math.MaxUint16, math.MaxUint16 + 1} {
		s := newSlots[uint32](n)
		for i := range n {
			*s.entry(i) = uint32(i + 1)
		}
		for i := range n {
			if *s.look(i) != uint32(i+1) || s.index(i) != i {
				require.Fail(t, "another entry", "slot %d of %d", i, n)
			}
		}
		require.Equal(t, n, s.size())
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

// sparse is what has memory from its first use on, beside what it ought to hold.
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
		slot, word, x := rapid.IntRange(0, sparseSlots-1).Draw(t, "slot"), rapid.IntRange(0, sparseBytes/8-1).Draw(t, "word"), rapid.Uint64().Draw(t, "value")
		*s.table.entry(slot) += x
		s.entries[slot] += x
		low := x & 0xff // of a byte, so that the others of a page show what it had before
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

// A checkpoint of much goes into what has little, of little into what has much, and into what it was made of: nothing of before is left, also
// not in what gets memory afterwards.
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
