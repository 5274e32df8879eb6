package edm

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/workload"
)

// mixed returns messages of all types and many sizes between any two nodes, crowded.
func mixed(seed uint64, nodes, messages, most int, interval int64) []workload.Message {
	rng := rand.New(rand.NewPCG(seed, 1))
	var m []workload.Message
	at := int64(0)
	for id := range messages {
		at += rng.Int64N(2*interval + 1)
		s := rng.IntN(nodes)
		x := workload.Message{
			ID: uint64(id), Type: workload.MessageType(rng.IntN(3)), Source: s, Dest: (s + 1 + rng.IntN(nodes-1)) % nodes,
			Bytes: 1 + rng.IntN(most), Start: at,
		}
		if x.Type == workload.CompareSwap {
			x.Bytes = 1
		}
		m = append(m, x)
	}
	return m
}

func finished(t require.TestingT, r *Result) {
	require.Empty(t, r.Monitor.Violations)
	require.Zero(t, r.Monitor.Count)
	for _, m := range r.Messages {
		require.True(t, m.Finished, "message %d", m.ID)
		require.Positive(t, m.Latency(), "message %d", m.ID)
	}
}

// Whatever is asked, at either rate and with either policy: a matching at every grant, no data meets other data in the
// switch, everything arrives whole, once and in order, and the memories equal the oracle's.
func TestInvariants(t *testing.T) { checkInvariants(t, 24) }

func checkInvariants(t *testing.T, count int) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := Config{
			Nodes:       rapid.IntRange(2, 9).Draw(t, "nodes"),
			Lanes:       rapid.SampledFrom([]int{1, 4}).Draw(t, "lanes"),
			Chunk:       8 * rapid.IntRange(1, 40).Draw(t, "chunk words"),
			Active:      rapid.IntRange(1, 4).Draw(t, "active"),
			ActiveApart: rapid.Bool().Draw(t, "active apart"),
			Policy:      rapid.SampledFrom([]Policy{SRPT, FCFS}).Draw(t, "policy"),
			Equalise:    rapid.Bool().Draw(t, "equalise"),
			Memory:      8192,
			Queue:       rapid.IntRange(1, 20).Draw(t, "queue"),
			DRAM:        clock.MustTime("1ns").Times(int64(rapid.SampledFrom([]int{0, 1, 45}).Draw(t, "DRAM ns"))),
			Slack:       SlackRMW,
			Batch:       rapid.SampledFrom([]int{0, 100, 1000}).Draw(t, "batch"),
		}
		for range cfg.Nodes {
			cfg.Phases = append(cfg.Phases, clock.MustTime("0.04ns").Times(int64(rapid.IntRange(0, 15).Draw(t, "phase"))))
		}
		most := rapid.SampledFrom([]int{8, 64, 700, 4000}).Draw(t, "most bytes")
		messages := mixed(
			rapid.Uint64().Draw(t, "seed"), cfg.Nodes, count, most,
			int64(rapid.SampledFrom([]int{0, 2000, 50_000}).Draw(t, "interval")),
		)
		// all messages may be of one pair; 4,000 bytes in chunks of a word take 500 grants, each a dozen cycles of 2.56 ns:
		// 16 us
		r, err := Run(t.Context(), cfg, messages, Options{Limit: int64(count) * 50_000_000})
		require.NoError(t, err)
		finished(t, r)
	})
}

// Modes and the order of ticks change nothing.
func TestModes(t *testing.T) {
	for _, lanes := range []int{1, 4} {
		var want uint64
		for i, sim := range modes {
			var hash *rtl.TraceHash
			r, err := Run(
				t.Context(),
				Config{Nodes: 4, Lanes: lanes, Frames: 200, Slack: SlackRMW, Sim: sim},
				mixed(5, 4, portion(60), 300, 3000),
				Options{Prepare: func(n *Network) {
					hash = rtl.NewTraceHash(n.Sim)
					for _, p := range n.Ports {
						p.Source.Frames = frames(7, 300)
					}
				}},
			)
			require.NoError(t, err)
			require.Empty(t, r.Monitor.Violations)
			if i == 0 {
				want = hash.Sum()
			}
			require.Equal(t, want, hash.Sum(), "%v", sim)
		}
	}
}

