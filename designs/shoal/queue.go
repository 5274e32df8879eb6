package shoal

// inline is how many cells of a queue lie in its record. Two are what the optimisations of §3.3.3 leave where there is no incast.
const inline = 2

// cellQueue is Q_ij, the FIFO of cells for a neighbour, with what one node keeps of its link to another. A rack has N² of them and uses
// each once an epoch, so two fit into a line of a processor's cache. Its length is kept apart, in a level.
type cellQueue struct {
	cells [inline]Cell // the oldest first

	more, moreEnd int32 // further cells, in the node's spill; -1 for none

	last   uint16 // destination and class of the cell that came last from the neighbour, or one of the codes below
	lag    uint16 // epochs from sending a cell to the sending of its feedback
	local  uint8  // local cells in Q
	resend uint8  // cells at the front that are sent again
	down   bool   // the neighbour has failed
	none   bool   // the row has no neighbour
}

// level is how much waits for a neighbour. Feedback asks for it out of order (Equation 6), and those of a rack stay in a cache.
type level struct {
	length uint16 // of Q
	ready  uint16 // of R
}

// readyQueue is R_ij, the FIFO of local flows (§3.3.3), linked through Node.next.
type readyQueue struct{ head, tail uint16 }

// Bits of last above the destination.
const (
	lastClass = idBits            // where the class begins
	lastTail  = 1 << (idBits + 2) // the cell was dropped, since its queue was full
)

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

// push adds a cell at the end of a queue of the given length.
func (q *cellQueue) push(l *level, c Cell, s *spill) {
	if l.length < inline {
		q.cells[l.length] = c
	} else {
		at := s.take(c)
		if l.length == inline {
			q.more = at
		} else {
			s.cells[q.moreEnd].next = at
		}
		q.moreEnd = at
	}
	l.length++
}

// pushFront adds a cell before all others.
func (q *cellQueue) pushFront(l *level, c Cell, s *spill) {
	if l.length >= inline { // the last of the record moves to the spill
		at := s.take(q.cells[inline-1])
		if l.length == inline {
			q.moreEnd = at
		} else {
			s.cells[at].next = q.more
		}
		q.more = at
	}
	copy(q.cells[1:], q.cells[:inline-1])
	q.cells[0] = c
	l.length++
}

// pop takes the first cell; there is one.
func (q *cellQueue) pop(l *level, s *spill) Cell {
	c := q.cells[0]
	q.cells[0] = q.cells[1]
	if l.length > inline {
		at := q.more
		q.cells[inline-1] = s.cells[at].cell
		q.more = s.cells[at].next
		s.cells[at].next, s.free = s.free, at
	}
	l.length--
	return c
}

// holds tells whether a cell of a flow waits in the queue.
func (q *cellQueue) holds(l *level, flow Cell, s *spill) bool {
	const ids = Cell(idMask)<<sourceShift | Cell(idMask)<<destShift
	for i := range min(l.length, inline) {
		if (q.cells[i]^flow)&ids == 0 {
			return true
		}
	}
	if l.length <= inline {
		return false
	}
	for at := q.more; at >= 0; at = s.cells[at].next {
		if (s.cells[at].cell^flow)&ids == 0 {
			return true
		}
	}
	return false
}
