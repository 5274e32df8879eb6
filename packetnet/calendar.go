package packetnet

import (
	"math"

	"github.com/goldwire/goldwire/blocks"
)

// eventKind tells what happens; a and b of an event are what the comment names.
type eventKind uint8

const (
	portFree    eventKind = iota // a: port whose frame and gap are over
	atIngress                    // a: packet whose last byte reached the switch
	atSwitch                     // a: packet that the forwarding pipeline hands to its egress
	atNode                       // a: packet that a node's stack hands over
	memoryReady                  // a: response flow whose data the memory has
	timerDue                     // a: connection
	ackDue                       // a: message whose request has waited long enough for its response
	pauseSeen                    // a: node, b: class, and pauseOn to pause
	paceDue                      // a: receiver that may grant again
	grantReady                   // a: grant that the sender may use
	grantVoid                    // a: grant, b: its generation
	pairFree                     // a: source, b: destination
	creditSeen                   // a: port that gets credits, b: how many
)

// pauseOn is added to the class of a pauseSeen that pauses.
const pauseOn = 1 << 8

type event struct {
	at   int64
	next int32
	a, b int32
	kind eventKind
}

// list is a queue of things that link to each other by next; 0 is none.
type list struct{ head, tail int32 }

// span is the number of buckets of the calendar: most events lie less ahead, others stay for another round.
const span = 1 << 14

// calendar holds what is to happen, by byte time: a wheel of buckets, each a list in the order in which it was filled.
type calendar struct {
	now     int64
	buckets []list // by time modulo span
	busy    blocks.Bits
	due     list    // what happens now
	events  []event // 0 is none
	free    int32
}

func newCalendar() calendar {
	return calendar{now: -1, buckets: make([]list, span), busy: blocks.NewBits(span), events: make([]event, 1, 4096)}
}

// at puts an event on the calendar, not before now.
func (c *calendar) at(when int64, kind eventKind, a, b int32) {
	id := c.free
	if id == 0 {
		c.events = append(c.events, event{})
		id = int32(len(c.events) - 1)
	} else {
		c.free = c.events[id].next
	}
	c.events[id] = event{at: when, a: a, b: b, kind: kind}
	if when == c.now {
		c.link(&c.due, id)
		return
	}
	c.put(id)
}

func (c *calendar) put(id int32) {
	k := int(c.events[id].at & (span - 1))
	c.link(&c.buckets[k], id)
	c.busy.Set(k)
}

func (c *calendar) link(l *list, id int32) {
	c.events[id].next = 0
	if l.head == 0 {
		l.head = id
	} else {
		c.events[l.tail].next = id
	}
	l.tail = id
}

// next returns the first time after now whose bucket has something, perhaps for a later round.
func (c *calendar) next() int64 {
	first := int((c.now + 1) & (span - 1))
	k := c.busy.Next(first)
	if k < 0 {
		if k = c.busy.Next(0); k < 0 {
			return math.MaxInt64
		}
	}
	return c.now + 1 + int64((k-first)&(span-1))
}

// open makes it a time at or before next.
func (c *calendar) open(now int64) {
	c.now = now
	k := int(now & (span - 1))
	c.due, c.buckets[k] = c.buckets[k], list{}
	c.busy.Clear(k)
}

// take removes the first of what happens now.
func (c *calendar) take() (event, bool) {
	for id := c.due.head; id != 0; id = c.due.head {
		e := c.events[id]
		c.due.head = e.next
		if e.at != c.now {
			c.put(id)
			continue
		}
		c.events[id].next, c.free = c.free, id
		return e, true
	}
	return event{}, false
}
