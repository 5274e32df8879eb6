package study

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/goldwire/goldwire/workload"
	"github.com/goldwire/goldwire/workload/measure"

	"github.com/goldwire/goldwire/designs/edm"
)

// Interference is what IP frames do to memory messages (§3.2.3, §4.2.1): lone reads and writes of 64 B on links that
// are full of frames of the greatest length, in both directions.
type Interference struct {
	Policy        edm.Sharing       `json:"policy"`
	Read          measure.Latency   `json:"read"`
	Write         measure.Latency   `json:"write"`
	Frames        int               `json:"frames"`          // received, on all links
	Damaged       int               `json:"damaged"`         // of them
	FrameGbps     float64           `json:"frame_gbps"`      // of a link
	MostFrames    int               `json:"most_held_up"`    // blocks of frames held before a transmit multiplexer
	MostReceived  int               `json:"most_reassembly"` // blocks of frames held before a decoder
	MostDataWaits int               `json:"most_data_waits"` // blocks of data that waited in the switch at most
	Results       []workload.Result `json:"-"`
}

// mtuFrame is the data of an Ethernet frame of the greatest length, without FCS.
const mtuFrame = 1514

// mtuBlocks is room for two such frames while they are put together.
const mtuBlocks = 400

// runInterference sends lone messages, far apart, beside frames.
func runInterference(
	ctx context.Context, policy edm.Sharing, frames bool, messages int, seed uint64, o edm.Options,
) (*Interference, error) {
	cfg := aligned()
	cfg.Mux, cfg.Frames = policy, mtuBlocks
	rng := rand.New(rand.NewPCG(seed, 3))
	var list []workload.Message
	at := int64(3_000_000) // the first frames have come
	for i := range messages {
		list = append(
			list,
			workload.Message{ID: uint64(i), Type: workload.MessageType(i % 2), Source: 0, Dest: 1, Bytes: 64, Start: at},
		)
		at += 2_000_000 + rng.Int64N(600_000)
	}
	lone, err := loneMessages(ctx, edm.Config{Nodes: 2}, []int{64})
	if err != nil {
		return nil, err
	}
	var net *edm.Network
	o.Prepare = func(n *edm.Network) {
		net = n
		if !frames {
			return
		}
		count := int(at/500_000) + 20 // more than the links take in that time
		for i := range n.Hosts {
			for _, e := range []*edm.LinkEnd{&n.Hosts[i].LinkEnd, &n.Ports[i].LinkEnd} {
				for range count {
					f := make([]byte, mtuFrame)
					for k := range f {
						f[k] = byte(rng.Uint32())
					}
					e.Source.Frames = append(e.Source.Frames, f)
				}
			}
		}
	}
	r, err := edm.Run(ctx, cfg, list, o)
	if err != nil {
		return nil, err
	}
	if r.Monitor.Count > 0 {
		return nil, fmt.Errorf("beside frames: %s", r.Monitor.Violations[0])
	}
	x := &Interference{Policy: policy, Results: r.Messages, MostDataWaits: r.Monitor.MostData,
		Read:  measure.LatencyOf(r.Messages, workload.Read, lone.Time),
		Write: measure.LatencyOf(r.Messages, workload.Write, lone.Time)}
	bytes := 0
	for i := range net.Hosts {
		for _, e := range []*edm.LinkEnd{&net.Hosts[i].LinkEnd, &net.Ports[i].LinkEnd} {
			for _, f := range e.Sink.Frames() {
				x.Frames++
				bytes += len(f.Bytes)
				if f.Fault != 0 {
					x.Damaged++
				}
			}
			x.MostFrames = max(x.MostFrames, e.Mux.MostFrames())
			x.MostReceived = max(x.MostReceived, e.Demux.MostFrames())
		}
	}
	x.FrameGbps = float64(bytes) * 8 / 4 / (float64(r.Cycles) * edm.BlockPicoseconds / 1000)
	return x, nil
}
