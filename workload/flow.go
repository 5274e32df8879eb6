package workload

import (
	"fmt"
	"math/rand/v2"
)

// Classes is how many traffic classes there are: the priorities of IEEE Std 802.1Q.
const Classes = 8

// Flow is a transfer one way: its source sends its bytes without a request.
type Flow struct {
	ID     uint64
	Class  uint8 // below Classes
	Source int
	Dest   int
	Bytes  int
	Start  int64 // picoseconds
}

// Message returns the flow as a write, for networks that carry messages.
func (f Flow) Message() Message {
	return Message{ID: f.ID, Type: Write, Class: f.Class, Source: f.Source, Dest: f.Dest, Bytes: f.Bytes, Start: f.Start}
}

// FlowConfig describes flows for [GenerateFlows].
type FlowConfig struct {
	Nodes   int
	From    []int // senders; nil: all nodes
	To      []int // receivers; nil: all nodes
	Pattern Pattern
	Senders int // of Incast; 0: all of From

	Sizes  Sizes
	Shares []float64 // of the flows, by class: any positive weights; nil: all are of class 0
	Flows  int

	// Interval is the mean time in picoseconds between the flows of one sender, each a Poisson process of its own. At 0
	// all start at time 0.
	Interval float64
	Seed     uint64
}

// GenerateFlows makes the flows of cfg, sorted by start and numbered from 0 in this order. Times, pairs and sizes are
// the same as [GenerateMessages] draws for the same seed; classes are drawn from a stream of their own.
func GenerateFlows(cfg FlowConfig) ([]Flow, error) {
	if len(cfg.Shares) > Classes {
		return nil, fmt.Errorf("shares of %d classes, want at most %d", len(cfg.Shares), Classes)
	}
	sum := 0.0
	for c, share := range cfg.Shares {
		if !(share >= 0) {
			return nil, fmt.Errorf("share %g of class %d, want at least 0", share, c)
		}
		sum += share
	}
	if len(cfg.Shares) > 0 && !(sum > 0 && sum <= maxDuration) {
		return nil, fmt.Errorf("shares of the classes sum up to %g, want more than 0", sum)
	}
	if cfg.Nodes >= 0 && cfg.From == nil {
		cfg.From = nodeRange(0, cfg.Nodes)
	}
	if cfg.Nodes >= 0 && cfg.To == nil {
		cfg.To = nodeRange(0, cfg.Nodes)
	}
	messages, err := GenerateMessages(
		Config{Nodes: cfg.Nodes, Compute: cfg.From, Memory: cfg.To, Pattern: cfg.Pattern, Senders: cfg.Senders,
			Sizes: cfg.Sizes, Messages: cfg.Flows, Interval: cfg.Interval, Seed: cfg.Seed},
	)
	if err != nil {
		return nil, err
	}
	classes := rand.New(rand.NewPCG(cfg.Seed, 4))
	flows := make([]Flow, len(messages))
	for i, m := range messages {
		flows[i] = Flow{ID: m.ID, Source: m.Source, Dest: m.Dest, Bytes: m.Bytes, Start: m.Start}
		if sum == 0 {
			continue
		}
		x := classes.Float64() * sum
		for c, share := range cfg.Shares {
			if share > 0 {
				flows[i].Class = uint8(c) // the last with a share takes what rounding leaves
			}
			if x -= share; x < 0 {
				break
			}
		}
	}
	return flows, nil
}
