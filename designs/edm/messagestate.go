package edm

// activeMessage is an entry of the message state table, which has it while the message is under way.
type activeMessage struct {
	tag     uint32
	left    int32  // bytes to come, or to send
	address uint64 // of the memory node
	local   uint64
	lost    bool // its timer has expired
}

// timer is the timer of an active message. It exists only where there are timers, and while it runs.
type timer struct {
	deadline   uint64
	prev, next int32 // in the list, -1 at its ends
}

// messageTable is the host's message state table: the messages under way and their timers, by number. It is a part.
//
// A number is the place of a message: reads by node and ID, then writes by node and ID. With 2 nodes and X = 2:
//
//	0      1      2      3       4      5      6      7
//	read   read   read   read    write  write  write  write
//	0, ID0 0, ID1 1, ID0 1, ID1  0, ID0 0, ID1 1, ID0 1, ID1
type messageTable struct {
	nodes   int
	active  int  // IDs that a pair has: X
	apart   bool // reads and writes have IDs of their own
	timeout int  // of a message with a timer, in cycles; 0 for none

	messages slots[activeMessage]
	timers   slots[timer]
	oldest   int32 // list of the messages whose timers run, in the order in which these expire; -1 for none
	newest   int32
}

// newMessageTable returns a table without messages.
func newMessageTable(nodes, active int, apart bool, timeout int) messageTable {
	t := messageTable{
		nodes: nodes, active: active, apart: apart, timeout: timeout,
		messages: newSlots[activeMessage](2 * nodes * active), oldest: -1, newest: -1,
	}
	if timeout > 0 {
		t.timers = newSlots[timer](2 * nodes * active)
	}
	return t
}

// slot is the place of a message among the reads, the writes, or the responses: by node and ID. It reports whether
// there are such.
func (t *messageTable) slot(peer uint16, id uint8) (int, bool) {
	return int(peer)*t.active + int(id), int(peer) < t.nodes && int(id) < t.active
}

// number is the number of a message of a kind at a slot.
func (t *messageTable) number(k Kind, slot int) int {
	if k == WREQ {
		slot += t.nodes * t.active
	}
	return slot
}

// slotOf is the slot of a message's number.
func (t *messageTable) slotOf(number int) int { return number % (t.nodes * t.active) }

// nodeOf is the other node of a message, by its number.
func (t *messageTable) nodeOf(number int) int { return t.slotOf(number) / t.active }

// taken tells whether an ID of a destination is in use, and whether by a message that was given up. Reads and writes
// share the IDs, unless each have their own.
func (t *messageTable) taken(k Kind, dest uint16, id int) (used, lost bool) {
	slot := int(dest)*t.active + id
	for _, other := range [...]Kind{RREQ, WREQ} {
		if t.apart && (k == WREQ) != (other == WREQ) {
			continue
		}
		if i := t.number(other, slot); t.messages.has(i) {
			used, lost = true, lost || t.messages.look(i).lost
		}
	}
	return used, lost
}

// freeID returns an unused ID of a destination.
func (t *messageTable) freeID(k Kind, dest uint16) (uint8, bool) {
	for id := range t.active {
		if used, _ := t.taken(k, dest, id); !used {
			return uint8(id), true
		}
	}
	return 0, false
}

// unreachable tells whether all messages of a destination that hold IDs have timed out, and none is free.
func (t *messageTable) unreachable(k Kind, dest uint16) bool {
	for id := range t.active {
		if _, lost := t.taken(k, dest, id); !lost {
			return false
		}
	}
	return true
}

// forget ends a message, by its number.
func (t *messageTable) forget(number int) {
	t.stopTimer(int32(number))
	t.messages.free(number)
}

// startTimer puts a message at the end of the list of timers.
func (t *messageTable) startTimer(message int32, now uint64) {
	t.stopTimer(message)
	*t.timers.entry(int(message)) = timer{now + uint64(t.timeout), t.newest, -1}
	if t.newest < 0 {
		t.oldest = message
	} else {
		t.timers.look(int(t.newest)).next = message
	}
	t.newest = message
}

// stopTimer takes a message out of the list of timers.
func (t *messageTable) stopTimer(message int32) {
	if t.oldest < 0 || !t.timers.has(int(message)) {
		return
	}
	c := t.timers.look(int(message))
	if c.prev < 0 {
		t.oldest = c.next
	} else {
		t.timers.look(int(c.prev)).next = c.next
	}
	if c.next < 0 {
		t.newest = c.prev
	} else {
		t.timers.look(int(c.next)).prev = c.prev
	}
	t.timers.free(int(message))
}

// expired gives up the message whose timer was started first, if that timer has reached its deadline, and returns its
// number; -1 if none has. It is called only while a timer runs. The message keeps its ID, since its response, or its
// grant, may still come.
func (t *messageTable) expired(now uint64) int {
	i := t.oldest
	if now < t.timers.look(int(i)).deadline {
		return -1
	}
	t.stopTimer(i)
	t.messages.look(int(i)).lost = true
	return int(i)
}
