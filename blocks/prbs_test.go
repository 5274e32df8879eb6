package blocks_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/blocks"
)

var patterns = []blocks.PRBSPattern{
	blocks.PRBS7, blocks.PRBS9, blocks.PRBS11, blocks.PRBS13, blocks.PRBS15, blocks.PRBS23, blocks.PRBS31,
}

func order(p blocks.PRBSPattern) int {
	l, _ := blocks.NewLFSR(blocks.Fibonacci, 1, p.Taps...)
	return l.Width()
}

func newPRBS(t require.TestingT, p blocks.PRBSPattern, seed uint64) *blocks.PRBS {
	g, err := blocks.NewPRBS(p, seed)
	require.NoError(t, err)
	return g
}

// The first bytes of PRBS9 from all ones, least significant bit first, as the Bluetooth Core Specification prints them
// for its direct test mode (Vol 6, Part F, 4.1.5), which takes the pattern from O.150 too.
func TestPRBS9KnownAnswer(t *testing.T) {
	g := newPRBS(t, blocks.PRBS9, 0x1ff)
	for i, want := range []uint64{
		0xff, 0xc1, 0xfb, 0xe8, 0x4c, 0x90, 0x72, 0x8b, 0xe7, 0xb3, 0x51, 0x89, 0x63, 0xab, 0x23, 0x23,
		0x02, 0x84, 0x18, 0x72, 0xaa, 0x61, 0x2f, 0x3b, 0x51, 0xa8, 0xe5, 0x37, 0x49, 0xfb, 0xc9, 0xca,
		0x0c, 0x18, 0x53, 0x2c, 0xfd,
	} {
		require.Equal(t, want, g.Bits(8), "byte %d", i)
	}
}

// O.150 gives with each pattern its longest run of zeros: one less than the order, or the order itself for an inverted
// pattern, whose ones are one short in turn. And a maximal sequence has one 1 more than zeros, before inversion.
func TestPRBSRunsAndBalance(t *testing.T) {
	for _, p := range patterns {
		n := order(p)
		if n > 23 {
			continue // too long to walk: see TestPRBS31IsMaximal
		}
		g := newPRBS(t, p, 1)
		period := 1<<n - 1
		var ones, run int
		longest := map[uint64]int{}
		last := uint64(2)
		for range period + n { // n more, so that a run across the period's end is seen whole
			b := g.Bits(1)
			if b != last {
				run = 0
			}
			run, last = run+1, b
			longest[b] = max(longest[b], run)
		}
		g = newPRBS(t, p, 1)
		for range period {
			ones += int(g.Bits(1))
		}
		require.Equal(t, uint64(1), g.State(), "the period is 2^%d-1", n)
		zeros, wantOnes := n-1, 1<<(n-1)
		if p.Inverted {
			zeros, wantOnes = n, 1<<(n-1)-1
		}
		require.Equal(t, map[uint64]int{0: zeros, 1: 2*n - 1 - zeros}, longest, p.Name)
		require.Equal(t, wantOnes, ones, p.Name)
	}
}

// The polynomials and inversions a second time, read from the standards as powers of x: O.150 clause 5, and IEEE 802.3
// 49.2.8, 68.6.1 and 94.3.10.8.
func TestPRBSPolynomials(t *testing.T) {
	want := map[string]string{
		"PRBS7":  "x^7+x^6+1",
		"PRBS9":  "x^9+x^5+1",
		"PRBS11": "x^11+x^9+1",
		"PRBS13": "x^13+x^12+x^2+x^1+1",
		"PRBS15": "x^15+x^14+1 inverted",
		"PRBS23": "x^23+x^18+1 inverted",
		"PRBS31": "x^31+x^28+1 inverted",
	}
	got := map[string]string{}
	for _, p := range patterns {
		for _, tap := range p.Taps {
			got[p.Name] += fmt.Sprintf("x^%d+", tap)
		}
		got[p.Name] += "1"
		if p.Inverted {
			got[p.Name] += " inverted"
		}
	}
	require.Equal(t, want, got)
}

// The order of x modulo the polynomial is the period. 2^31-1 is prime, so it is that if x^(2^31) = x, which 31
// squarings show.
func TestPRBS31IsMaximal(t *testing.T) {
	poly := uint64(1)
	for _, tap := range blocks.PRBS31.Taps {
		poly |= 1 << tap
	}
	power := uint64(2) // x
	for range 31 {
		var square uint64
		for i := range 31 {
			square |= power >> i & 1 << (2 * i)
		}
		for i := 60; i >= 31; i-- {
			if square>>i&1 == 1 {
				square ^= poly << (i - 31)
			}
		}
		power = square
	}
	require.Equal(t, uint64(2), power)
}

func TestPRBSAgainstLFSR(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom(patterns).Draw(t, "pattern")
		if rapid.Bool().Draw(t, "other") {
			p = blocks.PRBSPattern{
				Taps:     rapid.SliceOfNDistinct(rapid.IntRange(1, 64), 1, 5, rapid.ID).Draw(t, "taps"),
				Inverted: rapid.Bool().Draw(t, "inverted"),
			}
		}
		seed := rapid.Uint64Range(1, ^uint64(0)>>(64-order(p))).Draw(t, "seed")
		g := newPRBS(t, p, seed)
		l, err := blocks.NewLFSR(blocks.Fibonacci, seed, p.Taps...)
		require.NoError(t, err)
		for _, n := range rapid.SliceOfN(rapid.IntRange(0, 64), 1, 30).Draw(t, "widths") {
			var want uint64
			for i := range n {
				b := l.Step()
				if p.Inverted {
					b ^= 1
				}
				want |= b << i
			}
			require.Equal(t, want, g.Bits(n), "%d bits", n)
			require.Equal(t, l.State(), g.State())
		}
	})
}

