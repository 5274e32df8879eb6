package shoal

// Traffic classes (Appendix C). Each has a FIFO of its own for each neighbour; the first class has the highest
// priority. The header of Figure 5 has no field for the class, and the paper does not say where it stands. Here it
// takes the upper two bits of the sequence number where there is more than one class, so that each class of a pair of
// nodes counts its own cells, modulo 2^20.
//
// A queue behind others drains more slowly than Equation 2 reckons, so that a second cell of a subflow can come before
// the first has left. The NIC's memory has one place for each subflow and class, so that cell is dropped as one that
// finds its queue full.
const (
	MaxClasses = 4
	classShift = sequenceBits - 2
)

// classOf is the class of a cell.
func (f *fabricTimes) classOf(c Cell) int {
	if f.classes == 1 {
		return 0
	}
	return int(c.Sequence() >> classShift)
}

// pairOf is the place of a class with another node, in a node's record of both.
func (f *fabricTimes) pairOf(class, node int) int { return class*f.Schedule.nodes + node }
