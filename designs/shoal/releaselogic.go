package shoal

import "github.com/goldwire/goldwire/rtl"

// ReleaseNodes is the size of the rack for which ReleaseLogic and CellScheduler are built.
const ReleaseNodes = 8

// FeedbackWrite stores what the feedback for a subflow allows.
type FeedbackWrite struct {
	Row    uint8  `bits:"3"` // of the neighbour
	Dest   uint8  `bits:"3"`
	Length uint16 `bits:"11"` // rate limit feedback: a length, or one of the codes
	Epoch  uint16 // in which the neighbour sent it
	Drains uint8  `bits:"2"` // 0 to 2: one more than what Node.drains says
	Valid  bool
}

// ReleaseQuery asks which flows may send in a row.
type ReleaseQuery struct {
	Row    uint8  `bits:"3"`
	Length uint16 `bits:"11"` // of the local queue
	Epoch  uint16
	Unsent uint8 // flows with cells, by destination
	Valid  bool
}

// Sending marks a subflow whose cell has gone into the queue: it waits for feedback.
type Sending struct {
	Row   uint8 `bits:"3"`
	Dest  uint8 `bits:"3"`
	Valid bool
}

// ReleaseLogic is the feedback matrix of one node of 8 with Equation 2 and the 2^age rule over it (§3.3.2, §3.3.3, §4.2): which local
// flows may release a cell to the neighbour of a row. All of a row's flows are looked at in parallel. Latency 1 cycle. Epochs are
// compared modulo 2^16, as numbers less than 2^15 apart.
//
// An entry of the matrix is not the length itself but the epoch in which Equation 2 is met with an empty local queue, so that
// nothing has to be counted down. A Sending and a FeedbackWrite of the same cycle take effect in this order, after the query.
type ReleaseLogic struct {
	Feedback rtl.In[FeedbackWrite]
	Sent     rtl.In[Sending]
	Query    rtl.In[ReleaseQuery]
	Started  rtl.In[FlowStart]
	Eligible rtl.Out[Eligible]

	due     [ReleaseNodes][ReleaseNodes]uint16 // by row and destination
	waiting [ReleaseNodes]uint8                // by row: subflows whose feedback is to come
	met     [ReleaseNodes]uint8                // by row: subflows without a bound
	started [ReleaseNodes]uint16               // epoch, by destination
}

// FlowStart tells that a flow has begun, for the age of §3.3.3.
type FlowStart struct {
	Dest  uint8 `bits:"3"`
	Epoch uint16
	Valid bool
}

// Eligible has the flows that may release a cell, by destination.
type Eligible struct {
	Flows uint8
	Row   uint8 `bits:"3"`
	Valid bool
}

// Reset lets all flows send.
func (l *ReleaseLogic) Reset() {
	l.due, l.waiting, l.started = [ReleaseNodes][ReleaseNodes]uint16{}, [ReleaseNodes]uint8{}, [ReleaseNodes]uint16{}
	for r := range l.met {
		l.met[r] = 0xff
	}
	l.Eligible.Set(Eligible{})
}

// Tick answers a query.
func (l *ReleaseLogic) Tick() {
	q := l.Query.Get()
	var flows uint8
	for k := range ReleaseNodes {
		bit := uint8(1) << k
		due := int16(q.Epoch+q.Length-l.due[q.Row][k]) >= 0
		age := q.Epoch - l.started[k]
		young := age < 11 && q.Length > 1<<age // a length has 11 bits
		if q.Unsent&bit != 0 && l.waiting[q.Row]&bit == 0 && (due || l.met[q.Row]&bit != 0) && !young {
			flows |= bit
		}
	}
	l.Eligible.Set(Eligible{Flows: flows, Row: q.Row, Valid: q.Valid})
	if s := l.Started.Get(); s.Valid {
		l.started[s.Dest] = s.Epoch
	}
	if s := l.Sent.Get(); s.Valid {
		l.waiting[s.Row] |= 1 << s.Dest
	}
	if f := l.Feedback.Get(); f.Valid {
		bit := uint8(1) << f.Dest
		l.waiting[f.Row] &^= bit
		l.met[f.Row] &^= bit
		if f.Length > FeedbackMax {
			l.met[f.Row] |= bit
		} else {
			l.due[f.Row][f.Dest] = f.Epoch + f.Length + uint16(f.Drains) - 1
		}
	}
}