// eye looks at the whole network, which forces lockstep.
type eye struct{}

func (eye) Observe(rtl.Edges) {}

// Each host and the switch are islands. Run ahead of each other or not: every message ends at the same time, every
// register and what the monitor counts is the same.
func TestIslandsChangeNothing(t *testing.T) {
	for _, cfg := range []Config{{Nodes: 5, Lanes: 4}, {Nodes: 3, Lanes: 1, Frames: 200},
		{Nodes: 3, Lanes: 4, Mirror: true}} {
		cfg.Slack = SlackRMW
		run := func(lockstep bool) (*Result, []uint64) {
			var sim *rtl.Sim
			r, err := Run(t.Context(), cfg, mixed(6, cfg.Nodes, 80, 700, 3000), Options{Prepare: func(n *Network) {
				if sim = n.Sim; lockstep {
					sim.Observe(eye{})
				}
			}})
			require.NoError(t, err)
			finished(t, r)
			switches := 1
			if cfg.Mirror {
				switches = 2
			}
			require.Len(t, sim.Islands(), cfg.Nodes+switches)
			var state []uint64
			for _, s := range sim.Signals() {
				for i := range s.Leaves {
					state = append(state, s.Value(i))
				}
			}
			return r, state
		}
		want, state := run(true)
		got, free := run(false)
		require.Equal(t, want.Messages, got.Messages)
		require.Equal(t, want.Cycles, got.Cycles)
		require.Equal(t, []LineUse{want.Up, want.Down}, []LineUse{got.Up, got.Down})
		require.Equal(t, [3]int{want.Monitor.MostMeeting, want.Monitor.MostData, want.Monitor.MostControl},
			[3]int{got.Monitor.MostMeeting, got.Monitor.MostData, got.Monitor.MostControl})
		require.True(t, slices.Equal(state, free), "the registers differ")
	}
}

func frames(n, size int) [][]byte {
	var f [][]byte
	rng := rand.New(rand.NewPCG(uint64(n), uint64(size)))
	for range n {
		b := make([]byte, 60+rng.IntN(size))
		for i := range b {
			b[i] = byte(rng.Uint32())
		}
		f = append(f, b)
	}
	return f
}

// Frames come through whole and in order beside memory traffic, with both policies, and memory traffic beside frames.
func TestFramesAreInterruptedAndWhole(t *testing.T) {
	for _, policy := range []Sharing{Fair, MemoryFirst} {
		for _, lanes := range []int{1, 4} {
			var net *Network
			up, down := frames(40, 1400), frames(41, 1400)
			r, err := Run(
				t.Context(),
				Config{Nodes: 2, Lanes: lanes, Mux: policy, Frames: 200, Memory: 8192},
				mixed(3, 2, 400, 300, 15_000/int64(lanes)),
				Options{
					Prepare: func(n *Network) {
						net = n
						for i := range n.Hosts {
							n.Hosts[i].Source.Frames, n.Ports[i].Source.Frames = up, down
						}
					}},
			)
			require.NoError(t, err)
			require.NoError(t, net.Clock.Run(20_000)) // the last frames
			for _, m := range r.Messages {
				require.True(t, m.Finished)
			}
			require.Greater(t, r.Up.Frame, uint64(4000))
			for i := range net.Hosts {
				for _, c := range []struct {
					sent [][]byte
					sink *LinkEnd
				}{{up, &net.Ports[i].LinkEnd}, {down, &net.Hosts[i].LinkEnd}} {
					got := c.sink.Sink.Frames()
					require.Len(t, got, len(c.sent))
					for k, f := range got {
						require.Equal(t, c.sent[k], f.Bytes)
						require.Zero(t, f.Fault)
					}
				}
				require.Zero(t, net.Hosts[i].Mux.lost)
				require.Zero(t, net.Ports[i].Mux.lost)
			}
		}
	}
}

