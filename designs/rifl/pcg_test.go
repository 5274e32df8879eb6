package rifl

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Words drawn one by one or many at a time, and numbers below a bound between them, equal the numbers of
// math/rand/v2's generator with the same seeds.
func TestPCGIsThatOfTheStandardLibrary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hi, lo := rapid.Uint64().Draw(t, "hi"), rapid.Uint64().Draw(t, "lo")
		p, standard := &pcg{hi, lo}, rand.NewPCG(hi, lo)
		for range rapid.IntRange(1, 20).Draw(t, "draws") {
			if rapid.Bool().Draw(t, "number") {
				below := rapid.IntRange(1, 1<<30).Draw(t, "below")
				require.Equal(t, rand.New(standard).IntN(below), rand.New(p).IntN(below))
				continue
			}
			words := make([]uint64, rapid.IntRange(0, 40).Draw(t, "words"))
			p.fill(words)
			for i, w := range words {
				require.Equal(t, standard.Uint64(), w, "word %d of %d", i, len(words))
			}
		}
	})
}

// The same seed gives the same packets from version to version: their bytes and the sizes between them are drawn from
// one generator.
func TestPacketsComeFromTheirSeed(t *testing.T) {
	const seed, least, most, width = 7, 1, 90, 32
	s, standard := Packets(seed, least, most, 40), rand.NewPCG(seed, 0x5109)
	left := 40
	for range 50 {
		if left == 0 {
			left = least + rand.New(standard).IntN(most-least+1)
		}
		data := make([]uint64, width/8)
		beat, _ := s.Next(data, width)
		n := min(left, width)
		left -= n
		require.Equal(t, BeatControl{Bytes: uint16(n), Last: left == 0, Valid: true}, beat)
		for i := range data {
			want := uint64(0)
			if bytes := n - 8*i; bytes > 0 {
				want = standard.Uint64() & (1<<(8*min(bytes, 8)) - 1)
			}
			require.Equal(t, want, data[i], "word %d of a beat of %d bytes", i, n)
		}
	}
}
