package packetnet_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/peers/packetnet"
	"github.com/goldwire/goldwire/workload"
	"github.com/goldwire/goldwire/workload/measure"
)

// byteTime is the time of a byte at 100 Gb/s.
const byteTime = 80

// uniform is all-to-all traffic of one size, half reads and half writes, with Poisson arrivals at a load of payload.
func uniform(nodes, n, bytes int, load float64, seed uint64) []workload.Message {
	rng := rand.New(rand.NewPCG(seed, 0))
	gap := float64(bytes) * byteTime / load / float64(nodes)
	msgs := make([]workload.Message, n)
	at := 0.0
	for k := range msgs {
		at += rng.ExpFloat64() * gap
		from := rng.IntN(nodes)
		to := (from + 1 + rng.IntN(nodes-1)) % nodes
		msgs[k] = workload.Message{ID: uint64(k), Type: workload.MessageType(rng.IntN(2)), Source: from, Dest: to,
			Bytes: bytes, Start: int64(at)}
	}
	return msgs
}

// incast has every node but 0 write bytes to node 0 at once.
func incast(nodes, bytes int) []workload.Message {
	var msgs []workload.Message
	for k := 1; k < nodes; k++ {
		msgs = append(msgs, workload.Message{ID: uint64(k), Type: workload.Write, Source: k, Dest: 0, Bytes: bytes})
	}
	return msgs
}

func run(t require.TestingT, cfg packetnet.Config, msgs []workload.Message) *packetnet.Result {
	r, err := packetnet.Run(context.Background(), cfg, msgs)
	require.NoError(t, err)
	return r
}

// finished is run for messages that all finish.
func finished(t require.TestingT, cfg packetnet.Config, msgs []workload.Message) *packetnet.Result {
	r := run(t, cfg, msgs)
	require.Empty(t, r.Unfinished, cfg.Scheme)
	return r
}

// In byte times of 80 ps a node is 245.56 ns = 3070 (3069.5), a link 48 ns = 600, the switch 430.72 ns = 5384. A frame
// of P bytes of payload is preamble 8 + header and FCS 18 + RoCEv2 44 + P, and its receiver does not wait for the gap
// after it. So one way with P bytes in one frame takes 2 × (70 + P) on the links and 3070 + 600 + 5384 + 600 + 3070 =
// 12724 of delays.
func oneWay(payload int64) int64 { return 2*(70+payload) + 12724 }

// A flit is 68 bytes, a link 48 ns = 600, the switch 100 ns = 1250.
const flitWay = 2*68 + 2*600 + 1250

func TestLoneMessages(t *testing.T) {
	const read, write, swap = workload.Read, workload.Write, workload.CompareSwap
	for _, c := range []struct {
		scheme packetnet.Scheme
		kind   workload.MessageType
		bytes  int
		want   int64 // byte times
	}{
		// a request of 8 bytes there, the data back; a write has its address of 8 bytes with it
		{packetnet.DCTCP, read, 64, oneWay(8) + oneWay(64)},
		{packetnet.DCTCP, write, 64, oneWay(8 + 64)},
		{packetnet.DCTCP, swap, 8, oneWay(8+16) + oneWay(8)},
		{packetnet.PFabric, read, 64, oneWay(8) + oneWay(64)},
		{packetnet.PFabric, write, 64, oneWay(8 + 64)},
		{packetnet.PFC, read, 64, oneWay(8) + oneWay(64)},
		{packetnet.PFC, write, 64, oneWay(8 + 64)},
		// 3008 bytes are frames of 1456, 1456 and 96, on the line with their gaps 1538, 1538 and 178. The last waits for the
		// second at the switch, so it is there when two have crossed one link and the second has crossed the other: 1526 +
		// 3070 + 600 + 5384, then 1538 + 1538 + 166, then 600 + 3070.
		{packetnet.DCTCP, write, 3000, 1526 + 9054 + 1538 + 1538 + 166 + 3670},
		{packetnet.PFabric, write, 3000, 1526 + 9054 + 1538 + 1538 + 166 + 3670},
		{packetnet.PFC, write, 3000, 1526 + 9054 + 1538 + 1538 + 166 + 3670},
		// the request is the grant; a write's receiver sends one
		{packetnet.IRD, read, 64, oneWay(8) + oneWay(64)},
		{packetnet.IRD, write, 64, oneWay(8) + oneWay(8+64)},
		{packetnet.IRD, swap, 8, oneWay(8+16) + oneWay(8)},
		// demand and grant take a way each
		{packetnet.Fastpass, read, 64, oneWay(8) + oneWay(8) + oneWay(8) + oneWay(64)},
		{packetnet.Fastpass, write, 64, oneWay(8) + oneWay(8) + oneWay(8+64)},
		// a flit each way; 200 bytes are four flits, one after the other
		{packetnet.CXL, read, 64, 2 * flitWay},
		{packetnet.CXL, write, 64, flitWay},
		{packetnet.CXL, swap, 8, 2 * flitWay},
		{packetnet.CXL, write, 200, 3*68 + flitWay},
		{packetnet.CXL, read, 200, flitWay + 3*68 + flitWay},
		// 64 KiB are 1024 flits: 64 credits are enough for line rate, since a credit is back after at most 68 + 600 + 1250
		// on the way in, 8 flits of 68 until eight are owed, and 68 + 600 on the way back, less than 64 flits of 68
		{packetnet.CXL, write, 65536, 1023*68 + flitWay},
	} {
		got, err := packetnet.Unloaded(packetnet.DefaultConfig(c.scheme), c.kind, c.bytes)
		require.NoError(t, err)
		require.Equal(t, c.want*byteTime, got, "%s: %s of %d bytes", c.scheme, c.kind, c.bytes)
	}
}

