package blocks_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/blocks"
)

// One read of a word in the cycle that writes it, and one in the next, at latency 2.
func TestRAMCycles(t *testing.T) {
	type op = blocks.RAMOp[int]
	for _, c := range []struct {
		mode      blocks.ReadDuringWrite
		collision int
	}{{blocks.ReadFirst, 5}, {blocks.WriteFirst, 6}} {
		m := blocks.NewRAM[int](4, 2, c.mode)
		m.Poke(3, 5)
		for cycle, s := range []struct {
			op    op
			out   int // before the edge of this cycle
			valid bool
		}{
			{op: op{Read: true, ReadAddr: 3, Write: true, WriteAddr: 3, WriteData: 6}},
			{op: op{Read: true, ReadAddr: 3, Write: true, WriteAddr: 2, WriteData: 9}},
			{op: op{Write: true, WriteAddr: 3, WriteData: 7}, out: c.collision, valid: true},
			{op: op{Read: true, ReadAddr: 2}, out: 6, valid: true}, // the write of cycle 2 came too late to be seen
			{op: op{}},
			{op: op{}, out: 9, valid: true},
			{op: op{}},
		} {
			out, valid := m.Out()
			require.Equal(t, s.out, out, "%v cycle %d", c.mode, cycle)
			require.Equal(t, s.valid, valid, "%v cycle %d", c.mode, cycle)
			m.Tick(s.op)
		}
		require.Equal(t, 7, m.Peek(3))
	}
}

// The naive model keeps the history of operations and finds every output in it.
func TestRAMAgainstHistory(t *testing.T) {
	const depth = 5
	rapid.Check(t, func(t *rapid.T) {
		latency := rapid.IntRange(1, 5).Draw(t, "latency")
		mode := rapid.SampledFrom([]blocks.ReadDuringWrite{blocks.ReadFirst, blocks.WriteFirst}).Draw(t, "mode")
		m := blocks.NewRAM[uint8](depth, latency, mode)
		require.Equal(t, latency, m.Latency())
		require.Equal(t, depth, m.Len())
		addr := rapid.IntRange(0, depth-1)
		var history []blocks.RAMOp[uint8]
		for cycle := range rapid.IntRange(0, 60).Draw(t, "cycles") {
			var want uint8
			issued := cycle - latency
			wantValid := issued >= 0 && history[issued].Read
			if wantValid {
				last := issued - 1 // the last cycle whose write the read sees
				if mode == blocks.WriteFirst {
					last = issued
				}
				for ; last >= 0 && !(history[last].Write && history[last].WriteAddr == history[issued].ReadAddr); last-- {
				}
				if last >= 0 {
					want = history[last].WriteData
				}
			}
			got, valid := m.Out()
			require.Equal(t, wantValid, valid)
			require.Equal(t, want, got)
			op := blocks.RAMOp[uint8]{
				Read: rapid.Bool().Draw(t, "read"), ReadAddr: addr.Draw(t, "raddr"),
				Write: rapid.Bool().Draw(t, "write"), WriteAddr: addr.Draw(t, "waddr"), WriteData: rapid.Uint8().Draw(t, "wdata"),
			}
			m.Tick(op)
			history = append(history, op)
		}
	})
}

func TestRAMPanicsAndAllocs(t *testing.T) {
	require.PanicsWithValue(t, "blocks: RAM of 0 words, want at least 1",
		func() { blocks.NewRAM[int](0, 1, blocks.ReadFirst) })
	require.PanicsWithValue(t, "blocks: RAM with a read latency of 0 cycles, want at least 1",
		func() { blocks.NewRAM[int](1, 0, blocks.ReadFirst) })
	require.PanicsWithValue(t, "blocks: RAM with mode ReadDuringWrite(2), want ReadFirst or WriteFirst",
		func() { blocks.NewRAM[int](1, 1, 2) })
	require.Equal(t, "ReadFirst WriteFirst", fmt.Sprint(blocks.ReadFirst, " ", blocks.WriteFirst))
	m := blocks.NewRAM[uint64](8, 2, blocks.ReadFirst)
	require.Panics(t, func() { m.Tick(blocks.RAMOp[uint64]{Read: true, ReadAddr: 8}) })
	require.NotPanics(t, func() { m.Tick(blocks.RAMOp[uint64]{ReadAddr: 8, WriteAddr: -1}) },
		"addresses not in use are don't-care")
	require.Zero(t, testing.AllocsPerRun(100, func() {
		m.Out()
		m.Tick(blocks.RAMOp[uint64]{Read: true, Write: true, WriteAddr: 1, WriteData: 2})
	}))
}

// Write a word, read it back with a latency of two cycles.
func ExampleRAM() {
	m := blocks.NewRAM[int](16, 2, blocks.ReadFirst)
	program := []blocks.RAMOp[int]{
		{Write: true, WriteAddr: 4, WriteData: 42},
		{Read: true, ReadAddr: 4},
		{Read: true, ReadAddr: 5},
		{}, {},
	}
	fmt.Println("cycle  write  read  out")
	for cycle, op := range program {
		w, r, o := "-", "-", "-"
		if op.Write {
			w = fmt.Sprintf("%d@%d", op.WriteData, op.WriteAddr)
		}
		if op.Read {
			r = fmt.Sprintf("@%d", op.ReadAddr)
		}
		if v, ok := m.Out(); ok {
			o = fmt.Sprint(v)
		}
		fmt.Printf("%5d  %5s  %4s  %3s\n", cycle, w, r, o)
		m.Tick(op)
	}
	// Output:
	// cycle  write  read  out
	//     0   42@4     -    -
	//     1      -    @4    -
	//     2      -    @5    -
	//     3      -     -   42
	//     4      -     -    0
}
