package drmt

import (
	"fmt"

	"github.com/goldwire/goldwire/rtl"
)

// PipelineIngress parses packets and sends them to the first stage. A recirculated packet goes before a new one (dRMT
// §2.2). Latency 1 cycle.
type PipelineIngress struct {
	Tag       rtl.In[StageTag] // from the last stage
	Header    rtl.In[HeaderVector]
	OutTag    rtl.Out[StageTag]
	OutHeader rtl.Out[HeaderVector]
	// Time has one port of a machine whose program asks for the time, else none.
	Time []rtl.Out[Timestamp]

	clock  microseconds
	parser *Parser
	source Source
	passes int
	number uint32
}

// Reset has no packet.
func (in *PipelineIngress) Reset() {
	in.number, in.clock = 0, microseconds{}
	setTimestamps(in.Time, 0, false)
	in.OutTag.Set(StageTag{})
	in.OutHeader.Set(HeaderVector{})
}

// Tick sends a packet.
func (in *PipelineIngress) Tick() {
	setTimestamps(in.Time, in.clock.now, in.send())
	in.clock.tick()
}

// send tells whether the packet that it sends is new.
func (in *PipelineIngress) send() (came bool) {
	if t := in.Tag.Get(); t.Tag.Valid && int(t.Pass)+1 < in.passes {
		t.Pass++
		in.OutTag.Set(t)
		in.OutHeader.Set(in.Header.Get())
		return false
	}
	var t StageTag
	packet, port, ok := in.source.Next()
	if ok {
		var h HeaderVector
		payload := in.parser.parseNew(packet, port, in.clock.now, &h)
		in.parser.draw(in.number, &h)
		t = StageTag{
			Tag:        Tag{Number: in.number, Origin: in.number, Payload: uint16(payload), Valid: true},
			Predicates: Predicates{1 << Always},
		}
		in.OutHeader.Set(h)
		in.number++
	}
	in.OutTag.Set(t)
	return ok
}

// lastPass lets the packets of the last pass through, combinationally, so that RMT has the egress that dRMT has.
type lastPass struct {
	Tag rtl.In[StageTag]
	Out rtl.Wire[Tag]

	passes int
}

func (l *lastPass) Comb() {
	t := l.Tag.Get()
	t.Tag.Valid = t.Tag.Valid && int(t.Pass)+1 == l.passes
	l.Out.Set(t.Tag)
}

func (l *lastPass) Tick() {}

// PipelineConfig is an RMT machine to be built.
type PipelineConfig struct {
	Stages   int // in hardware
	Image    *PipelineImage
	Parser   *Parser
	Deparser *Deparser
	Source   Source
	Sink     Sink
	Sim      rtl.Config
}

// Pipeline is an RMT machine (Figure 1a): stages in a row, and the way back for programs that have more stages than
// there are.
type Pipeline struct {
	Sim     *rtl.Sim
	Clock   *rtl.Clock
	Ingress *PipelineIngress
	Stages  []*Stage
	Egress  *Egress
	Passes  int
}

// NewPipeline builds and elaborates a machine. Stage i has the program's stages i, i + stages, and so on.
func NewPipeline(c PipelineConfig) (*Pipeline, error) {
	if err := c.Image.Check(); err != nil {
		return nil, err
	}
	if c.Stages < 1 {
		return nil, fmt.Errorf("a pipeline of %d stages", c.Stages)
	}
	p := &Pipeline{Sim: rtl.New(c.Sim), Passes: ceil(len(c.Image.Stages), c.Stages)}
	p.Clock = p.Sim.Clock("core", Chip)
	top := p.Sim.Scope("pipeline").On(p.Clock)
	p.Ingress = &PipelineIngress{parser: c.Parser, source: c.Source, passes: p.Passes}
	top.Add("ingress", p.Ingress)
	tag, header := &p.Ingress.OutTag, &p.Ingress.OutHeader
	for i := range c.Stages {
		var programs []*StageProgram
		for pass := range p.Passes {
			if n := pass*c.Stages + i; n < len(c.Image.Stages) {
				programs = append(programs, &c.Image.Stages[n])
			} else {
				programs = append(programs, nil)
			}
		}
		s := newStage(programs)
		p.Stages = append(p.Stages, s)
		top.Add(fmt.Sprintf("stage_%d", i), s)
		rtl.Connect(tag, &s.Tag)
		rtl.Connect(header, &s.Header)
		tag, header = &s.OutTag, &s.OutHeader
	}
	last := &lastPass{passes: p.Passes}
	top.Add("last_pass", last)
	rtl.Connect(tag, &p.Ingress.Tag, &last.Tag)
	p.Egress = newEgress(1, c.Deparser, c.Sink, 0)
	if c.Parser.tellsTime() {
		p.Ingress.Time = make([]rtl.Out[Timestamp], 1)
		p.Egress.hear(p.Ingress.Time)
	}
	top.Add("egress", p.Egress)
	rtl.Connect(&last.Out, &p.Egress.Tag[0])
	rtl.Connect(header, &p.Ingress.Header, &p.Egress.Header[0])
	if err := p.Sim.Elaborate(); err != nil {
		return nil, err
	}
	return p, nil
}