// A memory that takes 100 ns = 1250 byte times makes a read later by that and a write not.
func TestMemoryDelay(t *testing.T) {
	for _, s := range packetnet.Schemes() {
		cfg := packetnet.DefaultConfig(s)
		slow := cfg
		slow.MemoryDelay = 100_000
		for kind, more := range map[workload.MessageType]int64{workload.Read: 100_000, workload.Write: 0} {
			a, err := packetnet.Unloaded(cfg, kind, 64)
			require.NoError(t, err)
			b, err := packetnet.Unloaded(slow, kind, 64)
			require.NoError(t, err)
			require.Equal(t, more, b-a, "%s %s", s, kind)
		}
	}
}

// A lone megabyte runs at line rate in every scheme: 1 MiB and an address of 8 bytes are 720 full frames of 1538 on
// the line and one of 264 + 82, or 16384 flits of 68; beside these there are only a few ways through the empty
// network.
func TestLoneMegabyteRunsAtLineRate(t *testing.T) {
	for _, s := range packetnet.Schemes() {
		line := int64(720*1538 + 264 + 82)
		if s == packetnet.CXL {
			line = 16384 * 68
		}
		got, err := packetnet.Unloaded(packetnet.DefaultConfig(s), workload.Write, 1<<20)
		require.NoError(t, err)
		require.GreaterOrEqual(t, got, line*byteTime, s)
		require.LessOrEqual(t, got, (line+4*oneWay(1456))*byteTime, s)
	}
}

// A frame with P bytes of payload is 82 + P on the line, an acknowledgement 86.
func TestLinkBytes(t *testing.T) {
	type demand = measure.Demand
	windows := [2]demand{
		{SourceUp: 90 + 86, DestUp: 146, SourceDown: 146, DestDown: 90 + 86}, // the response acknowledges the request
		{SourceUp: 154, DestUp: 86, SourceDown: 86, DestDown: 154},
	}
	for scheme, want := range map[packetnet.Scheme][2]demand{ // of a read, of a write
		packetnet.DCTCP:   windows,
		packetnet.PFabric: windows,
		packetnet.PFC:     windows,
		packetnet.IRD: { // the receiver of data grants it; a read's request is its grant
			{SourceUp: 90, DestUp: 146, SourceDown: 146, DestDown: 90},
			{SourceUp: 154, DestUp: 90, SourceDown: 90, DestDown: 154},
		},
		packetnet.CXL: {
			{SourceUp: 68, DestUp: 68, SourceDown: 68, DestDown: 68},
			{SourceUp: 68, DestDown: 68},
		},
		packetnet.Fastpass: { // the node that sends data demands from the server, which grants
			{SourceUp: 90, DestUp: 90 + 146, SourceDown: 146, DestDown: 90 + 90},
			{SourceUp: 90 + 154, SourceDown: 90, DestDown: 154},
		},
	} {
		for i, kind := range []workload.MessageType{workload.Read, workload.Write} {
			got, err := packetnet.LinkBytes(packetnet.DefaultConfig(scheme), kind, 64)
			require.NoError(t, err)
			require.Equal(t, want[i], got, "%s %s", scheme, kind)
		}
	}
}

