package drmt

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// An access reads, writes or adds, and nothing else; beyond the end nothing happens. Keys and results of wide elements
// have 64 bits.
func TestArrayAccess(t *testing.T) {
	nothing := Result{Pointer: 3}
	key := func(op uint8, index uint32, value uint64) []Key {
		var b [20]byte
		b[0] = op
		for i := range 4 {
			b[1+i] = byte(index >> (8 * i))
		}
		for i := range 8 {
			b[5+i] = byte(value >> (8 * i))
		}
		keys := make([]Key, 2)
		for i, x := range b {
			if at := i % 10; at < 8 {
				keys[i/10].Lo |= uint64(x) << (8 * at)
			} else {
				keys[i/10].Hi |= uint16(x) << (8 * (at - 8))
			}
		}
		return keys
	}
	for _, wide := range []bool{false, true} {
		bits, value := 20, uint64(0xabcde)
		if wide {
			bits, value = 60, 0x0bcdef0123456789
		}
		valueBytes, n := 4, 1
		if wide {
			valueBytes, n = 8, 2
		}
		array := Array{
			ID: 1, Size: 4, Bits: bits, Wide: wide, Counts: true, Op: KeyPart{Bytes: 1}, Index: KeyPart{At: 1, Bytes: 4},
			Value: KeyPart{At: 5, Bytes: valueBytes}, Found: Result{Pointer: 9},
		}
		one := NewArray(array, n, nothing)
		values := make([]uint64, 4)
		counts := make([]uint64, 4)
		x := one.with(values, counts)
		array.Found.Pointer = 10
		other := NewArray(array, n, nothing).with(values, counts)
		require.Equal(t, nothing, x.Lookup(key(WriteElement, 2, value|1<<63|1<<31)[:n]))
		want := (value | 1<<63 | 1<<31) & (1<<bits - 1)
		require.Equal(t, want, values[2])
		r := other.Lookup(key(ReadElement, 2, 0)[:n])
		require.EqualValues(t, 10, r.Pointer)
		if wide {
			require.Equal(t, want>>32|want<<32, r.Lo)
		} else {
			require.Equal(t, want, r.Lo)
		}
		require.Equal(t, nothing, x.Lookup(key(AddElement, 2, 1)[:n]))
		require.Equal(t, want+1, values[2])
		for _, idle := range [][]Key{
			key(0, 2, 5), key(WriteElement, 4, 5), key(ReadElement, 4, 0), key(AddElement, 1<<31, 1),
		} {
			require.Equal(t, nothing, x.Lookup(idle[:n]))
		}
		require.Equal(t, []uint64{0, 0, want + 1, 0}, values)
		require.Equal(t, []uint64{0, 0, 1, 0}, counts)
	}
}
