package blocks_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/blocks"
)

// 4:3 by hand. The stream is the nibbles with bit 0 first, 1000 0100 1100 0010; in threes it is 100 001 001 100 001 0.
func TestWidthConverterCycles(t *testing.T) {
	c := blocks.NewWidthConverter(4, 3)
	require.Equal(t, 6, c.Cap())
	for cycle, s := range []struct {
		out   uint64
		valid bool
		in    uint64
		ready bool
		held  int
	}{
		{in: 0b0001, ready: true, held: 4},
		{out: 0b001, valid: true, in: 0b0010, ready: true, held: 5},
		{out: 0b100, valid: true, in: 0b0011, ready: true, held: 6},
		{out: 0b100, valid: true, in: 0b1111, ready: false, held: 3},
		{out: 0b001, valid: true, in: 0b0100, ready: true, held: 4},
		{out: 0b100, valid: true, in: 0b0000, ready: true, held: 5},
	} {
		out, valid := c.Pop()
		require.Equal(t, s.valid, valid, "cycle %d", cycle)
		require.Equal(t, blocks.Bits128{Lo: s.out}, out, "cycle %d", cycle)
		require.Equal(t, s.ready, c.Ready(), "cycle %d", cycle)
		require.Equal(t, s.ready, c.Push(blocks.Bits128{Lo: s.in}), "cycle %d", cycle)
		require.Equal(t, s.held, c.Len(), "cycle %d", cycle)
	}
}

// The model is a list of bits.
func TestWidthConverterAgainstBitList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in, out := rapid.IntRange(1, 128).Draw(t, "in"), rapid.IntRange(1, 128).Draw(t, "out")
		c := blocks.NewWidthConverter(in, out)
		var model []uint64
		slip := 0
		drop := func() {
			d := min(slip, len(model))
			model, slip = model[d:], slip-d
		}
		t.Repeat(map[string]func(*rapid.T){
			"push": func(t *rapid.T) {
				w := blocks.Bits128{Lo: rapid.Uint64().Draw(t, "lo"), Hi: rapid.Uint64().Draw(t, "hi")}
				room := len(model)+in <= in+out-1
				require.Equal(t, room, c.Ready())
				require.Equal(t, room, c.Push(w))
				if room {
					for i := range in {
						model = append(model, w.Bit(i))
					}
					drop()
				}
			},
			"pop": func(t *rapid.T) {
				enough := len(model) >= out
				require.Equal(t, enough, c.Valid())
				w, ok := c.Pop()
				require.Equal(t, enough, ok)
				if !ok {
					require.Zero(t, w)
					return
				}
				for i := range 128 {
					var want uint64
					if i < out {
						want = model[i]
					}
					require.Equal(t, want, w.Bit(i), "bit %d", i)
				}
				model = model[out:]
			},
			"slip": func(t *rapid.T) {
				n := rapid.IntRange(0, 300).Draw(t, "n")
				if rapid.Bool().Draw(t, "small") {
					n &= 3
				}
				c.Slip(n)
				slip += n
				drop()
			},
			"": func(t *rapid.T) {
				require.Equal(t, len(model), c.Len())
				require.LessOrEqual(t, c.Len(), c.Cap())
			},
		})
	})
}

// The TX gearbox: a 66-bit block offered every cycle, a 64-bit word taken every cycle. 64 bits leave in a cycle, which
// is 32 blocks in 33 cycles; so exactly one of any 33 successive cycles stalls, and the output never does.
func TestWidthConverterStallPattern66to64(t *testing.T) {
	for slip := range 67 { // an odd slip too: the capacity has to allow for it
		c := blocks.NewWidthConverter(66, 64)
		c.Slip(slip)
		for !c.Valid() {
			c.Push(blocks.Bits128{})
		}
		var accepted []bool
		for cycle := range 33 * 8 {
			_, ok := c.Pop()
			require.True(t, ok, "slip %d: the output pauses in cycle %d", slip, cycle)
			accepted = append(accepted, c.Push(blocks.Bits128{}))
		}
		for from := 33 * 2; from+33 <= len(accepted); from++ {
			n := 0
			for _, a := range accepted[from : from+33] {
				if a {
					n++
				}
			}
			require.Equal(t, 32, n, "slip %d: cycles %d to %d", slip, from, from+32)
		}
	}
}