// Whatever is sent arrives, once, in every scheme, also with little room; and nothing is faster than its bytes on a
// link.
func TestEveryMessageFinishesOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := packetnet.DefaultConfig(rapid.SampledFrom(packetnet.Schemes()).Draw(t, "scheme"))
		cfg.Nodes = rapid.IntRange(2, 6).Draw(t, "nodes")
		cfg.Seed = rapid.Uint64().Draw(t, "seed")
		if rapid.Bool().Draw(t, "bare") {
			cfg = cfg.Bare()
		}
		if rapid.Bool().Draw(t, "little room") {
			switch cfg.Scheme {
			case packetnet.DCTCP, packetnet.PFabric:
				cfg.BufferBytes = rapid.IntRange(1518, 10_000).Draw(t, "buffer")
			case packetnet.PFC:
				cfg.PauseBytes = rapid.IntRange(1, 5_000).Draw(t, "pause")
				cfg.ResumeBytes = rapid.IntRange(0, cfg.PauseBytes).Draw(t, "resume")
			case packetnet.CXL:
				cfg.Credits = rapid.IntRange(1, 10).Draw(t, "credits")
				cfg.CreditBatch = rapid.IntRange(1, cfg.Credits).Draw(t, "batch")
			case packetnet.IRD:
				cfg.GrantWindow = rapid.IntRange(1, 5_000).Draw(t, "window")
				cfg.GrantSlots = rapid.IntRange(0, 3).Draw(t, "slots")
			case packetnet.Fastpass:
				cfg.GrantBytes = rapid.IntRange(1, 5_000).Draw(t, "grant")
			}
		}
		if rapid.Bool().Draw(t, "slow memory") {
			cfg.MemoryDelay = 50_000
		}
		n := rapid.IntRange(1, 60).Draw(t, "messages")
		msgs := make([]workload.Message, n)
		var bytes uint64
		for k := range msgs {
			m := workload.Message{ID: uint64(k), Type: rapid.SampledFrom([]workload.MessageType{workload.Read, workload.Write,
				workload.CompareSwap}).Draw(t, "type"),
				Source: rapid.IntRange(0, cfg.Nodes-1).Draw(t, "source"), Start: rapid.Int64Range(0, 5_000_000).Draw(t, "start")}
			m.Dest = (m.Source + rapid.IntRange(1, cfg.Nodes-1).Draw(t, "distance")) % cfg.Nodes
			switch m.Type {
			case workload.Read:
				m.Bytes = rapid.IntRange(1, 20_000).Draw(t, "bytes")
				bytes += uint64(cfg.RequestBytes + m.Bytes)
			case workload.Write:
				m.Bytes = rapid.IntRange(1, 20_000).Draw(t, "bytes")
				bytes += uint64(cfg.WriteHeaderBytes + m.Bytes)
			case workload.CompareSwap:
				m.Bytes = rapid.IntRange(1, 16).Draw(t, "bytes")
				bytes += uint64(cfg.RequestBytes + 3*m.Bytes)
			}
			msgs[k] = m
		}
		r := run(t, cfg, msgs)
		require.Empty(t, r.Unfinished)
		require.Equal(t, bytes, r.PayloadSent)
		require.Equal(t, bytes, r.PayloadDelivered)
		for k, m := range msgs {
			require.GreaterOrEqual(t, r.Finish[k]-m.Start,
				2*cfg.LinkDelay+cfg.SwitchDelay+int64(m.Bytes)*byteTime, "message %d", k)
			require.LessOrEqual(t, r.Finish[k], r.End)
		}
		if cfg.Scheme != packetnet.DCTCP && cfg.Scheme != packetnet.PFabric {
			require.Zero(t, r.Drops)
			require.Zero(t, r.Retransmissions)
		}
	})
}

// One seed gives one result, and the seed decides which goes first when several come together.
func TestSeed(t *testing.T) {
	msgs := append(incast(16, 64), uniform(16, 3000, 64, 0.5, 1)...)
	for _, s := range packetnet.Schemes() {
		cfg := packetnet.DefaultConfig(s)
		cfg.Nodes = 16
		a, b := finished(t, cfg, msgs), finished(t, cfg, msgs)
		require.Equal(t, a, b, s)
		cfg.Seed++
		require.False(t, slices.Equal(a.Finish, finished(t, cfg, msgs).Finish), s)
	}
}

