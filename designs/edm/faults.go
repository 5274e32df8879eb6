package edm

import (
	"context"
	"math/rand/v2"

	"goldwire/clock"
	"goldwire/workload"
)

// period is a time of so many cycles at 25 Gb/s.
func period(cycles int64) clock.Time { return clock.Block25G.Period().Times(cycles) }

// faultTraffic returns reads and writes at random times, in their order, so that a message's place is also its tag.
func faultTraffic(seed uint64, nodes, messages, most int, interval int64) []workload.Message {
	rng := rand.New(rand.NewPCG(seed, 9))
	var m []workload.Message
	at := int64(0)
	for id := range messages {
		at += rng.Int64N(2 * interval)
		s := rng.IntN(nodes)
		m = append(m, workload.Message{ID: uint64(id), Type: workload.MessageType(rng.IntN(2)), Source: s,
			Dest: (s + 1 + rng.IntN(nodes-1)) % nodes, Bytes: 1 + rng.IntN(most), Start: at})
	}
	return m
}

// fate is what became of a message for its application.
type fate struct {
	told, null bool
	asked      int64 // picoseconds from its start until the host took it from the application, or -1
	after      int64 // picoseconds from its start until the completion
}

// runFaults runs messages under faults and also tells what the applications were told. Plan plans the faults.
func runFaults(ctx context.Context, cfg Config, messages []workload.Message, lossy bool, limit int64, plan func(*Network) error) (*Result, []fate, *Network, error) {
	fates := make([]fate, len(messages))
	var net *Network
	var failed error
	r, err := Run(ctx, cfg, messages, Options{Lossy: lossy, Limit: limit, Prepare: func(n *Network) {
		net = n
		for i, h := range n.Hosts {
			finished := h.App.Finished
			h.App.Finished = func(c Completion) {
				f := &fates[c.Tag]
				f.told, f.null = true, f.null || c.Null
				f.after = int64(n.Hosts[i].TxClock.Cycle()-warmUp)*blockPicoseconds/int64(n.Config.Lanes) - messages[c.Tag].Start
				finished(c)
			}
		}
		failed = plan(n)
	}})
	if err == nil {
		err = failed
	}
	return r, fates, net, err
}

// SwitchReport is what a switch's death does.
type SwitchReport struct {
	Nodes    int `json:"nodes"`
	Messages int `json:"messages"` // of a run

	// With a mirror: one of the two dies, at another cycle in each run.
	Mirror MirrorRuns `json:"mirror"`
	// A link from a host to one switch is cut, in each run another one at another cycle, as the paper has it; and with switches that
	// stop when they see it.
	LinkUp, LinkUpFailStop MirrorRuns
	// A link from a switch to a host is cut.
	LinkDown MirrorRuns `json:"link_down"`
	// No fault, but the second switch's links differ in length from the first's: all by the same, and each by another.
	Longer, Uneven MirrorRuns
	// Alone: the only switch dies.
	Alone AloneRuns `json:"alone"`
}

// MirrorRuns sums runs with two switches.
type MirrorRuns struct {
	Runs       int `json:"runs"`
	Messages   int `json:"messages"`
	Lost       int `json:"lost"`
	Late       int `json:"late"`       // that came later than without the fault, or earlier
	Violations int `json:"violations"` // what the monitor found: messages twice, out of order, or with other bytes
	Dropped    int `json:"dropped"`    // blocks without a circuit in a switch that lives
}

// AloneRuns sums runs with one switch, which dies.
type AloneRuns struct {
	Runs     int `json:"runs"`
	Messages int `json:"messages"`
	Finished int `json:"finished"`
	Null     int `json:"null"`    // reads answered by their timer
	Silent   int `json:"silent"`  // writes that are complete for their application and never arrived in whole
	Stuck    int `json:"stuck"`   // writes that never complete: they wait for their grants
	Unasked  int `json:"unasked"` // not even taken from the application, which a full message queue stops
	Hung     int `json:"hung"`    // reads that were taken and never answered
}
