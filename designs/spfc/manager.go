package spfc

import (
	"fmt"
	"math/rand/v2"
)

// Manager is the buffer manager of a lossless shared-memory switch (§II-C). It admits packets. It decides PAUSE and
// RESUME by the bytes that each ingress port and priority has in the memory, and ECN marks by the bytes in each egress
// queue. It stores no packets.
//
// PAUSE is decided on a port's own enqueue, RESUME on its own dequeue. Nothing is allocated after NewManager, but for
// the log.
type Manager struct {
	cfg       BufferConfig
	pool      poolThreshold
	reserve   int64
	headrooms []int64 // by ingress port, in accounted bytes

	ports  []ingressPort
	queues []ingressQueue // by port*Priorities + priority
	egress []int64        // bytes, by port*Priorities + priority

	sharedUsed int64 // of the pool
	headroom   int64 // in all headrooms
	stored     int64 // bytes
	rng        *rand.Rand
	clocked    bool // its owner ends the windows: endWindow
	states     []StateChange
	decisions  []Decision

	Counts ManagerCounts
}

// ManagerCounts are since the start, in accounted bytes.
type ManagerCounts struct {
	In, Out     int64 // bytes
	Dropped     int64 // packets of priorities without PFC
	Lost        int64 // packets of lossless priorities that had no room
	Pauses      int64
	Resumes     int64
	Marks       int64
	MaxStored   int64
	MaxHeadroom int64 // most bytes that one ingress queue had in its headroom
}

type ingressPort struct {
	circuit   Circuit
	cfg       CircuitConfig
	windowEnd Time
	paused    int8 // priorities
	pinned    bool
	pauses    PauseCounts
}

// PauseCounts are the PAUSE decisions of an ingress port, with the bytes that it then has in the memory.
type PauseCounts struct {
	Pauses     int64
	Queues     int64 // sum of them
	First      Time
	FirstQueue int64
}

type ingressQueue struct {
	used     int64 // in reserve and pool
	headroom int64
	paused   bool
}

// NewManager returns a manager of an empty memory.
func NewManager(cfg BufferConfig) (*Manager, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	n := len(cfg.Ports)
	m := &Manager{cfg: cfg, ports: make([]ingressPort, n), headrooms: make([]int64, n),
		queues: make([]ingressQueue, n*Priorities), egress: make([]int64, n*Priorities),
		rng: rand.New(rand.NewPCG(cfg.Seed, 0))}
	m.cfg.Cell = max(cfg.Cell, 1)
	m.reserve = m.wholeCells(cfg.Reserve)
	m.pool = poolThreshold{policy: cfg.Policy, pool: m.wholeCells(cfg.Pool()), static: cfg.Static, shift: cfg.AlphaShift,
		resumeOffset: cfg.ResumeOffset, resumeStrictly: cfg.ResumeStrictly}
	if cfg.Static == 0 {
		m.pool.static = cfg.Bytes / int64(n)
	}
	for i := range m.ports {
		p := &m.ports[i]
		m.headrooms[i] = m.wholeCells(cfg.Ports[i].Headroom)
		p.pinned = cfg.Policy == Pinned && cfg.Pinned>>i&1 != 0
		if cfg.Policy == SPFC {
			p.cfg = CircuitConfig{Threshold: cfg.CircuitThreshold(i), Readings: cfg.Readings}
			p.windowEnd = cfg.Window + Time(i)*cfg.WindowPhase
		}
	}
	return m, nil
}

// turn changes alpha and K from now on. A packet that comes meets the new threshold; a window that is under way is
// judged by the new count.
func (m *Manager) turn(alphaShift int, k int64) {
	m.cfg.AlphaShift, m.cfg.K, m.pool.shift = alphaShift, k, alphaShift
	for i := range m.ports {
		if m.cfg.Policy == SPFC {
			m.ports[i].cfg.Threshold = m.cfg.CircuitThreshold(i)
		}
	}
}

// wholeCells is how many bytes fit in whole cells.
func (m *Manager) wholeCells(bytes int64) int64 { return bytes / m.cfg.Cell * m.cfg.Cell }

// Size returns the bytes of memory that a packet takes.
func (m *Manager) Size(bytes int64) int64 {
	if m.cfg.Cell == 1 {
		return bytes
	}
	return (bytes + m.cfg.Cell - 1) / m.cfg.Cell * m.cfg.Cell
}

// Threshold returns the PFC threshold of an ingress port, in bytes of the pool. All its priorities have the same.
func (m *Manager) Threshold(now Time, port int) int64 {
	m.advance(now, port)
	return m.threshold(&m.ports[port])
}

func (m *Manager) threshold(p *ingressPort) int64 {
	return m.pool.of(m.sharedUsed, p.pinned || p.circuit.Victim)
}

