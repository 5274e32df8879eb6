package study

import (
	"context"
	"fmt"

	"github.com/goldwire/goldwire/internal/enum"
	"github.com/goldwire/goldwire/workload"
	"github.com/goldwire/goldwire/workload/measure"

	"github.com/goldwire/goldwire/designs/edm"
)

// Load is a point of a latency-against-load curve.
//
// One definition holds for EDM and its peers: load is the share of the busiest links' time that the messages need. Of
// the line it counts everything that the network itself sends for them, requests, grants, acknowledgements and framing;
// of the payload it counts their data at the links' rate. Either can be set, both are known of every point.
type Load struct {
	Offered  float64
	Of       loadKind // what Offered is of
	Messages int
	Shared   bool // every node is compute and memory node; if not, the first half asks and the second answers
	Pattern  workload.Pattern
	Sizes    workload.Sizes
	Reads    float64 // share of reads among the messages
	Swaps    float64 // share of compare-and-swaps
	Seed     uint64
}

// loadKind is what a load is of.
type loadKind uint8

const (
	lineLoad loadKind = iota
	payloadLoad
)

var loadKinds = enum.Texts{"line", "payload"}

func (k loadKind) String() string                { return enum.String(k, loadKinds) }
func (k loadKind) MarshalText() ([]byte, error)  { return enum.Marshal(k, loadKinds) }
func (k *loadKind) UnmarshalText(b []byte) error { return enum.Unmarshal(k, b, loadKinds) }

// offer is a load in all its units.
type offer struct {
	interval     float64 // mean time between the messages of a node that asks, ps
	line         float64 // load of the line
	payload      float64 // and of the payload
	gbpsOfShares float64 // payload of all nodes together, in Gb/s, if the load of the payload is 1
}

// offer is the load in a network that needs line of the links' time for a message, picoseconds.
func (l Load) offer(
	t measure.Traffic, gbps float64, line func(workload.MessageType, int) measure.Demand,
) (offer, error) {
	if !(l.Offered > 0) {
		return offer{}, fmt.Errorf("load %v, want more than 0", l.Offered)
	}
	whole := t.Busiest(line)
	payload := t.Busiest(
		func(t workload.MessageType, bytes int) measure.Demand { return measure.Payload(t, bytes) },
	) * 8000 / gbps
	interval := whole / l.Offered
	if l.Of == payloadLoad {
		interval = payload / l.Offered
	}
	mean := t.Busiest(func(_ workload.MessageType, bytes int) measure.Demand {
		return measure.Demand{SourceUp: float64(bytes)}
	})
	return offer{interval, whole / interval, payload / interval, float64(len(t.Asking())) * mean * 8000 / payload}, nil
}

// lineBlocks is the demand of a message in blocks, requests, notifications and grants included.
func lineBlocks(t workload.MessageType, bytes, chunk int) (l measure.Demand) {
	if t == workload.CompareSwap {
		bytes = edm.CompareSwap.ResponseBytes()
	}
	for at := 0; at < bytes; at += edm.MostPiece {
		piece := min(edm.MostPiece, bytes-at)
		for c := 0; c < piece; c += chunk {
			n := min(chunk, piece-c)
			if t == workload.Write {
				up := float64(edm.MessageBlocks(edm.WREQ, n))
				l.SourceUp += up
				l.DestDown += up
				l.SourceDown++ // its /G/
				continue
			}
			up := float64(edm.MessageBlocks(edm.RRES, n))
			l.DestUp += up
			l.SourceDown += up
			if c > 0 {
				l.DestDown++ // the first is granted by the request
			}
		}
		request := float64(edm.MessageBlocks(edm.RREQ, 0))
		switch t {
		case workload.Write:
			l.SourceUp++ // /N/
			continue
		case workload.CompareSwap:
			request = float64(edm.MessageBlocks(edm.RMWREQ, 0))
		}
		l.SourceUp += request
		l.DestDown += request
	}
	return l
}

// blockTime is what a message takes of the links' time in picoseconds.
func blockTime(t workload.MessageType, bytes int, cfg edm.Config) measure.Demand {
	d, ps := lineBlocks(t, bytes, cfg.Chunk), edm.BlockPicoseconds/float64(cfg.Lanes)
	return measure.Demand{
		SourceUp: d.SourceUp * ps, SourceDown: d.SourceDown * ps, DestUp: d.DestUp * ps, DestDown: d.DestDown * ps,
	}
}

func (l Load) traffic(nodes int) measure.Traffic {
	return measure.Traffic{
		Nodes: nodes, Shared: l.Shared, Pattern: l.Pattern, Sizes: l.Sizes, Reads: l.Reads, Swaps: l.Swaps, Seed: l.Seed,
	}
}

// Make returns the load's messages, and the loads of the line and of the payload that they are.
func (l Load) Make(cfg edm.Config) (messages []workload.Message, ofLine, ofPayload float64, err error) {
	messages, o, err := l.messages(cfg)
	return messages, o.line, o.payload, err
}

func (l Load) messages(cfg edm.Config) ([]workload.Message, offer, error) {
	if err := cfg.Check(); err != nil {
		return nil, offer{}, err
	}
	t := l.traffic(cfg.Nodes)
	o, err := l.offer(
		t, 25*float64(cfg.Lanes),
		func(t workload.MessageType, bytes int) measure.Demand { return blockTime(t, bytes, cfg) },
	)
	if err != nil {
		return nil, offer{}, err
	}
	messages, err := t.Messages(l.Messages, o.interval)
	return messages, o, err
}

// loneMessages measures messages of some sizes in an idle network of two nodes.
func loneMessages(ctx context.Context, cfg edm.Config, sizes []int) (*measure.Lone, error) {
	cfg.Nodes, cfg.Phases = 2, nil
	cfg.Up, cfg.Down = cfg.Up[:min(2, len(cfg.Up))], cfg.Down[:min(2, len(cfg.Down))]
	send := func(t workload.MessageType, bytes int) (float64, error) {
		c := cfg
		if t == workload.CompareSwap && c.Slack == 0 {
			c.Slack = edm.SlackRMW
		}
		c.Memory = max(cfg.Memory, (min(bytes, edm.MostPiece)+15)&^7)
		r, err := edm.Run(
			ctx, c, []workload.Message{{Type: t, Source: 0, Dest: 1, Bytes: bytes}}, edm.Options{Limit: 1 << 40},
		)
		switch {
		case err != nil:
			return 0, err
		case !r.Messages[0].Finished:
			return 0, fmt.Errorf("a lone %v of %d bytes does not finish", t, bytes)
		}
		return float64(r.Messages[0].Latency()) / 1000, nil
	}
	l, err := measure.NewLone(sizes, send)
	if err != nil {
		return nil, err
	}
	return l, l.AddSwap(send)
}
