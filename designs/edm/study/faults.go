package study

import (
	"context"
	"math/rand/v2"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/workload"

	"github.com/goldwire/goldwire/designs/edm"
)

// period is the time of n cycles at 25 Gb/s.
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

// lastCycle is when the last message starts.
func lastCycle(m []workload.Message) int64 {
	return edm.WarmUp + m[len(m)-1].Start/edm.BlockPicoseconds
}

// told is what the application hears of a message.
type told struct {
	complete, null bool
	at             int64 // picoseconds
}

// faultRun is a run with a fault, and what the applications heard, by message.
type faultRun struct {
	*edm.Result
	net   *edm.Network
	told  []told
	asked []bool // the host has taken it
}

// faultLimit is how long after the last message's start a run waits for the others, in picoseconds.
const faultLimit = 15_000_000

// runFaults runs messages at 25 Gb/s. Plan plans the faults.
func runFaults(
	ctx context.Context, cfg edm.Config, messages []workload.Message, lossy bool, plan func(*edm.Network) error,
) (*faultRun, error) {
	f := &faultRun{told: make([]told, len(messages)), asked: make([]bool, len(messages))}
	var failed error
	r, err := edm.Run(ctx, cfg, messages, edm.Options{Lossy: lossy, Limit: faultLimit, Prepare: func(n *edm.Network) {
		f.net = n
		for _, h := range n.Hosts {
			finished := h.App.Finished
			h.App.Finished = func(c edm.Completion) {
				t := &f.told[c.Tag]
				t.complete, t.null, t.at = true, t.null || c.Null, int64(h.App.Now-edm.WarmUp)*edm.BlockPicoseconds
				finished(c)
			}
		}
		failed = plan(n)
	}})
	if err == nil {
		err = failed
	}
	if err != nil {
		return nil, err
	}
	f.Result = r
	for _, h := range f.net.Hosts {
		for k, q := range h.App.Requests[:h.App.Asked()] {
			f.asked[q.Tag] = k < h.App.Asked()-1 || !h.App.Out.Get().Valid // the last one may stand at the output
		}
	}
	return f, nil
}
