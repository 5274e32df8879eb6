package shoal

import "github.com/goldwire/goldwire/rtl"

// Bound is a flow whose next cell enters Q.
type Bound struct {
	Dest  uint8 `bits:"3"`
	Valid bool
}

// CellScheduler is the ready queue R of one neighbour, for up to 8 local flows (§3.3.3): flows that Equation 2 lets go
// join it in the order of their destinations, each at most once, and leave it in the order in which they came, one a
// cycle, while no local cell is in Q. Latency 1 cycle.
//
// A flow that has no more cells when its turn comes is dropped, and so is one to a destination that the rack does not
// have. Ready is the length of R for the rate limit feedback.
type CellScheduler struct {
	In     rtl.In[Eligible]
	Unsent rtl.In[uint8]
	Busy   rtl.In[bool] // a local cell is in Q; one that was bound in the cycle before counts by itself
	Out    rtl.Out[Bound]
	Ready  rtl.Out[uint8]

	nodes uint8
	queue [ReleaseNodes]uint8 `bits:"3"` // the oldest first
	count uint8               `bits:"4"`
	held  bool                `bits:"1"` // a cell was bound in the last cycle: Busy does not show it yet
}

// NewCellScheduler returns one for a rack of 2 to 8 nodes.
func NewCellScheduler(nodes int) (*CellScheduler, error) {
	return &CellScheduler{nodes: uint8(nodes)}, checkNodes("cell scheduler", nodes, ReleaseNodes)
}

// Reset is empty.
func (s *CellScheduler) Reset() {
	s.queue, s.count, s.held = [ReleaseNodes]uint8{}, 0, false
	s.Out.Set(Bound{})
	s.Ready.Set(0)
}

// Tick takes the oldest flow, and lets new ones in.
func (s *CellScheduler) Tick() {
	var out Bound
	if s.count > 0 && !s.Busy.Get() && !s.held {
		k := s.queue[0]
		copy(s.queue[:], s.queue[1:])
		s.queue[ReleaseNodes-1] = 0
		s.count--
		out = Bound{Dest: k, Valid: s.Unsent.Get()>>k&1 != 0}
	}
	s.held = out.Valid
	if e := s.In.Get(); e.Valid {
		for k := range s.nodes {
			if e.Flows>>k&1 != 0 && !s.has(k) {
				s.queue[s.count] = k
				s.count++
			}
		}
	}
	s.Out.Set(out)
	s.Ready.Set(s.count)
}

func (s *CellScheduler) has(k uint8) bool {
	for _, q := range s.queue[:s.count] {
		if q == k {
			return true
		}
	}
	return false
}
