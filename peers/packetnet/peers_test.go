package packetnet_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/peers/packetnet"
	"github.com/goldwire/goldwire/workload"
)

// immediate is a network of some nodes without any delays except the time of bytes on links, so that times can be
// added up by hand.
func immediate(s packetnet.Scheme, nodes int) packetnet.Config {
	c := packetnet.DefaultConfig(s)
	c.Nodes, c.HostDelay, c.LinkDelay, c.SwitchDelay = nodes, 0, 0, 0
	return c
}

// onClos joins eight nodes by four leaves and two spines of four ports.
func onClos(c packetnet.Config) packetnet.Config {
	c.Topology, c.Nodes, c.Ports = packetnet.Clos, 8, 4
	c.Spray = c.Scheme == packetnet.NDP
	return c
}

func onTorus(c packetnet.Config, side int) packetnet.Config {
	c.Side, c.Nodes = side, side*side*side
	return c
}

// peers are the networks of Shoal §7.3, and the same hosts around one switch.
func peers() map[string]packetnet.Config {
	all := map[string]packetnet.Config{"r2c2": onTorus(immediate(packetnet.R2C2, 8), 2),
		"r2c2/3": onTorus(immediate(packetnet.R2C2, 27), 3)}
	for _, s := range []packetnet.Scheme{packetnet.OutputQueued, packetnet.DCTCP, packetnet.PFC,
		packetnet.DCQCN, packetnet.NDP} {
		c := packetnet.DefaultConfig(s)
		c.Nodes = 8
		all[s.String()] = c
		all[s.String()+"/immediate"] = immediate(s, 8)
		all[s.String()+"/clos"] = onClos(c)
		if s == packetnet.DCTCP || s == packetnet.PFC {
			c.PerMessage = true
			all[s.String()+"/message"] = c
			all[s.String()+"/message/clos"] = onClos(c)
		}
	}
	return all
}

// A frame of P bytes of payload is 8 + 18 + 44 + P on the line, at least 72, and the gap of 12 after it.
func line(payload int64) int64 { return 8 + max(64, 62+payload) }

const full = 1526 // of a frame with 1456 bytes of payload

// The way from node to node: a frame is stored and forwarded on each link, and the delays of DefaultConfig come on top.
func TestLoneMessageOfPeers(t *testing.T) {
	for name, c := range peers() {
		got, err := packetnet.Unloaded(c, workload.Write, 1000-8)
		require.NoError(t, err, name)
		links := int64(2)
		if c.Topology == packetnet.Torus {
			// nodes 0 and 1 are neighbours on links of a sixth of the rate; in and out of the node is a byte time each
			require.Equal(t, (6*line(1000)+2)*byteTime, got, name)
			continue
		}
		want := links * line(1000) * byteTime
		if c.HostDelay > 0 {
			want = oneWay(1000) * byteTime
		}
		require.Equal(t, want, got, name) // on the Clos, nodes 0 and 1 are at one leaf
	}
	c := onClos(immediate(packetnet.DCTCP, 8))
	r := finished(t, c, []workload.Message{{Type: workload.Write, Source: 0, Dest: 7, Bytes: 1000 - 8}})
	require.Equal(t, 4*line(1000)*byteTime, r.Finish[0]) // node, leaf, spine, leaf, node
}