func TestRunsDoNotAllocatePerCycle(t *testing.T) {
	n, err := NewNetwork(Config{Nodes: 8, Lanes: 4})
	require.NoError(t, err)
	for i, h := range n.Hosts {
		for k := range 4000 {
			h.App.Requests = append(
				h.App.Requests,
				Timed{
					uint64(300 + 14*k),
					Request{Kind: Kind(2 * (k % 2)), Dest: uint16((i + 1 + k%7) % 8), Address: uint64(64 * k % 8192), Bytes: 64},
				},
			)
		}
	}
	require.NoError(t, n.Clock.Run(4000)) // all places of the memories have been written
	require.Zero(t, testing.AllocsPerRun(5, func() { _ = n.Clock.Run(1000) }))
	require.Greater(t, n.Hosts[0].App.Asked(), 300)
}

// Small writes that wait for their notifications go together: fewer /N/, and done sooner.
func TestMegaMessages(t *testing.T) {
	var messages []workload.Message
	for i := range 400 {
		messages = append(
			messages, workload.Message{ID: uint64(i), Type: workload.Write, Source: 0, Dest: 1, Bytes: 8 + i%13},
		)
	}
	var alone, together *Result
	for _, batch := range []int{0, 256} {
		r, err := Run(t.Context(), Config{Nodes: 2, Active: 1, Batch: batch}, messages, Options{})
		require.NoError(t, err)
		finished(t, r)
		alone, together = together, r
	}
	require.EqualValues(t, 400, alone.Up.Control)
	require.Less(t, together.Up.Control, alone.Up.Control/6)
	require.Less(t, together.Cycles, alone.Cycles/4)
}

func TestBadConfigs(t *testing.T) {
	for _, c := range []Config{{}, {Nodes: 1}, {Nodes: 513}, {Nodes: 2, Lanes: 2}, {Nodes: 2, Chunk: 12},
		{Nodes: 2, Active: 200}, {Nodes: 2, Memory: 12},
		{Nodes: 2, Slack: -2}, {Nodes: 2, SchedulerRatio: 3}, {Nodes: 2, Up: make([]clock.Time, 1)},
		{Nodes: 2, Up: make([]clock.Time, 2)}} {
		_, err := NewNetwork(c)
		require.Error(t, err, "%+v", c)
	}
	for _, m := range []workload.Message{{Source: 0, Dest: 0, Bytes: 1}, {Source: 0, Dest: 2, Bytes: 1},
		{Source: -1, Dest: 1, Bytes: 1}, {Dest: 1},
		{Dest: 1, Bytes: 1, Start: -1}, {Dest: 1, Bytes: 9, Type: workload.CompareSwap}} {
		_, err := Run(t.Context(), Config{Nodes: 2}, []workload.Message{m}, Options{})
		require.Error(t, err, "%+v", m)
	}
}

// Long links and slow memories have many grants under way.
func TestManyGrantsUnderWay(t *testing.T) {
	far := clock.MustTime("2us")
	for _, cfg := range []Config{
		{Nodes: 2, Lanes: 4, Up: []clock.Time{far, far}, Down: []clock.Time{far, far}},
		{Nodes: 2, Lanes: 4, Active: 1, Chunk: 8, Equalise: true, DRAM: clock.MustTime("50ns")},
		{Nodes: 2, Lanes: 4, Chunk: 64, Equalise: true, DRAM: clock.MustTime("300ns")},
	} {
		r, err := Run(t.Context(), cfg, []workload.Message{
			{ID: 1, Type: workload.Read, Source: 0, Dest: 1, Bytes: 50_000},
			{ID: 2, Type: workload.Write, Source: 0, Dest: 1, Bytes: 40_000}}, Options{})
		require.NoError(t, err)
		finished(t, r)
	}
}