// For any ratio, the narrower side never pauses once the first word is in, as the contract promises.
func TestWidthConverterNarrowSideNeverPauses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in, out := rapid.IntRange(1, 128).Draw(t, "in"), rapid.IntRange(1, 128).Draw(t, "out")
		c := blocks.NewWidthConverter(in, out)
		for cycle := range 300 {
			_, popped := c.Pop()
			pushed := c.Push(blocks.Bits128{})
			if in >= out && cycle > 0 {
				require.True(t, popped, "cycle %d", cycle)
			}
			if in <= out {
				require.True(t, pushed, "cycle %d", cycle)
			}
		}
	})
}

func TestWidthConverterPanicsAndAllocs(t *testing.T) {
	for _, w := range [][2]int{{0, 64}, {64, 0}, {129, 64}, {64, 129}} {
		require.PanicsWithValue(t, fmt.Sprintf("blocks: width converter %d:%d, want widths of 1 to 128", w[0], w[1]),
			func() { blocks.NewWidthConverter(w[0], w[1]) })
	}
	c := blocks.NewWidthConverter(66, 64)
	require.PanicsWithValue(t, "blocks: slip of -1 bits, want at least 0", func() { c.Slip(-1) })
	c.Push(blocks.Bits128{Lo: 1})
	c.Slip(100)
	c.Reset()
	require.True(t, c.Push(blocks.Bits128{Lo: 2}))
	w, ok := c.Pop()
	require.True(t, ok)
	require.Equal(t, blocks.Bits128{Lo: 2}, w, "Reset forgets the slip")
	require.Zero(t, testing.AllocsPerRun(100, func() {
		c.Pop()
		c.Push(blocks.Bits128{Lo: 1, Hi: 2})
	}))
}

// The gearbox 66:64 of a transmitter around its stall. The cycles between are all alike.
func ExampleWidthConverter() {
	gearbox := blocks.NewWidthConverter(66, 64)
	fmt.Println("cycle  out    in     held")
	for cycle := range 36 {
		_, popped := gearbox.Pop()
		pushed := gearbox.Push(blocks.Bits128{Hi: 0b01})
		if cycle < 3 || cycle > 30 {
			fmt.Printf("%5d  %-5v  %-5v  %4d\n", cycle, popped, pushed, gearbox.Len())
		}
	}
	// Output:
	// cycle  out    in     held
	//     0  false  true     66
	//     1  true   true     68
	//     2  true   true     70
	//    31  true   true    128
	//    32  true   false    64
	//    33  true   true     66
	//    34  true   true     68
	//    35  true   true     70
}

func BenchmarkWidthConverter(b *testing.B) {
	for _, w := range [][2]int{{66, 64}, {64, 66}, {66, 66}, {32, 64}} {
		c := blocks.NewWidthConverter(w[0], w[1])
		word := blocks.Bits128{Lo: 0x0123456789abcdef, Hi: 1}
		b.Run(fmt.Sprintf("%dto%d/PopPush", w[0], w[1]), func(b *testing.B) {
			for b.Loop() {
				c.Pop()
				c.Push(word)
			}
		})
	}
}

func TestSlackHoldsMore(t *testing.T) {
	c := blocks.NewWidthConverter(66, 40).WithSlack(128)
	pushed := 0
	for c.Push(blocks.Bits128{Lo: uint64(pushed)}) {
		pushed++
	}
	require.Equal(t, (39+128)/66+1, pushed)
	require.Equal(t, 66*pushed, c.Len())
	require.LessOrEqual(t, c.Len(), c.Cap())
	var bits []uint64
	for {
		w, ok := c.Pop()
		if !ok {
			break
		}
		for i := range 40 {
			bits = append(bits, w.Bit(i))
		}
	}
	for i, b := range bits {
		want := uint64(0)
		if i%66 < 64 {
			want = uint64(i/66) >> (i % 66) & 1
		}
		require.Equal(t, want, b, "bit %d", i)
	}
	require.Panics(t, func() { blocks.NewWidthConverter(1, 1).WithSlack(129) })
}
