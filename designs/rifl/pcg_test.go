package rifl

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Words drawn one by one or many at a time, and numbers below a bound between them, are those of math/rand/v2's generator of the same seeds.
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
