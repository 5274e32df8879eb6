package edm_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/designs/edm"
	"github.com/goldwire/goldwire/pqueue"
	"github.com/goldwire/goldwire/rtl"
)

// senders notify as they please, within their limit, and check their grants.
type senders struct {
	Notify []rtl.Out[edm.Notification]
	Grant  []rtl.In[edm.Grant]

	next func(source int) edm.Notification
	seen func(source int, g edm.Grant)
	now  uint64 // edges
}

func (s *senders) Reset() {
	for i := range s.Notify {
		s.Notify[i].Set(edm.Notification{})
	}
}

func (s *senders) Tick() {
	s.now++
	for i := range s.Notify {
		if g := s.Grant[i].Get(); g.Valid {
			s.seen(i, g)
		}
		s.Notify[i].Set(s.next(i))
	}
}

// rack joins senders and a scheduler.
func rack(t *testing.T, mode rtl.Mode, cfg edm.SchedulerConfig) (*rtl.Clock, *senders, *edm.Scheduler) {
	t.Helper()
	x, err := edm.NewScheduler(cfg)
	require.NoError(t, err)
	s := &senders{Notify: make([]rtl.Out[edm.Notification], cfg.Ports), Grant: make([]rtl.In[edm.Grant], cfg.Ports)}
	sim := rtl.New(rtl.Config{Mode: mode, Seed: 1, Workers: 2})
	clk := sim.Clock("clk", clock.MHz(3000))
	scope := sim.Scope("rack").On(clk)
	scope.Add("senders", s)
	scope.Add("scheduler", x)
	for i := range cfg.Ports {
		rtl.Connect(&s.Notify[i], &x.Notify[i])
		rtl.Connect(&x.Grant[i], &s.Grant[i])
	}
	require.NoError(t, sim.Elaborate())
	return clk, s, x
}

func cyclesOf(bytes int, _ bool) int { return max(5, (bytes+7)/8) }

// A lone notification is granted 5 cycles after it stood at the input: insert 2, iteration 3 (EDM Table 1).
func TestALoneNotificationIsGrantedInFiveCycles(t *testing.T) {
	for start := uint64(1); start < 8; start++ { // whenever it comes
		clk, s, _ := rack(t, rtl.Strict, edm.SchedulerConfig{Ports: 4, Active: 3, Chunk: 64, Busy: cyclesOf})
		var sent, granted uint64
		s.next = func(source int) edm.Notification {
			if source == 2 && s.now == start {
				return edm.Notification{Valid: true, Source: 2, Dest: 1, ID: 7, Bytes: 64}
			}
			return edm.Notification{}
		}
		s.seen = func(int, edm.Grant) {}
		for range 30 {
			require.NoError(t, clk.Run(1))
			if s.Notify[2].Get().Valid {
				sent = clk.Cycle()
			}
			if g := s.Grant[2].Get(); g.Valid {
				granted = clk.Cycle()
				require.Equal(t, edm.Grant{Valid: true, Dest: 1, ID: 7, Bytes: 64, First: true, Last: true}, g)
			}
		}
		require.Equal(t, start, sent)
		require.EqualValues(t, 5, granted-sent)
	}
}

// Under random load: one source a destination at any time, no port in two circuits, every byte granted once, and the
// messages of a pair in order; the same in all modes.
func TestSchedulerInvariants(t *testing.T) {
	for policy, release := range map[edm.Policy]edm.Release{edm.SRPT: edm.ReleaseByPort, edm.FCFS: edm.ReleaseBySlot} {
		for _, mode := range []rtl.Mode{rtl.Fast, rtl.Strict, rtl.Parallel} {
			const ports, active, chunk = 9, 3, 64
			clk, s, x := rack(
				t, mode,
				edm.SchedulerConfig{Ports: ports, Active: active, Chunk: chunk, Policy: policy, Release: release, Busy: cyclesOf},
			)
			type key struct {
				source int
				dest   uint16
				id     uint8
			}
			var rngs []*rand.Rand
			for i := range ports {
				rngs = append(rngs, rand.New(rand.NewPCG(7, uint64(i))))
			}
			left := map[key]int{}
			open := map[[2]int]int{}      // messages of a pair
			order := map[[2]int][]uint8{} // their IDs, the oldest first
			srcFree, dstFree := make([]uint64, ports), make([]uint64, ports)
			ids := make([]uint8, ports)
			messages, finished, stop := 0, 0, false
			s.next = func(source int) edm.Notification {
				rng := rngs[source]
				if stop || rng.IntN(30) > 0 {
					return edm.Notification{}
				}
				dest := rng.IntN(ports)
				if open[[2]int{source, dest}] == active {
					return edm.Notification{}
				}
				open[[2]int{source, dest}]++
				ids[source]++
				n := edm.Notification{
					Valid: true, Source: uint16(source), Dest: uint16(dest), ID: ids[source],
					Bytes: uint16(1 + rng.IntN(300)),
				}
				left[key{source, n.Dest, n.ID}] = int(n.Bytes)
				order[[2]int{source, dest}] = append(order[[2]int{source, dest}], n.ID)
				messages++
				return n
			}
			s.seen = func(source int, g edm.Grant) {
				k := key{source, g.Dest, g.ID}
				require.Positive(t, left[k], "granted, but not asked for: %+v", k)
				pair := [2]int{source, int(g.Dest)}
				require.Equal(t, order[pair][0], g.ID, "messages of a pair are served in order")
				if g.Last {
					order[pair] = order[pair][1:]
				}
				left[k] -= int(g.Bytes)
				require.GreaterOrEqual(t, left[k], 0)
				require.Equal(t, left[k] == 0, g.Last)
				now := s.now
				require.LessOrEqual(t, srcFree[source], now, "source %d is busy", source)
				require.LessOrEqual(t, dstFree[g.Dest], now, "destination %d is busy", g.Dest)
				srcFree[source], dstFree[g.Dest] = now+uint64(cyclesOf(int(g.Bytes), false)),
					now+uint64(cyclesOf(int(g.Bytes), false))
				if g.Last {
					delete(left, k)
					open[[2]int{source, int(g.Dest)}]--
					finished++
				}
			}
			require.NoError(t, clk.Run(6000))
			stop = true
			require.NoError(t, clk.Run(20_000))
			require.Greater(t, messages, 1200)
			require.Equal(t, messages, finished, "nothing is lost")
			require.Empty(t, left)
			require.Zero(t, x.Refused.Get())
		}
	}
}

