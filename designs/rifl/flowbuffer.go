package rifl

// flowSize returns how many frames a flow-control buffer holds for IDs of s bits, and its thresholds (§4.D). In the core a queue
// of 16 stands in front of a memory of 2 x 2^S frames; the thresholds are those of the memory.
func flowSize(p Profile, s int) (depth int, level flowLevel) {
	r := p.rules()
	depth = r.flowDepth << s
	return depth + r.flowFront, flowLevel{on: r.flowOn(depth), off: r.flowOff(depth)}
}

// flowLevel says when the far end has to pause.
type flowLevel struct {
	full    bool
	on, off int
}

// judge takes the frames held.
func (l *flowLevel) judge(n int) {
	switch {
	case n > l.on:
		l.full = true
	case n < l.off:
		l.full = false
	}
}

// flowBuffer counts what waits for the user. What it holds is its owner's.
type flowBuffer struct {
	len      int
	high     int    // the most it ever held
	overflow uint64 // frames that found no room: lost
	depth    int
}

// push takes a frame and reports whether there was room.
func (b *flowBuffer) push() bool {
	if b.len == b.depth {
		b.overflow++
		return false
	}
	b.len++
	b.high = max(b.high, b.len)
	return true
}

// pop gives one up.
func (b *flowBuffer) pop() { b.len-- }
