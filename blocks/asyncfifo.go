package blocks

import (
	"fmt"
	"math/bits"

	"github.com/goldwire/goldwire/rtl"
)

// AsyncFIFO carries values from one clock domain to another: a dual-clock FIFO with Gray-coded pointers, which change
// by one bit at a time and so survive their synchronisers (Cummings, "Simulation and Synthesis Techniques for
// Asynchronous FIFO Design"). It neither loses, repeats nor reorders a value, whatever the clocks. For one clock use
// FIFO.
//
// It is two modules, one for each clock; Connect wires one to the other. A value written at a write edge can be read
// after 3 read edges at the earliest: two to synchronise the pointer, one to see it.
type AsyncFIFO[T any] struct {
	Write AsyncWriter[T]
	Read  AsyncReader[T]
}

// asyncFIFOMax bounds the depth: the memory is registers, which the kernel copies at every write edge.
const asyncFIFOMax = 1024

// NewAsyncFIFO returns a FIFO for depth values, a power of two from 2 to 1024. It panics otherwise.
func NewAsyncFIFO[T any](depth int) *AsyncFIFO[T] {
	if depth < 2 || depth > asyncFIFOMax || bits.OnesCount(uint(depth)) != 1 {
		panic(fmt.Sprintf("blocks: asynchronous FIFO of depth %d, want a power of two from 2 to %d", depth, asyncFIFOMax))
	}
	f := &AsyncFIFO[T]{}
	f.Write.Memory = make([]rtl.Out[T], depth)
	f.Read.Memory = make([]rtl.Async[T], depth)
	for i := range f.Write.Memory {
		rtl.Connect(&f.Write.Memory[i], &f.Read.Memory[i])
	}
	rtl.Connect(&f.Write.Pointer, &f.Read.Writer)
	rtl.Connect(&f.Read.Pointer, &f.Write.Reader)
	return f
}

// Add puts the two sides into their scopes.
func (f *AsyncFIFO[T]) Add(name string, write, read *rtl.Scope) {
	write.Add(name+"_write", &f.Write)
	read.Add(name+"_read", &f.Read)
}

// AsyncWriter is the write side. A value is taken at an edge before which Push and Ready are set. A value of any type
// has no valid bit of its own, as a beat of a stream has ([rtl.Offer]), so Push and the reader's Valid are ports
// beside it.
type AsyncWriter[T any] struct {
	In    rtl.In[T]
	Push  rtl.In[bool]
	Ready rtl.Out[bool]

	Memory  []rtl.Out[T]
	Pointer rtl.Out[uint16]   // Gray code
	Reader  rtl.Async[uint16] // the other side's Pointer

	sync [2]uint16
	next uint64 `bits:"16"` // values written so far, modulo twice the depth in Pointer
}

// Reset starts empty.
func (w *AsyncWriter[T]) Reset() {
	w.sync, w.next = [2]uint16{}, 0
	var zero T
	for i := range w.Memory {
		w.Memory[i].Set(zero)
	}
	w.Pointer.Set(0)
	w.Ready.Set(true)
}

// Tick writes a value.
func (w *AsyncWriter[T]) Tick() {
	depth := uint64(len(w.Memory))
	// a depth ahead of the reader: in Gray code the two highest bits are the other way round
	full := w.sync[1] ^ uint16(depth|depth>>1)
	w.sync[1], w.sync[0] = w.sync[0], w.Reader.Get()
	pointer := w.Pointer.Get()
	if w.Push.Get() && w.Ready.Get() {
		w.Memory[w.next&(depth-1)].Set(w.In.Get())
		w.next = (w.next + 1) & (2*depth - 1)
		pointer = uint16(BinaryToGray(w.next))
		w.Pointer.Set(pointer)
	}
	w.Ready.Set(pointer != full)
}

// AsyncReader is the read side. Out shows the oldest value while Valid; an edge with Pop set takes it.
type AsyncReader[T any] struct {
	Pop   rtl.In[bool]
	Out   rtl.Out[T]
	Valid rtl.Out[bool]

	Memory  []rtl.Async[T]
	Pointer rtl.Out[uint16]
	Writer  rtl.Async[uint16]

	sync [2]uint16
	next uint64 `bits:"16"` // values read so far
}

// Reset starts empty.
func (r *AsyncReader[T]) Reset() {
	r.sync, r.next = [2]uint16{}, 0
	var zero T
	r.Out.Set(zero)
	r.Valid.Set(false)
	r.Pointer.Set(0)
}

// Tick shows the next value when the last was taken.
func (r *AsyncReader[T]) Tick() {
	empty := r.sync[1] == r.Pointer.Get() // both in Gray code: every written word has been read
	r.sync[1], r.sync[0] = r.sync[0], r.Writer.Get()
	if r.Valid.Get() && !r.Pop.Get() {
		return
	}
	if empty {
		r.Valid.Set(false)
		return
	}
	depth := uint64(len(r.Memory))
	r.Out.Set(r.Memory[r.next&(depth-1)].Get())
	r.Valid.Set(true)
	r.next = (r.next + 1) & (2*depth - 1)
	r.Pointer.Set(uint16(BinaryToGray(r.next)))
}
