package study

import (
	"context"
	"errors"
	"fmt"

	"github.com/goldwire/goldwire/designs/drmt"
	"github.com/goldwire/goldwire/designs/drmt/compile"
	"github.com/goldwire/goldwire/designs/drmt/p4"
	"github.com/goldwire/goldwire/designs/drmt/schedule"
	"github.com/goldwire/goldwire/rtl"
)

// Passage has the edges after which a lone packet's keys, results and actions are seen on the ports of a machine of one
// processor. The packet runs two tables: the second matches on a field that the first one's action writes.
type Passage struct {
	Key       uint64 // the first key, at the processor's output
	AtCluster uint64 // that key, at the cluster's input
	Result    uint64 // its result, at the cluster's output
	Back      uint64 // that result, at the processor's input
	Issued    uint64 // the first action's slot, when its instructions have been fetched
	Next      uint64 // the second key, at the processor's output
}

// chain is a program of two tables: first matches on field a and writes b, which is metadata, second matches on b and
// chooses the port.
func chain() (*p4.Program, []p4.Entry) {
	const a, b, valid, spec = 0, 1, 2, 3
	param := &p4.Expr{Kind: p4.ParamValue}
	table := func(name string, key, action, next int) p4.Node {
		return p4.Node{
			Name: name,
			Table: &p4.Table{Name: name, Key: []p4.KeyField{{Match: p4.Exact, Field: key}}, Match: p4.Exact, Size: 16,
				Actions: []int{action, 2}, Next: []int{next, next}, Default: 2},
		}
	}
	p := &p4.Program{
		Name:     "chain",
		Standard: p4.Standard{IngressPort: -1, EgressSpec: spec, EgressPort: -1, PacketLength: -1},
		Deparse:  []int{0},
		Headers: []p4.Header{
			{Name: "h", Fields: []int{a}, Valid: valid, Bits: 16},
			{Name: "standard_metadata", Metadata: true, Fields: []int{b, spec}, Valid: -1},
		},
		Fields: []p4.Field{
			{Name: "h.a", Bits: 16}, {Name: "standard_metadata.b", Header: 1, Bits: 16}, {Name: "h.$valid$", Bits: 1},
			{Name: "standard_metadata.egress_spec", Header: 1, Bits: 9},
		},
		States: []p4.State{
			{Name: "start", Ops: []p4.ParserOp{{Header: 0}}, Transitions: []p4.Transition{{Next: p4.Accept}}},
		},
		Actions: []p4.Action{
			{
				Name: "write", Params: []p4.Param{{Name: "b", Bits: 16}},
				Ops: []p4.Primitive{{Op: p4.Assign, Field: b, Header: -1, Value: param}},
			},
			{
				Name: "send", Params: []p4.Param{{Name: "port", Bits: 9}},
				Ops: []p4.Primitive{{Op: p4.Assign, Field: spec, Header: -1, Value: param}},
			},
			{Name: "nothing"}},
		Ingress: p4.Pipeline{
			Name: "ingress", First: 0, Nodes: []p4.Node{table("first", a, 0, 1), table("second", b, 1, p4.Accept)},
		},
		Egress: p4.Pipeline{Name: "egress", First: p4.Accept},
	}
	exactly := func(v uint64) []p4.KeyValue { return []p4.KeyValue{{Value: v, Mask: 0xffff, PrefixLen: 16}} }
	return p, []p4.Entry{
		{Table: "first", Key: exactly(0x1234), Data: []uint64{0xabcd}},
		{Table: "second", Key: exactly(0xabcd), Action: 1, Data: []uint64{7}},
	}
}

// single is a source of one packet, and a sink that keeps its result.
type single struct {
	packet []byte
	done   bool
	out    []byte
	port   uint16
}

func (s *single) Next() ([]byte, uint16, bool) {
	if s.done {
		return nil, 0, false
	}
	s.done = true
	return s.packet, 0, true
}

func (s *single) Take(p drmt.Leaving) {
	s.out, s.port = append([]byte(nil), p.Headers...), p.Port
}

// passagePeriod keeps the two tables' starts in different cycles of the period, so that each starts as soon as the
// latencies let it: at least periods they would wait for each other.
const passagePeriod = 5

