package edm

import (
	"context"
	"errors"

	"github.com/goldwire/goldwire/measure"
	"github.com/goldwire/goldwire/packetnet"
	"github.com/goldwire/goldwire/workload"
)

// Point is what a run at one load gave.
type Point struct {
	Scheme     string          `json:"scheme"`
	Offered    float64         `json:"load"`
	Messages   int             `json:"messages"`
	Finished   int             `json:"finished"`
	Read       measure.Latency `json:"read"`
	Write      measure.Latency `json:"write"`
	All        measure.Latency `json:"all"`
	UpUse      float64         `json:"up_use,omitempty"`   // share of the links' blocks, all nodes and the whole run together
	DownUse    float64         `json:"down_use,omitempty"` // that had memory traffic
	Violations int             `json:"violations"`
	First      []string        `json:"first_violations,omitempty"`
	// What waited in the switch at most, in blocks: data for data, data for control blocks, control blocks.
	MostMeeting int     `json:"most_meeting"`
	MostData    int     `json:"most_data"`
	MostControl int     `json:"most_control"`
	Simulated   float64 `json:"simulated_us"`
	Cycles      uint64  `json:"cycles,omitempty"`

	Results []workload.Result `json:"-"`
}

// runPoint offers a load to a network. Alone is that of [measure.Lone.Time].
func runPoint(ctx context.Context, cfg Config, l Load, alone func(workload.MessageType, int) float64, o Options) (*Point, error) {
	messages, err := l.Make(cfg)
	if err != nil {
		return nil, err
	}
	r, err := Run(ctx, cfg, messages, o)
	if err != nil {
		return nil, err
	}
	p := point("EDM", l, r.Messages, alone)
	p.Cycles = r.Cycles
	blocks := float64(r.Cycles) * float64(cfg.Nodes)
	p.UpUse, p.DownUse = float64(r.Up.Control+r.Up.Data)/blocks, float64(r.Down.Control+r.Down.Data)/blocks
	m := r.Monitor
	p.Violations, p.First, p.MostMeeting, p.MostData, p.MostControl = m.Count, m.Violations, m.MostMeeting, m.MostData, m.MostControl
	p.Simulated = float64(r.Cycles) * float64(m.period) / 1e6
	return p, nil
}

func point(scheme string, l Load, results []workload.Result, alone func(workload.MessageType, int) float64) *Point {
	p := &Point{Scheme: scheme, Offered: l.Offered, Messages: len(results), Results: results}
	for _, r := range results {
		if r.Finished {
			p.Finished++
		}
	}
	p.Read, p.Write = measure.LatencyOf(results, workload.Read, alone), measure.LatencyOf(results, workload.Write, alone)
	p.All = measure.NewLatency(results, nil, alone)
	return p
}

// runPeer offers a load to one of the schemes that EDM is compared with: every node is compute and memory node, and the load is
// the share of each link's time that the scheme itself needs for the messages, its framing and control included.
func runPeer(ctx context.Context, cfg packetnet.Config, l Load) (*Point, error) {
	l.Shared = true
	lone, err := measure.NewLone(measure.Spread(l.Sizes, l.Seed), func(t workload.MessageType, bytes int) (float64, error) {
		ps, err := packetnet.Unloaded(cfg, t, bytes)
		return float64(ps) / 1000, err
	})
	if err != nil {
		return nil, err
	}
	traffic := l.traffic(Config{Nodes: cfg.Nodes})
	type kind struct {
		t     workload.MessageType
		bytes int
	}
	known := map[kind]int64{} // messages of one kind are alike
	bytes := traffic.Busiest(func(t workload.MessageType, bytes int) measure.Demand {
		n, there := known[kind{t, bytes}]
		if !there {
			var e error
			n, e = packetnet.LineBytes(cfg, t, bytes)
			err = errors.Join(err, e)
			known[kind{t, bytes}] = n
		}
		return measure.Demand{SourceUp: float64(n)} // all nodes both ask and answer: what matters is the sum
	})
	if err != nil {
		return nil, err
	}
	messages, err := traffic.Messages(l.Messages, bytes*8000/float64(cfg.RateGbps)/l.Offered)
	if err != nil {
		return nil, err
	}
	r, err := packetnet.Run(ctx, cfg, messages)
	if err != nil {
		return nil, err
	}
	results := make([]workload.Result, len(messages))
	for i, m := range messages {
		results[i] = workload.Result{Message: m, Finished: r.Finish[i] >= 0, Finish: r.Finish[i]}
	}
	p := point(cfg.Scheme.String(), l, results, lone.Time)
	p.Simulated = float64(r.End) / 1e6
	return p, nil
}
