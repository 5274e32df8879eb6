package blocks

import "github.com/goldwire/goldwire/rtl"

// RoundRobin is an Arbiter with ports: the grant follows the requests within the cycle, and the pointer moves past it
// at the edge if Accept is set. Latency 0 cycles from request to grant.
type RoundRobin struct {
	Request rtl.In[uint64]         // requester i is bit i
	Accept  rtl.In[bool]           // the grant is used in this cycle
	Grant   rtl.Wire[ArbiterGrant] `comb:"Request"`

	arbiter *Arbiter
	next    uint8 `bits:"6"` // the requester that wins if it requests
}

// ArbiterGrant names the granted requester.
type ArbiterGrant struct {
	OneHot uint64 // the granted requester's bit
	Index  uint8  `bits:"6"` // its number, 0 without a grant
	Valid  bool
}

// NewRoundRobin returns an arbiter of n requesters, 1 to 64. It panics otherwise.
func NewRoundRobin(n int) *RoundRobin {
	if n > 64 {
		panic("blocks: round robin of more than 64 requesters")
	}
	return &RoundRobin{arbiter: NewArbiter(n)}
}

// Reset gives requester 0 the highest priority.
func (r *RoundRobin) Reset() {
	r.arbiter.Reset()
	r.next = 0
}

// Comb grants.
func (r *RoundRobin) Comb() {
	g := r.arbiter.Grant64(r.Request.Get())
	if g < 0 {
		r.Grant.Set(ArbiterGrant{})
		return
	}
	r.Grant.Set(ArbiterGrant{1 << g, uint8(g), true})
}

// Tick moves the pointer if the grant is used.
func (r *RoundRobin) Tick() {
	if g := r.Grant.Get(); g.Valid && r.Accept.Get() {
		r.arbiter.Accept(int(g.Index))
		r.next = uint8(r.arbiter.Next())
	}
}
