package edm

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/workload"
)

// A fault after the last message has come is seen between two runs of the clock like any other: a write that arrives
// once more.
func TestTheLastCyclesAreLookedAt(t *testing.T) {
	var violated func() bool
	seen := false
	r, err := Run(
		t.Context(),
		Config{Nodes: 3, Memory: 8192},
		[]workload.Message{{ID: 2, Type: workload.Write, Source: 0, Dest: 1, Bytes: 100}},
		Options{
			Prepare: func(n *Network) {
				again := n.Hosts[0].App.Requests[0]
				again.Cycle += 400
				n.Hosts[0].App.Requests = append(n.Hosts[0].App.Requests, again)
			},
			Watch:   func(w Watched) error { violated = w.Violated; return nil },
			Between: func() error { seen = seen || violated(); return nil },
		},
	)
	require.NoError(t, err)
	require.True(t, r.Messages[0].Finished)
	require.Contains(t, r.Monitor.Violations[0], "host 1 has WREQ of host 0 that nobody sent")
	require.True(t, seen)
}

// What the monitor has to see, brought about one at a time in a network of its own: a check that never fails checks
// nothing.
func TestMonitorSees(t *testing.T) {
	read := workload.Message{ID: 1, Type: workload.Read, Source: 0, Dest: 1, Bytes: 100}
	write := workload.Message{ID: 2, Type: workload.Write, Source: 0, Dest: 1, Bytes: 100}
	swap := workload.Message{ID: 3, Type: workload.CompareSwap, Source: 0, Dest: 1, Bytes: 1}
	both := []workload.Message{read, write}
	flip := func(p *pages, from int) {
		for a := uint64(from); a < uint64(p.bytes); a += 8 {
			p.write(a, p.word(a)^0x0101010101010101, 8)
		}
	}
	for _, c := range []struct {
		name     string
		messages []workload.Message
		spoil    func(*Network)
		want     []string
	}{
		{"nothing is wrong", []workload.Message{read, write, swap}, func(*Network) {}, nil},
		{"a memory has other bytes", both, func(n *Network) { flip(&n.Hosts[1].Memory.changed, 0) },
			[]string{"host 0 has RRES of host 1 for address 0x0: ", "the memory of host 1 differs from the oracle"}},
		{"a memory's last byte changes", both,
			func(n *Network) { n.Hosts[1].Memory.changed.write(uint64(n.Config.Memory-8), 1<<56, 8) },
			[]string{"the memory of host 1 differs from the oracle"}},
		{"a lock is taken", []workload.Message{swap}, func(n *Network) { n.Hosts[1].Memory.changed.write(8*swap.ID, 1, 1) },
			[]string{"host 0 has RRES of host 1 for address 0x0: "}},
		{"other bytes are written", both,
			func(n *Network) { n.Hosts[0].Tx.Buffer = func(a uint64) uint64 { return Pattern(a) ^ 1<<63 } },
			[]string{"host 1 has WREQ of host 0 for address "}},
		{"something is written to the local memory", both,
			func(n *Network) { n.Hosts[0].Memory.local.write(uint64(n.Config.Local-8), 1<<56, 8) },
			[]string{"the local memory of host 0 has not what it asked for"}},
		{"another address is read", both, func(n *Network) { n.Hosts[0].App.Requests[0].Address ^= 8 },
			[]string{"memory node 1 is asked for 100 bytes at "}},
		{"fewer bytes are read", both, func(n *Network) { n.Hosts[0].App.Requests[0].Bytes = 60 },
			[]string{"memory node 1 is asked for 60 bytes at ", "pair 0, 1: 1 reads and 0 writes have not come"}},
		{"another value is swapped", []workload.Message{swap}, func(n *Network) { n.Hosts[0].App.Requests[0].Second ^= 1 },
			[]string{"memory node 1 is asked for "}},
		{"another place is written", both, func(n *Network) { n.Hosts[0].App.Requests[1].Address ^= 8 },
			[]string{"host 1 has WREQ of host 0 for address "}},
		{"a place outside of the memory is written", both, func(n *Network) { n.Hosts[0].App.Requests[1].Address = 1 << 30 },
			[]string{"host 1 was asked for 13 places outside of its memory"}},
		{"a read is left out", both, func(n *Network) { n.Hosts[0].App.Requests = n.Hosts[0].App.Requests[1:] },
			[]string{"pair 0, 1: 1 reads and 0 writes have not come", "request 0 is not completed"}},
		{"a write is left out", both, func(n *Network) { n.Hosts[0].App.Requests = n.Hosts[0].App.Requests[:1] },
			[]string{"pair 0, 1: 0 reads and 1 writes have not come", "request 1 is not completed"}},
		{"two reads and three writes are left out", []workload.Message{read, read, write, write, write},
			func(n *Network) { n.Hosts[0].App.Requests = nil },
			[]string{"pair 0, 1: 2 reads and 3 writes have not come"}},
		{"a read is asked twice", both, func(n *Network) {
			n.Hosts[0].App.Requests = append(n.Hosts[0].App.Requests, n.Hosts[0].App.Requests[0])
		},
			[]string{"memory node 1 is asked by host 0, which asked for nothing", "host 0 has RRES of host 1 that nobody sent",
				"request 0 is completed twice"}},
		{"a write is sent twice", both, func(n *Network) {
			n.Hosts[0].App.Requests = append(n.Hosts[0].App.Requests, n.Hosts[0].App.Requests[1])
		},
			[]string{"host 1 has WREQ of host 0 that nobody sent", "request 1 is completed twice"}},
		{"circuits end before their chunks", []workload.Message{{ID: 1, Type: workload.Write, Source: 0, Dest: 2, Bytes: 256},
			{ID: 2, Type: workload.Write, Source: 1, Dest: 2, Bytes: 256}},
			func(n *Network) { n.Scheduler.Config.Busy = func(int, bool) int { return 12 } },
			[]string{"→ 2 while one of them is in a circuit", "blocks wait in the crossbar for a taken egress"}},
		{"a source is granted again in its chunk",
			[]workload.Message{{ID: 1, Type: workload.Write, Source: 0, Dest: 1, Bytes: 256},
				{ID: 2, Type: workload.Write, Source: 0, Dest: 2, Bytes: 256}},
			func(n *Network) { n.Scheduler.Config.Busy = func(int, bool) int { return 20 } },
			[]string{"→ 2 while one of them is in a circuit"}},
		{"a memory node reads from another place", both,
			func(n *Network) { respond(n, func(r *response) { r.address ^= 64 }) },
			[]string{"memory node 1 reads "}},
		{"a memory node gives the result of another operation", []workload.Message{swap},
			func(n *Network) { respond(n, func(r *response) { r.address ^= 1 }) },
			[]string{"memory node 1 reads 0x1 for host 0, want 0x0 (atomic: true, want true)"}},
		{"a memory node gives a word for a result", []workload.Message{swap},
			func(n *Network) { respond(n, func(r *response) { r.atomic = false }) },
			[]string{"memory node 1 reads 0x0 for host 0, want 0x0 (atomic: false, want true)"}},
		{"more is asked than there is room for", both, func(n *Network) { n.Ports[0].Mux.lost, n.Hosts[1].Tx.lost = 3, 2 },
			[]string{"the multiplexers between node 0 and switch 0 lost 3 blocks", "host 1 had no room for 2 grants"}},
	} {
		r, err := Run(t.Context(), Config{Nodes: 3, Memory: 8192}, c.messages, Options{Prepare: c.spoil, Limit: 5_000_000})
		require.NoError(t, err)
		all := strings.Join(r.Monitor.Violations, "\n")
		if c.want == nil {
			require.Zero(t, r.Monitor.Count, all)
		}
		for _, w := range c.want {
			require.Contains(t, all, w, c.name)
		}
		require.Equal(t, min(r.Monitor.Count, mostViolations), len(r.Monitor.Violations))
	}
}

