package blocks_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/blocks"
)

func TestDelayLineIsExact(t *testing.T) {
	for n := range 70 {
		d := blocks.NewDelayLine(n, -1)
		require.Equal(t, n, d.Len())
		for k := range 3*n + 5 {
			want := k - n
			if k < n {
				want = -1
			}
			require.Equal(t, want, d.Shift(k), "delay %d, call %d", n, k)
		}
	}
}

func TestShiftRegisterAgainstSlice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 9).Draw(t, "n")
		s := blocks.NewShiftRegister[uint8](n)
		require.Equal(t, n, s.Len())
		model := make([]uint8, n)
		for _, v := range rapid.SliceOfN(rapid.Uint8(), 0, 40).Draw(t, "values") {
			require.Equal(t, model[n-1], s.Shift(v))
			model = append([]uint8{v}, model[:n-1]...)
			for i, want := range model {
				require.Equal(t, want, s.Tap(i), "tap %d", i)
			}
		}
	})
}

func TestDelayAndShiftPanicsAndAllocs(t *testing.T) {
	require.PanicsWithValue(t, "blocks: delay of -1 cycles, want at least 0", func() { blocks.NewDelayLine(-1, 0) })
	require.PanicsWithValue(t, "blocks: shift register of 0 stages, want at least 1",
		func() { blocks.NewShiftRegister[int](0) })
	s := blocks.NewShiftRegister[int](4)
	require.PanicsWithValue(t, "blocks: tap 4 of a shift register of 4 stages", func() { s.Tap(4) })
	require.PanicsWithValue(t, "blocks: tap -1 of a shift register of 4 stages", func() { s.Tap(-1) })
	d := blocks.NewDelayLine(7, 0)
	require.Zero(t, testing.AllocsPerRun(100, func() { s.Shift(d.Shift(1)) }))
}

// A link of three cycles that carries idles until the first block arrives.
func ExampleDelayLine() {
	link := blocks.NewDelayLine(3, "idle")
	fmt.Println("cycle  in  out")
	for cycle := range 6 {
		in := fmt.Sprint("b", cycle)
		fmt.Printf("%5d  %s  %s\n", cycle, in, link.Shift(in))
	}
	// Output:
	// cycle  in  out
	//     0  b0  idle
	//     1  b1  idle
	//     2  b2  idle
	//     3  b3  b0
	//     4  b4  b1
	//     5  b5  b2
}

// The clock enable is off in every third cycle.
func ExampleShiftRegister() {
	s := blocks.NewShiftRegister[int](3)
	fmt.Println("cycle  in  taps")
	for cycle := range 6 {
		in := "-"
		if cycle%3 != 2 {
			in = fmt.Sprint(10 + cycle)
			s.Shift(10 + cycle)
		}
		fmt.Printf("%5d  %2s  %2d %2d %2d\n", cycle, in, s.Tap(0), s.Tap(1), s.Tap(2))
	}
	// Output:
	// cycle  in  taps
	//     0  10  10  0  0
	//     1  11  11 10  0
	//     2   -  11 10  0
	//     3  13  13 11 10
	//     4  14  14 13 11
	//     5   -  14 13 11
}
