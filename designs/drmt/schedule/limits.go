package schedule

import "fmt"

// Limits is what a processor can do in a cycle and hold. A hardware limit of 0 (Actions, ScratchPad, Threads,
// MaxPeriod) is not kept.
type Limits struct {
	// SegmentBits is b, the width of a key segment, and Segments is M, how many segments of key a processor sends in a
	// cycle. A key takes a whole number of segments.
	SegmentBits, Segments int
	// Fields is A, how many fields are modified in a cycle: the number of ALUs.
	Fields int
	// MatchLatency and ActionLatency, in cycles, are what a dependent operation waits.
	MatchLatency, ActionLatency int
	// IPC is how many packets may start matches in one cycle of a processor, and how many may start actions.
	IPC int

	// Actions is how many distinct actions a cycle has: instruction pointers for the ALUs' 8:1 selects (§5.1, Figure 11).
	// Each action of a table with a match is one. Operations equal for every packet, conditions and actions without a
	// match, share one more.
	Actions int
	// ScratchPad is how many results wait at once in a processor's scratch pad (§5.1). A result takes an entry from the
	// cycle it comes back to the start of the last operation that waits for it; none if that is the same cycle.
	ScratchPad int
	// Threads is how many packets a processor holds, each a header vector (§6).
	Threads int
	// MaxPeriod is how many entries the program-counter tables have (Figure 11).
	MaxPeriod int
}

// DRMT returns the limits of a dRMT processor: Table 1's for the given inter-packet concurrency, and the limits of §5's
// hardware.
func DRMT(ipc int) Limits {
	return Limits{SegmentBits: 80, Segments: 8, Fields: 32, MatchLatency: 22, ActionLatency: 2, IPC: ipc,
		Actions: 8, ScratchPad: 64, Threads: 32, MaxPeriod: 32}
}

// WithoutHardware returns the limits that the paper's integer program keeps (§3.3): the same without §5's.
func (l Limits) WithoutHardware() Limits {
	l.Actions, l.ScratchPad, l.Threads, l.MaxPeriod = 0, 0, 0, 0
	return l
}

// check reports the first limit that makes no sense.
func (l Limits) check() error {
	for _, x := range []struct {
		name       string
		value, min int
	}{
		{"bits of a key segment", l.SegmentBits, 1}, {"key segments a cycle", l.Segments, 1}, {"fields a cycle", l.Fields, 1},
		{"match latency", l.MatchLatency, 1}, {"action latency", l.ActionLatency, 1}, {"IPC", l.IPC, 1},
		{"actions a cycle", l.Actions, 0}, {"scratch-pad entries", l.ScratchPad, 0}, {"threads", l.Threads, 0},
		{"period", l.MaxPeriod, 0},
	} {
		if x.value < x.min || x.value > 1<<20 {
			return fmt.Errorf("limits: %s is %d, expected %d to %d", x.name, x.value, x.min, 1<<20)
		}
	}
	return nil
}

// fits reports the first operation that no cycle can take: a key wider than all segments, more fields than ALUs.
func (l Limits) fits(g *Graph) error {
	for _, n := range g.Nodes {
		if s := l.keySegments(n); s > l.Segments {
			return fmt.Errorf(
				"graph %s: the key of %s has %d bits, %d segments of %d bits; a processor sends %d in a cycle", g.Name,
				n.Name, n.KeyBits, s, l.SegmentBits, l.Segments,
			)
		}
		if n.Fields > l.Fields {
			return fmt.Errorf(
				"graph %s: %s writes %d fields; a processor modifies %d in a cycle", g.Name, n.Name, n.Fields, l.Fields,
			)
		}
	}
	return nil
}

// keySegments returns how many key segments an operation takes.
func (l Limits) keySegments(n Node) int { return (n.KeyBits + l.SegmentBits - 1) / l.SegmentBits }

// Latency returns how many cycles a delay is.
func (l Limits) Latency(d Delay) int {
	switch d {
	case AfterMatch:
		return l.MatchLatency
	case AfterAction:
		return l.ActionLatency
	}
	return 0
}
