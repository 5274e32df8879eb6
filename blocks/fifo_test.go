package blocks_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/blocks"
)

func TestFIFOCycles(t *testing.T) {
	f := blocks.NewFIFO[int](2)
	for _, c := range []struct {
		op      string
		in      int
		want    int
		ok      bool
		n, high int
	}{
		{op: "pop", want: 0, ok: false, n: 0, high: 0}, // underflow
		{op: "push", in: 1, ok: true, n: 1, high: 1},
		{op: "push", in: 2, ok: true, n: 2, high: 2},
		{op: "push", in: 3, ok: false, n: 2, high: 2}, // overflow: 3 is refused
		{op: "peek", want: 1, ok: true, n: 2, high: 2},
		{op: "pop", want: 1, ok: true, n: 1, high: 2},
		{op: "push", in: 4, ok: true, n: 2, high: 2}, // wraps around
		{op: "pop", want: 2, ok: true, n: 1, high: 2},
		{op: "pop", want: 4, ok: true, n: 0, high: 2},
		{op: "peek", want: 0, ok: false, n: 0, high: 2},
	} {
		var got int
		var ok bool
		switch c.op {
		case "push":
			ok = f.Push(c.in)
		case "pop":
			got, ok = f.Pop()
		case "peek":
			got, ok = f.Peek()
		}
		require.Equal(t, c.want, got, "%+v", c)
		require.Equal(t, c.ok, ok, "%+v", c)
		require.Equal(t, c.n, f.Len(), "%+v", c)
		require.Equal(t, c.high, f.HighWater(), "%+v", c)
	}
}

func TestFIFOAgainstSlice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		capacity := rapid.IntRange(1, 9).Draw(t, "capacity")
		f := blocks.NewFIFO[uint16](capacity)
		require.Equal(t, capacity, f.Cap())
		var model []uint16
		high := 0
		t.Repeat(map[string]func(*rapid.T){
			"push": func(t *rapid.T) {
				v := rapid.Uint16().Draw(t, "v")
				room := len(model) < capacity
				require.Equal(t, room, f.Push(v))
				if room {
					model = append(model, v)
					high = max(high, len(model))
				}
			},
			"pop": func(t *rapid.T) {
				peeked, _ := f.Peek()
				v, ok := f.Pop()
				require.Equal(t, len(model) > 0, ok)
				require.Equal(t, peeked, v)
				if ok {
					require.Equal(t, model[0], v)
					model = model[1:]
				}
			},
			"": func(t *rapid.T) {
				require.Equal(t, len(model), f.Len())
				require.Equal(t, len(model) == 0, f.Empty())
				require.Equal(t, len(model) == capacity, f.Full())
				require.Equal(t, high, f.HighWater())
			},
		})
		f.Reset()
		require.True(t, f.Empty())
		require.Zero(t, f.HighWater())
	})
}

func TestFIFOPanicsAndAllocs(t *testing.T) {
	require.PanicsWithValue(t, "blocks: FIFO capacity 0, want at least 1", func() { blocks.NewFIFO[int](0) })
	f := blocks.NewFIFO[[4]uint64](16)
	require.Zero(t, testing.AllocsPerRun(100, func() {
		f.Push([4]uint64{1})
		f.Pop()
	}))
}

// A producer that offers a word every cycle, and a consumer that takes one every second cycle.
func ExampleFIFO() {
	f := blocks.NewFIFO[int](2)
	fmt.Println("cycle  out  in  accepted  held")
	in := 10
	for cycle := range 6 {
		out := "-"
		if cycle%2 == 1 {
			if v, ok := f.Pop(); ok {
				out = fmt.Sprint(v)
			}
		}
		accepted := f.Push(in)
		fmt.Printf("%5d  %3s  %2d  %-8v  %4d\n", cycle, out, in, accepted, f.Len())
		if accepted {
			in++
		}
	}
	fmt.Println("high water", f.HighWater())
	// Output:
	// cycle  out  in  accepted  held
	//     0    -  10  true         1
	//     1   10  11  true         1
	//     2    -  12  true         2
	//     3   11  13  true         2
	//     4    -  14  false        2
	//     5   12  14  true         2
	// high water 2
}
