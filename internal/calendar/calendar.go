// Package calendar holds the future events of an event-driven model: a wheel of buckets, one per unit of time, each a
// list in the order in which events were put. It allocates nothing once it has grown.
package calendar

import (
	"math"

	"github.com/goldwire/goldwire/blocks"
)

// Event happens at a time; what Kind, A and B mean is the user's.
type Event struct {
	At   int64
	next int32
	A, B int32
	Kind uint8
}

// list is a queue of events that link to each other by next; 0 is none.
type list struct{ head, tail int32 }

// Calendar is a wheel of events. In a loop the model asks for the time of [Calendar.Next], opens that time, and takes
// the events due then until none is left.
//
//	time modulo 8:   0   1   2   3   4   5   6   7
//	buckets:         .   .  e1   .   .  e2   .   .     e2 was put before e3
//	                                    e3
type Calendar struct {
	Now     int64
	mask    int64
	buckets []list // by time modulo their number
	busy    blocks.Bits
	due     list    // events of the time Now
	events  []Event // 0 is none
	free    int32
}

// New returns an empty calendar before time 0. Most events should lie less than span units ahead, which is a power of
// two: others stay in their bucket for another round.
func New(span int) Calendar {
	return Calendar{Now: -1, mask: int64(span - 1), buckets: make([]list, span), busy: blocks.NewBits(span),
		events: make([]Event, 1, 4096)}
}

// At puts an event on the calendar, not before Now.
func (c *Calendar) At(when int64, kind uint8, a, b int32) {
	id := c.free
	if id == 0 {
		c.events = append(c.events, Event{})
		id = int32(len(c.events) - 1)
	} else {
		c.free = c.events[id].next
	}
	c.events[id] = Event{At: when, A: a, B: b, Kind: kind}
	if when == c.Now {
		c.link(&c.due, id)
		return
	}
	c.put(id)
}

func (c *Calendar) put(id int32) {
	k := int(c.events[id].At & c.mask)
	c.link(&c.buckets[k], id)
	c.busy.Set(k)
}

func (c *Calendar) link(l *list, id int32) {
	c.events[id].next = 0
	if l.head == 0 {
		l.head = id
	} else {
		c.events[l.tail].next = id
	}
	l.tail = id
}

// Next returns the first time after Now whose bucket has something, perhaps for a later round.
func (c *Calendar) Next() int64 {
	first := int((c.Now + 1) & c.mask)
	k := c.busy.Next(first)
	if k < 0 {
		if k = c.busy.Next(0); k < 0 {
			return math.MaxInt64
		}
	}
	return c.Now + 1 + int64(k-first)&c.mask
}

// Open makes it a time at or before Next.
func (c *Calendar) Open(now int64) {
	c.Now = now
	k := int(now & c.mask)
	c.due, c.buckets[k] = c.buckets[k], list{}
	c.busy.Clear(k)
}

// Take removes the first of the events due now. It returns false when none is left.
func (c *Calendar) Take() (Event, bool) {
	for id := c.due.head; id != 0; id = c.due.head {
		e := c.events[id]
		c.due.head = e.next
		if e.At != c.Now {
			c.put(id)
			continue
		}
		c.events[id].next, c.free = c.free, id
		return e, true
	}
	return Event{}, false
}
