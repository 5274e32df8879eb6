package spfc

// cellMemory is a shared memory of 64-byte cells with a free list in the memory itself, as hardware keeps it.
type cellMemory struct {
	cells []memoryCell
	free  int32 // -1: none
	used  int
}

type memoryCell struct {
	data [CellBytes / 8]uint64
	next int32 // of the packet, or of the free list; -1: none
}

func newCellMemory(cells int) *cellMemory {
	m := &cellMemory{cells: make([]memoryCell, cells)}
	for i := range m.cells {
		m.cells[i].next = int32(i) - 1
	}
	m.free = int32(cells) - 1
	return m
}

// write stores a cell after the one at tail, if that is not -1, and returns where it lies; -1: the memory is full.
func (m *cellMemory) write(tail int32, data *[CellBytes / 8]uint64) int32 {
	at := m.free
	if at < 0 {
		return -1
	}
	c := &m.cells[at]
	m.free = c.next
	c.data, c.next = *data, -1
	if tail >= 0 {
		m.cells[tail].next = at
	}
	m.used++
	return at
}

// release frees a cell and returns the next one of its packet.
func (m *cellMemory) release(at int32) (next int32) {
	next = m.cells[at].next
	m.cells[at].next = m.free
	m.free = at
	m.used--
	return next
}
