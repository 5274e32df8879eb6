package blocks

import "github.com/goldwire/goldwire/rtl"

// Memory is a RAM with ports: one to read, one to write, of one clock. Addresses count modulo the depth. All words are
// 0 at first: its RTL has a flag a word that says whether it was written since the reset, as a block RAM itself has
// none. Latency as NewMemory is told, from Read to Out.
type Memory struct {
	Read  rtl.In[MemoryRead]
	Write rtl.In[MemoryWrite]
	Out   rtl.Out[StreamWord] // 0 in a cycle without a word

	depth, latency int
	mode           ReadDuringWrite
	ram            *RAM[uint64]
}

// MemoryRead asks for a word.
type MemoryRead struct {
	Addr  uint16
	Valid bool
}

// MemoryWrite writes one.
type MemoryWrite struct {
	Addr  uint16
	Data  uint64
	Valid bool
}

// NewMemory returns a memory of depth words, a power of two up to 65536, with a read latency of at least 1 cycle. It
// panics otherwise.
func NewMemory(depth, latency int, mode ReadDuringWrite) *Memory {
	if depth < 1 || depth > 1<<16 || depth&(depth-1) != 0 {
		panic("blocks: memory whose depth is no power of two up to 65536")
	}
	return &Memory{depth: depth, latency: latency, mode: mode}
}

// Reset makes all words 0.
func (m *Memory) Reset() {
	m.ram = NewRAM[uint64](m.depth, m.latency, m.mode)
	m.Out.Set(StreamWord{})
}

// Tick reads and writes.
func (m *Memory) Tick() {
	r, w := m.Read.Get(), m.Write.Get()
	last := uint16(m.depth - 1)
	m.ram.Tick(RAMOp[uint64]{Read: r.Valid, ReadAddr: int(r.Addr & last), Write: w.Valid,
		WriteAddr: int(w.Addr & last), WriteData: w.Data})
	data, ok := m.ram.Out()
	m.Out.Set(StreamWord{data, ok})
}
