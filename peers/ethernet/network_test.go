package ethernet

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/workload"
)

// Whatever the frame and whenever it comes, its first block takes what the table's boxes take, to the picosecond.
func TestFirstBlockTakesTheSumOfTheBoxes(t *testing.T) {
	want := map[Stack]int64{RawEthernet: 557_440, RoCEv2: 557_440 + 2*230_200, TCPIP: 557_440 + 2*666_200}
	rapid.Check(t, func(t *rapid.T) {
		stack := Stack(rapid.IntRange(0, 2).Draw(t, "stack"))
		n, err := NewNetwork(Config{Stack: stack, Forwarding: CutThrough})
		require.NoError(t, err)
		require.NoError(t, n.WaitForLock())
		there, back := NewTripRecorder(n, 0, 1), NewTripRecorder(n, 1, 0)
		var messages []workload.Message
		for k := range 2 {
			messages = append(messages, workload.Message{
				ID: uint64(k), Type: workload.MessageType(rapid.IntRange(0, 1).Draw(t, "type")), Source: 0, Dest: 1,
				Bytes: rapid.IntRange(1, 1024).Draw(t, "bytes"),
				Start: int64(k)*9_000_000 + rapid.Int64Range(0, 100_000).Draw(t, "jitter"),
			})
		}
		_, err = n.Run(t.Context(), messages)
		require.NoError(t, err)
		require.Len(t, there.Trips(), 2)
		require.Len(t, back.Trips(), 2)
		for _, trip := range append(there.Trips(), back.Trips()...) {
			require.Equal(t, want[stack], trip.Between(AtStack, Delivered))
		}
	})
}

// With one clock a link is 19 cycles, the forwarding path 157, a protocol stack 90 or 261: each rounded up once.
func TestOneClockRoundsUpOnce(t *testing.T) {
	for stack, want := range map[Stack]int64{RawEthernet: 0, RoCEv2: 90, TCPIP: 261} {
		n, err := NewNetwork(Config{Stack: stack, Forwarding: CutThrough, SingleClock: true})
		require.NoError(t, err)
		require.Len(t, n.Sim.Clocks(), 1)
		require.NoError(t, n.WaitForLock())
		m := NewTripRecorder(n, 0, 1)
		_, err = n.Run(t.Context(), []workload.Message{{Source: 0, Dest: 1, Bytes: 8}})
		require.NoError(t, err)
		trip := m.Trips()[0]
		require.Equal(t, want*period, trip.Between(AtStack, AtMAC))
		require.Equal(t, int64(19*period), trip.Between(AtLine, SwitchLine))
		require.Equal(t, int64(157*period), trip.Between(SwitchMAC, SwitchCrossed))
		require.Equal(t, want*period, trip.Between(HostMAC, Delivered))
	}
}

// A switch that stores and forwards adds the time from a frame's first beat to its last, and nothing else.
func TestStoreAndForwardAddsTheFrame(t *testing.T) {
	for _, bytes := range []int{1, 46, 64, 100, 1000, 1024} {
		n, err := NewNetwork(Config{Stack: RoCEv2})
		require.NoError(t, err)
		require.NoError(t, n.WaitForLock())
		m := NewTripRecorder(n, 0, 1)
		_, err = n.Run(t.Context(), []workload.Message{{Type: workload.Write, Source: 0, Dest: 1, Bytes: bytes}})
		require.NoError(t, err)
		trip := m.Trips()[0]
		require.Equal(t, int64(400_000), trip.First[SwitchCrossed]-trip.Last[SwitchMAC])
		frame := max(14+20+8+12+16+(bytes+3)/4*4+4, 60)
		beats := trip.Last[SwitchMAC] - trip.First[SwitchMAC]
		require.GreaterOrEqual(t, beats, int64((frame+7)/8-1)*period)
		require.LessOrEqual(t, beats, int64((frame+7)/8)*period, "the deframer may hold the last beat for a cycle")
	}
}

func randomMessages(t *rapid.T, hosts int) []workload.Message {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) workload.Message {
		m := workload.Message{
			ID: rapid.Uint64Range(0, 1000).Draw(t, "id"), Type: workload.MessageType(rapid.IntRange(0, 1).Draw(t, "type")),
			Source: rapid.IntRange(0, hosts-1).Draw(t, "source"), Bytes: rapid.IntRange(1, 3000).Draw(t, "bytes"),
		}
		m.Dest = (m.Source + rapid.IntRange(1, hosts-1).Draw(t, "distance")) % hosts
		return m
	}), 1, 60).Draw(t, "messages")
}

