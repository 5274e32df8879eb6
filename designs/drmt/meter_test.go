package drmt

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A meter of two rates, 1 a microsecond and 1 at once, 3 a microsecond and 3 at once, counted by hand. The highest rate
// is asked first, and a packet that it does not let pass takes nothing of the other.
func TestMeterColors(t *testing.T) {
	a := Array{
		ID: 1, Size: 3, Meters: [][]MeterRate{nil, {{1, 1}, {3, 3}}, {{0.5, 2}, {0.5, 40}}},
		Op: KeyPart{Const: AddElement}, Index: KeyPart{Bytes: 1}, Value: KeyPart{At: 1, Bytes: 1},
		Time: KeyPart{At: 2, Bytes: 2}, Found: Result{Pointer: 9},
	}
	nothing := Result{Pointer: 3}
	table := NewArray(a, 1, nothing)
	n := a.Size * 2
	tokens, given := make([]uint64, n), make([]uint64, n)
	table.array.fill(tokens)
	x := table.with(tokens, given)
	for i, c := range []struct{ index, units, time, color uint64 }{
		{1, 1, 0, 0}, // tokens are 0 and 2 then
		{1, 1, 0, 1}, // 0 and 1
		{1, 1, 0, 1}, // 0 and 0
		{1, 1, 0, 2},
		{1, 1, 2, 0}, // 1 of 2 new ones fits, and 3 of 6: 0 and 2 are left
		{1, 3, 2, 2}, // takes nothing
		{1, 2, 2, 1}, // 0 and 0
		{1, 1, 3, 0}, // 0 and 2
		{0, 200, 3, 0},
		{2, 1, 3, 0}, // the third element: 3 microseconds gave it 1, and it was full: 1 and 39 are left
		{2, 2, 3, 1}, // 1 and 37
		{2, 2, 4, 0}, // 4 microseconds give 2 in all, 1 of them new
	} {
		key := []Key{{Lo: c.index | c.units<<8 | c.time<<16}}
		r, hit := x.search(key)
		require.True(t, hit)
		require.Equal(t, Result{Pointer: 9, Lo: c.color}, r, "access %d", i)
	}
	r, hit := x.search([]Key{{Lo: 3}})
	require.False(t, hit)
	require.Equal(t, nothing, r)
}
