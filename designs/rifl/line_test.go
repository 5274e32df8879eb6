package rifl

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
)

// wordSource sends random words and keeps them.
type wordSource struct {
	Out  rtl.Out[Word]
	rng  *rand.Rand
	sent []uint64
}

func (s *wordSource) Tick() {
	w := s.rng.Uint64()
	s.sent = append(s.sent, w)
	s.Out.Set(Word{Data: w, Valid: true})
}

// A receiver that begins its words Offset bits late sees the line's bits in their order, shifted by that many: bit by bit, for each offset.
func TestLineBeginsWordsAtTheOffset(t *testing.T) {
	for offset := range 64 {
		t.Run(fmt.Sprint(offset), func(t *testing.T) {
			loss, err := blocks.NewLossy(0, 1)
			require.NoError(t, err)
			const words = 3
			line := newLine(words, offset, loss, 1)
			sim := rtl.New(rtl.Config{Mode: rtl.Strict})
			s := sim.Scope("top").On(sim.Clock("clk", clock.MHz(400)))
			source := &wordSource{rng: rand.New(rand.NewPCG(1, uint64(offset)))}
			s.Add("source", source)
			s.Add("line", line)
			rtl.Connect(&source.Out, &line.In)
			require.NoError(t, sim.Elaborate())
			var sent, got []byte // bits, the least significant of a word first
			bits := func(to []byte, w uint64) []byte {
				for i := range 64 {
					to = append(to, byte(w>>i&1))
				}
				return to
			}
			for range 20 {
				require.NoError(t, s.Clock().Run(1))
				got = bits(got, line.Out.Get())
			}
			for _, w := range source.sent {
				sent = bits(sent, w)
			}
			first := 64*(words+1) + offset // the line's words, its register, the bits of the offset
			require.Equal(t, sent[:len(got)-first], got[first:])
		})
	}
}
