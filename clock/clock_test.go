package clock

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestFrequenciesAreExact(t *testing.T) {
	for _, c := range []struct{ in, freq, period string }{
		{"644.53125MHz", "644.53125MHz", "51200/33ps"},
		{"156.25 MHz", "156.25MHz", "6.4ns"},
		{"390.625MHz", "390.625MHz", "2.56ns"},
		{"3GHz", "3000MHz", "1000/3ps"},
		{"20625/32 MHz", "644.53125MHz", "51200/33ps"},
		{"1Hz", "0.000001MHz", "1s"},
		{"1e3kHz", "1MHz", "1us"},
	} {
		f, err := ParseFreq(c.in)
		require.NoError(t, err)
		require.Equal(t, c.freq, f.String())
		require.Equal(t, c.period, f.Period().String())
		back, err := ParseFreq(f.String())
		require.NoError(t, err)
		require.Zero(t, back.Hz().Cmp(f.Hz()))
	}
	require.Equal(t, "390.625MHz", MHz(390.625).String())
	require.Equal(t, "402.83203125MHz", Block25G.Times(66, 64).String())
	require.Equal(t, "25781250000", Block25G.Bandwidth(66).RatString(), "66 bits a cycle at 390.625 MHz is 25.78125 Gb/s")
	require.Equal(t, "10312500000", Block10G.Bandwidth(66).RatString(), "10.3125 Gb/s, Clause 49")
	require.Equal(t, "100.01MHz", MHz(100).PPM(100).String())
	require.Equal(t, "99.99MHz", MHz(100).PPM(-100).String())
}

func TestBadNumbersAreRefused(t *testing.T) {
	for in, want := range map[string]string{
		"":                          "want a number followed by Hz",
		"12":                        "want a number followed by Hz",
		"MHz":                       "not a decimal number",
		"-1MHz":                     "above zero",
		"0MHz":                      "above zero",
		"1/0MHz":                    "not a decimal number",
		"NaNMHz":                    "not a decimal number",
		"0x10MHz":                   "not a decimal number",
		"1e999999999MHz":            "exponent between",
		"10 furlongs":               "want a number followed by Hz",
		"5 parsecHz":                "not a decimal number",
		"1e400MHz":                  "exponent between",
		"1e-61MHz":                  "exponent between",
		fmt.Sprintf("%0100dMHz", 1): "at most 64",
	} {
		_, err := ParseFreq(in)
		require.ErrorContains(t, err, want, in)
	}
	_, err := ParseTime("5 parsecs")
	require.EqualError(t, err, `time "5 parsecs": "5 parsec" is not a decimal number or a fraction`)
	require.Panics(t, func() { MHz(1).PPM(-1e6) })
}

func TestUnrepresentableClocksAreRefused(t *testing.T) {
	_, err := NewSchedule(Spec{"a", MustFreq("1e60GHz"), Time{}}, Spec{"b", MustFreq("1Hz"), Time{}})
	require.ErrorContains(
		t, err,
		"with phase 0s cannot be scheduled: its period in steps of 1fs has a denominator of 180 bits, want at most 127",
	)
	_, err = NewSchedule(Spec{"a", Freq{}, Time{}})
	require.EqualError(t, err, "clock a: no frequency")
	_, err = NewSchedule(Spec{"a", MHz(1), MustTime("-1ns")})
	require.ErrorContains(t, err, "want zero or later")
	_, err = NewSchedule()
	require.Error(t, err)
	s, err := NewSchedule(Spec{"a", MustFreq("1000000007/999999937MHz"), Time{}})
	require.NoError(t, err)
	_, err = s.Ruler(MustTime("1/1000000000000000003fs"))
	require.ErrorContains(t, err, "no exact stamps")
}

// The two clocks of a 10G transceiver: 64453125/15625000 = 33/8, so in 33 fast edges there are 8 slow ones and the
// pattern repeats for ever.
func TestNoDriftOverHyperperiod(t *testing.T) {
	s, err := NewSchedule(Spec{Name: "line", Freq: MHz(644.53125)}, Spec{Name: "core", Freq: MHz(156.25)})
	require.NoError(t, err)
	for range 1000 {
		var coincident, line, core int
		for range 33 + 8 - 1 {
			due := s.Next()
			for _, c := range due {
				line, core = line+1-c, core+c
			}
			coincident += len(due) - 1
		}
		require.Equal(t, []int{33, 8, 1}, []int{line, core, coincident})
	}
	require.Zero(t, s.Time(0, s.Edges(0)).Cmp(s.Time(1, s.Edges(1))))
}