// advance ends the windows of a port that are due by now; with CountOld, a window that ends now is left for after the
// dequeue of this instant.
func (m *Manager) advance(now Time, port int) {
	p := &m.ports[port]
	if p.cfg.CountOld {
		now--
	}
	if m.cfg.Policy != SPFC || m.clocked || p.windowEnd > now {
		return
	}
	m.step(p.windowEnd, port, CircuitInputs{WindowEnd: true})
	p.windowEnd += m.cfg.Window
	if p.windowEnd > now {
		return
	}
	// nothing was counted in it, nor in those after it: they change nothing
	m.step(p.windowEnd, port, CircuitInputs{WindowEnd: true})
	p.windowEnd += ((now-p.windowEnd)/m.cfg.Window + 1) * m.cfg.Window
}

// endWindow is a TC that has reached 0, for an owner that has TCs.
func (m *Manager) endWindow(now Time, port int) { m.step(now, port, CircuitInputs{WindowEnd: true}) }

func (m *Manager) step(now Time, port int, in CircuitInputs) {
	p := &m.ports[port]
	before := p.circuit
	if m.cfg.Policy == SPFC {
		p.circuit.Step(&p.cfg, in)
	} else {
		p.circuit.Paused = in.Pause // for the record
	}
	if m.cfg.Log && (p.circuit.Victim != before.Victim || p.circuit.Paused != before.Paused) {
		irc := p.circuit.IRC
		if in.WindowEnd {
			irc = before.IRC
		}
		m.states = append(m.states, StateChange{Time: now, Port: port, Victim: p.circuit.Victim,
			Paused: p.circuit.Paused, IRC: irc})
	}
}

// shared returns a queue's bytes in the pool.
func (m *Manager) shared(q *ingressQueue, lossless bool) int64 {
	if !lossless {
		return q.used
	}
	return max(q.used-m.reserve, 0)
}

// Enqueue admits a packet that came in at a port and goes out at another. It lies in the reserve, or in the pool if
// the port stays within its threshold, or else in the port's headroom, all of it. A packet that fits nowhere is
// refused. Pause tells that a PAUSE frame for this port and priority goes to the sender.
func (m *Manager) Enqueue(now Time, in, prio, out int, bytes int64) (accepted, pause bool) {
	if m.cfg.Policy == SPFC {
		m.advance(now, in)
	}
	n := m.Size(bytes)
	p := &m.ports[in]
	q := &m.queues[in*Priorities+prio]
	lossless := m.cfg.Lossless>>prio&1 != 0
	before := m.shared(q, lossless)
	after := q.used + n
	if lossless {
		after = max(after-m.reserve, 0)
	}
	switch {
	case m.pool.fits(m.threshold(p), m.sharedUsed, before, after):
		q.used += n
		m.sharedUsed += after - before
	case !lossless:
		m.Counts.Dropped++
		return false, false
	case q.headroom+n <= m.headrooms[in]:
		q.headroom += n
		m.headroom += n
		m.Counts.MaxHeadroom = max(m.Counts.MaxHeadroom, q.headroom)
	default:
		m.Counts.Lost++
		return false, m.checkPause(now, in, prio, true)
	}
	m.egress[out*Priorities+prio] += n
	m.stored += n
	m.Counts.In += n
	m.Counts.MaxStored = max(m.Counts.MaxStored, m.stored)
	return true, lossless && m.checkPause(now, in, prio, false)
}

// checkPause pauses a queue that uses its headroom, is at its threshold, has bytes in a pool that is full, or has lost
// a packet.
func (m *Manager) checkPause(now Time, in, prio int, lost bool) bool {
	q := &m.queues[in*Priorities+prio]
	if q.paused {
		return false
	}
	p := &m.ports[in]
	switch {
	case lost: // a queue that has nothing would never resume
		if q.used+q.headroom == 0 {
			return false
		}
	case q.headroom == 0 && !m.pool.over(m.threshold(p), m.sharedUsed, m.shared(q, true)):
		return false
	}
	q.paused = true
	p.paused++
	m.Counts.Pauses++
	m.decide(now, in, prio, true)

	if p.pauses.Pauses++; p.pauses.Pauses == 1 {
		p.pauses.First, p.pauses.FirstQueue = now, q.used+q.headroom
	}
	p.pauses.Queues += q.used + q.headroom
	m.step(now, in, CircuitInputs{Pause: true})
	return true
}

// Dequeue takes a packet out of the account: its headroom first. If resume is true, the switch sends a RESUME frame
// for the ingress port and priority. If mark is true, the packet gets an ECN mark, by the bytes left in its egress
// queue.
func (m *Manager) Dequeue(now Time, in, prio, out int, bytes int64) (resume, mark bool) {
	if m.cfg.Policy == SPFC {
		m.advance(now, in)
	}
	n := m.Size(bytes)
	p := &m.ports[in]
	q := &m.queues[in*Priorities+prio]
	lossless := m.cfg.Lossless>>prio&1 != 0
	before := m.shared(q, lossless)
	fromHeadroom := min(n, q.headroom)
	q.headroom -= fromHeadroom
	m.headroom -= fromHeadroom
	q.used -= n - fromHeadroom
	after := m.shared(q, lossless)
	m.sharedUsed -= before - after
	e := &m.egress[out*Priorities+prio]
	*e -= n
	m.stored -= n
	m.Counts.Out += n
	mark = !m.cfg.MarkArrivals && m.mark(&m.cfg.Ports[out].ECN, *e)
	if m.cfg.Policy == SPFC {
		count := n
		if m.cfg.Packets > 0 {
			count = 1
		}
		m.step(now, in, CircuitInputs{Dequeued: uint32(count)})
	}
	if q.paused && q.headroom == 0 && m.pool.clear(m.threshold(p), m.sharedUsed, after) {
		resume = true
		q.paused = false
		m.Counts.Resumes++
		m.decide(now, in, prio, false)
		if p.paused--; p.paused == 0 {
			m.step(now, in, CircuitInputs{Resume: true})
		}
	}
	return resume, mark
}

