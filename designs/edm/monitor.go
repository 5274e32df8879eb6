package edm

import (
	"math"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
)

// Monitor watches a network at every instant and checks what EDM promises (§3.1.1):
//
//   - a matching: no grant to a source or a destination whose last chunk, at line rate, has not passed;
//   - no queueing of data in the switch: no two ingresses have data for one egress;
//   - a memory is asked for what the application asked for, and reads that, for each pair in order;
//   - messages of a pair arrive whole, in order, once, with the bytes that were sent;
//   - memories equal a sequential oracle, to which every write, read and atomic operation goes in the order of the
//     memory's port;
//   - nothing is dropped or refused, and no buffer overflows.
type Monitor struct {
	Violations []string // the first ones
	Count      int      // of them all

	// Greatest numbers of blocks that waited in the switch: data that met data of another ingress, data that gave way to
	// control blocks or frames, and control blocks (/G/ and requests) that waited for the line.
	MostMeeting, MostData, MostControl int
	// Stray counts words of messages that nobody waits for: responses to reads that had timed out.
	Stray int
	// Corrupted counts words that arrived otherwise than they were sent, where links have errors.
	Corrupted int

	n            *Network
	hosts        []*hostWatch
	switches     []*switchWatch
	ports        []*portWatch
	last         findings   // of the end
	freeS, freeD [][]uint64 // by switch: when its scheduler may grant again, in cycles of the scheduler
	// by responder and requester: each eye has a row to look at, and no other eye looks at it
	asked    []askedOrders
	reads    []orderNumber         // by requester and responder: the first read that is not over
	newest   []slots[newestOrders] // by requester, then by responder
	expected []*readQueue          // by memory node
	orders   []order               // by tag
	operands [][2]uint64           // of atomic operations
	shadow   []memoryOracle
	period   int64                                         // picoseconds
	phases   []int64                                       // by clock
	finished func(host int, tag uint32, picoseconds int64) `state:"none"` // the run knows its changes
	lossy    bool                                          // links fail: a loss is no violation
}

// newMonitor watches a network from now on. Finished, if not nil, is told of each request whose last byte has come to a
// host, and when.
func newMonitor(n *Network, lossy bool, finished func(host int, tag uint32, picoseconds int64)) *Monitor {
	nodes := n.Config.Nodes
	m := &Monitor{n: n, shadow: make([]memoryOracle, nodes),
		asked: make([]askedOrders, nodes*nodes), reads: make([]orderNumber, nodes*nodes),
		newest: make([]slots[newestOrders], nodes),
		period: BlockPicoseconds / int64(n.Config.Lanes), finished: finished, lossy: lossy}
	for _, c := range n.Sim.Clocks() {
		phase, _ := n.Sim.Schedule().Time(c.Index(), 0).In(clock.MustTime("1ps")).Float64()
		m.phases = append(m.phases, int64(math.Round(phase)))
	}
	for range n.Switches {
		m.freeS, m.freeD = append(m.freeS, make([]uint64, nodes)), append(m.freeD, make([]uint64, nodes))
	}
	for i := range m.shadow {
		m.newest[i] = newSlots[newestOrders](nodes)
		m.expected = append(
			m.expected,
			&readQueue{shared: n.Config.Sim.Mode == rtl.Parallel, named: lossy, by: newSlots[readWords](nodes)},
		)
		m.shadow[i] = memoryOracle{newOracleBytes(n.Config.Memory), newOracleBytes(n.Config.Local), map[int]uint64{}}
	}
	m.watch()
	return m
}

// BlockPicoseconds is a block of 25 Gb/s: 66 bits at 25.78125 Gb/s.
const BlockPicoseconds = 2560

// hostWatch is the monitor's eye on a host, which looks at nothing else and counts the edges of its clocks itself: so
// the host may be run ahead of the rest.
type hostWatch struct {
	findings
	m      *Monitor
	i      int
	h      *Host
	tx, rx uint64
	alike  bool // both sides have one clock
	alone  bool // it is called at the edges of that clock alone
}