// Messages of any kind between any hosts are all done, their data and sequence numbers right: Run looks at them.
func TestMessagesBetweenAllHosts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hosts := rapid.IntRange(2, 5).Draw(t, "hosts")
		cfg := Config{
			Stack: Stack(rapid.IntRange(0, 2).Draw(t, "stack")), Ports: hosts, SingleClock: true,
			Flood:      rapid.Bool().Draw(t, "flood"),
			Forwarding: Forwarding(rapid.IntRange(0, 1).Draw(t, "forwarding")), Window: rapid.IntRange(1, 20).Draw(t, "window"),
			MTU: 8 * rapid.IntRange(8, 128).Draw(t, "mtu"), Buffer: 4096, MaxFrame: 1518,
		}
		n, err := NewNetwork(cfg)
		require.NoError(t, err)
		messages := randomMessages(t, hosts)
		done, err := n.Run(t.Context(), messages)
		require.NoError(t, err)
		require.Len(t, done, len(messages))
		last := make([]int64, hosts)
		for i, d := range done {
			m := messages[i]
			require.Equal(t, m.ID, d.ID)
			require.Greater(t, d.Issued, last[m.Source], "a host sends in order")
			last[m.Source] = d.Issued
			require.Greater(t, d.Done-d.Issued, int64(2*(461_440+96_000)), "there and back")
		}
	})
}

func TestRunsFollowEachOther(t *testing.T) {
	n, err := NewNetwork(Config{Stack: TCPIP})
	require.NoError(t, err)
	message := []workload.Message{{ID: 5, Source: 0, Dest: 1, Bytes: 100, Start: 50 * period}}
	first, err := n.Run(t.Context(), message)
	require.NoError(t, err)
	require.Equal(t, int64(50*period), first[0].Issued)
	require.NoError(t, n.Clock.Run(12_345))
	second, err := n.Run(t.Context(), message)
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(first, second), "times count from the start of a run")
}

func TestTraceHashIsTheSameInAllModes(t *testing.T) {
	for _, base := range []Config{{Stack: RoCEv2}, {Stack: TCPIP, Ports: 4, SingleClock: true},
		{Stack: RawEthernet, Ports: 3, Forwarding: CutThrough, Flood: true}} {
		var messages []workload.Message
		for k := range 24 {
			messages = append(messages, workload.Message{ID: uint64(k), Type: workload.MessageType(k % 2),
				Source: k % max(base.Ports, 2), Bytes: 40 * (k + 1)})
			messages[k].Dest = (messages[k].Source + 1) % max(base.Ports, 2)
		}
		hash := func(cfg rtl.Config) uint64 {
			base.Sim = cfg
			n, err := NewNetwork(base)
			require.NoError(t, err)
			h := rtl.NewTraceHash(n.Sim)
			_, err = n.Run(t.Context(), messages)
			require.NoError(t, err)
			return h.Sum()
		}
		want := hash(rtl.Config{})
		for seed := range uint64(2) {
			require.Equal(t, want, hash(rtl.Config{Mode: rtl.Strict, Seed: seed}), "strict, seed %d", seed)
		}
		require.Equal(t, want, hash(rtl.Config{Mode: rtl.Parallel, Workers: 2}))
	}
}

func TestNetworkDoesNotAllocate(t *testing.T) {
	for _, stack := range []Stack{RawEthernet, RoCEv2, TCPIP} {
		n, err := NewNetwork(Config{Stack: stack})
		require.NoError(t, err)
		require.NoError(t, n.WaitForLock())
		messages, err := YCSBA.Messages()
		require.NoError(t, err)
		r := &n.Hosts[0].Requester
		for _, m := range messages {
			r.requests = append(r.requests, request{peer: 1, write: m.Type == workload.Write, bytes: uint32(m.Bytes)})
		}
		require.Zero(t, testing.AllocsPerRun(10, func() { _ = n.Clock.Run(1000) }))
		require.NotZero(t, r.finished)
		require.NoError(t, n.Err())
	}
}

func TestBadConfigs(t *testing.T) {
	for _, c := range []struct {
		cfg  Config
		want string
	}{
		{Config{Sim: rtl.Config{Mode: rtl.Strict, Jitter: true}}, "jitter: "},
		{Config{Stack: 3}, "stack 3, want 0 to 2"},
		{Config{Ports: 1}, "switch of 1 ports, want 2 to 64"},
		{Config{Ports: 65}, "switch of 65 ports"},
		{Config{Forwarding: 2}, "forwarding 2"},
		{Config{Window: -1}, "window of -1 messages"},
		{Config{MTU: 1500}, "MTU of 1500 bytes, want a multiple of 8 from 8 to 1452"},
		{Config{MaxFrame: 63}, "longest frame of 63 bytes"},
		{Config{Buffer: -1}, "buffer of -1 frames"},
	} {
		_, err := NewNetwork(c.cfg)
		require.ErrorContains(t, err, c.want)
	}
}