// measurePassage sends one packet through the program of two tables, on the shortest schedule that there is for it, and
// watches the machine's ports. Split spreads the first table over three clusters.
func measurePassage(ctx context.Context, seed uint64, split bool) (w Passage, err error) {
	p, entries := chain()
	opt := compile.Options{Entries: entries}
	if split {
		p.Ingress.Nodes[0].Table.Size, opt.Memory = 3000, drmt.Blocks{SRAM: 1} // a block holds 1024 entries
	}
	g, err := compile.Graph(p, compile.Options{})
	if err != nil {
		return w, err
	}
	found, err := schedule.Minimize(ctx, g, schedule.DRMT(1), schedule.Options{Seed: seed, Period: passagePeriod})
	if err != nil {
		return w, err
	}
	if found.Schedule == nil {
		return w, errors.New("no schedule for a program of two tables")
	}
	c, err := compile.DRMT(p, found.Schedule, opt)
	if err != nil {
		return w, err
	}
	if want := map[bool]int{false: 2, true: 4}[split]; len(c.Image.Tables) != want {
		return w, fmt.Errorf("%d tables and parts of tables, want %d", len(c.Image.Tables), want)
	}
	x := &single{packet: []byte{0x12, 0x34, 0, 0}}
	m, err := drmt.NewSwitch(
		drmt.Config{
			Processors: 1, Image: c.Image, Parser: c.Parser, Deparser: c.Deparser, Source: x, Sink: x, Sim: rtl.Config{},
		},
	)
	if err != nil {
		return w, err
	}
	note := func(at *uint64, edge uint64, there bool) {
		if *at == 0 && there {
			*at = edge
		}
	}
	for edge := uint64(1); edge < uint64(2*found.Schedule.Length()+4*c.Image.Period); edge++ {
		if err := m.Clock.Run(1); err != nil {
			return w, err
		}
		for l := range drmt.Segments {
			key := m.Processors[0].Key[l].Get().Valid
			note(&w.Next, edge, key && w.Key > 0)
			note(&w.Key, edge, key)
			note(&w.Back, edge, m.Results.Out[l].Get().Valid)
		}
		note(&w.Issued, edge, m.Processors[0].Issued.Get() != 0)
		for i, cluster := range m.Clusters {
			for l := range drmt.Segments {
				note(&w.AtCluster, edge, m.Keys.Out[i*drmt.Segments+l].Get().Valid)
				note(&w.Result, edge, cluster.Result[l].Get().Valid)
			}
		}
	}
	if x.port != 7 || string(x.out) != "\x12\x34" {
		return w, fmt.Errorf("both tables were to be hit; the packet left as %x on port %d", x.out, x.port)
	}
	if w.Key == 0 || w.AtCluster <= w.Key || w.Result <= w.AtCluster || w.Back <= w.Result || w.Issued <= w.Back ||
		w.Next <= w.Issued {
		return w, fmt.Errorf("what was seen is out of order: %+v", w)
	}
	return w, nil
}

// measureStage sends a packet through RMT's stages and returns the edges after which it is seen at the first one's
// output and at the second one's.
func measureStage() (from, to uint64, err error) {
	p, entries := chain()
	c, err := compile.RMT(p, nil, compile.Options{Entries: entries})
	if err != nil {
		return 0, 0, err
	}
	x := &single{packet: []byte{0x12, 0x34, 0, 0}}
	m, err := drmt.NewPipeline(
		drmt.PipelineConfig{
			Stages: len(c.Image.Stages), Image: c.Image, Parser: c.Parser, Deparser: c.Deparser, Source: x, Sink: x,
		},
	)
	if err != nil {
		return 0, 0, err
	}
	for edge := uint64(1); edge < 4*drmt.StageLatency; edge++ {
		if err := m.Clock.Run(1); err != nil {
			return 0, 0, err
		}
		if from == 0 && m.Stages[0].OutTag.Get().Tag.Valid {
			from = edge
		}
		if to == 0 && m.Stages[1].OutTag.Get().Tag.Valid {
			to = edge
		}
	}
	if from == 0 || to <= from || x.port != 7 || string(x.out) != "\x12\x34" {
		return from, to, fmt.Errorf(
			"both stages' tables were to be hit; the packet was seen at edges %d and %d and left as %x on port %d", from,
			to, x.out, x.port,
		)
	}
	return from, to, nil
}

var errNothing = errors.New("nothing was compared")
