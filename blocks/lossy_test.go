package blocks_test

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/blocks"
)

func newLossy(t require.TestingT, ber float64, seed uint64) *blocks.Lossy {
	l, err := blocks.NewLossy(ber, seed)
	require.NoError(t, err)
	return l
}

// flips passes total bits in words of the width that next gives, and returns the positions in the masks.
func flips(l *blocks.Lossy, total int, width func() int) []uint64 {
	var got []uint64
	for start := 0; start < total; {
		n := min(width(), total-start)
		mask := l.Errors(n)
		for i := range 128 {
			if mask.Bit(i) == 1 {
				got = append(got, uint64(start+i))
			}
		}
		start += n
	}
	return got
}

func TestLossyPlannedCycles(t *testing.T) {
	l := newLossy(t, 0, 1)
	_, ok := l.NextError()
	require.False(t, ok)
	require.NoError(t, l.SetFlips([]uint64{198, 0, 65, 66, 131, 65})) // any order, one twice
	for cycle, c := range []struct {
		want blocks.Bits128
		next uint64
		more bool
	}{
		{blocks.Bits128{Lo: 1, Hi: 0b10}, 66, true},
		{blocks.Bits128{Lo: 1, Hi: 0b10}, 198, true},
		{blocks.Bits128{}, 198, true},
		{blocks.Bits128{Lo: 1}, math.MaxUint64, false},
		{blocks.Bits128{}, math.MaxUint64, false},
	} {
		require.Equal(t, uint64(66*cycle), l.Position())
		require.Equal(t, c.want, l.Errors(66), "cycle %d", cycle)
		next, more := l.NextError()
		require.Equal(t, c.next, next, "cycle %d", cycle)
		require.Equal(t, c.more, more, "cycle %d", cycle)
	}
	require.Equal(t, []uint64{7, 0, 65, 66, 131, 198}, l.Drain([]uint64{7}))
	require.Empty(t, l.Drain(nil))
	require.Equal(t, uint64(5), l.Count())
}

// The same seed flips the same positions, whatever the widths of the words; and masks and log agree.
func TestLossyIndependentOfWidth(t *testing.T) {
	const total = 4000
	rapid.Check(t, func(t *rapid.T) {
		ber := rapid.SampledFrom([]float64{0.001, 0.02, 0.5, 1}).Draw(t, "ber")
		seed := rapid.Uint64().Draw(t, "seed")
		planned := rapid.SliceOfN(rapid.Uint64Range(0, total-1), 0, 5).Draw(t, "planned")
		bitwise := newLossy(t, ber, seed)
		require.NoError(t, bitwise.SetFlips(planned))
		want := flips(bitwise, total, func() int { return 1 })
		for _, p := range planned {
			require.Contains(t, want, p)
		}
		l := newLossy(t, ber, seed)
		require.NoError(t, l.SetFlips(planned))
		require.Equal(t, want, flips(l, total, func() int { return rapid.IntRange(1, 128).Draw(t, "width") }))
		require.Equal(t, uint64(len(want)), l.Count())
		logged := l.Drain(nil)
		require.Equal(t, want[:min(len(want), blocks.LossyLogCap)], logged)
		require.Equal(t, uint64(len(want)-len(logged)), l.Unlogged())
	})
}

// Planned flips do not disturb the random ones: they are the union.
func TestLossyPlannedAndRandomAreAUnion(t *testing.T) {
	const total = 5000
	width := func() int { return 66 }
	random := flips(newLossy(t, 0.01, 9), total, width)
	require.Greater(t, len(random), 20)
	planned := []uint64{random[3], random[3] + 1, 2500, 4999}
	l := newLossy(t, 0.01, 9)
	require.NoError(t, l.SetFlips(planned))
	want := append(slices.Clone(random), planned...)
	slices.Sort(want)
	require.Equal(t, slices.Compact(want), flips(l, total, width))
}

// With a fixed seed, the count is within five standard deviations of the binomial distribution, the mean gap within
// five of the geometric one's (mean and deviation 1/p, roughly), and the share of gaps above the mean is the
// distribution's: a channel of regular gaps would pass the first two checks.
func TestLossyStatistics(t *testing.T) {
	for _, p := range []float64{1e-5, 1e-3, 0.1, 0.5} {
		l := newLossy(t, p, 2024)
		n := uint64(40_000 / p)
		var gaps []float64
		last := -1.0
		var passed uint64
		for {
			at, ok := l.NextError()
			require.True(t, ok)
			if at >= n {
				break
			}
			l.Skip(at - passed)
			require.Equal(t, blocks.Bits128{Lo: 1}, l.Errors(1))
			passed = at + 1
			gaps = append(gaps, float64(at)-last)
			last = float64(at)
		}
		count := float64(l.Count())
		require.InDelta(t, p*float64(n), count, 5*math.Sqrt(float64(n)*p*(1-p)), "count at %g", p)

		sum, above := 0.0, 0.0
		for _, g := range gaps {
			sum += g
			if g > 1/p {
				above++
			}
		}
		require.InDelta(t, 1/p, sum/count, 5*math.Sqrt(1-p)/p/math.Sqrt(count), "mean gap at %g", p)
		tail := math.Pow(1-p, math.Floor(1/p))
		require.InDelta(t, tail, above/count, 5*math.Sqrt(tail*(1-tail)/count), "tail at %g", p)
	}
}

