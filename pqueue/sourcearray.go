package pqueue

import "github.com/goldwire/goldwire/blocks"

// SourceArray is EDM's array of a source port (§3.1.2): the destinations for which it has messages, sorted by each
// destination's best message, and a bit for each destination that asks. A priority encoder over the bits gives the
// best request in one step, whatever the number of ports.
//
// The paper sorts by "the highest priority value in each d_i's notification queue". Taken to the letter that is the
// priority of any source's message, which the request need not be about; here it is the best priority of this source's
// own messages, and every request is about one of them.
type SourceArray struct {
	order *List       // Flow and ID are the destination
	asked blocks.Bits // by place in the order
}

// NewSourceArray returns an empty array of some ports.
func NewSourceArray(ports int) *SourceArray {
	return &SourceArray{NewList(ports, ports), blocks.NewBits(ports)}
}

// Update gives a destination the key of its best message from this source, or takes it out.
func (a *SourceArray) Update(dest int, key uint64, has bool) {
	a.order.Delete(uint32(dest)) // it may not be there
	if has {
		a.order.Insert(Entry{key, uint32(dest), uint16(dest)})
	}
}

// Choose returns the requesting destination of highest priority, -1 if none of the requests is in the array.
func (a *SourceArray) Choose(requests blocks.Bits) int {
	a.asked.Reset()
	for place, e := range a.order.Entries() { // in hardware, all at once
		if requests.Has(int(e.Flow)) {
			a.asked.Set(place)
		}
	}
	if place := a.asked.Next(0); place >= 0 {
		return int(a.order.Entries()[place].Flow)
	}
	return -1
}