func TestBadMessages(t *testing.T) {
	n, err := NewNetwork(Config{})
	require.NoError(t, err)
	good := workload.Message{Source: 0, Dest: 1, Bytes: 1}
	for _, c := range []struct {
		change func(m *workload.Message)
		want   string
	}{
		{func(m *workload.Message) { m.Type = workload.CompareSwap }, "message 1: type cas, want read or write"},
		{func(m *workload.Message) { m.Dest = 0 }, "message 1: from host 0 to host 0, want two different ones from 0 to 1"},
		{func(m *workload.Message) { m.Dest = 2 }, "from host 0 to host 2"},
		{func(m *workload.Message) { m.Source = -1 }, "from host -1"},
		{func(m *workload.Message) { m.Bytes = 0 }, "0 bytes, want 1 to 1048575"},
		{func(m *workload.Message) { m.Start = -1 }, "start at -1 ps"},
	} {
		bad := good
		c.change(&bad)
		_, err := n.Run(t.Context(), []workload.Message{good, bad})
		require.ErrorContains(t, err, c.want)
	}
}

// A switch with room for one frame loses some when three hosts write to the fourth, and Run says so.
func TestALostFrameIsSaid(t *testing.T) {
	n, err := NewNetwork(Config{Stack: RoCEv2, Ports: 4, Buffer: 1, SingleClock: true})
	require.NoError(t, err)
	var messages []workload.Message
	for k := range 300 {
		messages = append(messages, workload.Message{ID: uint64(k), Type: workload.Write, Source: k % 3,
			Dest: 3, Bytes: 1000})
	}
	_, err = n.Run(t.Context(), messages)
	require.ErrorContains(t, err, "frames dropped")
}

// Sequence numbers wrap: 24 bits of PSN, 32 of TCP.
func TestSequenceNumbersWrap(t *testing.T) {
	for _, stack := range []Stack{RoCEv2, TCPIP} {
		n, err := NewNetwork(Config{Stack: stack, SingleClock: true})
		require.NoError(t, err)
		there, back := &n.Hosts[0].Requester.peers[1], &n.Hosts[1].Responder.peers[0]
		start := stack.seqMask() - 20
		there.seq, back.ack = start, start
		if stack == TCPIP {
			there.ack, back.seq = start, start
		}
		var messages []workload.Message
		for k := range 30 {
			messages = append(messages, workload.Message{ID: uint64(k), Type: workload.MessageType(k / 2 % 2), Source: 0,
				Dest: 1, Bytes: 2500})
		}
		_, err = n.Run(t.Context(), messages)
		require.NoError(t, err)
		require.Less(t, there.seq, start, "it has wrapped")
		require.Equal(t, there.seq, back.ack)
	}
}

// A packet out of order or with other data is reported.
func TestFaultsAreSaid(t *testing.T) {
	for _, upset := range []func(n *Network){
		func(n *Network) { n.Hosts[0].Requester.peers[1].seq = 5 },
		func(n *Network) { n.Hosts[1].Responder.peers[0].ack = 5 },
	} {
		n, err := NewNetwork(Config{Stack: RoCEv2})
		require.NoError(t, err)
		upset(n)
		_, err = n.Run(t.Context(), []workload.Message{{Type: workload.Write, Source: 0, Dest: 1, Bytes: 64}})
		require.ErrorContains(t, err, "host 1: 0 replies and 1 requests out of order or damaged")
	}
	n, err := NewNetwork(Config{Stack: TCPIP})
	require.NoError(t, err)
	n.Hosts[1].Responder.peers[0].seq = 9
	_, err = n.Run(t.Context(), []workload.Message{{Source: 0, Dest: 1, Bytes: 64}})
	require.ErrorContains(t, err, "host 0: 1 replies and 0 requests out of order or damaged")
}

// A run that is called off ends.
func TestRunIsCancelled(t *testing.T) {
	n, err := NewNetwork(Config{})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = n.Run(ctx, []workload.Message{{Source: 0, Dest: 1, Bytes: 64}})
	require.ErrorIs(t, err, context.Canceled)
}

func BenchmarkNetwork(b *testing.B) {
	for name, cfg := range map[string]Config{"phases": {Stack: RoCEv2}, "one-clock": {Stack: RoCEv2, SingleClock: true},
		"64-ports": {Stack: RoCEv2, Ports: 64, SingleClock: true, Buffer: 32}} {
		b.Run(name, func(b *testing.B) {
			n, err := NewNetwork(cfg)
			require.NoError(b, err)
			for i, h := range n.Hosts {
				for range 1 << 16 {
					h.Requester.requests = append(h.Requester.requests, request{peer: uint8((i + 1) % len(n.Hosts)), bytes: 1024})
				}
			}
			require.NoError(b, n.WaitForLock())
			b.ResetTimer()
			require.NoError(b, n.Clock.Run(uint64(b.N)))
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(n.Hosts)), "ns/port-cycle")
		})
	}
}