// Observe checks one instant of the host.
func (w *hostWatch) Observe(edges rtl.Edges) {
	h := w.h
	tx := w.alone || edges.Has(h.TxClock)
	if tx {
		w.tx++
		w.now = w.tx
		if h.Memory.Written.Get() || h.Memory.Arrived.Get() || h.Memory.Read.Get().Valid {
			w.memory()
		}
		if c := h.Tx.Done.Get(); c.Valid && c.Null {
			w.abandon(c.Tag)
		}
		if h.Merge != nil && h.Merge.FirstWritten.Get() {
			w.word(h.Merge.FirstWord.Get(), h.TxClock)
		}
	}
	if w.alike && tx || !w.alike && edges.Has(h.RxClock) {
		w.rx++
		if h.Merge == nil && h.Rx.PushWord.Get() {
			w.now = w.rx
			w.word(h.Rx.Word.Get(), h.RxClock)
		}
	}
}

// switchWatch is the monitor's eye on a switch.
type switchWatch struct {
	findings
	m                *Monitor
	k                int
	f                *Switching
	scheduler, ports uint64
}

// Observe checks one instant of the switch.
func (w *switchWatch) Observe(edges rtl.Edges) {
	m := w.m
	ports := edges.Has(m.n.Clock)
	if ports {
		w.ports++
	}
	w.now = w.ports // of blocks, at the scheduler's edges between them too
	if edges.Has(m.n.SchedulerClock) {
		w.scheduler++
		w.grants(w.f.Scheduler, w.scheduler, m.freeS[w.k], m.freeD[w.k])
	}
	if n := int(w.f.Crossbar.Waiting.Get()); ports && n > w.meeting {
		w.meeting = n
		w.violated("%d blocks wait in the crossbar for a taken egress", n)
	}
}

// portWatch is the monitor's eye on the blocks that wait for a line of a switch.
type portWatch struct {
	findings
	mux *TxMux
}

// Observe looks at one instant of the port.
func (w *portWatch) Observe(rtl.Edges) {
	if n := w.mux.WaitingData(); n > w.data {
		w.data = n
	}
	if n := w.mux.WaitingControl(); n > w.control {
		w.control = n
	}
}

// watch puts the monitor's eyes on a network that has had no edge yet.
//
// The monitor keeps them, so that a checkpoint of it has their counts. They may look at the same time. What two of them
// share are the queues of words that a memory has read: one adds, the other takes entries of a window of islands ago or
// earlier. Networks that lose messages or give them up run in lockstep, since there both ends of a message decide when
// it ends.
func (m *Monitor) watch() {
	n := m.n
	add := n.Sim.Watch
	whole := m.lossy || n.Config.Timeout.Cmp(clock.Time{}) > 0
	if whole {
		add = func(o rtl.Observer, _ ...rtl.Module) { n.Sim.Observe(o) }
	}
	for k, f := range n.Switches {
		w := &switchWatch{m: m, k: k, f: f}
		m.switches = append(m.switches, w)
		add(w, f.Scheduler, f.Crossbar)
		for _, p := range f.Ports {
			w := &portWatch{mux: &p.Mux}
			m.ports = append(m.ports, w)
			add(w, w.mux)
		}
	}
	for i, h := range n.Hosts {
		modules := []rtl.Module{&h.Tx, &h.Memory, &h.Rx}
		if h.Merge != nil {
			modules = append(modules, h.Merge)
		}
		w := &hostWatch{m: m, i: i, h: h, alike: h.TxClock == h.RxClock, alone: h.TxClock == h.RxClock && !whole}
		m.hosts = append(m.hosts, w)
		add(w, modules...)
	}
}

// grants checks that grants are a matching, at a cycle of the scheduler.
func (w *switchWatch) grants(s *Scheduler, now uint64, freeS, freeD []uint64) {
	grant := s.Grant // a loop over a local slice does not load it again for each port
	for source := range grant {
		if !grant[source].Get().Valid {
			continue
		}
		g := grant[source].Get()
		if freeS[source] > now || freeD[g.Dest] > now {
			w.violated("grant %d → %d while one of them is in a circuit", source, g.Dest)
		}
		blocks := 2 + int(g.Bytes)/8 // /MS/, the words, /MT/ with the rest of them
		switch {
		case !g.Read:
			blocks++ // the address
		case g.Bytes == 1:
			blocks = 1 // /MST/
		}
		until := now + uint64(blocks*w.m.n.Config.SchedulerRatio)
		freeS[source], freeD[g.Dest] = until, until
	}
}