// A read to a node that does not answer is given up in time, whatever other reads and writes do meanwhile. The lost
// read keeps its ID: with X = 1 for reads and writes together nothing more goes to that node, with X = 1 each its
// writes go on.
func TestTimersAndWrites(t *testing.T) {
	for _, apart := range []bool{false, true} {
		n, err := NewNetwork(Config{Nodes: 3, Timeout: clock.MustTime("10us"), Active: 1, ActiveApart: apart})
		require.NoError(t, err)
		require.NoError(t, n.KillNode(2, 100))
		var nulls []uint32
		done := 0
		n.Hosts[0].App.Finished = func(c Completion) {
			if done++; c.Null {
				nulls = append(nulls, c.Tag)
			}
		}
		ask := func(kind Kind, dest uint16, tag uint32) {
			n.Hosts[0].App.Requests = append(
				n.Hosts[0].App.Requests, Timed{300, Request{Kind: kind, Dest: dest, Address: 64, Bytes: 64, Tag: tag}},
			)
		}
		ask(RREQ, 2, 1)
		for i := range uint32(40) {
			ask(RREQ, 1, 100+i)
		}
		for i := range uint32(5) {
			ask(WREQ, 2, 200+i)
		}
		ask(RREQ, 2, 2) // after the writes
		ask(RREQ, 3, 3) // there is no such node
		require.NoError(t, n.Clock.Run(20_000))
		want := []uint32{1, 2, 3}
		if !apart {
			want = append(want, 200, 201, 202, 203, 204)
		}
		require.ElementsMatch(t, want, nulls)
		require.Equal(t, 48, done)
	}
}

// A write that is never granted ends with a timer, if writes have one, and never without. So does each write of a mega
// message.
func TestTimersOfWrites(t *testing.T) {
	for _, batch := range []int{0, 256} {
		for _, timed := range []bool{false, true} {
			n, err := NewNetwork(Config{Nodes: 2, Timeout: clock.MustTime("10us"), TimeWrites: timed, Batch: batch})
			require.NoError(t, err)
			require.NoError(t, n.KillSwitch(0, 100))
			var nulls []uint32
			n.Hosts[0].App.Finished = func(c Completion) {
				require.True(t, c.Null)
				nulls = append(nulls, c.Tag)
			}
			var want []uint32
			for i := range uint32(20) {
				n.Hosts[0].App.Requests = append(
					n.Hosts[0].App.Requests, Timed{300, Request{Kind: WREQ, Dest: 1, Address: 64, Bytes: 64, Tag: i}},
				)
				if timed {
					want = append(want, i)
				}
			}
			require.NoError(t, n.Clock.Run(20_000))
			require.ElementsMatch(t, want, nulls, "batch %d", batch)
		}
	}
}

// A write whose grant comes after its timer goes out all the same, and its application is not told twice.
func TestGrantAfterTheTimer(t *testing.T) {
	r, err := Run(t.Context(), Config{Nodes: 2, Timeout: clock.MustTime("200ns"), TimeWrites: true}, []workload.Message{
		{ID: 1, Type: workload.Write, Source: 0, Dest: 1, Bytes: 4000},
		{ID: 2, Type: workload.Write, Source: 0, Dest: 1, Bytes: 8, Start: 3_000_000}}, Options{})
	require.NoError(t, err)
	require.Empty(t, r.Monitor.Violations, "completed once, written once")
	require.Equal(t, 1, r.Nulls)
	require.False(t, r.Messages[0].Finished, "given up")
	require.True(t, r.Messages[1].Finished)
}

// X counts the reads and the writes that a host has under way to another, together; or each apart (§3.1.2).
func TestActiveMessagesOfAPair(t *testing.T) {
	for _, c := range []struct {
		apart  bool
		active int
		most   [3]int // reads, writes, both
	}{{false, 3, [3]int{3, 3, 3}}, {true, 3, [3]int{3, 3, 6}}, {false, 1, [3]int{1, 1, 1}}} {
		var most [3]int
		_, err := Run(
			t.Context(),
			Config{Nodes: 2, Active: c.active, ActiveApart: c.apart},
			mixedPair(40),
			Options{Prepare: func(n *Network) {
				n.Sim.Observe(observer(func(rtl.Edges) {
					var now [3]int
					table := &n.Hosts[0].Tx.state
					for slot := range table.messages.len() / 2 {
						if table.messages.has(table.number(RREQ, slot)) {
							now[0]++
						}
						if table.messages.has(table.number(WREQ, slot)) {
							now[1]++
						}
					}
					now[2] = now[0] + now[1]
					for i := range now {
						most[i] = max(most[i], now[i])
					}
				}))
			}},
		)
		require.NoError(t, err)
		require.Equal(t, c.most, most, "%+v", c)
	}
}

