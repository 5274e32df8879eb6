package packetnet

import (
	"context"
	"fmt"

	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/workload"
	"github.com/goldwire/goldwire/workload/measure"
)

// maxSwap is the most bytes of a compare-and-swap: its request has both operands and goes in one frame or flit.
const maxSwap = 16

// maxBytes is the most bytes of a message.
const maxBytes = 1 << 30

// Result holds the finish times and counters of a run.
type Result struct {
	// Finish has by message when it finished, in picoseconds: a read or compare-and-swap when its last response byte, a
	// write when its last byte was handed over at the other end. -1 is never.
	Finish     []int64
	Unfinished []Unfinished // in the order of the messages
	End        int64        // picoseconds
	Counters
}

// Unfinished is a message that did not finish.
type Unfinished struct {
	Message int // its index
	Reason  string
}

// Counters of a run. A frame that crosses two links counts on each of them.
type Counters struct {
	Frames    uint64 // or flits, on any link
	LineBytes uint64 // of them, with preamble and gap

	PayloadSent      uint64 // bytes of messages given to the network, each once
	PayloadDelivered uint64 // handed over at the other end, each once

	MaxQueue   int64 // greatest egress queue of the switch, bytes of frames
	MaxIngress int64 // PFC, CXL: greatest amount that one ingress has in the switch

	Spoilt uint64 // frames with a bit error, which their receivers dropped

	Acks, Marks, Drops, Timeouts, Retransmissions uint64 // DCTCP, pFabric, PFC
	Pauses                                        uint64 // PFC
	PausedTime                                    int64  // picoseconds, over all ports
	CreditFlits, CreditStalls                     uint64 // CXL; a stall begins when a link has a flit and no credit
	StalledTime                                   int64  // picoseconds, over all links
	Demands, Grants, Voids                        uint64 // Fastpass, IRD; a void grant found its sender busy for too long
	CNPs                                          uint64 // DCQCN
	// NDP; a return is a header that found no room and went back to its sender
	Trims, Returns, Pulls uint64
	Allocations           uint64 // R2C2: how often rates were computed
}

// Run sends messages through a network until all have finished, or all up to the size [Config].Until.
func Run(ctx context.Context, cfg Config, msgs []workload.Message) (*Result, error) {
	f, err := run(ctx, cfg, msgs, false, nil)
	if err != nil {
		return nil, err
	}
	return f.result, nil
}

// Fabric is a network that carries messages: a measure.Fabric.
type Fabric struct {
	Config Config
	Last   *Result // of the last run
	// Keep is told of the progress, writes checkpoints and takes the network up from one; nil for none.
	Keep *experiment.Run
}

// Run sends messages through the network, idle at first. The result of a message that had not finished at the run's end
// has Finished false.
func (f *Fabric) Run(ctx context.Context, messages []workload.Message) ([]workload.Result, error) {
	n, err := run(ctx, f.Config, messages, false, f.Keep)
	if err != nil {
		return nil, err
	}
	f.Last = n.result
	return n.result.Results(messages), nil
}

// Results returns one result per message, in the messages' order.
func (r *Result) Results(messages []workload.Message) []workload.Result {
	results := make([]workload.Result, len(messages))
	for i, m := range messages {
		results[i] = workload.Result{Message: m, Finished: r.Finish[i] >= 0, Finish: max(r.Finish[i], 0)}
	}
	return results
}

// run is Run, or goes on until nothing is left to happen.
func run(ctx context.Context, cfg Config, msgs []workload.Message, drain bool, keep *experiment.Run) (*fabric, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	f, err := newFabric(cfg, msgs)
	if err != nil {
		return nil, err
	}
	f.drain, f.keep = drain, keep
	f.build()
	if keep != nil {
		cycle := func() uint64 { return uint64(max(f.Now, 0) * f.tick / 1000) } // ns
		if err := keep.Simulate(experiment.Simulation{Cycle: cycle, Roots: []any{f}}); err != nil {
			return nil, err
		}
	}
	if err := f.run(ctx); err != nil {
		return nil, err
	}
	return f, nil
}

// Unloaded returns how many picoseconds a message takes that is alone in the network.
func Unloaded(cfg Config, t workload.MessageType, bytes int) (int64, error) {
	r, _, err := lone(cfg, t, bytes)
	if err != nil {
		return 0, err
	}
	return r.Finish[0], nil
}

// LinkBytes returns the bytes that a message alone puts on each of the four links of its nodes: its data, and the
// requests, acknowledgements, demands, grants and framing for it. From these follows the load that a network can
// carry. The links of Fastpass's server are not among them.
func LinkBytes(cfg Config, t workload.MessageType, bytes int) (measure.Demand, error) {
	_, f, err := lone(cfg, t, bytes)
	if err != nil {
		return measure.Demand{}, err
	}
	sent := func(p int) float64 { return float64(f.ports[p].sent) }
	return measure.Demand{SourceUp: sent(0), DestUp: sent(1), SourceDown: sent(f.n), DestDown: sent(f.n + 1)}, nil
}

// lone sends one message.
func lone(cfg Config, t workload.MessageType, bytes int) (*Result, *fabric, error) {
	f, err := run(context.Background(), cfg, []workload.Message{{Type: t, Source: 0, Dest: 1, Bytes: bytes}}, true, nil)
	if err != nil {
		return nil, nil, err
	}
	if r := f.result; len(r.Unfinished) > 0 {
		return nil, nil, fmt.Errorf("%s: a lone %s of %d bytes did not finish: %s", cfg.Scheme, t, bytes,
			r.Unfinished[0].Reason)
	}
	return f.result, f, nil
}

func checkMessage(cfg Config, k int, m workload.Message) error {
	fail := func(format string, args ...any) error {
		return fmt.Errorf("message %d (ID %d): %s", k, m.ID, fmt.Sprintf(format, args...))
	}
	switch {
	case m.Type > workload.CompareSwap:
		return fail("type %d, want read, write or cas", m.Type)
	case m.Source < 0 || m.Source >= cfg.Nodes:
		return fail("source %d, want 0 to %d", m.Source, cfg.Nodes-1)
	case m.Dest < 0 || m.Dest >= cfg.Nodes:
		return fail("destination %d, want 0 to %d", m.Dest, cfg.Nodes-1)
	case m.Source == m.Dest:
		return fail("source and destination are both %d", m.Source)
	case m.Bytes < 1 || m.Bytes > maxBytes:
		return fail("%d bytes, want 1 to %d", m.Bytes, maxBytes)
	case m.Type == workload.CompareSwap && m.Bytes > maxSwap:
		return fail("compare-and-swap of %d bytes, want at most %d", m.Bytes, maxSwap)
	case int(m.Class) >= cfg.Classes:
		return fail("class %d, want 0 to %d", m.Class, cfg.Classes-1)
	case m.Start < 0:
		return fail("starts at %d ps, want 0 or later", m.Start)
	}
	return nil
}
