package shoal

// inline is how many cells of a queue lie in its record. Two are what the optimisations of §3.3.3 leave where there is
// no incast.
const inline = 2

// cellQueue is Q_ij, the FIFO of cells for a neighbour, with a node's record of its link to another. A rack has N² of
// them and comes to each once an epoch, when no cache has it any more. It has 32 bytes, so that two fill a line.
type cellQueue struct {
	// the oldest first; if there are more than fit, the last entry is where the others begin and end in the spill, see
	// chain
	cells [inline]Cell
	Level level
	// a lower bound of Node.due of the active flows that are not in R, while begun equals the node's links.begun; 0 with
	// several classes
	due    int32
	begun  uint32 // links.begun when due was found
	local  uint8  // local cells in Q
	resend uint8  // cells at the front that are sent again
	Down   bool   // the neighbour has failed
	none   bool   // the row has no neighbour
}

// lastHeard is what a node keeps of the cells that come from a neighbour. It lies apart from the queue, which receiving
// does not need.
type lastHeard struct {
	last uint16 // row and class of the queue for the cell that came last, see lastRow, or one of the codes below
	lag  uint16 // epochs from sending a cell to the sending of its feedback; lagDown: the neighbour has failed
}

// lagDown stands for the lag of a neighbour that has failed.
const lagDown = 1<<16 - 1

// level is how much waits for a neighbour.
type level struct {
	Length uint16 // of Q
	ready  uint16 // of R
}

// readyQueue is R_ij, the FIFO of local flows (§3.3.3), linked through Node.next.
type readyQueue struct{ head, tail uint16 }

// What last stands for besides a queue. The row of a queue is counted from lastRows.
const (
	lastNone = iota // nothing has come yet
	lastMine        // it was for this node, or a dummy
	lastCorrupt
	lastDropped // it was not kept: its next hop has failed
	lastRows
)

// Bits of last above the row.
const (
	lastClass = 13               // where the class begins
	lastRow   = 1<<lastClass - 1 // the row's bits, of at most 4*MaxNodes rows and the codes
	lastTail  = 1 << 15          // the cell was dropped, since its queue was full
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

// drop takes a cell out, and tells which was after it.
func (s *spill) drop(at int32) (Cell, int32) {
	x := &s.cells[at]
	c, next := x.cell, x.next
	x.next, s.free = s.free, at
	return c, next
}

// chain packs where a queue's cells in the spill begin and end. It stands in place of the record's last cell.
func chain(head, tail int32) Cell { return Cell(head)<<32 | Cell(tail) }

func (c Cell) ends() (head, tail int32) { return int32(c >> 32), int32(c) }

// push adds a cell at the end.
func (q *cellQueue) push(c Cell, s *spill) {
	if q.Level.Length < inline {
		q.cells[q.Level.Length&(inline-1)] = c
	} else {
		q.overflow(c, s)
	}
	q.Level.Length++
}

// overflow puts a cell that does not fit into the spill. The first time the record's last cell goes there too, before
// it.
func (q *cellQueue) overflow(c Cell, s *spill) {
	last := &q.cells[inline-1]
	at := s.take(c)
	head, tail := last.ends()
	if q.Level.Length == inline {
		head = s.take(*last)
		tail = head
	}
	s.cells[tail].next = at
	*last = chain(head, at)
}

// pushFront adds a cell before all others.
func (q *cellQueue) pushFront(c Cell, s *spill) {
	switch first := q.cells[0]; {
	case q.Level.Length < inline:
		q.cells[1] = first
	case q.Level.Length == inline:
		tail := s.take(q.cells[1])
		head := s.take(first)
		s.cells[head].next = tail
		q.cells[1] = chain(head, tail)
	default:
		head, tail := q.cells[1].ends()
		at := s.take(first)
		s.cells[at].next = head
		q.cells[1] = chain(at, tail)
	}
	q.cells[0] = c
	q.Level.Length++
}

// pop takes the first cell; there is one.
func (q *cellQueue) pop(s *spill) Cell {
	c := q.cells[0]
	if q.Level.Length > inline {
		head, tail := q.cells[1].ends()
		q.cells[0], head = s.drop(head)
		if q.Level.Length == inline+1 { // one is left in the spill
			q.cells[1], _ = s.drop(head)
		} else {
			q.cells[1] = chain(head, tail)
		}
	} else {
		q.cells[0] = q.cells[1]
	}
	q.Level.Length--
	return c
}

// holds tells whether a cell of a flow waits in the queue.
func (q *cellQueue) holds(flow Cell, s *spill) bool {
	const ids = Cell(idMask)<<sourceShift | Cell(idMask)<<destShift
	if q.Level.Length <= inline {
		return q.Level.Length > 0 && (q.cells[0]^flow)&ids == 0 || q.Level.Length > 1 && (q.cells[1]^flow)&ids == 0
	}
	if (q.cells[0]^flow)&ids == 0 {
		return true
	}
	for at, _ := q.cells[1].ends(); at >= 0; at = s.cells[at].next {
		if (s.cells[at].cell^flow)&ids == 0 {
			return true
		}
	}
	return false
}
