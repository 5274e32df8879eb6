package layout_test

import (
	"encoding/binary"
	"reflect"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/rtl/layout"
)

// A field takes the least of 1, 2, 4 and 8 bytes, and nothing lies between fields or rows.
func TestRows(t *testing.T) {
	widths := []int{1, 8, 9, 16, 17, 32, 33, 64}
	r := layout.RowsOf(widths)
	require.Equal(t, 1+1+2+2+4+4+8+8, r.Bytes)
	require.Equal(t, len(widths), r.Fields())
	const rows = 3
	memory := make([]byte, rows*r.Bytes)
	most := func(field int) uint64 { return ^uint64(0) >> (64 - widths[field]) }
	for row := range rows {
		for field := range widths {
			clear(memory)
			r.Put(memory, row, field, most(field))
			require.Equal(t, most(field), r.Get(memory, row, field))
			for x := range rows {
				want := make([]uint64, len(widths))
				if x == row {
					want[field] = most(field)
				}
				require.Equal(t, want, r.Row(memory, x), "nothing else has changed")
			}
			column, want := make([]uint64, rows), make([]uint64, rows)
			want[row] = most(field)
			r.Column(column, memory, field)
			require.Equal(t, want, column)
		}
	}
	r.Column(nil, nil, 0)
	r.Put(memory, 0, 1, 0x1fe)
	require.EqualValues(t, 0xfe, r.Get(memory, 0, 1), "cut to its bytes")

	none := layout.RowsOf(nil)
	require.Zero(t, none.Bytes)
	require.Empty(t, none.Row(nil, 5))
}

// A writer writes each leaf where its field lies, in the machine's order of bytes, of a wider Go type its low bytes;
// and not a byte more.
func TestRowsWriter(t *testing.T) {
	type signal struct {
		Flag  bool
		Short uint16
		Low   uint64 `bits:"12"`
		Word  uint32
		Long  uint64
		Byte  uint8
	}
	x := signal{true, 0x1234, 0xabc, 0x12345678, 0x1122334455667788, 0x9a}
	leaves, err := layout.Of(reflect.TypeFor[signal]())
	require.NoError(t, err)
	var widths []int
	var taps []layout.Tap
	for _, l := range leaves {
		widths, taps = append(widths, l.Width), append(taps, l.Tap(unsafe.Pointer(&x)))
	}
	r := layout.RowsOf(widths)
	w := r.Writer(taps)
	memory := make([]byte, r.Bytes+2)
	memory[r.Bytes], memory[r.Bytes+1] = 0x55, 0x66
	w.Write(memory)
	want := binary.NativeEndian.AppendUint16([]byte{1}, 0x1234)
	want = binary.NativeEndian.AppendUint16(want, 0xabc)
	want = binary.NativeEndian.AppendUint32(want, 0x12345678)
	want = append(binary.NativeEndian.AppendUint64(want, 0x1122334455667788), 0x9a, 0x55, 0x66)
	require.Equal(t, want, memory)
	require.Panics(t, func() { w.Write(make([]byte, r.Bytes-1)) })
	require.Panics(t, func() { r.Writer(taps[:len(taps)-1]) }, "the last field has no tap")
	wide := layout.RowsOf([]int{9})
	require.Panics(t, func() { wide.Writer(taps[:1]) }, "a bool has no nine bits")
}
