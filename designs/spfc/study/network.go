package study

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/workload"
	"github.com/goldwire/goldwire/workload/measure"

	"github.com/goldwire/goldwire/designs/spfc"
)

var _ measure.Fabric = (*Network)(nil)

// Network is an Ethernet with SPFC's switches as a network that carries messages: a measure.Fabric. A write is one
// flow. A read is a request of requestBytes, and a flow back that starts when the request has arrived.
type Network struct {
	Topology *spfc.Topology
	Scheme   string // the buffer manager
	Settings spfc.Settings
	Limit    spfc.Time       // a message that has not arrived then has not finished
	Record   bool            // PFC frames and the events of buffer managers
	Keep     *experiment.Run // its seed, its limits; it is told of the progress, and keeps checkpoints

	// Of the last run.
	Fabric   *spfc.Fabric
	PFC      *spfc.PFCCapture // nil unless Record
	MMU      *spfc.MMURecord
	Deadlock string // the ports that wait for each other; empty: none
	requests []bool // by flow
}

// requestBytes is the payload of a read's request: an address.
const requestBytes = 8

// carried is what a run knows beside the network.
type carried struct {
	at       spfc.Time
	deadlock string
}

// Run sends messages through an idle network until all have arrived.
func (n *Network) Run(ctx context.Context, messages []workload.Message) ([]workload.Result, error) {
	sc, err := n.Settings.Build(n.Topology, n.Scheme, n.Keep.Seed)
	if err != nil {
		return nil, err
	}
	order := make([]int, len(messages)) // of the messages, by start
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(messages[a].Start, messages[b].Start) })
	control := n.Settings.CongestionControl()
	last := make([]int, len(messages)) // the flow that ends the message
	n.requests = make([]bool, 2*len(messages))
	for k, i := range order {
		m := &messages[i]
		f := spfc.Flow{From: m.Source, To: m.Dest, Bytes: int64(m.Bytes), Start: spfc.Time(m.Start), Control: control}
		last[i] = k
		switch m.Type {
		case workload.Write:
		case workload.Read:
			last[i] = len(messages) + len(sc.Answers)
			sc.Answers = append(sc.Answers, spfc.Answer{Of: k, Bytes: f.Bytes, Control: control})
			f.Bytes, f.Control = requestBytes, spfc.Uncontrolled
		default:
			return nil, fmt.Errorf("message %d is a %v, want a write or a read", m.ID, m.Type)
		}
		n.requests[k] = m.Type == workload.Read
		sc.Flows = append(sc.Flows, f)
	}
	packets, memory := flowsCost(sc.Flows, n.Topology.Hosts, n.Limit)
	for _, a := range sc.Answers {
		packets += float64(a.Bytes)/spfc.PayloadBytes + 1
	}
	if err := n.Keep.Expect(packets, memory); err != nil {
		return nil, err
	}
	f, err := spfc.NewFabric(&sc)
	if err != nil {
		return nil, err
	}
	f.Follow(n.Keep.Journeys)
	if n.Record {
		n.PFC, n.MMU = f.CapturePFC(), f.RecordMMU()
	}
	var x carried
	if err := n.Keep.Simulate(simulation(f, &x)); err != nil {
		return nil, err
	}
	for f.Traffic.Unfinished > 0 && x.at < n.Limit && x.deadlock == "" {
		x.at = min(x.at+100*spfc.Microsecond, n.Limit)
		if err := f.Net.Run(ctx, x.at); err != nil {
			return nil, err
		}
		if d := f.Deadlocked(); d != nil {
			x.deadlock = d.String()
		}
		n.Keep.Progress(uint64(len(f.Traffic.Flows)-f.Traffic.Unfinished), uint64(len(f.Traffic.Flows)))
		if err := n.Keep.Between(); err != nil {
			return nil, err
		}
	}
	n.Fabric, n.Deadlock = f, x.deadlock
	results := make([]workload.Result, len(messages))
	for i, m := range messages {
		results[i].Message = m
		if at := f.Traffic.Flows[last[i]].Finish; at >= 0 {
			results[i].Finished, results[i].Finish = true, int64(at)
		}
	}
	return results, f.Check()
}

// carriesData tells whether a flow of the last run is more than the request of a read.
func (n *Network) carriesData(flow int) bool { return !n.requests[flow] }

// Pauses returns how many PAUSEs the switches sent in the last run.
func (n *Network) Pauses() (pauses int64) {
	for _, s := range n.Fabric.Switches {
		pauses += s.Manager().Counts.Pauses
	}
	return pauses
}

// MostStored returns the most bytes that one switch held in the last run.
func (n *Network) MostStored() (bytes int64) {
	for _, s := range n.Fabric.Switches {
		bytes = max(bytes, s.Manager().Counts.MaxStored)
	}
	return bytes
}

// LineBytes returns the bytes on all links in the last run, PFC frames included.
func (n *Network) LineBytes() int64 { return n.Fabric.Net.LineBytes() }

// Marks returns how many packets the switches marked in the last run.
func (n *Network) Marks() (marks uint64) {
	for _, s := range n.Fabric.Switches {
		marks += uint64(s.Manager().Counts.Marks)
	}
	return marks
}
