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

// A receiver that begins its words Offset bits late sees the line's bits in their order, shifted by that many: bit by
// bit, for each offset.
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

// A line counts its words from its first edge on. Planned damage happens to its words and to no others, and does not
// move the flips of bits, random or planned.
func TestLineIsDamagedAtTheWordsPlanned(t *testing.T) {
	const words, seed = 2, 7
	for _, ber := range []float64{0, 0.01} {
		newLoss := func() *blocks.Lossy {
			loss, err := blocks.NewLossy(ber, seed)
			require.NoError(t, err)
			require.NoError(t, loss.SetFlips([]uint64{7 * 64, 9*64 + 3, 12*64 + 63, 20*64 + 1}))
			loss.StartAt(5 * 64)
			return loss
		}
		line := newLine(words, 0, newLoss(), seed)
		line.Damage(LineDamage{From: 8, To: 11, Kind: Pulled, Offset: 5},
			LineDamage{From: 14, To: 15, Kind: Noise, Offset: 62})
		sim := rtl.New(rtl.Config{Mode: rtl.Strict})
		s := sim.Scope("top").On(sim.Clock("clk", clock.MHz(400)))
		source := &wordSource{rng: rand.New(rand.NewPCG(1, 1))}
		s.Add("source", source)
		s.Add("line", line)
		rtl.Connect(&source.Out, &line.In)
		require.NoError(t, sim.Elaborate())
		loss, noise := newLoss(), rand.New(rand.NewPCG(seed, 9))
		last, offset := uint64(darkWord), 0
		for n := range 40 {
			require.NoError(t, s.Clock().Run(1))
			w := uint64(darkWord)
			if n > words { // the line's words and the source's register
				w = source.sent[n-words-1]
			}
			w ^= loss.Errors(64).Lo
			switch n {
			case 8, 9, 10:
				w = 0
			case 11:
				offset = 5
			case 14:
				w = noise.Uint64()
			case 15:
				offset = 62
			}
			require.Equal(t, w<<offset|last>>(64-offset), line.Out.Get(), "word %d, error rate %v", n, ber)
			last = w
		}
	}
}
