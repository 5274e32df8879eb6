package drmt

import (
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/xbar"
)

// CyclesPerMicrosecond are those of Chip.
const CyclesPerMicrosecond = 1200

// Chip is the clock of the paper's synthesis (§6).
var Chip = clock.MHz(CyclesPerMicrosecond)

// Config is a machine to be built.
type Config struct {
	Processors int
	// Offsets are the cycles of the period in which the processors take packets, nil for [Offsets]. All must differ: two
	// processors with one offset would ask for the same memory in the same cycle.
	Offsets []int
	// Every, if more than 1, lets packets come only in one of a number of periods, for a program whose packets must not be
	// nearer.
	Every    int
	Image    *Image
	Parser   *Parser
	Deparser *Deparser
	Source   Source
	Sink     Sink
	Sim      rtl.Config
}

// Switch is a dRMT machine (Figure 1b): ingress, processors, key crossbar, clusters, result crossbar, egress.
type Switch struct {
	Sim        *rtl.Sim
	Clock      *rtl.Clock
	Ingress    *Ingress
	Processors []*Processor
	Keys       *xbar.Periodic[Key]
	Clusters   []*Cluster
	Results    *xbar.Periodic[Result]
	Egress     *Egress
}

// Offsets are the cycles of the period in which the processors take packets: the throughput is processors / period
// (§3.1).
func Offsets(processors, period int) []int {
	offset := make([]int, processors)
	for p := range offset {
		offset[p] = p * period / processors
	}
	return offset
}

// loopRegisters are the packets that are in no processor while all threads have one: at the ingress' output, at a
// processor's and at the egress'.
const loopRegisters = 3

// NewSwitch builds and elaborates a machine.
func NewSwitch(c Config) (*Switch, error) {
	if err := c.Image.Check(); err != nil {
		return nil, err
	}
	if c.Processors < 1 || c.Processors > c.Image.Period {
		return nil, fmt.Errorf(
			"%d processors for a period of %d: more take no packets, want 1 to %d", c.Processors, c.Image.Period,
			c.Image.Period,
		)
	}
	offset := c.Offsets
	if offset == nil {
		offset = Offsets(c.Processors, c.Image.Period)
	}
	if len(offset) != c.Processors || slices.Min(offset) < 0 {
		return nil, fmt.Errorf("offsets %v for %d processors", offset, c.Processors)
	}
	for p, o := range offset {
		if q := slices.IndexFunc(offset[:p], func(x int) bool { return x%c.Image.Period == o%c.Image.Period }); q >= 0 {
			return nil, fmt.Errorf("offsets %v: processors %d and %d take packets in the same cycle of the period", offset, q, p)
		}
	}
	clusters := max(c.Image.Clusters, 1)
	keys, results := c.Image.connections(offset)
	s := &Switch{Sim: rtl.New(c.Sim)}
	var err error
	if s.Keys, err = xbar.NewPeriodic[Key](keyShape(c.Processors, clusters), CrossbarStages, keys); err != nil {
		return nil, err
	}
	if s.Results, err = xbar.NewPeriodic[Result](resultShape(c.Processors, clusters), CrossbarStages,
		results); err != nil {
		return nil, err
	}
	s.Clock = s.Sim.Clock("core", Chip)
	top := s.Sim.Scope("switch").On(s.Clock)
	slots := 0
	switch {
	case c.Deparser.Alone:
		slots = 1
	case c.Deparser.SendsAgain():
		slots = c.Processors*c.Image.threads() + loopRegisters
	}
	s.Ingress = newIngress(c.Parser, c.Source, c.Image.Period, c.Every, offset, slots, c.Deparser.Replicate)
	s.Egress = newEgress(c.Processors, c.Deparser, c.Sink, slots)
	s.Egress.hear(s.Ingress.Time)
	if slots > 0 {
		rtl.Connect(&s.Egress.Back[0], &s.Ingress.Back[0])
	}
	config := NewKeyConfiguration(c.Image.Keys, offset)
	top.Add("ingress", s.Ingress)
	top.Add("key_configuration", config)
	decoded := newDecoder(c.Image)
	for p, o := range offset {
		x := newProcessor(p, o, c.Image, decoded)
		s.Processors = append(s.Processors, x)
		top.Add(fmt.Sprintf("processor_%d", p), x)
		rtl.Connect(&s.Ingress.Tag, &x.Tag)
		rtl.Connect(&s.Ingress.Header, &x.Header)
		for i := range Segments {
			rtl.Connect(&config.Out[p*Segments+i], &x.Config[i])
			rtl.Connect(&x.Key[i], &s.Keys.In[p*Segments+i])
			rtl.Connect(&s.Results.Out[p*Segments+i], &x.Result[i])
		}
		rtl.Connect(&x.OutTag, &s.Egress.Tag[p])
		rtl.Connect(&x.OutHeader, &s.Egress.Header[p])
	}
	top.Add("key_crossbar", s.Keys)
	for n := range clusters {
		x := newCluster(n, ClusterLatency, c.Image.Tables, offset, c.Image.Period)
		s.Clusters = append(s.Clusters, x)
		top.Add(fmt.Sprintf("cluster_%d", n), x)
		for i := range Segments {
			rtl.Connect(&s.Keys.Out[n*Segments+i], &x.Key[i])
			rtl.Connect(&x.Result[i], &s.Results.In[n*Segments+i])
		}
	}
	top.Add("result_crossbar", s.Results)
	top.Add("egress", s.Egress)
	if err := s.Sim.Elaborate(); err != nil {
		return nil, err
	}
	return s, nil
}
