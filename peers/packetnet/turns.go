package packetnet

// turns is the flows of each node that have something to send; they take turns.
type turns struct {
	*fabric
	heads, tails []int32 // by node; -1 is none
}

func newTurns(f *fabric) turns {
	t := turns{fabric: f, heads: make([]int32, f.n), tails: make([]int32, f.n)}
	for p := range f.n {
		t.heads[p] = -1
	}
	return t
}

// join puts a flow after all others of its node.
func (t *turns) join(id int32) {
	fl := &t.flows[id]
	fl.next = -1
	if t.heads[fl.from] < 0 {
		t.heads[fl.from] = id
	} else {
		t.flows[t.tails[fl.from]].next = id
	}
	t.tails[fl.from] = id
	t.wake(int(fl.from))
}

// leave takes a node's next flow, -1 if there is none.
func (t *turns) leave(node int) int32 {
	id := t.heads[node]
	if id >= 0 {
		t.heads[node] = t.flows[id].next
	}
	return id
}

// cut takes the next frame from a flow.
func (t *turns) cut(id int32) packet {
	fl := &t.flows[id]
	bytes := min(t.mss, fl.size-fl.sent)
	fl.sent += bytes
	t.result.PayloadSent += uint64(bytes)
	return packet{flow: id, wire: t.wire(bytes), payload: int32(bytes), from: int16(fl.from), to: int16(fl.to),
		class: fl.class, kind: data}
}
