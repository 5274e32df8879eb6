package edm

// activeMessage is an entry of the message state table.
type activeMessage struct {
	used, lost bool // lost: its timer has expired
	tag        uint32
	address    uint64 // of the memory node
	local      uint64
	left       int    // bytes to come, or to send
	deadline   uint64 // of a read
	timed      bool   // in the list
	prev, next int32
}

func (h *HostTx) slot(peer uint16, id uint8) (int, bool) {
	return int(peer)*h.Active + int(id), int(peer) < h.Nodes && int(id) < h.Active
}

// freeID returns an unused ID of a destination.
func (h *HostTx) freeID(messages []activeMessage, dest uint16) (uint8, bool) {
	for id := range h.Active {
		if !messages[int(dest)*h.Active+id].used {
			return uint8(id), true
		}
	}
	return 0, false
}

// unreachable tells whether all reads of a destination have timed out.
func (h *HostTx) unreachable(dest uint16) bool {
	for id := range h.Active {
		if m := h.reads[int(dest)*h.Active+id]; !m.used || !m.lost {
			return false
		}
	}
	return true
}

func (h *HostTx) table(k Kind) []activeMessage {
	if k == WREQ {
		return h.writes
	}
	return h.reads
}

// receive counts the bytes of responses.
func (h *HostTx) receive() {
	w := h.Word.Get()
	if !h.Written.Get() || w.Kind != RRES {
		return
	}
	slot, ok := h.slot(w.Source, w.ID)
	if !ok || !h.reads[slot].used {
		return
	}
	m := &h.reads[slot]
	if m.left -= int(w.Bytes); m.left > 0 {
		return
	}
	if !m.lost {
		h.done.Push(Completion{true, m.tag, false})
	}
	h.stopTimer(int32(slot))
	m.used, m.lost = false, false
	h.queue.unblock(2 * int(w.Source))
}

// startTimer puts a read at the end of the list.
func (h *HostTx) startTimer(slot int32) {
	m := &h.reads[slot]
	m.deadline, m.timed, m.prev, m.next = h.now+uint64(h.Timeout), true, h.newest, -1
	if h.newest < 0 {
		h.oldest = slot
	} else {
		h.reads[h.newest].next = slot
	}
	h.newest = slot
}

// stopTimer takes a read out of the list.
func (h *HostTx) stopTimer(slot int32) {
	m := &h.reads[slot]
	if !m.timed {
		return
	}
	m.timed = false
	if m.prev < 0 {
		h.oldest = m.next
	} else {
		h.reads[m.prev].next = m.next
	}
	if m.next < 0 {
		h.newest = m.prev
	} else {
		h.reads[m.next].prev = m.prev
	}
}

// expire gives up the read that has waited longest, if it has waited too long. Its ID stays taken: its response may still come.
func (h *HostTx) expire() {
	slot := h.oldest
	if slot < 0 || h.now < h.reads[slot].deadline {
		return
	}
	h.stopTimer(slot)
	m := &h.reads[slot]
	m.lost = true
	h.done.Push(Completion{true, m.tag, true})
	h.queue.unblock(2 * (int(slot) / h.Active))
}
