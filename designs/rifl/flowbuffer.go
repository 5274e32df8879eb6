package rifl

// FlowSize returns how many frames a flow-control buffer holds for IDs of s bits, and its thresholds (§4.D). In the
// core a queue of 16 stands in front of a memory of 2 x 2^S frames; the thresholds count the frames in the memory.
func FlowSize(p Profile, s int) (depth int, level FlowLevel) {
	r := p.rules()
	depth = r.flowDepth << s
	return depth + r.flowFront, FlowLevel{On: r.flowOn(depth), off: r.flowOff(depth)}
}

// FlowLevel says when the far end has to pause.
type FlowLevel struct {
	Full    bool
	On, off int
}

// Judge takes the frames held.
func (l *FlowLevel) Judge(n int) {
	switch {
	case n > l.On:
		l.Full = true
	case n < l.off:
		l.Full = false
	}
}

// FlowBuffer counts the frames that wait for the user. Its owner holds their data.
type FlowBuffer struct {
	Len      int
	high     int    // the most it ever held
	Overflow uint64 // frames that found no room: lost
	Depth    int
}

// Push takes a frame and reports whether there was room.
func (b *FlowBuffer) Push() bool {
	if b.Len >= b.Depth {
		b.Overflow++
		return false
	}
	b.Len++
	b.high = max(b.high, b.Len)
	return true
}

// Pop gives one up, if there is one.
func (b *FlowBuffer) Pop() {
	if b.Len > 0 {
		b.Len--
	}
}