// memory does on the oracle what the memory will do at its next edge.
func (w *hostWatch) memory() {
	m, h, o := w.m, w.h, &w.m.shadow[w.i]
	if h.Memory.Written.Get() {
		if x := h.Memory.Word.Get(); x.Kind == WREQ && x.Bytes > 0 && o.inside(x.Address) {
			o.write(x.Address, x.Data, int(x.Bytes))
		}
	}
	if h.Memory.Arrived.Get() {
		w.event(h.Memory.Event.Get())
	}
	if r := h.Memory.Read.Get(); r.Valid {
		if !m.lossy {
			w.served(h.Tx.Sending(), r)
		}
		v := uint64(0)
		switch {
		case r.Atomic:
			v = o.results[int(r.Address)]
		case o.inside(r.Address):
			v = o.word(r.Address)
		}
		m.expected[w.i].add(int(h.Tx.Sending().Dest), readPlace{r.Atomic, r.Address}, v)
	}
}

// event does what a request asks of the oracle.
func (w *hostWatch) event(e Event) {
	if !e.Request {
		return
	}
	m, o := w.m, &w.m.shadow[w.i]
	if !m.lossy {
		w.request(e)
	}
	if e.Header.Kind == RMWREQ && o.inside(e.Address) && int(e.Header.Source) < m.n.Config.Nodes &&
		int(e.Header.ID) < m.n.Config.Active {
		next, result := oracleOperation(e.Operation, o.word(e.Address), e.First, e.Second)
		o.write(e.Address, next, 8)
		o.results[int(e.Header.Source)*m.n.Config.Active+int(e.Header.ID)] = result
	}
}

// request checks that a memory gets the application's request. Requests of a pair come in order.
func (w *hostWatch) request(e Event) {
	m, i := w.m, w.i
	if int(e.Header.Source) >= m.n.Config.Nodes {
		w.violated("memory node %d is asked by host %d, which is not there", i, e.Header.Source)
		return
	}
	p := &m.asked[i*m.n.Config.Nodes+int(e.Header.Source)]
	if p.request == 0 {
		w.violated("memory node %d is asked by host %d, which asked for nothing", i, e.Header.Source)
		return
	}
	want := m.order(p.request)
	p.request = want.next
	same := e.Address == want.address && e.Header.asked() == want.bytes
	if same && want.kind == RMWREQ {
		same = e.Operation == want.operation && [2]uint64{e.First, e.Second} == m.operands[want.operands]
	}
	if !same {
		w.violated("memory node %d is asked for %d bytes at %#x by host %d, which asked for %d at %#x",
			i, e.Header.asked(), e.Address, e.Header.Source, want.bytes, want.address)
	}
}

// served checks that a memory reads what the application asked for: the words of a read one after the other, or the
// result of an atomic operation. Responses of a pair go in the order of their requests.
func (w *hostWatch) served(response Header, r MemoryRead) {
	m, i := w.m, w.i
	p := &m.asked[i*m.n.Config.Nodes+int(response.Dest)]
	if p.serving == 0 { // the request was not asked for, and the words will not be waited for: both are told there
		return
	}
	o := m.order(p.serving)
	want, atomic := o.address+uint64(p.given), o.kind == RMWREQ
	if atomic {
		want = uint64(int(response.Dest)*m.n.Config.Active + int(response.ID))
	}
	if r.Atomic != atomic || r.Address != want {
		w.violated(
			"memory node %d reads %#x for host %d, want %#x (atomic: %t, want %t)", i, r.Address, response.Dest, want,
			r.Atomic, atomic,
		)
	}
	if p.given += 8; p.given >= o.bytes {
		p.serving, p.given = o.next, 0
	}
}

