package measure

import (
	"fmt"
	"math/rand/v2"

	"github.com/goldwire/goldwire/workload"
)

// Demand is the use that one message makes of the four links on its way, in one unit for all: bytes, blocks or
// picoseconds. Up is to the switch, down is from it. The source is the node that asks.
type Demand struct{ SourceUp, SourceDown, DestUp, DestDown float64 }

// Payload is the demand of a message's data alone, in bytes: a write's goes from the source, a read's to it.
func Payload(t workload.MessageType, bytes int) Demand {
	if t == workload.Write {
		return Demand{SourceUp: float64(bytes), DestDown: float64(bytes)}
	}
	return Demand{SourceDown: float64(bytes), DestUp: float64(bytes)}
}

// Traffic is random messages that offer a load. Load is the share of the busiest links' time that the messages need.
// The need is measured in one of two ways: a load of the line counts everything that the network sends for a message
// (requests, acknowledgements, framing), a load of the payload ([Payload]) the data alone. The busiest links are found
// from the means over all nodes, so a load of 1 is what a network that is fair to its nodes can carry at most.
type Traffic struct {
	Nodes   int
	Shared  bool // every node asks and answers; if not, the first half asks and the second answers
	Pattern workload.Pattern
	Sizes   workload.Sizes
	Reads   float64 // share of reads among the messages
	Swaps   float64 // share of compare-and-swaps; writes are the rest
	Seed    uint64
}

// Asking returns the nodes that ask.
func (t Traffic) Asking() []int {
	if t.Shared {
		return upTo(0, t.Nodes)
	}
	return upTo(0, t.Nodes/2)
}

// Asked returns the nodes that answer.
func (t Traffic) Asked() []int {
	if t.Shared {
		return upTo(0, t.Nodes)
	}
	return upTo(t.Nodes/2, t.Nodes)
}

func upTo(from, to int) []int {
	var s []int
	for i := from; i < to; i++ {
		s = append(s, i)
	}
	return s
}

// Busiest returns how much of the busiest links one message of every asking node takes on average, in the unit of the
// demand. An asking node that sends a message every interval offers a load of Busiest over the interval.
func (t Traffic) Busiest(demand func(workload.MessageType, int) Demand) float64 {
	const draws = 20_000
	rng := rand.New(rand.NewPCG(t.Seed, 7))
	var sum Demand
	for i := range draws {
		kind := workload.Write
		bytes := t.Sizes.Draw(rng)
		switch at := float64(i); {
		case at < t.Reads*draws:
			kind = workload.Read
		case at < (t.Reads+t.Swaps)*draws:
			kind, bytes = workload.CompareSwap, SwapBytes
		}
		d := demand(kind, bytes)
		sum.SourceUp += d.SourceUp
		sum.SourceDown += d.SourceDown
		sum.DestUp += d.DestUp
		sum.DestDown += d.DestDown
	}
	asking, asked := len(t.Asking()), len(t.Asked())
	share := float64(asking) / float64(asked) // messages that an asked node gets for each that an asking node sends
	switch t.Pattern {
	case workload.Permutation:
		share = 1
	case workload.Incast:
		share = float64(asking)
	}
	destUp, destDown := sum.DestUp*share, sum.DestDown*share
	if t.Shared { // a node's links carry both
		return max(sum.SourceUp+destUp, sum.SourceDown+destDown) / draws
	}
	return max(sum.SourceUp, sum.SourceDown, destUp, destDown) / draws
}

// Messages makes messages, one of each asking node every interval of picoseconds on average.
func (t Traffic) Messages(n int, interval float64) ([]workload.Message, error) {
	if !(interval >= 0) {
		return nil, fmt.Errorf("interval of %v ps, want at least 0", interval)
	}
	if !(t.Swaps >= 0 && t.Reads+t.Swaps <= 1) {
		return nil, fmt.Errorf("shares of %g reads and %g compare-and-swaps, want at most 1 together", t.Reads, t.Swaps)
	}
	messages, err := workload.GenerateMessages(
		workload.Config{Nodes: t.Nodes, Compute: t.Asking(), Memory: t.Asked(), Pattern: t.Pattern,
			Sizes: t.Sizes, ReadShare: t.Reads, Messages: n, Interval: interval, Seed: t.Seed},
	)
	if err != nil || t.Swaps == 0 {
		return messages, err
	}
	rng := rand.New(rand.NewPCG(t.Seed, 9)) // of its own: reads are the same messages with and without swaps
	for i := range messages {
		if m := &messages[i]; m.Type == workload.Write && rng.Float64()*(1-t.Reads) < t.Swaps {
			m.Type, m.Bytes = workload.CompareSwap, SwapBytes
		}
	}
	return messages, nil
}

// SwapBytes is the size of a compare-and-swap among random messages: a word.
const SwapBytes = 8