// With all demand there at once and circuits that last, grants come every 3 cycles until the matching is maximal.
func TestSchedulerReachesAMaximalMatching(t *testing.T) {
	for _, ports := range []int{2, 16, 144} {
		rng := rand.New(rand.NewPCG(uint64(ports), 3))
		d := pqueue.NewDemand(ports)
		for dest := range ports {
			for source := range ports {
				if rng.Float64() < 0.3 {
					d[dest].Set(source)
				}
			}
		}
		var lists [][]int // of each source: its destinations
		for source := range ports {
			var dests []int
			for dest := range ports {
				if d[dest].Has(source) {
					dests = append(dests, dest)
				}
			}
			rng.Shuffle(len(dests), func(i, j int) { dests[i], dests[j] = dests[j], dests[i] })
			lists = append(lists, dests)
		}
		m := pqueue.NewMatching(ports)
		var first, last uint64
		clk, s, x := rack(
			t, rtl.Fast,
			edm.SchedulerConfig{Ports: ports, Active: 1, Chunk: 1, Busy: func(int, bool) int { return 1 << 30 }},
		)
		s.seen = func(source int, g edm.Grant) {
			require.Negative(t, m.SourceOf[g.Dest])
			require.Negative(t, m.DestOf[source])
			m.SourceOf[g.Dest], m.DestOf[source] = int32(source), int32(g.Dest)
			if first == 0 {
				first = s.now
			}
			last = s.now
		}
		s.next = func(source int) edm.Notification {
			if len(lists[source]) == 0 {
				return edm.Notification{}
			}
			dest := lists[source][0]
			lists[source] = lists[source][1:]
			return edm.Notification{Valid: true, Source: uint16(source), Dest: uint16(dest), Bytes: uint16(1 + rng.IntN(1000))}
		}
		require.NoError(t, clk.Run(uint64(20*ports+100)))
		require.NoError(t, m.Check(d))
		for dest, source := range m.SourceOf {
			if source < 0 {
				for s := range ports {
					require.False(t, d[dest].Has(s) && m.DestOf[s] < 0, "%d → %d could be added", s, dest)
				}
			}
		}
		require.Zero(t, x.Refused.Get())
		require.GreaterOrEqual(t, last, first)
	}
}

func TestSchedulerRefuses(t *testing.T) {
	clk, s, x := rack(
		t, rtl.Strict, edm.SchedulerConfig{Ports: 3, Active: 2, Chunk: 64, Busy: func(int, bool) int { return 1000 }},
	)
	sends := []edm.Notification{
		{
			Valid: true, Dest: 1, ID: 1, Bytes: 100,
		}, {Valid: true, Dest: 1, ID: 2, Bytes: 100}, {Valid: true, Dest: 1, ID: 3, Bytes: 100}, // one too many
		{Valid: true, Dest: 3, ID: 4, Bytes: 1}, {Valid: true, Dest: 2, ID: 5}, // no such port, no bytes
	}
	s.seen = func(int, edm.Grant) {}
	s.next = func(source int) edm.Notification {
		if source != 0 || len(sends) == 0 {
			return edm.Notification{}
		}
		n := sends[0]
		sends = sends[1:]
		return n
	}
	require.NoError(t, clk.Run(20))
	require.EqualValues(t, 3, x.Refused.Get())
	for _, cfg := range []edm.SchedulerConfig{
		{Ports: 0, Active: 1, Chunk: 1, Busy: cyclesOf}, {Ports: 1025, Active: 1, Chunk: 1, Busy: cyclesOf},
		{Ports: 1, Chunk: 1, Busy: cyclesOf},
		{Ports: 1, Active: 1, Busy: cyclesOf}, {Ports: 1, Active: 1, Chunk: 1},
		{Ports: 1, Active: 1, Chunk: 8, Busy: func(int, bool) int { return 4 }},
	} {
		_, err := edm.NewScheduler(cfg)
		require.Error(t, err)
	}
}

// Once each pair has had a notification there is memory for all of them.
func TestSchedulerDoesNotAllocate(t *testing.T) {
	clk, s, _ := rack(t, rtl.Fast, edm.SchedulerConfig{Ports: 16, Active: 3, Chunk: 64, Busy: cyclesOf})
	rng := rand.New(rand.NewPCG(1, 1))
	s.seen = func(int, edm.Grant) {}
	s.next = func(source int) edm.Notification {
		return edm.Notification{
			Valid: rng.IntN(20) == 0, Source: uint16(source), Dest: uint16(rng.IntN(16)), Bytes: uint16(1 + rng.IntN(500)),
		}
	}
	require.NoError(t, clk.Run(4000))
	require.Zero(t, testing.AllocsPerRun(5, func() { _ = clk.Run(500) }))
}
