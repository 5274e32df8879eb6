package drmt

import "encoding/binary"

// Arrays are registers and counters. The paper says nothing of state that outlives a packet; RMT, whose memory dRMT
// has, keeps it in a stage's memory, beside the tables. Here an array lies in a memory cluster, since all processors
// share it. An access goes the way of a match: its key has the operation, the index and a value, and the element's old
// value comes back as action data. The cluster does one access after the other, so that an access is atomic.

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
	// First is the index of the first element: keys of packets that access nothing have a lower one.
	First uint64
	// Start is what the elements have at first, nil for 0.
	Start []uint64
	// Counts says that each element counts packets, too: an access that adds to it adds 1 to them.
	Counts bool
	// Meters, if not nil, has each element's rates, the lowest first; an element without rates gives color 0. An access
	// takes Value units at the microsecond Time.
	Meters [][]MeterRate
	// Op, Index, Value and Time say where the key has the operation, the element, the value and the time.
	Op, Index, Value, Time KeyPart
	// Found is the answer of a read, without the value, which Wide says is of 64 bits, its upper half first, not of 32.
	Found  Result
	Wide   bool
	values []uint64
	counts []uint64
	// perElement is how many values an element has.
	perElement int
}

// KeyPart is a part of a key: Bytes bytes from byte At on, the lowest first; or the constant Const if there are none.
type KeyPart struct {
	At, Bytes int
	Const     uint64
}

// Of returns the part of a key.
func (p KeyPart) Of(key []byte) uint64 {
	if p.Bytes == 0 {
		return p.Const
	}
	v := uint64(0)
	for i := p.Bytes - 1; i >= 0; i-- {
		v = v<<8 | uint64(key[p.At+i])
	}
	return v
}

// NewArray returns a table that is an access to an array, with a key of some segments. Nothing is the result if nothing
// is read, as beyond the array's end.
func NewArray(a Array, segments int, nothing Result) *Table {
	a.perElement = max(a.rates(), 1)
	return &Table{Kind: Elements, Miss: nothing, width: segments, array: &a}
}

// Function computes a result of a key's bytes. Scratch is memory that it may use.
type Function func(key, scratch []byte) Result

// NewFunction returns a table that computes its results: a hash unit stands where a table would, and takes the way and
// the time of a match.
func NewFunction(f Function, segments int) *Table {
	return &Table{Kind: Computed, width: segments, function: f}
}

// mutable is what an access or a computation changes, which each machine has of its own.
type mutable struct {
	key     [Segments * SegmentBytes]byte
	scratch [2 * Segments * SegmentBytes]byte
}

// with returns the same table for a machine of its own: with these elements, if it is an access to an array.
func (t *Table) with(values, counts []uint64) *Table {
	c := *t
	if t.array != nil {
		a := *t.array
		a.values, a.counts = values, counts
		c.array = &a
	}
	c.own = &mutable{}
	return &c
}

// bytes returns a key's bytes.
func (m *mutable) bytes(key []Key) []byte {
	for s := range key {
		b := m.key[s*SegmentBytes:]
		binary.LittleEndian.PutUint64(b, key[s].Lo)
		binary.LittleEndian.PutUint16(b[8:], key[s].Hi)
	}
	return m.key[:len(key)*SegmentBytes]
}

// access does what a key says.
func (t *Table) access(segments []Key) (r Result, hit bool) {
	a := t.array
	key := t.own.bytes(segments)
	op, index := a.Op.Of(key), a.Index.Of(key)-a.First // below the first is beyond the last
	if op == 0 || index >= uint64(a.Size) {
		return t.Miss, false
	}
	if a.Meters != nil {
		r = a.Found
		r.Lo = a.color(int(index), a.Value.Of(key), a.Time.Of(key))
		return r, true
	}
	e := &a.values[index]
	mask := ^uint64(0) >> (64 - a.Bits)
	switch op {
	case ReadElement:
		r = a.Found
		r.Lo = *e
		if a.Wide {
			r.Lo = *e>>32 | *e<<32
		}
		return r, true
	case WriteElement:
		*e = a.Value.Of(key) & mask
	case AddElement:
		*e = (*e + a.Value.Of(key)) & mask
		if a.Counts {
			a.counts[index]++
		}
	}
	return t.Miss, false
}

// Elements returns what an array has, and how many packets its elements counted if it has counters; nil if no cluster
// has it.
func (s *Switch) Elements(id int) (values, packets []uint64) {
	for _, c := range s.Clusters {
		for _, t := range c.tables {
			if a := t.table.array; a != nil && a.ID == id {
				return a.values, a.counts
			}
		}
	}
	return nil, nil
}