// respond changes the first response that node 1 is about to give to node 0.
func respond(n *Network, change func(*response)) {
	done := false
	n.Sim.Observe(observer(func(rtl.Edges) {
		if r := n.Hosts[1].Tx.responses.look(0); !done && r.left > 0 {
			change(r)
			done = true
		}
	}))
}

// What the monitor's eyes find is told in the order of its cycles, whichever island was run first or beside another.
func TestModesFindTheSameViolations(t *testing.T) {
	var want []string
	for _, mode := range modes {
		r, err := Run(t.Context(), Config{Nodes: 3, Memory: 8192, Sim: mode}, []workload.Message{
			{
				ID: 1, Type: workload.Write, Source: 0, Dest: 2, Bytes: 256,
			}, {ID: 2, Type: workload.Write, Source: 1, Dest: 2, Bytes: 256},
			{ID: 3, Type: workload.Read, Source: 2, Dest: 0, Bytes: 100}},
			Options{Limit: 5_000_000, Prepare: func(n *Network) {
				n.Scheduler.Config.Busy = func(int, bool) int { return 12 } // found at the switch
				n.Hosts[0].Tx.Buffer = func(a uint64) uint64 { return ^Pattern(a) }
			}})
		require.NoError(t, err)
		if want == nil {
			want = r.Monitor.Violations
		}
		require.Equal(t, want, r.Monitor.Violations)
	}
	for _, found := range []string{"while one of them is in a circuit", "host 2 has WREQ of host 0"} {
		require.Contains(t, strings.Join(want, "\n"), found)
	}
}

