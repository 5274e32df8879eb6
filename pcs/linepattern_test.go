package pcs

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
)

// lineBits runs a pattern and returns its bits.
func lineBits(t *testing.T, g *LinePattern, words int) []byte {
	t.Helper()
	sim := rtl.New(rtl.Config{Mode: rtl.Strict})
	sc := sim.Scope("s").On(sim.Clock("clk", clock.Block10G))
	sc.Add("pattern", g)
	rtl.Tie(true, &g.Enable)
	require.NoError(t, sim.Elaborate())
	var bits []byte
	for range words {
		require.NoError(t, sc.Clock().Run(1))
		w := g.Out.Get()
		for i := range g.width {
			if i < 64 {
				bits = append(bits, byte(w.Lo>>i&1))
			} else {
				bits = append(bits, w.Hi>>(i-64)&1)
			}
		}
	}
	return bits
}

func TestSquareWave(t *testing.T) {
	for _, width := range []int{1, 40, 64, 66} {
		for n := SquareWaveMin; n <= SquareWaveMax; n++ {
			g, err := NewSquareWave(width, n)
			require.NoError(t, err)
			for i, b := range lineBits(t, g, 50) {
				require.Equal(t, byte(1-i/n%2), b, "width %d, %d bits a level, bit %d", width, n, i)
			}
		}
	}
	_, err := NewSquareWave(64, 12)
	require.EqualError(t, err, "square wave of 12 bits a level, want 4 to 11")
}

// PRBS31 of 49.2.8: the complement of a sequence with a[k] = a[k-28] + a[k-31]. PRBS9 of 68.6.1: a[k] = a[k-5] +
// a[k-9].
func TestLinePRBS(t *testing.T) {
	for _, c := range []struct {
		p          blocks.PRBSPattern
		near, far  int
		complement byte
	}{{blocks.PRBS31, 28, 31, 1}, {blocks.PRBS9, 5, 9, 0}} {
		for _, width := range []int{16, 64, 66} {
			g, err := NewPRBSPattern(width, c.p, 5)
			require.NoError(t, err)
			bits := lineBits(t, g, 100)
			for k := c.far; k < len(bits); k++ {
				require.Equal(t, bits[k-c.near]^bits[k-c.far]^c.complement, bits[k])
			}
		}
	}
	_, err := NewPRBSPattern(64, blocks.PRBS9, 0)
	require.ErrorContains(t, err, "PRBS9")
}

// The checker finds the phase by itself, and one bit error counts three times, on any width.
func TestLineChecker(t *testing.T) {
	for _, width := range []int{20, 64, 66} {
		for _, flips := range [][]uint64{nil, {3000}, {3000, 7000}} {
			g, err := NewPRBSPattern(width, blocks.PRBS31, 77)
			require.NoError(t, err)
			c, err := NewLineChecker(width, blocks.PRBS31)
			require.NoError(t, err)
			loss, err := blocks.NewLossy(0, 0)
			require.NoError(t, err)
			require.NoError(t, loss.SetFlips(flips))
			ch := NewChannel(width, 3, loss, nil)
			sim := rtl.New(rtl.Config{Mode: rtl.Strict})
			sc := sim.Scope("s").On(sim.Clock("clk", clock.Block10G))
			sc.Add("pattern", g)
			sc.Add("channel", ch)
			sc.Add("checker", c)
			rtl.Tie(true, &g.Enable)
			rtl.Connect(&g.Out, &ch.In)
			rtl.Connect(&ch.Out, &c.In)
			require.NoError(t, sim.Elaborate())
			require.NoError(t, sc.Clock().Run(500))
			require.EqualValues(t, 3*len(flips), c.Errors.Get())
		}
	}
}
