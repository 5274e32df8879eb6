package shoal

// inline is how many cells of a queue lie in its record. Queues of two cells are what the bounds of §3.3.4 make common.
const inline = 4

// cellQueue is Q_ij, the FIFO of cells for a neighbour, with the ready queue R_ij of local flows (§3.3.3) and what one node keeps
// of its link to another. It fills one line of a processor's cache, since a rack has N² of them and uses each once an epoch.
type cellQueue struct {
	cells [inline]Cell // the oldest, a ring from first

	more, moreEnd int32 // further cells, in the node's spill; -1 for none

	readyHead, readyTail uint16 // R: flows, linked through Node.next
	length               uint16 // of Q
	ready                uint16 // length of R
	last                 uint16 // destination of the cell that came last from the neighbour, or one of the codes below
	neighbour            uint16
	lag                  uint16 // epochs from sending a cell to the sending of its feedback
	back                 uint16 // the row in which the neighbour sends to this node
	first                uint8
	local                uint8 // local cells in Q
	resend               uint8 // cells at the front that are sent again
	down                 bool  // the neighbour has failed
}

// What last stands for besides a destination.
const (
	lastNone    = 0xffff // nothing has come yet
	lastMine    = 0xfffe // it was for this node, or a dummy
	lastCorrupt = 0xfffd
	lastDropped = 0xfffc // it was not kept: its next hop has failed
)

// spilled is a cell that found no room in its queue's record.
type spilled struct {
	cell Cell
	next int32
}

// spill has the cells of a node that lie in no record.
type spill struct {
	cells []spilled
	free  int32
}

func (s *spill) take(c Cell) int32 {
	if s.free < 0 {
		s.cells = append(s.cells, spilled{c, -1})
		return int32(len(s.cells) - 1)
	}
	at := s.free
	s.free = s.cells[at].next
	s.cells[at] = spilled{c, -1}
	return at
}

// push adds a cell at the end.
func (q *cellQueue) push(c Cell, s *spill) {
	if q.length < inline {
		q.cells[(q.first+uint8(q.length))%inline] = c
	} else {
		at := s.take(c)
		if q.more < 0 {
			q.more = at
		} else {
			s.cells[q.moreEnd].next = at
		}
		q.moreEnd = at
	}
	q.length++
}

// pushFront adds a cell before all others.
func (q *cellQueue) pushFront(c Cell, s *spill) {
	if q.length >= inline { // the last of the record moves to the spill
		last := (q.first + inline - 1) % inline
		at := s.take(q.cells[last])
		s.cells[at].next = q.more
		if q.more < 0 {
			q.moreEnd = at
		}
		q.more = at
	}
	q.first = (q.first + inline - 1) % inline
	q.cells[q.first] = c
	q.length++
}

// pop takes the first cell; there is one.
func (q *cellQueue) pop(s *spill) Cell {
	c := q.cells[q.first]
	if q.more >= 0 {
		at := q.more
		q.cells[q.first] = s.cells[at].cell
		q.more = s.cells[at].next
		s.cells[at].next, s.free = s.free, at
	}
	q.first = (q.first + 1) % inline
	q.length--
	return c
}

// holds tells whether a cell of a flow waits in the queue.
func (q *cellQueue) holds(flow Cell, s *spill) bool {
	const ids = Cell(idMask)<<sourceShift | Cell(idMask)<<destShift
	for i := range min(uint8(q.length), inline) {
		if (q.cells[(q.first+i)%inline]^flow)&ids == 0 {
			return true
		}
	}
	for at := q.more; at >= 0; at = s.cells[at].next {
		if (s.cells[at].cell^flow)&ids == 0 {
			return true
		}
	}
	return false
}
