package edm

// activeMessage is an entry of the message state table.
type activeMessage struct {
	used, lost bool // lost: its timer has expired
	timed      bool // in the list
	tag        uint32
	address    uint64 // of the memory node
	local      uint64
	left       int    // bytes to come, or to send
	deadline   uint64 // of the timer
	prev, next int32
}

func (h *HostTx) slot(peer uint16, id uint8) (int, bool) {
	return int(peer)*h.Active + int(id), int(peer) < h.Nodes && int(id) < h.Active
}

// taken tells whether an ID of a destination is in use, and whether by a message that was given up. Reads and writes share the IDs,
// unless each have their own.
func (h *HostTx) taken(k Kind, dest uint16, id int) (used, lost bool) {
	slot := int(dest)*h.Active + id
	r, w := h.reads.look(slot), h.writes.look(slot)
	switch {
	case !h.Apart:
		return r.used || w.used, r.lost || w.lost
	case k == WREQ:
		return w.used, w.lost
	}
	return r.used, r.lost
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

func (h *HostTx) table(k Kind) *slots[activeMessage] {
	if k == WREQ {
		return &h.writes
	}
	return &h.reads
}

// receive counts the bytes of a response.
func (h *HostTx) receive(w Word) {
	if w.Kind != RRES {
		return
	}
	slot, ok := h.slot(w.Source, w.ID)
	if !ok {
		return
	}
	m := h.reads.look(slot)
	if !m.used {
		return
	}
	if m.left -= int(w.Bytes); m.left > 0 {
		return
	}
	if !m.lost {
		h.done.Push(Completion{true, m.tag, false})
	}
	h.stopTimer(int32(slot))
	m.used, m.lost = false, false
	h.freed(int(w.Source))
}

// timed returns a message with a timer: reads come before writes.
func (h *HostTx) timed(i int32) *activeMessage {
	if int(i) < h.reads.len() {
		return h.reads.look(int(i))
	}
	return h.writes.look(int(i) - h.reads.len())
}

// timerOf is the number of a message among those that timed returns.
func (h *HostTx) timerOf(k Kind, slot int) int32 {
	if k == WREQ {
		slot += h.reads.len()
	}
	return int32(slot)
}

// startTimer puts a message at the end of the list.
func (h *HostTx) startTimer(slot int32) {
	m := h.timed(slot)
	m.deadline, m.timed, m.prev, m.next = h.now+uint64(h.Timeout), true, h.newest, -1
	if h.newest < 0 {
		h.oldest = slot
	} else {
		h.timed(h.newest).next = slot
	}
	h.newest = slot
}

// stopTimer takes a message out of the list.
func (h *HostTx) stopTimer(slot int32) {
	m := h.timed(slot)
	if !m.timed {
		return
	}
	m.timed = false
	if m.prev < 0 {
		h.oldest = m.next
	} else {
		h.timed(m.prev).next = m.next
	}
	if m.next < 0 {
		h.newest = m.prev
	} else {
		h.timed(m.next).prev = m.prev
	}
}

// expire gives up the message that has waited longest, of those with timers, if it has waited too long. Its ID stays taken: its response, or its grant,
// may still come.
func (h *HostTx) expire() {
	i := h.oldest
	if h.now < h.timed(i).deadline {
		return
	}
	h.stopTimer(i)
	m := h.timed(i)
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
