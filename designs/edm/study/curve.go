package study

import (
	"context"
	"errors"

	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/peers/packetnet"
	"github.com/goldwire/goldwire/workload"
	"github.com/goldwire/goldwire/workload/measure"

	"github.com/goldwire/goldwire/designs/edm"
)

// Point is what a run at one load gave.
type Point struct {
	Scheme  string  `json:"scheme"`
	Offered float64 `json:"load"`
	Line    float64 `json:"line_load"`    // see [Load]
	Payload float64 `json:"payload_load"` //
	// of the payload, of the messages that were drawn, without the first quarter of their time
	Drawn    float64         `json:"drawn_load"`
	Arrived  float64         `json:"arrived_load"` // of the payload that arrived in that time
	Carried  measure.Carried `json:"carried"`
	Messages int             `json:"messages"`
	Finished int             `json:"finished"`
	Read     measure.Latency `json:"read"`
	Write    measure.Latency `json:"write"`
	Swap     measure.Latency `json:"swap"` // compare-and-swaps
	All      measure.Latency `json:"all"`
	// share of the links' blocks, all nodes and the whole run together
	UpUse      float64  `json:"up_use,omitempty"`
	DownUse    float64  `json:"down_use,omitempty"` // that had memory traffic
	Violations int      `json:"violations"`
	First      []string `json:"first_violations,omitempty"`
	// What waited in the switch at most, in blocks: data for data, data for control blocks, control blocks.
	MostMeeting int `json:"most_meeting"`
	MostData    int `json:"most_data"`
	MostControl int `json:"most_control"`
	// MostRequests waited in one host's message queue. A request waits there while the host has as many messages under
	// way to that node as Config.Active allows.
	MostRequests int `json:"most_requests,omitempty"`
	// What the switches of a peer did, over the whole run: frames that they marked and dropped, and pauses that they
	// asked for.
	Marks     uint64  `json:"marks,omitempty"`
	Drops     uint64  `json:"drops,omitempty"`
	Pauses    uint64  `json:"pauses,omitempty"`
	Simulated float64 `json:"simulated_us"`
	Cycles    uint64  `json:"cycles,omitempty"`

	Results []workload.Result `json:"-"`
}

// runPoint offers a load to a network. Alone is [measure.Lone.Time].
func runPoint(
	ctx context.Context, cfg edm.Config, l Load, alone func(workload.MessageType, int) float64, o edm.Options,
) (*Point, error) {
	messages, of, err := l.messages(cfg)
	if err != nil {
		return nil, err
	}
	r, err := edm.Run(ctx, cfg, messages, o)
	if err != nil {
		return nil, err
	}
	p := point("EDM", l, r.Messages, alone)
	p.Cycles = r.Cycles
	p.offer(of)
	blocks := float64(r.Cycles) * float64(cfg.Nodes)
	p.UpUse, p.DownUse = float64(r.Up.Control+r.Up.Data)/blocks, float64(r.Down.Control+r.Down.Data)/blocks
	m := r.Monitor
	p.Violations, p.First, p.MostMeeting, p.MostData, p.MostControl = m.Count, m.Violations, m.MostMeeting, m.MostData,
		m.MostControl
	p.MostRequests = r.MostRequests
	p.Simulated = float64(r.Picoseconds()) / 1e6
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
	p.Swap = measure.LatencyOf(results, workload.CompareSwap, alone)
	p.All = measure.NewLatency(results, nil, alone)
	return p
}

// offer notes what load was offered, and how much of it arrived.
func (p *Point) offer(o offer) {
	p.Line, p.Payload = o.line, o.payload
	p.Carried = measure.NewCarried(p.Results)
	p.Drawn, p.Arrived = p.Carried.Offered/o.gbpsOfShares, p.Carried.Arrived/o.gbpsOfShares
}

// runPeer offers a load to one of the schemes that EDM is compared with: between the same nodes, by the same
// definition.
func runPeer(ctx context.Context, run *experiment.Run, cfg packetnet.Config, l Load) (*Point, error) {
	send := func(t workload.MessageType, bytes int) (float64, error) {
		ps, err := packetnet.Unloaded(cfg, t, bytes)
		return float64(ps) / 1000, err
	}
	lone, err := measure.NewLone(measure.Spread(l.Sizes, l.Seed), send)
	if err != nil {
		return nil, err
	}
	if err := lone.AddSwap(send); err != nil {
		return nil, err
	}
	traffic := l.traffic(cfg.Nodes)
	type kind struct {
		t     workload.MessageType
		bytes int
	}
	known := map[kind]measure.Demand{} // messages of one kind are alike
	ps := 8000 / float64(cfg.RateGbps)
	var unknown error
	of, err := l.offer(traffic, float64(cfg.RateGbps), func(t workload.MessageType, bytes int) measure.Demand {
		d, there := known[kind{t, bytes}]
		if !there {
			n, e := packetnet.LinkBytes(cfg, t, bytes)
			unknown = errors.Join(unknown, e)
			d = measure.Demand{
				SourceUp: n.SourceUp * ps, SourceDown: n.SourceDown * ps, DestUp: n.DestUp * ps, DestDown: n.DestDown * ps,
			}
			known[kind{t, bytes}] = d
		}
		return d
	})
	if err := errors.Join(err, unknown); err != nil {
		return nil, err
	}
	messages, err := traffic.Messages(l.Messages, of.interval)
	if err != nil {
		return nil, err
	}
	f := &packetnet.Fabric{Config: cfg, Keep: run}
	results, err := f.Run(ctx, messages)
	if err != nil {
		return nil, err
	}
	p := point(cfg.Scheme.String(), l, results, lone.Time)
	p.offer(of)
	p.Marks, p.Drops, p.Pauses = f.Last.Marks, f.Last.Drops, f.Last.Pauses
	p.Simulated = float64(f.Last.End) / 1e6
	return p, nil
}