func TestLossyExtremes(t *testing.T) {
	all := newLossy(t, 1, 3)
	require.Equal(t, blocks.Bits128{Lo: ^uint64(0), Hi: ^uint64(0)}, all.Errors(128))
	require.Equal(t, blocks.Bits128{}, all.Errors(0))
	require.Equal(t, blocks.Bits128{Lo: 0b111}, all.Errors(3))
	for _, ber := range []float64{0, math.SmallestNonzeroFloat64} {
		none := newLossy(t, ber, 3)
		none.Skip(1 << 60)
		require.Zero(t, none.Errors(128))
		require.Equal(t, uint64(1<<60+128), none.Position())
	}
}

func TestLossyErrorsPanicsAndAllocs(t *testing.T) {
	for _, ber := range []float64{-0.1, 1.1, math.NaN(), math.Inf(1)} {
		_, err := blocks.NewLossy(ber, 0)
		require.EqualError(t, err, fmt.Sprintf("blocks: bit error rate %v, want 0 to 1", ber))
	}
	l := newLossy(t, 0, 0)
	require.NoError(t, l.SetFlips([]uint64{100}))
	l.Errors(66)
	require.EqualError(t, l.SetFlips([]uint64{80, 65}),
		"blocks: flip planned at bit 65, want at least 66, the next bit of the channel")
	next, _ := l.NextError()
	require.Equal(t, uint64(100), next, "a refused plan changes nothing")
	require.PanicsWithValue(t, "blocks: skip of 35 bits from bit 66 passes the flip at bit 100", func() { l.Skip(35) })
	require.False(t, l.Clean(35))
	require.Equal(t, uint64(66), l.Position())
	require.True(t, l.Clean(34))
	require.Equal(t, blocks.Bits128{Lo: 1}, l.Errors(1))
	require.NoError(t, l.SetFlips(nil))
	for _, n := range []int{-1, 129} {
		require.Panics(t, func() { l.Errors(n) })
	}
	noisy := newLossy(t, 0.01, 1)
	require.Zero(t, testing.AllocsPerRun(1000, func() { noisy.Errors(66) }))
}

// Two planned flips on a link of 8-bit words.
func ExampleLossy() {
	l, _ := blocks.NewLossy(0, 1)
	_ = l.SetFlips([]uint64{10, 31})
	fmt.Println("cycle  position  sent      received")
	for cycle := range 4 {
		at := l.Position()
		sent := blocks.Bits128{Lo: 0b01010101}
		fmt.Printf("%5d  %8d  %08b  %08b\n", cycle, at, sent.Lo, sent.Xor(l.Errors(8)).Lo)
	}
	fmt.Println(l.Drain(nil))
	// Output:
	// cycle  position  sent      received
	//     0         0  01010101  01010101
	//     1         8  01010101  01010001
	//     2        16  01010101  01010101
	//     3        24  01010101  11010101
	// [10 31]
}

func BenchmarkLossy(b *testing.B) {
	for _, ber := range []float64{0, 1e-12, 1e-3} {
		l, _ := blocks.NewLossy(ber, 1)
		b.Run(fmt.Sprintf("%g", ber), func(b *testing.B) {
			for b.Loop() {
				l.Errors(66)
			}
		})
	}
}

// Random flips that start later do not come before, planned ones do; the rate from there on is the same.
func TestLossyStartAt(t *testing.T) {
	const start, total = 10_000, 4_000_000
	l, err := blocks.NewLossy(0.01, 7)
	require.NoError(t, err)
	require.NoError(t, l.SetFlips([]uint64{5000}))
	l.StartAt(start)
	before, after := 0, 0
	for at := 0; at < total; at += 100 {
		m := l.Errors(100)
		n := bits.OnesCount64(m.Lo) + bits.OnesCount64(m.Hi)
		if at < start {
			before += n
		} else {
			after += n
		}
	}
	require.Equal(t, 1, before, "the planned one")
	require.InEpsilon(t, 0.01*(total-start), after, 0.03)
	l.StartAt(start)
	next, _ := l.NextError()
	require.GreaterOrEqual(t, next, uint64(total), "a position that has passed changes nothing")
}

// A rate that changes counts from the next bit on, and one that is as before changes nothing.
func TestLossyRateChanges(t *testing.T) {
	flips := func(first, then float64) (before, after uint64) {
		l, err := blocks.NewLossy(first, 5)
		require.NoError(t, err)
		require.NoError(t, l.SetFlips([]uint64{100, 70_001}))
		walk(l, 64_000)
		before = l.Count()
		require.NoError(t, l.SetRate(then))
		walk(l, 64_000)
		return before, l.Count() - before
	}
	a, b := flips(1e-3, 1e-3)
	l, err := blocks.NewLossy(1e-3, 5)
	require.NoError(t, err)
	require.NoError(t, l.SetFlips([]uint64{100, 70_001}))
	walk(l, 128_000)
	require.Equal(t, l.Count(), a+b)
	a, b = flips(0, 1)
	require.Equal(t, []uint64{1, 64_000}, []uint64{a, b})
	a, b = flips(1, 0)
	require.Equal(t, []uint64{64_000, 1}, []uint64{a, b})
	_, b = flips(0, 1e-2)
	require.InDelta(t, 640, b, 130) // five standard deviations of 25
	require.EqualError(t, l.SetRate(1.5), "blocks: bit error rate 1.5, want 0 to 1")
}

// walk passes bits, a word at a time.
func walk(l *blocks.Lossy, bits int) {
	for range bits / 64 {
		l.Errors(64)
	}
}