// mixedPair is reads and then writes of node 0 at node 1, all there at once.
func mixedPair(n int) []workload.Message {
	m := make([]workload.Message, n)
	for i := range m {
		m[i] = workload.Message{
			ID: uint64(i), Type: []workload.MessageType{workload.Read, workload.Write}[i%2], Source: 0, Dest: 1, Bytes: 64,
		}
		if i < 10 {
			m[i].Type = workload.Read
		} else if i >= n-10 {
			m[i].Type = workload.Write
		}
	}
	return m
}

// A message longer than 16 bits of size is asked for in pieces.
func TestLongMessages(t *testing.T) {
	r, err := Run(t.Context(), Config{Nodes: 3, Lanes: 4, Memory: 1 << 20, Equalise: true}, []workload.Message{
		{ID: 1, Type: workload.Read, Source: 0, Dest: 1, Bytes: 300_001},
		{ID: 2, Type: workload.Write, Source: 2, Dest: 1, Bytes: 200_003}}, Options{})
	require.NoError(t, err)
	finished(t, r)
	i := slices.IndexFunc(r.Messages, func(m workload.Result) bool { return m.ID == 1 })
	ideal := 300_001 * 8 * 1000 / 100 // at 100 Gb/s, in picoseconds
	require.Less(
		t, r.Messages[i].Latency(), int64(ideal)*12/10,
		"a lone large message runs at line rate but for its framing and the slack",
	)
}

// Circuits that end at different times starve a message between their ends: when its source is free its destination is
// not, and each is taken again at once by the message that it just served. This is the paper's algorithm (§3.1.1, steps
// 2 to 5), in which a message is eligible only while both are free, and priority does not help. It is why Figure 8b
// does not come out.
func TestStarvationBetweenCircuits(t *testing.T) {
	latency := func(offset int64) int64 {
		r, err := Run(t.Context(), Config{Nodes: 4, Lanes: 4, Equalise: true}, []workload.Message{
			{ID: 1, Type: workload.Read, Source: 0, Dest: 2, Bytes: 61_440},
			{ID: 2, Type: workload.Read, Source: 1, Dest: 3, Bytes: 61_440, Start: offset},
			{ID: 3, Type: workload.Read, Source: 1, Dest: 2, Bytes: 64, Start: 2_000_000},
		}, Options{})
		require.NoError(t, err)
		finished(t, r)
		return r.Messages[2].Latency()
	}
	const chunk = 36 * 640 // picoseconds: 34 blocks and the slack
	require.Less(t, latency(0), int64(500_000), "circuits in step: the short message goes at their next end")
	require.Greater(t, latency(chunk/2), int64(3_000_000), "half a chunk apart: it waits until a long message is done")
}

// A run knows how many requests there will be, and makes each table with an entry for each once, of that size.
func TestRequestsAreCountedBeforeTheyAreMade(t *testing.T) {
	messages := []workload.Message{
		{ID: 0, Type: workload.Read, Source: 0, Dest: 1, Bytes: 3*MostPiece + 1},
		{ID: 1, Type: workload.Write, Source: 2, Dest: 0, Bytes: MostPiece, Start: 1000},
		{ID: 2, Type: workload.CompareSwap, Source: 2, Dest: 1, Bytes: 8, Start: 2000},
		{ID: 3, Type: workload.Read, Source: 0, Dest: 2, Bytes: MostPiece - 1, Start: 3000},
	}
	requests := []int{5, 0, 2}
	_, err := Run(
		t.Context(),
		Config{Nodes: 3, Lanes: 4, Memory: 1 << 17, Local: 1 << 18},
		messages,
		Options{Watch: func(w Watched) error {
			n, a := w.Network, w.Roots[0].(*account)
			for host, want := range requests {
				r := n.Hosts[host].App.Requests
				require.Equal(t, []int{want, want}, []int{len(r), cap(r)}, "host %d", host)
			}
			require.Equal(t, []int{7, 7}, []int{len(a.of), cap(a.of)})
			require.Equal(t, []int{7, 7}, []int{len(a.completed), cap(a.completed)})
			orders := a.Result.Monitor.orders
			require.Equal(t, []int{7, 7}, []int{len(orders), cap(orders)})
			return nil
		}},
	)
	require.NoError(t, err)
}