// word checks a delivered piece: at the end of the receive side, or, with mirrored switches, after Merge, 4 cycles
// later.
func (w *hostWatch) word(x Word, clk *rtl.Clock) {
	m, i := w.m, w.i
	if x.Bytes == 0 {
		return
	}
	if int(x.Source) >= m.n.Config.Nodes { // after a bit error
		w.stray++
		return
	}
	var first *orderNumber
	if x.Kind == RRES {
		first = &m.reads[i*m.n.Config.Nodes+int(x.Source)]
	} else {
		first = &m.asked[i*m.n.Config.Nodes+int(x.Source)].writes
	}
	number := *first
	if number == 0 {
		if w.stray++; !m.lossy {
			w.violated("host %d has %v of host %d that nobody sent", i, x.Kind, x.Source)
		}
		return
	}
	if m.lossy { // those before may be lost
		for k := number; k != 0; k = m.after(k) {
			if to, _ := m.order(k).places(); to == x.Address {
				number = k
				break
			}
		}
	}
	o := m.order(number)
	to, from := o.places()
	want := uint64(0)
	if x.Kind == WREQ {
		want = Pattern(from)
	} else {
		want = w.read(int(x.Source), from, o.kind == RMWREQ)
	}
	if x.Bytes < 8 {
		want &= 1<<(8*x.Bytes) - 1
	}
	if wrong := x.Address != to || x.Data != want; wrong && m.lossy {
		w.corrupted++
	} else if wrong {
		w.violated("host %d has %v of host %d for address %#x: %#x, want %#x for %#x", i, x.Kind, x.Source, x.Address, x.Data,
			want, to)
	}
	if x.Kind == RRES {
		m.shadow[i].receive(to, want, int(x.Bytes))
	}
	if o.done += uint16(x.Bytes); o.done < o.bytes {
		return
	}
	m.close(first, number)
	if m.finished != nil {
		m.finished(i, uint32(number-1), int64(w.now)*m.period+m.phases[clk.Index()])
	}
}

// read returns what the oracle of a memory node read for the next word of a response, from an address or for an atomic
// operation.
func (w *hostWatch) read(node int, address uint64, atomic bool) uint64 {
	if !w.m.lossy {
		return w.m.expected[node].take(w.i, nil)
	}
	return w.m.expected[node].take(
		w.i, func(r readPlace) bool { return r.atomic == atomic && (r.atomic || r.address == address) },
	)
}

// abandon forgets a read that has timed out.
func (w *hostWatch) abandon(tag uint32) {
	m, i := w.m, w.i
	for dest := range m.n.Config.Nodes {
		first := &m.reads[i*m.n.Config.Nodes+dest]
		for k := *first; k != 0; k = m.after(k) {
			if k == orderNumber(tag+1) {
				m.close(first, k)
				return
			}
		}
	}
}

// end checks a run that is over. A run that ends before some of its messages is cut off: then memories lack data that
// the oracle expects. Where links lose messages some never end, and memories are compared when all others have.
func (m *Monitor) end(pending, messages int) {
	n := m.n
	m.last.now = n.Clock.Cycle()
	cutOff := pending > 0 && !m.lossy
	if cutOff {
		m.last.violated("the run ended before %d of %d messages", pending, messages)
	}
	for i, h := range n.Hosts {
		if !cutOff && !m.shadow[i].holds(&h.Memory) {
			m.last.violated("the memory of host %d differs from the oracle", i)
		}
		if !m.lossy && !m.shadow[i].holdsLocal(&h.Memory) {
			m.last.violated("the local memory of host %d has not what it asked for", i)
		}
		if faults := h.Memory.Faults.Get(); faults > 0 && !m.lossy {
			m.last.violated("host %d was asked for %d places outside of its memory", i, faults)
		}
	}
	for i, h := range n.Hosts {
		for k, f := range n.Switches {
			if c := h.Interfaces[k].Mux.Lost() + f.Ports[i].Mux.Lost(); c > 0 {
				m.last.violated("the multiplexers between node %d and switch %d lost %d blocks", i, k, c)
			}
		}
		if lost := h.Tx.Lost(); lost > 0 {
			m.last.violated("host %d had no room for %d grants", i, lost)
		}
		if h.Merge != nil && h.Merge.Lost() > 0 {
			m.last.violated("host %d had no room for %d events or words", i, h.Merge.Lost())
		}
	}
	if m.lossy {
		return
	}
	for k, f := range n.Switches {
		if f.Dead {
			continue
		}
		if c := f.Scheduler.Refused.Get() + f.Grants.Refused.Get(); c > 0 {
			m.last.violated("switch %d: %d demands refused", k, c)
		}
		if c := f.Crossbar.Dropped.Get(); c > 0 {
			m.last.violated("switch %d: %d blocks without a circuit", k, c)
		}
	}
	left := func(n orderNumber) (orders int) {
		for ; n != 0; n = m.after(n) {
			orders++
		}
		return orders
	}
	for asks := range n.Hosts {
		for asked := range n.Hosts {
			if r, w := left(m.reads[asks*n.Config.Nodes+asked]), left(m.asked[asked*n.Config.Nodes+asks].writes); r+w > 0 {
				m.last.violated("pair %d, %d: %d reads and %d writes have not come", asks, asked, r, w)
			}
		}
	}
}