// Arrived tells whether a packet that Enqueue has admitted gets an ECN mark, if arrivals are marked.
func (m *Manager) Arrived(prio, out int, bytes int64) bool {
	return m.cfg.MarkArrivals && m.mark(&m.cfg.Ports[out].ECN, m.egress[out*Priorities+prio]-m.Size(bytes))
}

// mark is RED without an average.
func (m *Manager) mark(ecn *ECN, length int64) bool {
	switch {
	case ecn.KMax == 0 || length <= ecn.KMin:
		return false
	case length <= ecn.KMax && m.rng.Float64() >= ecn.PMax*float64(length-ecn.KMin)/float64(ecn.KMax-ecn.KMin):
		return false
	}
	m.Counts.Marks++
	return true
}

// Config returns the manager's configuration.
func (m *Manager) Config() BufferConfig { return m.cfg }

// Pool returns the size of the pool.
func (m *Manager) Pool() int64 { return m.pool.pool }

// Used returns the used bytes of the pool.
func (m *Manager) Used() int64 { return m.sharedUsed }

// Stored returns the bytes in the memory.
func (m *Manager) Stored() int64 { return m.stored }

// Ingress returns an ingress port and priority's bytes in reserve and pool, its bytes in headroom, and whether it has
// sent a PAUSE that stands.
func (m *Manager) Ingress(port, prio int) (used, headroom int64, paused bool) {
	q := &m.queues[port*Priorities+prio]
	return q.used, q.headroom, q.paused
}

// Egress returns the bytes of an egress queue in the memory.
func (m *Manager) Egress(port, prio int) int64 { return m.egress[port*Priorities+prio] }

// Circuit returns the registers of a port, and when its window ends.
func (m *Manager) Circuit(now Time, port int) (Circuit, Time) {
	m.advance(now, port)
	return m.ports[port].circuit, m.ports[port].windowEnd
}

// broken reports the first account that cannot be after an enqueue or a dequeue of a port: in constant time, so that
// it can stand in every step.
func (m *Manager) broken(in, prio, out int) error {
	q := &m.queues[in*Priorities+prio]
	switch {
	case m.Counts.In-m.Counts.Out != m.stored:
		return fmt.Errorf("%d bytes came in, %d went out, %d are stored", m.Counts.In, m.Counts.Out, m.stored)
	case m.sharedUsed < 0 || m.sharedUsed > m.pool.pool:
		return fmt.Errorf("%d of the pool's %d bytes are used", m.sharedUsed, m.pool.pool)
	case q.used < 0 || q.headroom < 0 || q.headroom > m.headrooms[in] || q.used+q.headroom > m.stored:
		return fmt.Errorf("port %d, priority %d: %d bytes used, %d of %d in the headroom, %d stored", in, prio, q.used,
			q.headroom, m.headrooms[in], m.stored)
	case m.egress[out*Priorities+prio] < 0 || m.egress[out*Priorities+prio] > m.stored:
		return fmt.Errorf("egress port %d, priority %d has %d bytes of %d", out, prio,
			m.egress[out*Priorities+prio], m.stored)
	}
	return nil
}

// Conservation adds up all accounts.
func (m *Manager) Conservation() error {
	var used, headroom, pool, egress int64
	for i := range m.queues {
		q := &m.queues[i]
		if err := m.broken(i/Priorities, i%Priorities, i/Priorities); err != nil {
			return err
		}
		used += q.used
		headroom += q.headroom
		pool += m.shared(q, m.cfg.Lossless>>(i%Priorities)&1 != 0)
		egress += m.egress[i]
	}
	if used+headroom != m.stored || egress != m.stored || pool != m.sharedUsed || headroom != m.headroom {
		return fmt.Errorf("ingress ports have %d + %d bytes, egress ports %d, %d are stored; %d in the pool, %d accounted",
			used, headroom, egress, m.stored, pool, m.sharedUsed)
	}
	return nil
}

// worstCells returns the most that packets take of the memory, given the sum of their bytes. None is shorter than a
// cell.
func (m *Manager) worstCells(bytes int64) int64 {
	if m.cfg.Cell == 1 {
		return bytes
	}
	return (bytes/(m.cfg.Cell+1) + 1) * 2 * m.cfg.Cell
}
