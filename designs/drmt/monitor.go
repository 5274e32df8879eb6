package drmt

import (
	"fmt"

	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/xbar"
)

// Monitor looks at a machine after every edge: at the reports of its parts, and at when each packet enters its
// processor, or pipeline, and leaves it.
type Monitor struct {
	// Faults are the first 20 faults, each with its edge and its places. Count is the number of cycles with a fault.
	Faults []string
	Count  uint64
	// Cycles that were looked at; packets that entered and left within them.
	Cycles, Entered, Left uint64
	// MinLatency and MaxLatency are counted from the edge that takes a header vector into its processor, or into the first
	// stage, to the edge that gives it out changed: T for dRMT. For RMT that is one less than 20 a stage, since the first
	// of a stage's 20 cycles begins at its first edge.
	MinLatency, MaxLatency uint64
	// Threads and Scratch are the most packets, and the most waiting results, that a processor held at once.
	Threads, Scratch int
	// FirstExit and LastExit are the cycles in which the first and the last packet left: the throughput is between them.
	FirstExit, LastExit uint64

	s       *Switch
	p       *Pipeline
	entered []uint64 // by the packet's number, modulo its length: the edge of entry
}

const (
	keptFaults   = 20
	inFlightBits = 14 // more packets than 32 processors of 32 threads hold
)

// Watch adds a monitor to a switch, before it runs.
func Watch(s *Switch) *Monitor {
	m := &Monitor{s: s, entered: make([]uint64, 1<<inFlightBits)}
	s.Sim.Observe(m)
	return m
}

// WatchPipeline adds a monitor to a pipeline, before it runs.
func WatchPipeline(p *Pipeline) *Monitor {
	m := &Monitor{p: p, entered: make([]uint64, 1<<inFlightBits)}
	p.Sim.Observe(m)
	return m
}

// Observe looks at one instant.
func (m *Monitor) Observe(rtl.Edges) {
	m.Cycles++
	if m.p != nil {
		m.pipeline()
		return
	}
	if f := m.s.Keys.Fault.Get(); f.Kind != xbar.None {
		m.fault("key crossbar: " + m.s.Keys.Shape().Describe(f, processorName, clusterName))
	}
	if f := m.s.Results.Fault.Get(); f.Kind != xbar.None {
		m.fault("result crossbar: " + m.s.Results.Shape().Describe(f, clusterName, processorName))
	}
	for i, c := range m.s.Clusters {
		if f := c.Fault.Get(); f.Valid {
			m.fault(fmt.Sprintf("cluster %d: a key came on segment %d that no table takes whole", i, f.Lane))
		}
	}
	m.egress(m.s.Egress)
	m.enter(m.s.Ingress.Tag.Get())
	for i, p := range m.s.Processors {
		if f := p.Fault.Get(); f.Kind != NoFault {
			m.fault(fmt.Sprintf("processor %d: %v", i, f))
		}
		m.Threads, m.Scratch = max(m.Threads, int(p.Occupied.Get())), max(m.Scratch, int(p.Waiting.Get()))
		m.leave(p.OutTag.Get())
	}
}

// pipeline looks at an RMT machine: its packets enter the first stage and leave the last one.
func (m *Monitor) pipeline() {
	for i, s := range m.p.Stages {
		if s.Clash.Get() {
			m.fault(fmt.Sprintf("stage %d: two ALUs wrote one field", i))
		}
	}
	m.egress(m.p.Egress)
	if t := m.p.Ingress.OutTag.Get(); t.Pass == 0 {
		m.enter(t.Tag)
	}
	if t := m.p.Stages[len(m.p.Stages)-1].OutTag.Get(); int(t.Pass)+1 == m.p.Passes {
		m.leave(t.Tag)
	}
}

func (m *Monitor) egress(e *Egress) {
	if f := e.Fault.Get(); f.Valid {
		m.fault(fmt.Sprintf("egress: packet %d left together with another or out of order", f.Number))
	}
}

// enter notes a packet that enters at the next edge.
func (m *Monitor) enter(t Tag) {
	if t.Valid {
		m.entered[t.Number%uint32(len(m.entered))] = m.Cycles + 1
		m.Entered++
	}
}

// leave notes a packet that left at this edge.
func (m *Monitor) leave(t Tag) {
	if !t.Valid {
		return
	}
	l := m.Cycles - m.entered[t.Number%uint32(len(m.entered))]
	if m.Left == 0 {
		m.MinLatency, m.FirstExit = l, m.Cycles
	}
	m.MinLatency, m.MaxLatency, m.LastExit = min(m.MinLatency, l), max(m.MaxLatency, l), m.Cycles
	m.Left++
}

// Throughput is packets a cycle, from the first to the last that left.
func (m *Monitor) Throughput() float64 {
	if m.Left < 2 {
		return 0
	}
	return float64(m.Left-1) / float64(m.LastExit-m.FirstExit)
}

// Err returns an error if there was a fault.
func (m *Monitor) Err() error {
	if m.Count == 0 {
		return nil
	}
	return fmt.Errorf("%d of %d cycles had a fault, the first: %s", m.Count, m.Cycles, m.Faults[0])
}

func (m *Monitor) fault(text string) {
	m.Count++
	if len(m.Faults) < keptFaults {
		m.Faults = append(m.Faults, fmt.Sprintf("edge %d: %s", m.Cycles, text))
	}
}

func processorName(i int) string { return fmt.Sprintf("processor %d", i) }
func clusterName(i int) string   { return fmt.Sprintf("cluster %d", i) }

func (f ProcessorFault) String() string {
	switch f.Kind {
	case ResultMissing:
		return fmt.Sprintf("no result came on segment %d for a packet that waits for one", f.Where)
	case ResultStray:
		return fmt.Sprintf("a result came on segment %d that no packet waits for", f.Where)
	case FieldClash:
		return fmt.Sprintf("two ALUs wrote field %d", f.Where)
	}
	return "no fault"
}
