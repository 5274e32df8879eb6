package shoal

import (
	"fmt"

	"github.com/goldwire/goldwire/rtl"
)

// ReleaseNodes is the most nodes of a rack for which ReleaseLogic and CellScheduler can be built.
const ReleaseNodes = 8

// ReleaseAges is how many epochs of a flow the 2^age rule can bound: a length has 11 bits.
const ReleaseAges = 11

func checkNodes(what string, nodes, most int) error {
	if nodes < 2 || nodes > most {
		return fmt.Errorf("%s for %d nodes, want 2 to %d", what, nodes, most)
	}
	return nil
}

// FeedbackWrite stores what the feedback for a subflow allows.
type FeedbackWrite struct {
	Row    uint8  `bits:"3"` // of the neighbour
	Dest   uint8  `bits:"3"`
	Length uint16 `bits:"11"` // rate limit feedback: a length, or one of the codes
	Epoch  uint16 // in which the neighbour sent it
	Drains uint8  `bits:"2"` // 0 to 2: one more than Node.drains
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

// ReleaseLogic is the feedback matrix of one node of up to 8 with Equation 2 and the 2^age rule over it (§3.3.2,
// §3.3.3, §4.2): which local flows may release a cell to the neighbour of a row. All of a row's flows are looked at in
// parallel. Latency 1 cycle. Epochs are compared modulo 2^16, as numbers less than 2^15 apart.
//
// An entry of the matrix is not the length itself but the epoch in which Equation 2 is met with an empty local queue,
// so that nothing has to be counted down. A Sending and a FeedbackWrite of the same cycle take effect in this order,
// after the query. An entry for a row or a destination that the rack does not have is not looked at; of such a row no
// flow may send.
type ReleaseLogic struct {
	Feedback rtl.In[FeedbackWrite]
	Sent     rtl.In[Sending]
	Query    rtl.In[ReleaseQuery]
	Started  rtl.In[FlowStart]
	Eligible rtl.Out[Eligible]

	nodes   uint8
	ages    uint16                             // epochs of a flow that the 2^age rule bounds
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

// NewReleaseLogic returns one for a rack of 2 to 8 nodes, with the 2^age rule for the first 0 to 11 epochs of a flow:
// the paper's is 11, which is for as long as it bounds a length.
func NewReleaseLogic(nodes, ages int) (*ReleaseLogic, error) {
	if err := checkNodes("release logic", nodes, ReleaseNodes); err != nil {
		return nil, err
	}
	if ages < 0 || ages > ReleaseAges {
		return nil, fmt.Errorf("release logic that bounds %d epochs of a flow, want 0 to %d", ages, ReleaseAges)
	}
	return &ReleaseLogic{nodes: uint8(nodes), ages: uint16(ages)}, nil
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
	for k := range l.nodes {
		bit := uint8(1) << k
		due := int16(q.Epoch+q.Length-l.due[q.Row][k]) >= 0
		age := q.Epoch - l.started[k]
		young := age < l.ages && q.Length > 1<<age
		if q.Row < l.nodes && q.Unsent&bit != 0 && l.waiting[q.Row]&bit == 0 && (due || l.met[q.Row]&bit != 0) && !young {
			flows |= bit
		}
	}
	l.Eligible.Set(Eligible{Flows: flows, Row: q.Row, Valid: q.Valid})
	if s := l.Started.Get(); s.Valid && s.Dest < l.nodes {
		l.started[s.Dest] = s.Epoch
	}
	if s := l.Sent.Get(); s.Valid && max(s.Row, s.Dest) < l.nodes {
		l.waiting[s.Row] |= 1 << s.Dest
	}
	if f := l.Feedback.Get(); f.Valid && max(f.Row, f.Dest) < l.nodes {
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
