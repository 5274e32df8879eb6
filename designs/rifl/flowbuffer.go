package rifl

// FlowBuffer counts what waits for the user and says when the far end has to pause (§4.D). What it holds is its owner's.
type FlowBuffer struct {
	Full     bool // the far end has to pause
	Len      int
	High     int    // the most it ever held
	Overflow uint64 // frames that found no room: lost

	depth, on, off int
}

// NewFlowBuffer returns an empty buffer for IDs of s bits.
func NewFlowBuffer(p Profile, s int) FlowBuffer {
	r := p.rules()
	depth := r.flowDepth << s
	return FlowBuffer{depth: depth, on: r.flowOn(depth), off: r.flowOff(depth)}
}

// Depth returns how many frames it holds.
func (b *FlowBuffer) Depth() int { return b.depth }

// Push takes a frame and reports whether there was room.
func (b *FlowBuffer) Push() bool {
	if b.Len == b.depth {
		b.Overflow++
		return false
	}
	b.Len++
	b.High = max(b.High, b.Len)
	return true
}

// Pop gives one up.
func (b *FlowBuffer) Pop() { b.Len-- }

// Judge is called once a cycle, behind Push and Pop.
func (b *FlowBuffer) Judge() {
	switch {
	case b.Len > b.on:
		b.Full = true
	case b.Len < b.off:
		b.Full = false
	}
}