// The order in which messages are given does not matter, their starts do.
func TestStartsOrderMessages(t *testing.T) {
	for _, s := range packetnet.Schemes() {
		cfg := packetnet.DefaultConfig(s)
		late := workload.Message{Type: workload.Write, Source: 0, Dest: 1, Bytes: 64, Start: 10_000_000}
		// begins with the next byte time
		early := workload.Message{Type: workload.Write, Source: 2, Dest: 1, Bytes: 64, Start: 41}
		alone, err := packetnet.Unloaded(cfg, workload.Write, 64)
		require.NoError(t, err)
		r := finished(t, cfg, []workload.Message{late, early})
		require.Equal(t, []int64{10_000_000 + alone, byteTime + alone}, r.Finish, s)
		require.Equal(t, r.Finish[0], r.End)
	}
}

func TestWatchdog(t *testing.T) {
	cfg := packetnet.DefaultConfig(packetnet.DCTCP)
	cfg.Limit = 1_500_000
	r := run(t, cfg, []workload.Message{
		{Type: workload.Write, Source: 0, Dest: 1, Bytes: 64}, // 1.04 µs
		{
			Type: workload.Read, Source: 2, Dest: 3, Bytes: 64,
		}, // 2.07 µs: its request of 8 bytes has arrived
		{Type: workload.Write, Source: 4, Dest: 5, Bytes: 64, Start: 2_000_000}, // begins too late
	})
	require.Equal(t, []int64{oneWay(72) * byteTime, -1, -1}, r.Finish)
	require.Equal(t, []packetnet.Unfinished{
		{Message: 1, Reason: "the limit of 1500000 ps came first: 8 of 72 bytes had arrived"},
		{Message: 2, Reason: "the limit of 1500000 ps came first: 0 of 72 bytes had arrived"},
	}, r.Unfinished)
	_, err := packetnet.Unloaded(cfg, workload.Read, 64)
	require.EqualError(
		t, err,
		"dctcp: a lone read of 64 bytes did not finish: the limit of 1500000 ps came first: 8 of 72 bytes had arrived",
	)
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := packetnet.Run(ctx, packetnet.DefaultConfig(packetnet.IRD), incast(4, 64))
	require.ErrorIs(t, err, context.Canceled)
}