// One wrong bit shows once as it arrives and once at each tap (IEEE 802.3 49.2.12: three times for PRBS31), at these
// distances and no other.
func TestPRBSCheckerCountsOneErrorAtEachTap(t *testing.T) {
	const at = 150
	for _, p := range patterns {
		g := newPRBS(t, p, 5)
		c, err := blocks.NewPRBSChecker(p)
		require.NoError(t, err)
		want := map[int]bool{at: true}
		for _, tap := range p.Taps {
			want[at+tap] = true
		}
		got := map[int]bool{}
		for i := range 300 {
			b := g.Bits(1)
			if i == at {
				b ^= 1
			}
			if c.Check(b, 1) != 0 {
				got[i] = true
			}
		}
		require.Equal(t, want, got, p.Name)
		require.Equal(t, uint64(len(want)), c.Errors())
		require.Equal(t, uint64(300-order(p)), c.Bits())
		require.False(t, c.Stuck())
	}
}

// The naive checker keeps every bit received. The line is the pattern with random words between, in random widths.
func TestPRBSCheckerAgainstRecurrence(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom(patterns).Draw(t, "pattern")
		n := order(p)
		g := newPRBS(t, p, rapid.Uint64Range(1, 1<<n-1).Draw(t, "seed"))
		c, err := blocks.NewPRBSChecker(p)
		require.NoError(t, err)
		var line []uint64
		var errors, predicted uint64
		for range 12 {
			width := rapid.IntRange(0, 64).Draw(t, "width")
			word := g.Bits(width)
			if rapid.IntRange(0, 3).Draw(t, "noise") == 0 {
				word ^= rapid.Uint64().Draw(t, "flips") // above width too: those are to be ignored
			}
			var want uint64
			for i := range width {
				b := word >> i & 1
				if p.Inverted {
					b ^= 1
				}
				line = append(line, b)
				k := len(line) - 1
				if k < n {
					continue
				}
				predicted++
				for _, tap := range p.Taps {
					b ^= line[k-tap]
				}
				want |= b << i
				errors += b
			}
			require.Equal(t, want, c.Check(word, width))
			require.Equal(t, errors, c.Errors())
			require.Equal(t, predicted, c.Bits())
		}
	})
}

func TestPRBSCheckerStuck(t *testing.T) {
	for _, p := range patterns {
		c, err := blocks.NewPRBSChecker(p)
		require.NoError(t, err)
		var dead uint64
		if p.Inverted {
			dead = ^uint64(0)
		}
		c.Check(dead, order(p)-1)
		require.False(t, c.Stuck(), "too early to tell")
		c.Check(dead, 1)
		require.True(t, c.Stuck())
		c.Check(dead, 64)
		require.Zero(t, c.Errors(), "the polynomial is obeyed: only Stuck sees it")
		c.Check(^dead, 1)
		require.False(t, c.Stuck())
	}
}

func TestPRBSErrorsPanicsAndAllocs(t *testing.T) {
	_, err := blocks.NewPRBS(blocks.PRBS7, 0)
	require.EqualError(t, err, "PRBS7: blocks: LFSR seed 0x0, want 1 to 0x7f for 7 bits")
	_, err = blocks.NewPRBSChecker(blocks.PRBSPattern{Name: "mine"})
	require.EqualError(t, err, "mine: blocks: LFSR without a tap, want at least 1")
	g := newPRBS(t, blocks.PRBS13, 1)
	c, err := blocks.NewPRBSChecker(blocks.PRBS13)
	require.NoError(t, err)
	for _, n := range []int{-1, 65} {
		require.Panics(t, func() { g.Bits(n) })
		require.Panics(t, func() { c.Check(0, n) })
	}
	require.Zero(t, testing.AllocsPerRun(100, func() { c.Check(g.Bits(64), 64) }))
}

// PRBS7 in bytes, with bit 3 of the fourth wrong: it shows at distances 0, 6 and 7.
func ExamplePRBSChecker() {
	g, _ := blocks.NewPRBS(blocks.PRBS7, 0x7f)
	c, _ := blocks.NewPRBSChecker(blocks.PRBS7)
	fmt.Println("cycle  line      wrong     errors")
	for cycle := range 6 {
		line := g.Bits(8)
		if cycle == 3 {
			line ^= 1 << 3
		}
		wrong := c.Check(line, 8)
		fmt.Printf("%5d  %08b  %08b  %6d\n", cycle, line, wrong, c.Errors())
	}
	// Output:
	// cycle  line      wrong     errors
	//     0  01111111  00000000       0
	//     1  00100000  00000000       0
	//     2  00011000  00000000       0
	//     3  10000010  00001000       1
	//     4  00100111  00000110       3
	//     5  10011010  00000000       3
}

func BenchmarkPRBS(b *testing.B) {
	for _, p := range patterns {
		g, _ := blocks.NewPRBS(p, 1)
		b.Run(p.Name+"/Bits64", func(b *testing.B) {
			for b.Loop() {
				g.Bits(64)
			}
		})
	}
	c, _ := blocks.NewPRBSChecker(blocks.PRBS31)
	b.Run("PRBS31/Check64", func(b *testing.B) {
		for b.Loop() {
			c.Check(0x0123456789abcdef, 64)
		}
	})
}
