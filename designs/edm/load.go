package edm

import (
	"context"
	"fmt"

	"github.com/goldwire/goldwire/measure"
	"github.com/goldwire/goldwire/workload"
)

// Load is a point of a latency-against-load curve.
type Load struct {
	Offered  float64 // share of the busiest links' blocks that the messages need, control and framing counted
	Messages int
	Shared   bool // every node is compute and memory node; if not, the first half asks and the second answers
	Pattern  workload.Pattern
	Sizes    workload.Sizes
	Reads    float64 // share of reads among the messages
	Seed     uint64
}

// lineBlocks is the demand of a message in blocks, requests, notifications and grants included.
func lineBlocks(t workload.MessageType, bytes, chunk int) (l measure.Demand) {
	if t == workload.CompareSwap {
		bytes = CompareSwap.ResponseBytes()
	}
	for at := 0; at < bytes; at += mostPiece {
		piece := min(mostPiece, bytes-at)
		for c := 0; c < piece; c += chunk {
			n := min(chunk, piece-c)
			if t == workload.Write {
				up := float64(messageBlocks(WREQ, n))
				l.SourceUp += up
				l.DestDown += up
				l.SourceDown++ // its /G/
				continue
			}
			up := float64(messageBlocks(RRES, n))
			l.DestUp += up
			l.SourceDown += up
			if c > 0 {
				l.DestDown++ // the first is granted by the request
			}
		}
		request := float64(messageBlocks(RREQ, 0))
		switch t {
		case workload.Write:
			l.SourceUp++ // /N/
			continue
		case workload.CompareSwap:
			request = float64(messageBlocks(RMWREQ, 0))
		}
		l.SourceUp += request
		l.DestDown += request
	}
	return l
}

// Interval returns the mean time in picoseconds between the messages of a compute node that offers the load.
func (l Load) Interval(cfg Config) (float64, error) {
	if err := cfg.check(); err != nil {
		return 0, err
	}
	if !(l.Offered > 0) {
		return 0, fmt.Errorf("load %v, want more than 0", l.Offered)
	}
	blocks := l.traffic(cfg).Busiest(func(t workload.MessageType, bytes int) measure.Demand { return lineBlocks(t, bytes, cfg.Chunk) })
	return blocks * blockPicoseconds / float64(cfg.Lanes) / l.Offered, nil
}

func (l Load) traffic(cfg Config) measure.Traffic {
	return measure.Traffic{Nodes: cfg.Nodes, Shared: l.Shared, Pattern: l.Pattern, Sizes: l.Sizes, Reads: l.Reads, Seed: l.Seed}
}

// Make returns the load's messages.
func (l Load) Make(cfg Config) ([]workload.Message, error) {
	interval, err := l.Interval(cfg)
	if err != nil {
		return nil, err
	}
	return l.traffic(cfg).Messages(l.Messages, interval)
}

// loneMessages measures messages of some sizes in an idle network of two nodes.
func loneMessages(ctx context.Context, cfg Config, sizes []int) (*measure.Lone, error) {
	cfg.Nodes, cfg.Up, cfg.Down, cfg.Phases = 2, nil, nil, nil
	return measure.NewLone(sizes, func(t workload.MessageType, bytes int) (float64, error) {
		c := cfg
		c.Memory = max(cfg.Memory, (min(bytes, mostPiece)+15)&^7)
		r, err := Run(ctx, c, []workload.Message{{Type: t, Source: 0, Dest: 1, Bytes: bytes}}, Options{Limit: 1 << 40})
		switch {
		case err != nil:
			return 0, err
		case !r.Messages[0].Finished:
			return 0, fmt.Errorf("a lone %v of %d bytes does not finish", t, bytes)
		}
		return float64(r.Messages[0].Latency()) / 1000, nil
	})
}
