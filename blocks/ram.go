package blocks

import "fmt"

// ReadDuringWrite selects the word that a RAM reads at the address that it writes in the same cycle.
type ReadDuringWrite uint8

const (
	// ReadFirst reads the old word, from before the write.
	ReadFirst ReadDuringWrite = iota
	// WriteFirst reads the word that is being written: the memory has a bypass.
	WriteFirst
)

// String returns the name of the constant.
func (m ReadDuringWrite) String() string {
	switch m {
	case ReadFirst:
		return "ReadFirst"
	case WriteFirst:
		return "WriteFirst"
	}
	return fmt.Sprintf("ReadDuringWrite(%d)", uint8(m))
}

// RAM is a synchronous memory with a read port and a write port (simple dual port) in one clock domain. The array is
// sampled at the edge that takes the read address; L-1 further output registers follow. So a write in a later cycle
// never changes a read under way. It has no byte enables, no second write port and no asynchronous read: for that, own
// a Go slice.
//
// A module's Tick looks at Out, the output register before the edge, then calls Tick once.
type RAM[T any] struct {
	mem  []T
	mode ReadDuringWrite
	pipe *DelayLine[ramOut[T]] // the L-1 registers between the array and the output
	out  ramOut[T]             // the output register
}

type ramOut[T any] struct {
	data  T
	valid bool
}

// RAMOp is the access to a RAM in one cycle: a read, a write, both, or (the zero value) none.
type RAMOp[T any] struct {
	Read      bool
	ReadAddr  int
	Write     bool
	WriteAddr int
	WriteData T
}

// NewRAM returns a memory of depth words, all zero, with a read latency in cycles. It panics if depth or latency is
// less than 1 or the mode is unknown.
func NewRAM[T any](depth, latency int, mode ReadDuringWrite) *RAM[T] {
	switch {
	case depth < 1:
		panic(fmt.Sprintf("blocks: RAM of %d words, want at least 1", depth))
	case latency < 1:
		panic(fmt.Sprintf("blocks: RAM with a read latency of %d cycles, want at least 1", latency))
	case mode > WriteFirst:
		panic(fmt.Sprintf("blocks: RAM with mode %v, want ReadFirst or WriteFirst", mode))
	}
	return &RAM[T]{
		mem:  make([]T, depth),
		mode: mode,
		pipe: NewDelayLine(latency-1, ramOut[T]{}),
	}
}

// Tick is one rising edge: the read and the write of op happen, and the output pipeline moves on. A read given to one
// Tick is at Out before the L-th Tick after it. An address in use outside the memory panics.
func (m *RAM[T]) Tick(op RAMOp[T]) {
	var r ramOut[T]
	if op.Read {
		r = ramOut[T]{m.mem[op.ReadAddr], true}
	}
	if op.Write {
		m.mem[op.WriteAddr] = op.WriteData
		if op.Read && op.ReadAddr == op.WriteAddr && m.mode == WriteFirst {
			r.data = op.WriteData
		}
	}
	m.out = m.pipe.Shift(r)
}

// Out returns the output register, and whether a read arrived in it. Without one the data is the zero value.
func (m *RAM[T]) Out() (data T, valid bool) { return m.out.data, m.out.valid }

// Latency returns the read latency in cycles.
func (m *RAM[T]) Latency() int { return m.pipe.Len() + 1 }

// Len returns the depth in words.
func (m *RAM[T]) Len() int { return len(m.mem) }

// Peek returns a word through the back door, in no cycle and at no port: for initial contents and tests.
func (m *RAM[T]) Peek(addr int) T { return m.mem[addr] }

// Poke sets a word through the back door, as an initial block does in Verilog.
func (m *RAM[T]) Poke(addr int, v T) { m.mem[addr] = v }
