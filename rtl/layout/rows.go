package layout

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"unsafe"
)

// Rows says where the fields of rows lie in memory: each in the least of 1, 2, 4 and 8 bytes that hold it, in the
// machine's own order of bytes, with nothing between fields or rows. A row that one processor writes and another reads
// costs by its bytes.
type Rows struct {
	Bytes  int // of a row
	places []place
}

type place struct{ at, size int } // in bytes

// RowsOf returns the rows of fields with 1 to 64 bits.
func RowsOf(widths []int) Rows {
	var r Rows
	for _, w := range widths {
		size := RowBytes(w)
		r.places = append(r.places, place{r.Bytes, size})
		r.Bytes += size
	}
	return r
}

// RowBytes returns how many bytes of a row a field with 1 to 64 bits takes: the least of 1, 2, 4 and 8 that hold it.
func RowBytes(width int) int {
	size := 1
	for 8*size < width {
		size *= 2
	}
	return size
}

// Fields is how many fields a row has.
func (r *Rows) Fields() int { return len(r.places) }

// Row returns the fields of a row.
func (r *Rows) Row(memory []byte, row int) []uint64 {
	values := make([]uint64, len(r.places))
	for i := range values {
		values[i] = r.Get(memory, row, i)
	}
	return values
}

// Get returns a field of a row.
func (r *Rows) Get(memory []byte, row, field int) uint64 {
	p := r.places[field]
	at := memory[row*r.Bytes+p.at:]
	switch p.size {
	case 1:
		return uint64(at[0])
	case 2:
		return uint64(binary.NativeEndian.Uint16(at))
	case 4:
		return uint64(binary.NativeEndian.Uint32(at))
	default:
		return binary.NativeEndian.Uint64(at)
	}
}

// Put gives a field of a row a value, which is cut to the bytes that the field has.
func (r *Rows) Put(memory []byte, row, field int, x uint64) {
	p := r.places[field]
	at := memory[row*r.Bytes+p.at:]
	switch p.size {
	case 1:
		at[0] = uint8(x)
	case 2:
		binary.NativeEndian.PutUint16(at, uint16(x))
	case 4:
		binary.NativeEndian.PutUint32(at, uint32(x))
	default:
		binary.NativeEndian.PutUint64(at, x)
	}
}

// Column reads a field of the first rows, as many as dst has room for.
func (r *Rows) Column(dst []uint64, memory []byte, field int) {
	p := r.places[field]
	if len(dst) == 0 {
		return
	}
	memory = memory[p.at : (len(dst)-1)*r.Bytes+p.at+p.size]
	switch p.size {
	case 1:
		for k := range dst {
			dst[k] = uint64(memory[k*r.Bytes])
		}
	case 2:
		for k := range dst {
			dst[k] = uint64(binary.NativeEndian.Uint16(memory[k*r.Bytes:]))
		}
	case 4:
		for k := range dst {
			dst[k] = uint64(binary.NativeEndian.Uint32(memory[k*r.Bytes:]))
		}
	default:
		for k := range dst {
			dst[k] = binary.NativeEndian.Uint64(memory[k*r.Bytes:])
		}
	}
}

// Writer writes rows of the values that taps read.
type Writer struct {
	bytes, halves, words, longs []placedTap // by the written size
	row                         int
}

// Writer joins taps, one for each field of a row.
func (r *Rows) Writer(taps []Tap) Writer {
	if len(taps) != len(r.places) {
		panic(fmt.Sprintf("%d taps for the %d fields of a row", len(taps), len(r.places)))
	}
	w := Writer{row: r.Bytes}
	for i, t := range taps {
		p := r.places[i]
		group := map[int]*[]placedTap{1: &w.bytes, 2: &w.halves, 4: &w.words, 8: &w.longs}[p.size]
		*group = append(*group, placedTap{t.low(p.size), uintptr(p.at)})
	}
	return w
}

// low is where the lowest bytes of a tap's value lie.
func (t Tap) low(size int) unsafe.Pointer {
	has := 8
	switch t.kind {
	case reflect.Bool, reflect.Uint8:
		has = 1
	case reflect.Uint16:
		has = 2
	case reflect.Uint32:
		has = 4
	}
	if size > has {
		panic(fmt.Sprintf("a field of %d bytes has a tap of %d", size, has))
	}
	if binary.NativeEndian.Uint16([]byte{1, 0}) == 1 {
		return t.p
	}
	return unsafe.Add(t.p, has-size)
}

// Write writes a row to the beginning of dst: one load and one store a field, no case to distinguish and one length to
// check.
func (w *Writer) Write(dst []byte) {
	to := unsafe.Pointer(unsafe.SliceData(dst[:w.row]))
	for _, x := range w.bytes {
		*(*uint8)(unsafe.Add(to, x.at)) = *(*uint8)(x.p)
	}
	for _, x := range w.halves { // nothing is aligned in a row
		binary.NativeEndian.PutUint16((*[2]byte)(unsafe.Add(to, x.at))[:], *(*uint16)(x.p))
	}
	for _, x := range w.words {
		binary.NativeEndian.PutUint32((*[4]byte)(unsafe.Add(to, x.at))[:], *(*uint32)(x.p))
	}
	for _, x := range w.longs {
		binary.NativeEndian.PutUint64((*[8]byte)(unsafe.Add(to, x.at))[:], *(*uint64)(x.p))
	}
}
