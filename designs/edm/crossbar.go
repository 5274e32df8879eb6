package edm

import (
	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/rtl"
)

// Crossbar joins ingress and egress by the virtual circuits that the scheduler's grants set up (§3.1.1, §3.2.2): the
// data messages of an ingress go to the destinations of its grants, in their order. Nothing is looked up; a message
// whose header names another destination than its circuit, after a loss, is dropped and counted, as is a block that
// finds its ingress' queue full. Combinational.
//
// If the scheduler does its part, an egress has one ingress at a time and no block waits. A block that finds its egress
// taken waits in its ingress; Waiting has how many blocks wait in all.
//
// The paper is silent about circuits that are not used to their end. Here a circuit whose message never came is passed
// over when one for a later circuit comes, and a message whose link fails in the middle gives its egress back: RxDemux
// puts a block without a sync header after the blocks that came. Otherwise a lost message would shut its ingress, and a
// dead sender its egress, for good.
type Crossbar struct {
	In      []rtl.In[pcs.Block] // by ingress
	Valid   []rtl.In[bool]
	Grant   []rtl.In[Grant]       // by source
	Out     []rtl.Wire[pcs.Block] // by egress
	Waiting rtl.Out[uint16]
	Dropped rtl.Out[uint32]

	Types BlockTypes
	Depth int // grants that a source may have under way: the blocks that come within a round trip to it

	queue    []backlog[pcs.Block] // by ingress: blocks that found their egress taken
	kept     int                  // blocks in them
	circuits []circuitQueue       // by ingress
	holder   []int32              // by egress: the ingress whose message goes there, -1 for none
	to       []int32              // by ingress: where its message goes, -1 between messages
	taken    blocks.Bits          // egresses, within a cycle
	dropped  uint32
}

// circuitQueue has the destinations of the messages to come from an ingress.
type circuitQueue struct {
	dest    []uint16 // a ring
	head, n int
}

func (q *circuitQueue) push(dest uint16) {
	if q.n == len(q.dest) { // the oldest message will not come any more
		q.pop(1)
	}
	q.dest[(q.head+q.n)%len(q.dest)] = dest
	q.n++
}

func (q *circuitQueue) pop(n int) {
	q.head = (q.head + n) % len(q.dest)
	q.n -= n
}

// find returns how many circuits stand before the first one to a destination, -1 if there is none.
func (q *circuitQueue) find(dest uint16) int {
	for i := range q.n {
		if q.dest[(q.head+i)%len(q.dest)] == dest {
			return i
		}
	}
	return -1
}

// crossbarRoom is how many blocks of an ingress can wait. The paper's crossbar has no queue (§3.2.2): any block in it
// is a violation, and the room only says how much of a message is still delivered after one.
const crossbarRoom = 512

// Reset has no circuit.
func (x *Crossbar) Reset() {
	n := len(x.In)
	x.kept = 0
	x.queue, x.circuits = make([]backlog[pcs.Block], n), make([]circuitQueue, n)
	x.holder, x.to, x.taken, x.dropped = make([]int32, n), make([]int32, n), blocks.NewBits(n), 0
	for p := range n {
		x.queue[p] = newBacklog[pcs.Block](crossbarRoom)
		x.circuits[p].dest = make([]uint16, x.Depth)
		x.holder[p], x.to[p] = -1, -1
	}
	x.Waiting.Set(0)
	x.Dropped.Set(0)
}

// waits tells whether an ingress has blocks in its queue. Mostly none has, and no queue is looked at.
func (x *Crossbar) waits(p int) bool { return x.kept > 0 && !x.queue[p].Empty() }

// first returns the block that an ingress has to send, and its egress; -1 if it has none, or no circuit for it.
func (x *Crossbar) first(p int) (pcs.Block, int) {
	var b pcs.Block
	switch {
	case x.waits(p):
		b, _ = x.queue[p].Peek()
	case x.Valid[p].Get():
		b = x.In[p].Get()
	default:
		return pcs.Block{}, -1
	}
	if b.Header == pcs.HeaderData {
		return b, int(x.to[p])
	}
	if k := x.Types.Classify(b); k != MS && k != MST {
		return b, int(x.to[p])
	}
	dest := HeaderOf(b).Dest
	if x.circuits[p].find(dest) < 0 {
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

// goesOn tells whether a fresh block is data of a message that has its egress, and no block waits anywhere. Such a
// block, as most are, passes as it would by first, passes and follow: nobody else has its egress, or gets it in this
// cycle.
func (x *Crossbar) goesOn(p int, b pcs.Block) bool {
	return x.kept == 0 && b.Header == pcs.HeaderData && x.to[p] >= 0
}

// Comb connects.
func (x *Crossbar) Comb() {
	out, valid, in := x.Out, x.Valid, x.In // a loop over local slices does not load them again for each port
	for e := range out {
		out[e].Set(pcs.Block{})
	}
	x.taken.Reset()
	for p := range in {
		if x.kept == 0 && !valid[p].Get() {
			continue
		}
		if b := in[p].Get(); x.goesOn(p, b) {
			out[x.to[p]].Set(b)
		} else if b, e := x.first(p); e >= 0 && x.passes(p, e) {
			out[e].Set(b)
		}
	}
}

// Tick follows the messages.
func (x *Crossbar) Tick() {
	in, valid, grant := x.In, x.Valid, x.Grant
	x.taken.Reset()
	for p := range in {
		if valid[p].Get() {
			if b := in[p].Get(); !x.goesOn(p, b) {
				x.move(p, b)
			}
		} else if x.waits(p) {
			x.move(p, pcs.Block{})
		}
		if grant[p].Get().Valid {
			x.circuits[p].push(grant[p].Get().Dest)
		}
	}
	x.Waiting.Set(uint16(min(x.kept, 0xffff)))
	x.Dropped.Set(x.dropped)
}

// move sends or drops the first block of an ingress, and keeps a fresh one that has to wait. One without room is
// dropped.
func (x *Crossbar) move(p int, fresh pcs.Block) {
	b, e := x.first(p)
	gone := e < 0
	if gone { // no circuit
		x.dropped++
		if k := x.Types.Classify(b); k == MS || k == MST {
			x.release(p)
		}
	} else if gone = x.passes(p, e); gone {
		x.follow(p, e, b)
	}
	direct := !x.waits(p) // b is the fresh one
	if gone && !direct {
		x.queue[p].Pop()
		x.kept--
	}
	switch {
	case !fresh.Valid || gone && direct:
	case x.queue[p].Push(fresh):
		x.kept++
	default:
		x.dropped++
	}
}

// follow keeps the circuit for as long as the message lasts.
func (x *Crossbar) follow(p, egress int, b pcs.Block) {
	switch x.Types.Classify(b) {
	case MS:
		x.begin(p, egress)
		x.holder[egress], x.to[p] = int32(p), int32(egress)
	case MST:
		x.begin(p, egress)
	case MT, Bad:
		x.release(p)
	}
}

// begin takes the circuit of a message that starts, and ends one that has lost its end.
func (x *Crossbar) begin(p, egress int) {
	x.release(p)
	x.circuits[p].pop(x.circuits[p].find(uint16(egress)) + 1)
}

func (x *Crossbar) release(p int) {
	if e := x.to[p]; e >= 0 {
		x.holder[e], x.to[p] = -1, -1
	}
}
