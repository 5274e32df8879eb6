package blocks_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/blocks"
)

// x^4+x^3+1 by hand, from state 1.
func TestLFSRCycles(t *testing.T) {
	for _, c := range []struct {
		form   blocks.LFSRForm
		states []uint64
	}{
		// The new bit 3 is bit 0 XOR bit 1.
		{blocks.Fibonacci, []uint64{0b0001, 0b1000, 0b0100, 0b0010, 0b1001, 0b1100, 0b0110, 0b1011}},
		// Bit 0 enters bit 3 and inverts bit 2.
		{blocks.Galois, []uint64{0b0001, 0b1100, 0b0110, 0b0011, 0b1101, 0b1010, 0b0101, 0b1110}},
	} {
		l, err := blocks.NewLFSR(c.form, 1, 4, 3)
		require.NoError(t, err)
		require.Equal(t, 4, l.Width())
		for _, s := range c.states {
			require.Equal(t, s, l.State())
			require.Equal(t, s&1, l.Step())
		}
	}
}

func TestLFSRObeysRecurrence(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		form := rapid.SampledFrom([]blocks.LFSRForm{blocks.Fibonacci, blocks.Galois}).Draw(t, "form")
		taps := rapid.SliceOfNDistinct(rapid.IntRange(1, 64), 1, 6, rapid.ID).Draw(t, "taps")
		width := 0
		for _, tap := range taps {
			width = max(width, tap)
		}
		seed := rapid.Uint64Range(1, ^uint64(0)>>(64-width)).Draw(t, "seed")
		l, err := blocks.NewLFSR(form, seed, taps...)
		require.NoError(t, err)
		a := make([]uint64, 200)
		for k := range a {
			a[k] = l.Step()
			switch {
			case k >= width:
				var want uint64
				for _, tap := range taps {
					want ^= a[k-tap]
				}
				require.Equal(t, want, a[k], "bit %d", k)
			case form == blocks.Fibonacci:
				require.Equal(t, seed>>k&1, a[k], "bit %d of the seed", k)
			}
		}
	})
}

// A register with a primitive polynomial visits every state but 0: here the PRBSs that are short enough to walk.
func TestLFSRPeriodIsMaximal(t *testing.T) {
	for _, p := range []blocks.PRBSPattern{blocks.PRBS7, blocks.PRBS9, blocks.PRBS11, blocks.PRBS13, blocks.PRBS15} {
		for _, form := range []blocks.LFSRForm{blocks.Fibonacci, blocks.Galois} {
			l, err := blocks.NewLFSR(form, 1, p.Taps...)
			require.NoError(t, err)
			period := 0
			for ok := true; ok; ok = l.State() != 1 {
				l.Step()
				period++
			}
			require.Equal(t, 1<<l.Width()-1, period, p.Name)
		}
	}
}

func TestNewLFSRErrors(t *testing.T) {
	for _, c := range []struct {
		form blocks.LFSRForm
		seed uint64
		taps []int
		want string
	}{
		{2, 1, []int{7, 6}, "blocks: LFSR form 2, want Fibonacci or Galois"},
		{0, 1, nil, "blocks: LFSR without a tap, want at least 1"},
		{0, 1, []int{65, 6}, "blocks: LFSR tap 65, want 1 to 64"},
		{0, 1, []int{7, 0}, "blocks: LFSR tap 0, want 1 to 64"},
		{0, 1, []int{7, 6, 7}, "blocks: LFSR tap 7 is given twice"},
		{0, 0, []int{7, 6}, "blocks: LFSR seed 0x0, want 1 to 0x7f for 7 bits"},
		{0, 0x80, []int{7, 6}, "blocks: LFSR seed 0x80, want 1 to 0x7f for 7 bits"},
	} {
		_, err := blocks.NewLFSR(c.form, c.seed, c.taps...)
		require.EqualError(t, err, c.want)
	}
}

// Both forms of x^3+x^2+1 go through all seven states and give the same sequence, each from its own phase.
func ExampleLFSR() {
	fib, _ := blocks.NewLFSR(blocks.Fibonacci, 0b001, 3, 2)
	gal, _ := blocks.NewLFSR(blocks.Galois, 0b001, 3, 2)
	fmt.Println("cycle  Fibonacci  Galois")
	for cycle := range 8 {
		fs, gs := fib.State(), gal.State()
		fmt.Printf("%5d  %03b -> %d   %03b -> %d\n", cycle, fs, fib.Step(), gs, gal.Step())
	}
	// Output:
	// cycle  Fibonacci  Galois
	//     0  001 -> 1   001 -> 1
	//     1  100 -> 0   110 -> 0
	//     2  010 -> 0   011 -> 1
	//     3  101 -> 1   111 -> 1
	//     4  110 -> 0   101 -> 1
	//     5  111 -> 1   100 -> 0
	//     6  011 -> 1   010 -> 0
	//     7  001 -> 1   001 -> 1
}
