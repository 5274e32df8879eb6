package edm

import (
	"encoding/binary"

	"github.com/goldwire/goldwire/rtl"
)

// MemoryRead asks the memory for eight bytes, or for the result of an atomic operation.
type MemoryRead struct {
	Valid   bool
	Atomic  bool
	Address uint64 // of an atomic operation: the place of its result
}

// Memory is a node's DRAM and its controller: what the node serves to others, and the local memory into which the
// responses to its own requests go (§3.2.1). It stores bytes. Words come one a cycle from each side: writes from the
// network, reads for responses, and read-modify-writes, each of them done within one edge: nothing comes between its
// read and its write (§3.2.1). At one edge the write comes first, then the atomic operation, then the read.
//
// Addresses count bytes and are multiples of 8: DDR4's word (§2.3). An access outside is counted in Faults; it reads as
// zero.
type Memory struct {
	Word    rtl.In[Word] // WREQ's words are written to the served memory, RRES' to the local one
	Written rtl.In[bool] // Word is valid
	Event   rtl.In[Event]
	Arrived rtl.In[bool] // Event is valid
	Read    rtl.In[MemoryRead]
	Data    rtl.Out[uint64] // 1 cycle after Read
	Faults  rtl.Out[uint32]

	Bytes  int // that are served, a multiple of 8
	Local  int // of the local memory, a multiple of 8
	Nodes  int
	Active int

	changed pages // the served memory, xor its contents at the start: a checkpoint takes written words alone
	local   pages
	results slots[uint64] // of atomic operations, by requester and ID
	faults  uint32
}

// Reset fills the memory.
func (m *Memory) Reset() {
	m.changed, m.local, m.results, m.faults = newPages(m.Bytes), newPages(m.Local), newSlots[uint64](m.Nodes*m.Active), 0
	m.Data.Set(0)
	m.Faults.Set(0)
}

// Tick does the incoming access.
func (m *Memory) Tick() {
	if m.Written.Get() {
		w := m.Word.Get()
		switch {
		case w.Bytes == 0:
		case w.Kind == WREQ:
			if m.inside(&m.changed, w.Address) {
				m.changed.write(w.Address, w.Data^initially(w.Address), int(w.Bytes))
			}
		case w.Kind == RRES:
			if m.inside(&m.local, w.Address) {
				m.local.write(w.Address, w.Data, int(w.Bytes))
			}
		}
	}
	if m.Arrived.Get() {
		if e := m.Event.Get(); e.Request && e.Header.Kind == RMWREQ {
			m.modify(e)
		}
	}
	if r := m.Read.Get(); r.Valid {
		switch {
		case !r.Atomic:
			m.Data.Set(m.At(r.Address))
		case r.Address < uint64(m.results.len()):
			m.Data.Set(*m.results.look(int(r.Address)))
		}
	}
	m.Faults.Set(m.faults)
}

// initially is a word of the memory at the start. Each tells where it is from, but the first eight, in which scenarios
// have their locks.
func initially(address uint64) uint64 {
	if address < 64 {
		return 0
	}
	return Pattern(^address)
}

func (m *Memory) inside(p *pages, address uint64) bool {
	if address&7 == 0 && address < uint64(p.bytes) {
		return true
	}
	m.faults++
	return false
}

// At returns the word that is served at an address. One outside of the memory is counted and reads as zero.
func (m *Memory) At(address uint64) uint64 {
	if !m.inside(&m.changed, address) {
		return 0
	}
	return m.changed.word(address) ^ initially(address)
}

// LocalAt returns the word of the local memory at an address, which is inside.
func (m *Memory) LocalAt(address uint64) uint64 { return m.local.word(address) }

// Put sets a word that is inside.
func (m *Memory) Put(address, x uint64) { m.changed.write(address, x^initially(address), 8) }

// Content returns the whole served memory.
func (m *Memory) Content() []byte {
	b := make([]byte, 0, m.Bytes)
	for a := range uint64(m.Bytes / 8) {
		b = binary.LittleEndian.AppendUint64(b, m.At(8*a))
	}
	return b
}

func (m *Memory) modify(e Event) {
	if int(e.Header.Source) >= m.Nodes || int(e.Header.ID) >= m.Active || !m.inside(&m.changed, e.Address) {
		return
	}
	next, result := e.Operation.Apply(m.At(e.Address), e.First, e.Second)
	m.Put(e.Address, next)
	*m.results.entry(int(e.Header.Source)*m.Active + int(e.Header.ID)) = result
}
