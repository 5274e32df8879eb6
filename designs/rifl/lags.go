package rifl

import "math/big"

// lags are the frame cycles from the edge at which a transmitter sends a frame to its effects at the far end. They
// follow from the modules, register by register. In transceiver cycles from that edge, with a line delay of D cycles
// and R words a frame:
//
//	4              its first word is at the line's input: width converter, scrambler, code generator
//	4 + D          at the aligner
//	D + 7          in the aligner's last register: the look at the SYN is at this edge
//	D + 8          the monitors, one after the descrambler, have heard it: their flags change
//	D + 6 + R      its last word is in the descrambler's register, and the verdict in the verifier's
//	D + 9 + R      it stands at the read side of the clock crossing
//
// A change at an edge is seen by the next later edge of the frame clock, and by none at the same instant.
type lags struct {
	request int // to the transmitter's decision that knows what the monitors heard: two flip-flops on the way
	verdict int // to the transmitter's decision that knows the verifier's error
	// to the transmitter's decision that knows whether the link was up, upAfter transceiver cycles after the look at the
	// SYN
	up      int
	upAfter int
	data    int    // to the edge at which the flow-control buffer takes it
	arrive  int    // the least of them
	most    int    // the greatest lag to a decision
	first   uint64 // cycles of a link before it judges a frame: the receivers' registers fill
}

// crossingEdges is the frame edges from one that finds a flag changed to a decision that knows of it: two flip-flops.
const crossingEdges = 2

// lags returns the lags of a link without skew.
func (c Config) lags() lags {
	words := c.Words()
	line := c.LineTime().In(c.WordTime())
	after := func(cycles int) int { // frame edges to the first that is later than D and the given cycles
		return FloorCycles(new(big.Rat).Add(line, big.NewRat(int64(cycles), 1)), words) + 1
	}
	l := lags{
		request: after(8) + crossingEdges,
		verdict: after(6+words) + crossingEdges,
		up:      after(7) + crossingEdges,
		upAfter: words*after(7) - 7 - FloorCycles(line, 1),
		data:    after(9 + words),
	}
	l.arrive = min(l.request, l.verdict, l.up, l.data)
	l.most = max(l.request, l.verdict, l.up)
	l.first = uint64(max(0, l.arrive-1-FloorCycles(new(big.Rat).Add(line, big.NewRat(3, 1)), words)))
	return l
}

// FloorCycles returns x / n, rounded down.
func FloorCycles(x *big.Rat, n int) int {
	q := new(big.Rat).Quo(x, big.NewRat(int64(n), 1))
	return int(new(big.Int).Quo(q.Num(), q.Denom()).Int64())
}

// Loop returns the frames from a transmitter's frame to the first frame that depends on the far end's verdict about
// it: the verdict's lag there, and the lag of the far end's request back.
func (c Config) Loop() int {
	l := c.lags()
	return l.verdict + l.request
}

// LatencyFrames returns the frame cycles from the edge at which a transmitter takes a user's frame to that at which
// the far user takes it, with nothing in the way: one to the output converter's register and one to the user.
func (c Config) LatencyFrames() int { return c.lags().data + userEdges }

// userEdges is the frame edges from the flow-control buffer to the user.
const userEdges = 2

// FrameDelay returns the frames from a transmitter's frame to the first frame edge that finds the far end's verdict on
// it.
func (c Config) FrameDelay() int { return c.lags().verdict - crossingEdges }