// Whatever is sent arrives, once, whatever becomes of it on the way; nothing is faster than light; a seed gives one
// result.
func TestPeersConserve(t *testing.T) {
	all := peers()
	names := make([]string, 0, len(all))
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	rapid.Check(t, func(t *rapid.T) {
		cfg := all[rapid.SampledFrom(names).Draw(t, "peer")]
		cfg.Seed = rapid.Uint64().Draw(t, "seed")
		if rapid.Bool().Draw(t, "little room") {
			cfg.FirstPackets, cfg.QueuePackets = rapid.IntRange(1, 40).Draw(t, "first"), rapid.IntRange(1, 3).Draw(t, "queue")
			cfg.PauseBytes = rapid.IntRange(1, 5_000).Draw(t, "pause")
			cfg.ResumeBytes = rapid.IntRange(0, cfg.PauseBytes).Draw(t, "resume")
			if cfg.Scheme == packetnet.DCTCP {
				cfg.BufferBytes, cfg.MarkBytes = rapid.IntRange(1518, 10_000).Draw(t, "buffer"),
					rapid.IntRange(0, 10_000).Draw(t, "mark")
			}
			cfg.MaxWindow = max(cfg.InitialWindow, 3_000)
		}
		var msgs []workload.Message
		var bytes, frames uint64
		for k := range rapid.IntRange(1, 60).Draw(t, "messages") {
			m := workload.Message{ID: uint64(k), Type: rapid.SampledFrom([]workload.MessageType{workload.Write, workload.Write,
				workload.Read}).Draw(t, "type"),
				Source: rapid.IntRange(0, cfg.Nodes-1).
					Draw(t, "source"),
				Bytes: rapid.IntRange(1, 60_000).Draw(t, "bytes"), Start: rapid.Int64Range(0, 2_000_000).Draw(t, "start")}
			m.Dest = (m.Source + rapid.IntRange(1, cfg.Nodes-1).Draw(t, "distance")) % cfg.Nodes
			bytes += uint64(m.Bytes + 8) // address of a write, request of a read
			if m.Type == workload.Read {
				frames += 1 + uint64(m.Bytes+1455)/1456
			} else {
				frames += uint64(m.Bytes+8+1455) / 1456
			}
			msgs = append(msgs, m)
		}
		r := run(t, cfg, msgs)
		require.Empty(t, r.Unfinished)
		require.Equal(t, bytes, r.PayloadSent)
		require.Equal(t, bytes, r.PayloadDelivered)
		for k, m := range msgs {
			require.GreaterOrEqual(t, r.Finish[k]-m.Start, 2*cfg.LinkDelay+int64(m.Bytes)*byteTime, "message %d", k)
		}
		switch cfg.Scheme {
		case packetnet.NDP: // each frame was delivered, or trimmed and sent again, once for each trim
			require.Equal(t, frames, r.Acks)
			require.Equal(t, r.Trims, r.Retransmissions)
			require.LessOrEqual(t, r.Pulls, frames+r.Trims)
			require.Zero(t, r.Drops)
		case packetnet.DCTCP:
			require.GreaterOrEqual(t, r.Retransmissions+r.Acks, r.Drops)
		case packetnet.DCQCN: // lossless: each frame once, acknowledged once
			require.Equal(t, frames, r.Acks)
			require.Zero(t, r.Drops+r.Retransmissions)
		default:
			require.Zero(t, r.Drops+r.Retransmissions+r.Trims)
		}
		require.Equal(t, r, run(t, cfg, msgs))
	})
}

// The loop of none of them allocates: six times the messages need about the same number of allocations.
func TestLoopsOfPeersDoNotAllocate(t *testing.T) {
	for name, cfg := range peers() {
		few, many := uniform(cfg.Nodes, 500, 3000, 0.1, 1), uniform(cfg.Nodes, 3_000, 3000, 0.1, 1)
		a := testing.AllocsPerRun(1, func() { finished(t, cfg, few) })
		b := testing.AllocsPerRun(1, func() { finished(t, cfg, many) })
		require.Less(t, b-a, 300.0, name)
	}
}

// BenchmarkPeers is 512 nodes with 5,000 flows of 100 KB at once.
func BenchmarkPeers(b *testing.B) {
	msgs := uniform(512, 5_000, 100_000, 0.4, 1)
	for _, s := range []packetnet.Scheme{packetnet.OutputQueued, packetnet.DCTCP, packetnet.DCQCN,
		packetnet.NDP, packetnet.R2C2} {
		b.Run(fmt.Sprint(s), func(b *testing.B) {
			c := packetnet.DefaultConfig(s)
			c.Nodes = 512
			if s != packetnet.R2C2 && s != packetnet.OutputQueued {
				c.Topology, c.Ports, c.Spray = packetnet.Clos, 64, s == packetnet.NDP
			}
			var frames uint64
			for b.Loop() {
				frames += finished(b, c, msgs).Frames
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(frames), "ns/frame")
		})
	}
}