func TestBadInput(t *testing.T) {
	ok := workload.Message{ID: 7, Type: workload.Write, Source: 0, Dest: 1, Bytes: 64}
	for _, c := range []struct {
		scheme packetnet.Scheme
		change func(*packetnet.Config, *workload.Message)
		want   string
	}{
		{10, func(*packetnet.Config, *workload.Message) {}, "Scheme(10) is no scheme"},
		{packetnet.IRD, func(c *packetnet.Config, _ *workload.Message) { c.Nodes = 1 }, "ird: 1 nodes, want 2 to 512"},
		{packetnet.IRD, func(c *packetnet.Config, _ *workload.Message) { c.RateGbps = 3 },
			"ird: 3 Gb/s, want a divisor of 8000"},
		{packetnet.IRD, func(c *packetnet.Config, _ *workload.Message) { c.LinkDelay = -1 },
			"ird: LinkDelay is -1, want at least 0"},
		{packetnet.IRD, func(c *packetnet.Config, _ *workload.Message) { c.MTU = 83 }, "ird: MTU is 83, want at least 84"},
		{packetnet.IRD, func(c *packetnet.Config, _ *workload.Message) { c.GrantWindow = 0 },
			"ird: GrantWindow is 0, want at least 1"},
		{packetnet.DCTCP, func(c *packetnet.Config, _ *workload.Message) { c.BufferBytes = 1517 },
			"dctcp: BufferBytes is 1517, want at least 1518"},
		{packetnet.DCTCP, func(c *packetnet.Config, _ *workload.Message) { c.MinTimeout = 0 },
			"dctcp: MinTimeout is 0, want at least 1"},
		{packetnet.PFC, func(c *packetnet.Config, _ *workload.Message) { c.PauseBytes = 44_999 },
			"pfc: PauseBytes is 44999, want at least 45000"},
		{packetnet.CXL, func(c *packetnet.Config, _ *workload.Message) { c.Credits = 7 },
			"cxl: Credits is 7, want at least 8"},
		{packetnet.CXL, func(c *packetnet.Config, _ *workload.Message) { c.FlitPayload = 39 },
			"cxl: FlitPayload is 39, want at least 40"},
		{packetnet.Fastpass, func(c *packetnet.Config, _ *workload.Message) { c.GrantBytes = 0 },
			"fastpass: GrantBytes is 0, want at least 1"},
		{packetnet.CXL, func(_ *packetnet.Config, m *workload.Message) { m.Dest = 144 },
			"message 1 (ID 7): destination 144, want 0 to 143"},
		{packetnet.CXL, func(_ *packetnet.Config, m *workload.Message) { m.Source = -1 },
			"message 1 (ID 7): source -1, want 0 to 143"},
		{packetnet.CXL, func(_ *packetnet.Config, m *workload.Message) { m.Source = 1 },
			"message 1 (ID 7): source and destination are both 1"},
		{packetnet.CXL, func(_ *packetnet.Config, m *workload.Message) { m.Bytes = 0 },
			"message 1 (ID 7): 0 bytes, want 1 to 1073741824"},
		{packetnet.CXL, func(_ *packetnet.Config, m *workload.Message) { m.Type = workload.CompareSwap },
			"message 1 (ID 7): compare-and-swap of 64 bytes, want at most 16"},
		{packetnet.CXL, func(_ *packetnet.Config, m *workload.Message) { m.Type = 3 },
			"message 1 (ID 7): type 3, want read, write or cas"},
		{packetnet.CXL, func(_ *packetnet.Config, m *workload.Message) { m.Start = -1 },
			"message 1 (ID 7): starts at -1 ps, want 0 or later"},
	} {
		cfg, m := packetnet.DefaultConfig(c.scheme), ok
		c.change(&cfg, &m)
		_, err := packetnet.Run(context.Background(), cfg, []workload.Message{ok, m})
		require.EqualError(t, err, c.want)
	}
	for _, s := range packetnet.Schemes() {
		got, err := packetnet.ParseScheme(s.String())
		require.NoError(t, err)
		require.Equal(t, s, got)
	}
	_, err := packetnet.ParseScheme("tcp")
	require.EqualError(
		t,
		err,
		`scheme "tcp", want one of dctcp, ird, pfabric, pfc, cxl, fastpass, output-queued, dcqcn, ndp, r2c2`,
	)
}

// Five times the messages need about the same number of allocations: pools grow, the loop does not allocate.
func TestTheLoopDoesNotAllocate(t *testing.T) {
	few, many := uniform(16, 3_000, 64, 0.2, 1), uniform(16, 15_000, 64, 0.2, 1)
	for _, s := range packetnet.Schemes() {
		cfg := packetnet.DefaultConfig(s)
		cfg.Nodes = 16
		a := testing.AllocsPerRun(1, func() { finished(t, cfg, few) })
		b := testing.AllocsPerRun(1, func() { finished(t, cfg, many) })
		require.Less(t, b-a, 200.0, s)
	}
}

// 100,000 messages of 64 bytes between 144 nodes at a payload load of 0.9.
func BenchmarkRun(b *testing.B) {
	msgs := uniform(144, 100_000, 64, 0.9, 1)
	for _, s := range packetnet.Schemes() {
		b.Run(s.String(), func(b *testing.B) {
			for b.Loop() {
				finished(b, packetnet.DefaultConfig(s), msgs)
			}
		})
	}
}

// Loads that the network carries leave all messages within a small multiple of their time alone; the claim to check is
// that nothing in a scheme stands in its own way when there is little traffic.
func TestLittleLoad(t *testing.T) {
	msgs := uniform(144, 20_000, 64, 0.05, 1)
	for _, s := range packetnet.Schemes() {
		if s == packetnet.Fastpass {
			continue // its server is beyond its link already
		}
		cfg := packetnet.DefaultConfig(s)
		r := finished(t, cfg, msgs)
		for kind := range workload.CompareSwap {
			alone, err := packetnet.Unloaded(cfg, kind, 64)
			require.NoError(t, err)
			sum, n := 0.0, 0
			for k, m := range msgs {
				if m.Type == kind {
					sum += float64(r.Finish[k] - m.Start)
					n++
				}
			}
			ratio := sum / float64(n) / float64(alone)
			require.Less(t, ratio, 1.05, fmt.Sprintf("%s %s", s, kind))
			require.GreaterOrEqual(t, ratio, 1.0)
		}
	}
}
