package spfc

// eventKind is the order of what happens at one instant.
type eventKind uint8

const (
	packetArrives eventKind = iota
	pfcArrives
	pfcActs      // a received PFC frame takes effect
	pauseExpires // a quanta timer may have run out
	refreshDue   // a PAUSE that stands is sent again
	timerDue
	transmitterFree
)

// event is one entry: an instant, what and of whom, and the node's own data of a timer.
type event struct {
	at   Time
	key  uint64 // kind<<32 | port or node
	data uint64
}

func (e *event) before(o *event) bool {
	if e.at != o.at {
		return e.at < o.at
	}
	if e.key != o.key {
		return e.key < o.key
	}
	return e.data < o.data
}

// eventHeap is a heap of four children a node. Events that are equal in all fields are the same event.
type eventHeap struct{ items []event }

func (h *eventHeap) push(e event) {
	h.items = append(h.items, e)
	i := len(h.items) - 1
	for i > 0 {
		up := (i - 1) / 4
		if !e.before(&h.items[up]) {
			break
		}
		h.items[i] = h.items[up]
		i = up
	}
	h.items[i] = e
}

func (h *eventHeap) pop() event {
	top := h.items[0]
	last := len(h.items) - 1
	e := h.items[last]
	h.items = h.items[:last]
	if last > 0 {
		h.sink(e)
	}
	return top
}

// sink puts an event in the place of the first one.
func (h *eventHeap) sink(e event) {
	i, n := 0, len(h.items)
	for {
		child := 4*i + 1
		if child >= n {
			break
		}
		least := child
		for c := child + 1; c < min(child+4, n); c++ {
			if h.items[c].before(&h.items[least]) {
				least = c
			}
		}
		if !h.items[least].before(&e) {
			break
		}
		h.items[i] = h.items[least]
		i = least
	}
	h.items[i] = e
}