// The order of a schedule's edges is the order of their exact times.
func TestScheduleEqualsExactOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.OneOf(rapid.IntRange(1, 4), rapid.Just(70)).Draw(t, "clocks")
		var specs []Spec
		for i := range n {
			f := fmt.Sprintf("%d/%dMHz", rapid.IntRange(1, 2000).Draw(t, "num"), rapid.IntRange(1, 8).Draw(t, "den"))
			ph := fmt.Sprintf("%d/%dns", rapid.IntRange(0, 50).Draw(t, "phase"), rapid.IntRange(1, 9).Draw(t, "phase den"))
			specs = append(specs, Spec{fmt.Sprint(i), MustFreq(f).PPM(float64(rapid.IntRange(-200, 200).Draw(t, "ppm"))),
				MustTime(ph)})
		}
		s, err := NewSchedule(specs...)
		require.NoError(t, err)
		counts := make([]uint64, n)
		for range 50 {
			var first Time
			var want []int
			for i := range n {
				at := s.Time(i, counts[i]+1)
				switch {
				case want == nil || at.Cmp(first) < 0:
					first, want = at, []int{i}
				case at.Cmp(first) == 0:
					want = append(want, i)
				}
			}
			require.Equal(t, want, s.Next())
			for _, i := range want {
				counts[i]++
			}
			for i := range n {
				require.Equal(t, counts[i], s.Edges(i))
			}
		}
	})
}

// For all the cycles of the line clock every instant equals its place in the first pattern, and the last edges' times
// are exact.
func TestNoDriftInManyCycles(t *testing.T) {
	s, err := NewSchedule(Spec{Name: "line", Freq: MHz(644.53125)}, Spec{Name: "core", Freq: MHz(156.25)})
	require.NoError(t, err)
	const instants = 33 + 8 - 1 // of 33 line and 8 core edges, the last of which coincide
	const both = 2
	next := func() int { // 0 for the line clock, 1 for the core clock, or both
		if due := s.Next(); len(due) == 1 {
			return due[0]
		}
		return both
	}
	var pattern [instants]int
	for i := range pattern {
		pattern[i] = next()
		// the order in exact arithmetic: line edge l is at 8l units, core edge c at 33c
		line, core := 8*s.Edges(0), 33*s.Edges(1)
		switch pattern[i] {
		case 0:
			require.Greater(t, line, core)
			require.Less(t, line, core+33)
		case 1:
			require.Greater(t, core, line)
			require.Less(t, core, line+8)
		default:
			require.Equal(t, line, core)
		}
	}
	const cycles = driftCycles
	wrong := 0
	for s.Edges(0) < cycles {
		for _, want := range pattern {
			if next() != want {
				wrong++
			}
		}
	}
	require.Zero(t, wrong)
	n := s.Edges(0)
	require.EqualValues(t, 33*((cycles+32)/33), n, "the first multiple of 33")
	require.Equal(t, n/33*8, s.Edges(1))
	require.Zero(t, s.Time(0, n).Cmp(s.Time(1, n/33*8)))
	require.Equal(t, MustTime("51200/33ps").Times(int64(n)).String(), s.Time(0, n).String())
}

func TestRulerRoundsEachEdgeOnce(t *testing.T) {
	s, err := NewSchedule(Spec{"line", MHz(644.53125), MustTime("1.92ns")})
	require.NoError(t, err)
	r, err := s.Ruler(Picosecond)
	require.NoError(t, err)
	half := big.NewRat(1, 2)
	round := func(t Time) uint64 { // ⌊x + 1/2⌋
		x := t.In(Picosecond)
		x.Add(x, half)
		return new(big.Int).Quo(x.Num(), x.Denom()).Uint64()
	}
	for _, n := range []uint64{0, 1, 2, 32, 33, 1_000_000_007, 1 << 50} {
		require.Equal(t, round(s.Time(0, n)), r.Edge(0, n))
		mid := s.Time(0, n).Add(Time{new(big.Rat).Mul(MHz(644.53125).Period().s, half)})
		require.Equal(t, round(mid), r.Fall(0, n))
	}
}

