package edm

import "github.com/goldwire/goldwire/blocks"

// activeMessage is an entry of the message state table. Which of them are in use is in a set of their own, since a host looks for an ID that is
// free in entries that it needs nothing else of.
type activeMessage struct {
	tag     uint32
	left    int32  // bytes to come, or to send
	address uint64 // of the memory node
	local   uint64
	lost    bool // its timer has expired
}

// timer is that of an active message, which has it only where there are timers.
type timer struct {
	runs       bool // it is in the list
	deadline   uint64
	prev, next int32
}

func (h *HostTx) slot(peer uint16, id uint8) (int, bool) {
	return int(peer)*h.Active + int(id), int(peer) < h.Nodes && int(id) < h.Active
}

// taken tells whether an ID of a destination is in use, and whether by a message that was given up. Reads and writes share the IDs,
// unless each have their own.
func (h *HostTx) taken(k Kind, dest uint16, id int) (used, lost bool) {
	slot := int(dest)*h.Active + id
	r, w := h.usedReads.Has(slot), h.usedWrites.Has(slot)
	switch {
	case !h.Apart:
	case k == WREQ:
		r = false
	default:
		w = false
	}
	return r || w, r && h.reads.look(slot).lost || w && h.writes.look(slot).lost
}

// freeID returns an unused ID of a destination.
func (h *HostTx) freeID(k Kind, dest uint16) (uint8, bool) {
	for id := range h.Active {
		if used, _ := h.taken(k, dest, id); !used {
			return uint8(id), true
		}
	}
	return 0, false
}

// unreachable tells whether all messages of a destination that hold IDs have timed out, and none is free.
func (h *HostTx) unreachable(k Kind, dest uint16) bool {
	for id := range h.Active {
		if _, lost := h.taken(k, dest, id); !lost {
			return false
		}
	}
	return true
}

// freed lets the requests to a destination go that wait for an ID.
func (h *HostTx) freed(dest int) {
	h.queue.unblock(2 * dest)
	h.queue.unblock(2*dest + 1)
}

func (h *HostTx) table(k Kind) (*slots[activeMessage], blocks.Bits) {
	if k == WREQ {
		return &h.writes, h.usedWrites
	}
	return &h.reads, h.usedReads
}

// receive counts the bytes of a response.
func (h *HostTx) receive(source uint16, id, bytes uint8) {
	slot, ok := h.slot(source, id)
	if !ok {
		return
	}
	if !h.usedReads.Has(slot) {
		return
	}
	m := h.reads.look(slot)
	if m.left -= int32(bytes); m.left > 0 {
		return
	}
	if !m.lost {
		h.done.Push(Completion{true, m.tag, false})
	}
	h.stopTimer(int32(slot))
	h.usedReads.Clear(slot)
	h.freed(int(source))
}

// message returns a message by its number: reads come before writes.
func (h *HostTx) message(i int32) *activeMessage {
	if int(i) < h.reads.len() {
		return h.reads.look(int(i))
	}
	return h.writes.look(int(i) - h.reads.len())
}

// timerOf is the number of a message, and of its timer.
func (h *HostTx) timerOf(k Kind, slot int) int32 {
	if k == WREQ {
		slot += h.reads.len()
	}
	return int32(slot)
}

// startTimer puts a message at the end of the list. A message that an undetected error ended too early may have left its timer running.
func (h *HostTx) startTimer(slot int32) {
	h.stopTimer(slot)
	*h.timers.entry(int(slot)) = timer{true, h.now + uint64(h.Timeout), h.newest, -1}
	if h.newest < 0 {
		h.oldest = slot
	} else {
		h.timers.look(int(h.newest)).next = slot
	}
	h.newest = slot
}

// stopTimer takes a message out of the list.
func (h *HostTx) stopTimer(slot int32) {
	if h.oldest < 0 {
		return
	}
	t := h.timers.look(int(slot))
	if !t.runs {
		return
	}
	t.runs = false
	if t.prev < 0 {
		h.oldest = t.next
	} else {
		h.timers.look(int(t.prev)).next = t.next
	}
	if t.next < 0 {
		h.newest = t.prev
	} else {
		h.timers.look(int(t.next)).prev = t.prev
	}
}

// expire gives up the message whose timer was started first, if that timer has reached its deadline. It is called only while one runs. The
// message keeps its ID, since its response, or its grant, may still come.
func (h *HostTx) expire() {
	i := h.oldest
	if h.now < h.timers.look(int(i)).deadline {
		return
	}
	h.stopTimer(i)
	m := h.message(i)
	m.lost = true
	slot := int(i) % h.reads.len()
	if int(i) >= h.reads.len() && h.Batch > 0 {
		for _, w := range h.megas[slot].writes[:h.megas[slot].n] {
			h.done.Push(Completion{true, w.Tag, true})
		}
	} else {
		h.done.Push(Completion{true, m.tag, true})
	}
	h.freed(slot / h.Active)
}
