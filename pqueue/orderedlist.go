package pqueue

import (
	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/rtl"
)

// ListOp is an operation on an [OrderedList].
type ListOp struct {
	Insert bool
	Delete bool // of the entry of this ID; Insert and Delete together are Delete
	Key    uint16
	ID     uint8 `bits:"6"`
	Flow   uint8 `bits:"4"`
}

// ListResult is how an operation ended.
type ListResult struct {
	Valid   bool
	Outcome uint8 `bits:"2"` // an [Outcome]
}

// ListEntry is the highest eligible entry.
type ListEntry struct {
	Valid bool
	Key   uint16
	ID    uint8 `bits:"6"`
	Flow  uint8 `bits:"4"`
}

// OrderedList is an ordered list with time: entries with keys of 16 bits, 64 IDs, 16 flows. An operation takes 2
// cycles and one may start in every cycle: an entry inserted at one edge is in the list after the next. The highest
// entry whose flow is in Eligible takes 1 cycle: Highest is of the list and of Eligible as they were before the edge.
// The sizes are fixed; EDM's scheduler has lists of its own.
type OrderedList struct {
	Op       rtl.In[ListOp]
	Eligible rtl.In[uint16] // by flow
	Result   rtl.Out[ListResult]
	Highest  rtl.Out[ListEntry]
	Length   rtl.Out[uint8] // entries after this edge

	Capacity int // entries, at most 64

	list     *List
	pending  ListOp // the first of the two cycles
	eligible blocks.Bits
}

// Reset empties the list.
func (o *OrderedList) Reset() {
	o.list, o.pending, o.eligible = NewList(o.Capacity, 64), ListOp{}, blocks.NewBits(16)
	o.Result.Set(ListResult{})
	o.Highest.Set(ListEntry{})
	o.Length.Set(0)
}

// Tick finishes the operation of the edge before, takes the next, and looks for the highest.
func (o *OrderedList) Tick() {
	o.eligible[0] = uint64(o.Eligible.Get())
	var highest ListEntry
	if e, ok := o.list.Highest(o.eligible); ok {
		highest = ListEntry{true, uint16(e.Key), uint8(e.ID), uint8(e.Flow)}
	}
	o.Highest.Set(highest)

	var result ListResult
	switch op := o.pending; {
	case op.Delete:
		_, outcome := o.list.Delete(uint32(op.ID))
		result = ListResult{true, uint8(outcome)}
	case op.Insert:
		result = ListResult{true, uint8(o.list.Insert(Entry{uint64(op.Key), uint32(op.ID), uint16(op.Flow)}))}
	}
	o.Result.Set(result)
	o.Length.Set(uint8(o.list.Len()))
	o.pending = o.Op.Get()
}
