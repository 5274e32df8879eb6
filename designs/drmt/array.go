package drmt

// Arrays are registers and counters. The paper says nothing of state that outlives a packet; RMT, whose memory dRMT has, keeps it in a stage's
// memory, beside the tables. Here an array lies in a memory cluster, since all processors share it. An access goes the way of a match: its key has
// what is done, the index and a value, and what the element had comes back as action data. The cluster does one access after the other, so that an
// access is atomic.

// What an access does. A packet that has nothing to do with the array sends 0.
const (
	ReadElement  = 1
	WriteElement = 2
	AddElement   = 3
)

// Array is an access to an array of registers or counters. Accesses of one ID have their elements in common.
type Array struct {
	ID         int
	Size, Bits int
	// Wide says that values have 64 bits in keys and results, not 32.
	Wide bool
	// Found is the instruction pointer of what comes back from a read.
	Found  uint16
	values []uint64
}

// NewArray returns a table that is an access to an array. Nothing is what comes back if nothing is read, as beyond the array's end.
func NewArray(a Array, nothing Result) *Table {
	width := 1
	if a.Wide {
		width = 2
	}
	return &Table{Kind: Elements, Miss: nothing, width: width, array: &a}
}

// with returns the same access, to these elements.
func (t *Table) with(values []uint64) *Table {
	c := *t
	a := *t.array
	a.values = values
	c.array = &a
	return &c
}

// access does what a key says: a byte says what, four have the index, four or eight the value.
func (t *Table) access(key []Key) (r Result, hit bool) {
	a := t.array
	op := uint8(key[0].Lo)
	index := uint32(key[0].Lo >> 8)
	value := key[0].Lo>>40 | uint64(key[0].Hi&0xff)<<24
	if a.Wide {
		value |= uint64(key[0].Hi>>8)<<32 | key[1].Lo<<40
	}
	if op == 0 || uint64(index) >= uint64(len(a.values)) {
		return t.Miss, false
	}
	e := &a.values[index]
	mask := ^uint64(0) >> (64 - a.Bits)
	switch op {
	case ReadElement:
		r = Result{Pointer: a.Found, Lo: *e}
		if a.Wide { // the upper 32 bits come first
			r.Lo = *e>>32 | *e<<32
		}
		return r, true
	case WriteElement:
		*e = value & mask
	case AddElement:
		*e = (*e + value) & mask
	}
	return t.Miss, false
}
