package edm

import (
	"goldwire/blocks"
	"goldwire/pcs"
	"goldwire/pqueue"
	"goldwire/rtl"
)

// Crossbar joins ingress and egress by the virtual circuits that the scheduler's grants set up (§3.1.1, §3.2.2): the data messages of
// an ingress go to the destinations of its grants, in their order. Nothing is looked up; a message whose header names another
// destination than its circuit, after a loss, is dropped and counted. Combinational.
//
// If the scheduler does its part, an egress has one ingress at a time and no block waits. A block that finds its egress taken
// waits in its ingress; Waiting has how many blocks wait in all.
type Crossbar struct {
	In      []rtl.In[pcs.Block] // by ingress
	Valid   []rtl.In[bool]
	Grant   []rtl.In[pqueue.Grant] // by source
	Out     []rtl.Wire[pcs.Block]  // by egress
	Waiting rtl.Out[uint16]
	Dropped rtl.Out[uint32]

	Types BlockTypes

	queue    []*blocks.FIFO[pcs.Block] // by ingress: blocks that found their egress taken
	circuits []*blocks.FIFO[uint16]    // by ingress: destinations of the messages to come
	holder   []int32                   // by egress: the ingress whose message goes there, -1 for none
	to       []int32                   // by ingress: where its message goes, -1 between messages
	taken    pqueue.Bits               // egresses, within a cycle
	dropped  uint32
}

// circuitDepth bounds the grants that a source has under way.
const circuitDepth = 64

// Reset has no circuit.
func (x *Crossbar) Reset() {
	n := len(x.In)
	x.queue, x.circuits = make([]*blocks.FIFO[pcs.Block], n), make([]*blocks.FIFO[uint16], n)
	x.holder, x.to, x.taken, x.dropped = make([]int32, n), make([]int32, n), pqueue.NewBits(n), 0
	for p := range n {
		x.queue[p], x.circuits[p] = blocks.NewFIFO[pcs.Block](512), blocks.NewFIFO[uint16](circuitDepth)
		x.holder[p], x.to[p] = -1, -1
	}
	x.Waiting.Set(0)
	x.Dropped.Set(0)
}

// first returns the block that an ingress has to send, and its egress; -1 if it has none, or no circuit for it.
func (x *Crossbar) first(p int) (pcs.Block, int) {
	b, ok := x.queue[p].Peek()
	if !ok {
		if !x.Valid[p].Get() {
			return pcs.Block{}, -1
		}
		b = x.In[p].Get()
	}
	if x.to[p] >= 0 {
		return b, int(x.to[p])
	}
	dest, ok := x.circuits[p].Peek()
	if k := x.Types.Classify(b); !ok || k != MS && k != MST || headerOf(b).Dest != dest {
		return b, -1
	}
	return b, int(dest)
}

// passes tells whether an ingress may send to an egress now. The first to ask has it.
func (x *Crossbar) passes(p, egress int) bool {
	if egress < 0 || x.holder[egress] >= 0 && int(x.holder[egress]) != p || x.taken.Has(egress) {
		return false
	}
	x.taken.Set(egress)
	return true
}

// Comb connects.
func (x *Crossbar) Comb() {
	for e := range x.Out {
		x.Out[e].Set(pcs.Block{})
	}
	x.taken.Reset()
	for p := range x.In {
		if b, e := x.first(p); e >= 0 && x.passes(p, e) {
			x.Out[e].Set(b)
		}
	}
}

// Tick follows the messages.
func (x *Crossbar) Tick() {
	waiting := 0
	x.taken.Reset()
	for p := range x.In {
		if x.Valid[p].Get() {
			waiting += x.move(p, x.In[p].Get())
		} else if !x.queue[p].Empty() {
			waiting += x.move(p, pcs.Block{})
		}
		if g := x.Grant[p].Get(); g.Valid {
			x.circuits[p].Push(g.Dest)
		}
	}
	x.Waiting.Set(uint16(min(waiting, 0xffff)))
	x.Dropped.Set(x.dropped)
}

// move sends or drops the first block of an ingress, and keeps a fresh one that has to wait. It returns how many wait.
func (x *Crossbar) move(p int, fresh pcs.Block) int {
	q := x.queue[p]
	b, e := x.first(p)
	gone := e < 0
	if gone { // no circuit
		x.dropped++
	} else if gone = x.passes(p, e); gone {
		x.follow(p, e, b)
	}
	direct := q.Empty() // b is the fresh one
	if gone && !direct {
		q.Pop()
	}
	if fresh.Valid && !(gone && direct) {
		q.Push(fresh)
	}
	return q.Len()
}

// follow keeps the circuit for as long as the message lasts.
func (x *Crossbar) follow(p, egress int, b pcs.Block) {
	switch x.Types.Classify(b) {
	case MS:
		x.circuits[p].Pop()
		x.holder[egress], x.to[p] = int32(p), int32(egress)
	case MST:
		x.circuits[p].Pop()
	case MT:
		x.holder[egress], x.to[p] = -1, -1
	}
}
