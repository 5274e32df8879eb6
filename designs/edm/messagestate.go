package edm

// activeMessage is an entry of the message state table, which has it while the message is under way.
type activeMessage struct {
	tag     uint32
	left    int32  // bytes to come, or to send
	address uint64 // of the memory node
	local   uint64
	lost    bool // its timer has expired
}

// timer is that of an active message, which has it only where there are timers, and while it runs.
type timer struct {
	deadline   uint64
	prev, next int32 // in the list, -1 at its ends
}

// slot is the place of a message among the reads, the writes, or the responses: by node and ID.
func (h *HostTx) slot(peer uint16, id uint8) (int, bool) {
	return int(peer)*h.Active + int(id), int(peer) < h.Nodes && int(id) < h.Active
}

// number is that of a message in the tables of messages and of timers. Reads come before writes.
func (h *HostTx) number(k Kind, slot int) int {
	if k == WREQ {
		slot += h.Nodes * h.Active
	}
	return slot
}

// taken tells whether an ID of a destination is in use, and whether by a message that was given up. Reads and writes share the IDs,
// unless each have their own.
func (h *HostTx) taken(k Kind, dest uint16, id int) (used, lost bool) {
	slot := int(dest)*h.Active + id
	for _, other := range [...]Kind{RREQ, WREQ} {
		if h.Apart && (k == WREQ) != (other == WREQ) {
			continue
		}
		if i := h.number(other, slot); h.Messages.has(i) {
			used, lost = true, lost || h.Messages.look(i).lost
		}
	}
	return used, lost
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
	h.Waiting.unblock(2 * dest)
	h.Waiting.unblock(2*dest + 1)
}

// receive counts the bytes of a response.
func (h *HostTx) receive(source uint16, id, bytes uint8) {
	slot, ok := h.slot(source, id)
	if !ok || !h.Messages.has(slot) {
		return
	}
	m := h.Messages.look(slot)
	if m.left -= int32(bytes); m.left > 0 {
		return
	}
	if !m.lost {
		h.done.Push(Completion{true, m.tag, false})
	}
	h.end(slot)
}

// end forgets a message, by its number.
func (h *HostTx) end(number int) {
	h.stopTimer(int32(number))
	h.Messages.free(number)
	h.freed(number % (h.Nodes * h.Active) / h.Active)
}

// startTimer puts a message at the end of the list.
func (h *HostTx) startTimer(message int32) {
	h.stopTimer(message)
	*h.Timers.entry(int(message)) = timer{h.now + uint64(h.Timeout), h.newest, -1}
	if h.newest < 0 {
		h.oldest = message
	} else {
		h.Timers.look(int(h.newest)).next = message
	}
	h.newest = message
}

// stopTimer takes a message out of the list.
func (h *HostTx) stopTimer(message int32) {
	if h.oldest < 0 || !h.Timers.has(int(message)) {
		return
	}
	t := h.Timers.look(int(message))
	if t.prev < 0 {
		h.oldest = t.next
	} else {
		h.Timers.look(int(t.prev)).next = t.next
	}
	if t.next < 0 {
		h.newest = t.prev
	} else {
		h.Timers.look(int(t.next)).prev = t.prev
	}
	h.Timers.free(int(message))
}

// expire gives up the message whose timer was started first, if that timer has reached its deadline. It is called only while one runs. The
// message keeps its ID, since its response, or its grant, may still come.
func (h *HostTx) expire() {
	i := h.oldest
	if h.now < h.Timers.look(int(i)).deadline {
		return
	}
	h.stopTimer(i)
	m := h.Messages.look(int(i))
	m.lost = true
	slot := int(i) % (h.Nodes * h.Active)
	if h.Batch > 0 && int(i) == h.number(WREQ, slot) {
		for _, w := range h.megas[slot].writes[:h.megas[slot].n] {
			h.done.Push(Completion{true, w.Tag, true})
		}
	} else {
		h.done.Push(Completion{true, m.tag, true})
	}
	h.freed(slot / h.Active)
}
