package edm

import (
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/pcs"
)

// standardTypes are the block type fields of Figure 49-7.
var standardTypes = []byte{0x1e, 0x2d, 0x33, 0x66, 0x55, 0x78, 0x4b, 0x87, 0x99, 0xaa, 0xb4, 0xcc, 0xd2, 0xe1, 0xff}

// EDM's types are 4 bits apart and 2 from all of the standard, which is as far as any byte can be from those: they are
// 4 apart themselves, and with 0x00 no byte is more than 2 away.
func TestBlockTypesAreFarApart(t *testing.T) {
	types := map[string]byte{
		"MS": DefaultTypes.MS, "MT": DefaultTypes.MT, "MST": DefaultTypes.MST, "N": DefaultTypes.N, "G": DefaultTypes.G,
	}
	distance := func(a, b byte) int { return bits.OnesCount8(a ^ b) }
	for name, a := range types {
		for other, b := range types {
			require.True(t, name == other || distance(a, b) >= 4, "/%s/ and /%s/ are %d bits apart", name, other, distance(a, b))
		}
		for _, b := range standardTypes {
			require.GreaterOrEqual(t, distance(a, b), 2, "/%s/ and %#02x", name, b)
		}
	}
	code := append([]byte{0}, standardTypes...)
	for i, a := range code {
		for _, b := range code[:i] {
			require.GreaterOrEqual(t, distance(a, b), 4)
		}
	}
	for x := range 256 {
		nearest := 8
		for _, b := range code {
			nearest = min(nearest, distance(byte(x), b))
		}
		require.LessOrEqual(t, nearest, 2, "%#02x", x)
	}
}

// One wrong bit of a block, header included, makes no block of EDM one of the standard or of another kind, nor one of
// the standard one of EDM. Data blocks have no type: only their header is protected.
func TestSingleBitErrorsDoNotChangeTheKind(t *testing.T) {
	kinds := map[byte]BlockKind{
		DefaultTypes.MS: MS, DefaultTypes.MT: MT, DefaultTypes.MST: MST, DefaultTypes.N: N, DefaultTypes.G: G,
	}
	for _, typ := range standardTypes {
		kinds[typ] = Other
	}
	require.Len(t, kinds, 20)
	rapid.Check(t, func(t *rapid.T) {
		rest := rapid.Uint64().Draw(t, "payload") &^ 0xff
		for typ, kind := range kinds {
			b := pcs.Block{Payload: rest | uint64(typ), Header: pcs.HeaderControl, Valid: true}
			require.Equal(t, kind, DefaultTypes.Classify(b))
			for i := range 2 {
				wrong := b
				wrong.Header ^= 1 << i
				require.Equal(t, Bad, DefaultTypes.Classify(wrong))
			}
			for i := range 64 {
				wrong := b
				wrong.Payload ^= 1 << i
				got := DefaultTypes.Classify(wrong)
				if i >= 8 {
					require.Equal(t, kind, got)
					continue
				}
				require.Equal(t, Other, got, "%#02x with bit %d wrong", typ, i)
				require.Equal(t, pcs.KindE, pcs.Classify(wrong), "%#02x with bit %d wrong", typ, i)
			}
		}
	})
}

// A header's fields survive the block, bit by bit; they stay clear of the type and of each other.
func TestHeadersSurvive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := Header{
			Kind: Kind(rapid.IntRange(0, 7).Draw(t, "kind")), ID: rapid.Uint8().Draw(t, "id"),
			Source: rapid.Uint16Max(MaxNodes-1).Draw(t, "source"), Dest: rapid.Uint16Max(MaxNodes-1).Draw(t, "dest"),
			Bytes: rapid.Uint16().Draw(t, "bytes"), High: rapid.Uint8().Draw(t, "high"),
			Long: rapid.Bool().Draw(t, "long"),
		}
		b := h.block(DefaultTypes.G)
		require.Equal(t, G, DefaultTypes.Classify(b))
		require.Equal(t, h, HeaderOf(b))
	})
	// places by hand, from the layout in the comment of Header
	require.Equal(t, uint64(0x7b)|3<<8|0xff<<11|0x3ff<<19|1<<29|0x8001<<39|0x80<<55,
		Header{RMWREQ, 0xff, 0x3ff, 1, 0x8001, 0x80, false}.block(DefaultTypes.N).Payload)
	require.Equal(t, uint64(0x84)|1<<63, Header{Long: true}.block(DefaultTypes.G).Payload)
}

// A piece of a long message says how long the message is from there on, in units of 256 bytes, rounded up; from 16 MB
// on no more than that.
func TestSizesOfLongMessages(t *testing.T) {
	for _, c := range []struct {
		bytes uint16
		after uint32
		want  uint16
		long  bool
	}{
		{61_440, 0, 61_440, false}, {500, 9, 500, false}, // no piece of a longer one
		{61_440, 1, 241, true}, {61_440, 256, 241, true}, {61_440, 257, 242, true}, {61_440, 1_000_000_000, 65_535, true},
	} {
		bytes, long := sizeOf(c.bytes, c.after)
		require.Equal(t, c.want, bytes, "%+v", c)
		require.Equal(t, c.long, long, "%+v", c)
		asked, after := lengthOf(bytes, long)
		require.Equal(t, c.bytes, asked, "%+v", c)
		if long && c.want < 65_535 {
			require.InDelta(t, c.after, after, 255, "%+v", c)
			require.GreaterOrEqual(t, after, c.after)
		}
	}
}
