package edm

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/pcs"
)

// What each block of data gives, whatever was there before: words with all their fields, or a Word of zeros. Blocks
// that no message has, after one that ended early too, give none.
func TestWordsOfData(t *testing.T) {
	const ones = math.MaxUint64
	var none Word
	types, tail := DefaultTypes, DefaultTypes.tail
	response := func(bytes uint16) pcs.Block {
		return Header{Kind: RRES, Source: 5, ID: 2, Bytes: bytes}.block(types.MS)
	}
	started := Word{Valid: true, Kind: RRES, Source: 5, ID: 2}
	var p dataParser
	for i, c := range []struct {
		block pcs.Block
		want  Word
	}{
		{data(ones), none},
		{tail(ones), none},

		{response(10), started},
		{data(0x1122334455667788), Word{true, RRES, 5, 2, 0, 0x1122334455667788, 8, false}},
		{tail(0xffffaabb), Word{true, RRES, 5, 2, 8, 0xaabb, 2, true}},
		{data(ones), none},
		{tail(ones), none},

		{response(8), started},
		{data(1), Word{true, RRES, 5, 2, 0, 1, 8, true}},
		{data(ones), none}, // more than it was to have
		{tail(ones), none},

		{response(30), started},
		{tail(3), Word{true, RRES, 5, 2, 0, 3, 7, false}}, // three blocks were lost
		{data(ones), none},
		{tail(ones), none},

		{Header{Kind: RRES, Source: 6, ID: 3, High: 0xab, Bytes: 1}.block(types.MST),
			Word{true, RRES, 6, 3, 0, 0xab, 1, true}},
		{data(ones), none},
		{Header{Kind: RRES, Source: 6, Bytes: 8}.block(types.G), none},

		{Header{Kind: WREQ, Source: 4, ID: 1, Bytes: 3}.block(types.MS), Word{Valid: true, Kind: WREQ, Source: 4, ID: 1}},
		{data(wideAddress), none},
		{tail(ones), Word{true, WREQ, 4, 1, wideAddress, 0xffffff, 3, true}},

		{Header{Kind: WREQ, Source: 4, ID: 1, Bytes: 32, High: megaChunk}.block(types.MS),
			Word{Valid: true, Kind: WREQ, Source: 4, ID: 1}},
		{data(placeWord(0x100, 5)), none},
		{data(ones), Word{true, WREQ, 4, 1, 0x100, 0xffffffffff, 5, false}},
		{data(placeWord(0x200, 16)), none},
		{data(7), Word{true, WREQ, 4, 1, 0x200, 7, 8, false}},
		{data(9), Word{true, WREQ, 4, 1, 0x208, 9, 8, true}},
		{data(ones), none},
		{tail(ones), none},
	} {
		w := Word{true, RMWREQ, 9, 9, 9, 9, 9, true} // of before
		p.next(&types, c.block, &w)
		require.Equal(t, c.want, w, "block %d", i)
	}
}

// A word of a response that a bit error gave another source or ID is given on only where the table has a place for it.
// The table's neighbours stay as they are.
func TestResponsesWithoutAPlace(t *testing.T) {
	const nodes, active = 3, 2
	for source := range uint16(nodes + 2) {
		for id := range uint8(active + 2) {
			h := HostRx{Nodes: nodes, Active: active, places: make([]uint64, nodes*active)}
			for i := range h.places {
				h.places[i] = uint64(100 * i)
			}
			w := Word{Valid: true, Kind: RRES, Source: source, ID: id, Bytes: 8}
			want, place := w, int(source)*active+int(id)
			if source < nodes && id < active {
				want.Address = uint64(100 * place)
			} else {
				want, place = Word{}, -1
			}
			h.locate(&w)
			require.Equal(t, want, w, "source %d, ID %d", source, id)
			for i, next := range h.places {
				moved := uint64(0)
				if i == place {
					moved = 8
				}
				require.Equal(t, uint64(100*i)+moved, next, "source %d, ID %d: entry %d", source, id, i)
			}
		}
	}
}
