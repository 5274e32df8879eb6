package blocks

import (
	"fmt"
	"math/big"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
)

// Wire is a link of a fixed delay, from a register at its sender to a register at its receiver. The receiver's clock
// is recovered from the line: it has the sender's frequency, and its phase is the rest of the delay after a whole
// number of cycles ([Recover]). So In samples each value once, at a known time after it was driven, and the wire needs
// no synchroniser. rtl.Config.Jitter would break that promise. For damage on the way put a [Lossy] in front of it, as
// pcs.Channel does.
//
// Latency: the edges it was made for, each an edge of the receiver's clock.
type Wire[T any] = rtl.AsyncDelay[T]

// NewWire returns a wire that takes a number of edges, the register at its end included. It gives out zero values
// until the first value arrives. It panics if edges is less than 1.
func NewWire[T any](edges int) *Wire[T] {
	if edges < 1 {
		panic(fmt.Sprintf("blocks: wire of %d edges, want at least 1", edges))
	}
	return &Wire[T]{Edges: edges}
}

// Recover turns a link's delay into edges and a phase for its receiver. A value that the sender's register takes at
// one of its edges stands in the receiver's register exactly the delay later: after edges edges of a clock of the same
// period whose phase is given. Sent is the phase of the sender's clock. A delay of whole periods leaves the receiver
// the sender's phase, up to a period. The delay must be above 0, or edges is 0.
func Recover(delay, sent, period clock.Time) (edges int, phase clock.Time) {
	whole, rest := quotient(delay, period)
	if rest.Cmp(clock.Time{}) > 0 {
		whole++
	}
	_, phase = quotient(delay.Add(sent), period)
	return whole, phase
}

// quotient divides a time by a period.
func quotient(t, period clock.Time) (whole int, rest clock.Time) {
	n := new(big.Int)
	q := t.In(period)
	n.Quo(q.Num(), q.Denom())
	return int(n.Int64()), t.Sub(period.Times(n.Int64()))
}