// The monitor finds the same whether a host's eye is called at the edges of that host or, where there are timers, at a
// faster scheduler's too.
func TestEyesOnTheWholeNetwork(t *testing.T) {
	var want *Result
	for _, timeout := range []string{"0s", "1ms"} {
		r, err := Run(
			t.Context(), Config{Nodes: 4, Lanes: 4, Timeout: clock.MustTime(timeout), Slack: SlackRMW},
			mixed(5, 4, 60, 300, 3000), Options{},
		)
		require.NoError(t, err)
		require.True(t, r.Monitor.hosts[0].alike)
		require.NotEqual(t, r.Monitor.n.Clock, r.Monitor.n.SchedulerClock)
		finished(t, r)
		if want == nil {
			want = r
		}
		require.Equal(t, want.Messages, r.Messages)
	}
}

// Where messages may be lost, each word is of the message whose place it names, whichever of the pair's others are
// still under way.
func TestWordsOfLossyLinks(t *testing.T) {
	n, err := NewNetwork(Config{Nodes: 2, Memory: 8192})
	require.NoError(t, err)
	var told []uint32
	m := newMonitor(n, true, func(_ int, tag uint32, _ int64) { told = append(told, tag) })
	for tag := range uint32(4) {
		m.add(0, Request{Kind: WREQ, Dest: 1, Address: uint64(64 * tag), Local: uint64(tag) << 20, Bytes: 16, Tag: tag})
	}
	for tag := uint32(4); tag < 8; tag++ {
		m.add(0, Request{Kind: RREQ, Dest: 1, Address: uint64(64 * tag), Local: uint64(32 * tag), Bytes: 16, Tag: tag})
	}
	for _, tag := range []uint64{1, 0, 3} {
		for at := uint64(0); at < 16; at += 8 {
			m.hosts[1].word(
				Word{Kind: WREQ, Source: 0, Address: 64*tag + at, Data: Pattern(tag<<20 + at), Bytes: 8},
				n.Hosts[1].TxClock,
			)
		}
	}
	m.hosts[0].abandon(5)
	for _, tag := range []uint64{6, 4, 7} {
		for at := uint64(0); at < 16; at += 8 {
			m.expected[1].add(0, readPlace{address: 64*tag + at}, 1000*tag+at)
			m.hosts[0].word(Word{Kind: RRES, Source: 1, Address: 32*tag + at, Data: 1000*tag + at, Bytes: 8}, n.Hosts[0].TxClock)
		}
	}
	require.Equal(t, []uint32{1, 0, 3, 6, 4, 7}, told)
	require.Equal(t, orderNumber(3), m.asked[1*2+0].writes) // tag 2
	require.Zero(t, m.after(3))
	require.Zero(t, m.reads[0*2+1])
	for _, w := range m.hosts {
		require.Equal(t, [3]int{}, [3]int{w.count, w.stray, w.corrupted})
	}
}