// A hundred crystals, each off by its own odd number of ppm: no two periods have a common unit worth the name, and
// still every edge comes in exact order, long after the start as well.
func TestManyCrystals(t *testing.T) {
	const clocks, instants = 100, 20_000
	rng := rand.New(rand.NewPCG(1, 2))
	var specs []Spec
	for i := range clocks {
		specs = append(specs, Spec{fmt.Sprint(i), Block25G.PPM(rng.Float64()*200 - 100), MustTime(fmt.Sprintf("%d/3 ps", i))})
	}
	s, err := NewSchedule(specs...)
	require.NoError(t, err)
	for _, start := range []uint64{0, maxWhole - 1_000_000} { // the second is about to overflow
		s.Reset()
		for i := range s.whole {
			s.whole[i] += start
		}
		var last Time
		for range instants {
			due := s.Next()
			at := s.Time(due[0], s.Edges(due[0]))
			require.Positive(t, at.Cmp(last))
			for _, i := range due {
				require.Zero(t, s.Time(i, s.Edges(i)).Cmp(at))
			}
			last = at
		}
		for i := range clocks { // none is left behind
			require.Positive(t, s.Time(i, s.Edges(i)+1).Cmp(last))
			require.LessOrEqual(t, s.Time(i, s.Edges(i)).Cmp(last), 0)
		}
	}
	for i := range s.whole {
		require.Less(t, s.whole[i], uint64(maxWhole))
	}
}

func TestProductsOf128Bits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.OneOf(rapid.Uint64(), rapid.SampledFrom([]uint64{0, 1, 1 << 63, 1<<64 - 1}))
		draw := func() (uint128, *big.Int) {
			n := uint128{word.Draw(t, "hi"), word.Draw(t, "lo")}
			b := new(big.Int).SetUint64(n.hi)
			return n, b.Lsh(b, 64).Add(b, new(big.Int).SetUint64(n.lo))
		}
		a, bigA := draw()
		x, bigX := draw()
		b, bigB := draw()
		y, bigY := draw()
		require.Equal(t, a, toUint128(bigA))
		require.Equal(t, bigA.Cmp(bigB), a.cmp(b))
		require.Equal(t, bigA.Cmp(bigB) < 0, a.less(b))
		want := new(big.Int).Mul(bigA, bigX).Cmp(new(big.Int).Mul(bigB, bigY))
		require.Equal(t, want, compareProducts(a, x, b, y))
		require.Zero(t, compareProducts(a, x, x, a))
	})
}

func TestNextDoesNotAllocate(t *testing.T) {
	s, err := NewSchedule(Spec{Name: "a", Freq: MHz(644.53125)}, Spec{Name: "b", Freq: MHz(156.25)})
	require.NoError(t, err)
	require.Zero(t, testing.AllocsPerRun(1000, func() { s.Next() }))
}

func ExampleSchedule() {
	s, _ := NewSchedule(Spec{Name: "line", Freq: MHz(625)}, Spec{Name: "core", Freq: MHz(156.25)})
	for range 5 {
		due := s.Next()
		fmt.Printf("line edge %d at %v, core edge: %v\n", s.Edges(0), s.Time(0, s.Edges(0)), slices.Contains(due, 1))
	}
	// Output:
	// line edge 1 at 1.6ns, core edge: false
	// line edge 2 at 3.2ns, core edge: false
	// line edge 3 at 4.8ns, core edge: false
	// line edge 4 at 6.4ns, core edge: true
	// line edge 5 at 8ns, core edge: false
}

func BenchmarkNextTwoClocks(b *testing.B) {
	s, _ := NewSchedule(Spec{Name: "line", Freq: MHz(644.53125)}, Spec{Name: "core", Freq: MHz(156.25)})
	for b.Loop() {
		s.Next()
	}
}

// For people a time is four digits and a unit.
func TestAbout(t *testing.T) {
	for text, want := range map[string]string{"2710323200/33ps": "82.13 us", "2.56ns": "2.56 ns", "0s": "0 s",
		"100ms": "100 ms", "1234567s": "1234567 s",
		"-3/7ns": "-428.6 ps", "1/3fs": "0.3333 fs"} {
		require.Equal(t, want, MustTime(text).About(), text)
	}
}
