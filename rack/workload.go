package rack

import (
	"fmt"
	"math"

	"github.com/goldwire/goldwire/internal/enum"
	"github.com/goldwire/goldwire/workload"
	"github.com/goldwire/goldwire/workload/measure"
)

// pattern chooses the pairs of nodes.
type pattern uint8

// Patterns. The first three are random messages that offer a load; a collective and a gather are bursts.
const (
	allToAll    pattern = iota // to a node drawn anew each time
	permutation                // each node to a node of its own, drawn once
	incast                     // all nodes to node 0
	collective                 // every node to every other at time 0: the all-to-all step of a collective
	gather                     // every other node to node 0 at time 0
)

var patterns = enum.Texts{"all-to-all", "permutation", "incast", "collective", "gather"}

func (p pattern) String() string                { return enum.String(p, patterns) }
func (p pattern) MarshalText() ([]byte, error)  { return enum.Marshal(p, patterns) }
func (p *pattern) UnmarshalText(b []byte) error { return enum.Unmarshal(p, b, patterns) }

// Workload is a list of messages: of a file, or drawn.
type Workload struct {
	Trace    string  `flag:"trace" file:"in" help:"messages of a CSV file in place of drawn ones" json:"trace,omitempty"`
	Pattern  pattern `flag:"pattern" choices:"all-to-all,permutation,incast,collective,gather" help:"pairs" json:"pattern"`
	Sizes    string  `flag:"sizes" help:"a published distribution, or fixed:BYTES" json:"sizes"`
	Reads    float64 `flag:"reads" min:"0" max:"1" help:"share of reads among the messages" json:"reads"`
	Messages int     `flag:"messages" min:"100" max:"10000000" help:"messages of a run" json:"messages"`
}

// alone tells whether the workload is one list that no load spreads out.
func (w Workload) alone() bool { return w.Trace != "" || w.Pattern >= collective }

// traffic is the workload among nodes as random messages.
func (w Workload) traffic(nodes int, seed uint64) (measure.Traffic, error) {
	sizes, err := workload.ParseSizes(w.Sizes)
	if err != nil {
		return measure.Traffic{}, fmt.Errorf("--sizes: %w", err)
	}
	return measure.Traffic{
		Nodes: nodes, Shared: true, Pattern: workload.Pattern(w.Pattern), Sizes: sizes, Reads: w.Reads, Seed: seed,
	}, nil
}

// interval is the mean time between two messages of a node, in picoseconds, at which the messages' payload takes a
// share of the busiest link's time.
func interval(t measure.Traffic, load float64, gbps int) float64 {
	return t.Busiest(
		func(k workload.MessageType, bytes int) measure.Demand { return measure.Payload(k, bytes) },
	) * 8000 / float64(gbps) / load
}

// list returns the messages at a load of the payload.
func (w Workload) list(l Links, load float64, seed uint64) ([]workload.Message, error) {
	if w.Trace != "" {
		return workload.ReadMessagesFile(w.Trace, l.Nodes)
	}
	t, err := w.traffic(l.Nodes, seed)
	if err != nil {
		return nil, err
	}
	if w.Pattern >= collective {
		return w.burst(l.Nodes, t.Sizes)
	}
	return t.Messages(w.Messages, interval(t, load, l.Gbps))
}

// burst is a message of each pair at time 0. In a collective a node's first one is to its neighbour, the next one to
// the node after that: no two nodes begin with the same.
func (w Workload) burst(nodes int, sizes workload.Sizes) ([]workload.Message, error) {
	if _, fixed := sizes.(workload.Fixed); !fixed {
		return nil, fmt.Errorf("--pattern %v: want --sizes fixed:BYTES, the same for all pairs", w.Pattern)
	}
	if w.Reads != 0 {
		return nil, fmt.Errorf("--pattern %v: want --reads 0, since every node sends", w.Pattern)
	}
	bytes := int(math.Round(sizes.Mean()))
	var list []workload.Message
	for step := 1; step < nodes; step++ {
		for from := range nodes {
			to := (from + step) % nodes
			if w.Pattern == gather && to != 0 {
				continue
			}
			list = append(list, workload.Message{
				ID: uint64(len(list)), Type: workload.Write, Source: from, Dest: to, Bytes: bytes,
			})
		}
	}
	return list, nil
}
