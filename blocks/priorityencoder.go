package blocks

import "github.com/goldwire/goldwire/rtl"

// PriorityEncoder finds the lowest set bit of 64 requests. It is not fair: for turns use Arbiter. Latency 1 cycle.
type PriorityEncoder struct {
	In  rtl.In[uint64]
	Out rtl.Out[Granted]
}

// Granted is the request that won.
type Granted struct {
	Index uint8 `bits:"6"` // 0 if there is none
	Valid bool
}

// Tick encodes one vector of requests.
func (p *PriorityEncoder) Tick() {
	i := LowestSet(p.In.Get())
	p.Out.Set(Granted{uint8(max(i, 0)), i >= 0})
}