// A read that is given up before its request comes to the memory node is still the expected one, and the next one after
// it.
func TestRequestsOfAReadThatWasGivenUp(t *testing.T) {
	n, err := NewNetwork(Config{Nodes: 2, Memory: 8192})
	require.NoError(t, err)
	m := newMonitor(n, false, nil)
	ask := func(tag uint32) {
		m.add(0, Request{Kind: RREQ, Dest: 1, Address: uint64(64 * tag), Bytes: 16, Tag: tag})
	}
	ask(0)
	m.hosts[0].abandon(0)
	ask(1)
	come := func(tag uint64) {
		m.hosts[1].request(
			Event{Valid: true, Request: true, Header: Header{Kind: RREQ, Source: 0, Dest: 1, Bytes: 16}, Address: 64 * tag},
		)
	}
	read := func(address uint64) {
		m.hosts[1].served(Header{Kind: RRES, Source: 1, Dest: 0}, MemoryRead{Valid: true, Address: address})
	}
	come(0)
	come(1)
	read(0)
	read(8)
	read(64)
	read(72)
	ask(2) // when no request is under way
	ask(3)
	m.hosts[0].abandon(2) // two, one right after the other
	m.hosts[0].abandon(3)
	ask(4)
	for tag := uint64(2); tag < 5; tag++ {
		come(tag)
	}
	for address := uint64(128); address < 256; address += 64 {
		read(address)
		read(address + 8)
	}
	read(256)
	require.Empty(t, m.hosts[1].violations)
	read(256)
	require.Equal(
		t, "memory node 1 reads 0x100 for host 0, want 0x108 (atomic: false, want false)", m.hosts[1].violations[0].text,
	)
	m.hosts[1].request(Event{Valid: true, Request: true, Header: Header{Kind: RREQ, Source: 2, Dest: 1, Bytes: 16}})
	require.Equal(t, "memory node 1 is asked by host 2, which is not there", m.hosts[1].violations[1].text)
	require.Equal(t, orderNumber(2), m.reads[0*2+1], "tag 1")
}

// A word of a response is looked for among the words that the memory read for it, and takes the earlier ones with it.
func TestWordsThatAMemoryRead(t *testing.T) {
	q := &readQueue{named: true, by: newSlots[readWords](2)}
	at := func(address uint64) func(readPlace) bool {
		return func(r readPlace) bool { return r.address == address }
	}
	require.Zero(t, q.take(1, nil))
	require.Zero(t, q.take(1, at(8)))
	for a := uint64(8); a <= 40; a += 8 {
		q.add(1, readPlace{address: a}, a+1)
	}
	require.Zero(t, q.take(0, nil), "read for another")
	require.EqualValues(t, 9, q.take(1, nil))
	require.Zero(t, q.take(1, at(8)), "taken before")
	require.EqualValues(t, 25, q.take(1, at(24)))
	require.EqualValues(t, 33, q.take(1, nil))
	require.EqualValues(t, 41, q.take(1, at(40)))
	require.Zero(t, q.take(1, nil))
	for a := uint64(8); a <= 800; a += 8 { // never empty: taken words are dropped now and then
		q.add(1, readPlace{address: a}, a+1)
		if a > 8 {
			require.Equal(t, a-7, q.take(1, at(a-8)))
		}
	}
	require.EqualValues(t, 801, q.take(1, at(800)))
}

// A run that its limit cuts off says so first, and does not blame memories for messages that are still under way. Where
// links lose messages some never end: nothing is said of these, and a memory that has other bytes is found.
func TestRunThatIsCutOff(t *testing.T) {
	messages := make([]workload.Message, 64)
	for i := range messages {
		messages[i] = workload.Message{ID: uint64(i), Type: workload.Write, Source: 0, Dest: 1, Bytes: 4096}
	}
	o := Options{Limit: 4_000_000}
	r, err := Run(t.Context(), Config{Nodes: 2, Memory: 8192}, messages, o)
	require.NoError(t, err)
	require.NotEmpty(t, r.Monitor.Violations)
	require.Regexp(t, `^cycle \d+: the run ended before \d+ of 64 messages$`, r.Monitor.Violations[0])
	for _, v := range r.Monitor.Violations {
		require.NotContains(t, v, "the memory of host")
	}

	o.Lossy, o.Prepare = true, func(n *Network) { require.NoError(t, n.KillNode(1, WarmUp)) }
	r, err = Run(t.Context(), Config{Nodes: 2, Memory: 8192}, messages, o)
	require.NoError(t, err)
	require.Empty(t, r.Monitor.Violations)
	o.Prepare = func(n *Network) {
		require.NoError(t, n.KillNode(1, WarmUp))
		n.Hosts[0].Memory.changed.write(0, 1, 8)
	}
	r, err = Run(t.Context(), Config{Nodes: 2, Memory: 8192}, messages, o)
	require.NoError(t, err)
	require.Len(t, r.Monitor.Violations, 1)
	require.Contains(t, r.Monitor.Violations[0], "the memory of host 0 differs from the oracle")
}
