package study_test

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/drmt"
	"github.com/goldwire/goldwire/designs/drmt/compile"
	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// optionsProgram parses a stack of two unions, as TCP options could be:
//
//	A: kind = 10, more           B: kind = 11, more, value
//
// more = 0 says that another option follows. Egress_spec is the port of arrival; option A of union 0 is written behind
// everything else.
func optionsProgram() *p4.Program {
	p := &p4.Program{
		Name:     "options",
		Standard: p4.Standard{IngressPort: 0, EgressSpec: 1, EgressPort: 2, PacketLength: -1},
		Errors:   p4.Errors{PacketTooShort: 1, StackOutOfBounds: 3},
		Headers:  []p4.Header{{Name: "standard_metadata", Metadata: true, Fields: []int{0, 1, 2}, Valid: -1}},
		Fields: []p4.Field{
			{Name: "ingress_port", Bits: 9}, {Name: "egress_spec", Bits: 9}, {Name: "egress_port", Bits: 9},
		},
	}
	for u := range 2 {
		union := p4.Union{Name: []string{"options_0", "options_1"}[u]}
		for k, bits := range [][]int{{8, 8}, {8, 8, 8}} {
			h := p4.Header{Name: union.Name + []string{".a", ".b"}[k], Union: u + 1}
			for _, n := range bits {
				h.Fields, h.Bits = append(h.Fields, len(p.Fields)), h.Bits+n
				name := h.Name + "." + string(rune('x'+len(h.Fields)))
				p.Fields = append(p.Fields, p4.Field{Name: name, Header: len(p.Headers), Bits: n})
			}
			h.Valid = len(p.Fields)
			p.Fields = append(p.Fields, p4.Field{Name: h.Name + ".$valid$", Header: len(p.Headers), Bits: 1})
			union.Headers = append(union.Headers, len(p.Headers))
			p.Headers = append(p.Headers, h)
		}
		p.Unions = append(p.Unions, union)
	}
	p.UnionStacks = []p4.UnionStack{{Name: "options", Unions: []int{0, 1}}}
	ahead := p4.KeyPart{Field: -1, Stack: -1, UnionStack: -1, Bits: 8}
	more := func(member int) []p4.KeyPart {
		return []p4.KeyPart{{Field: -1, Stack: -1, Member: member, Offset: 1, Bits: 8}}
	}
	on := func(v int64, next int) p4.Transition {
		return p4.Transition{WideValue: big.NewInt(v), WideMask: big.NewInt(0xff), Next: next}
	}
	take := func(member int) []p4.ParserOp { return []p4.ParserOp{{Kind: p4.ExtractUnion, Header: member}} }
	p.States = []p4.State{
		{Name: "start", Parts: []p4.KeyPart{ahead}, Transitions: []p4.Transition{on(10, 1), on(11, 2)}},
		{Name: "a", Ops: take(0), Parts: more(0), Transitions: []p4.Transition{on(0, 0)}},
		{Name: "b", Ops: take(1), Parts: more(1), Transitions: []p4.Transition{on(0, 0)}},
	}
	p.Deparse = []int{2, 3, 4, 1}
	p.Actions = []p4.Action{{Name: "back", Ops: []p4.Primitive{
		{Op: p4.Assign, Field: 1, Header: -1, Value: &p4.Expr{Kind: p4.FieldValue, Field: 0}},
	}}}
	p.Ingress = p4.Pipeline{Name: "ingress", Nodes: []p4.Node{{Name: "t", Table: &p4.Table{
		Name: "t", Match: p4.Exact, Actions: []int{0}, Next: []int{p4.Accept}, Miss: p4.Accept,
	}}}}
	p.Egress = p4.Pipeline{Name: "egress", First: p4.Accept}
	return p
}

// outcomes keeps the packets that leave.
type outcomes struct {
	in  [][]byte
	at  int
	out [][]byte
}

func (o *outcomes) Next() ([]byte, uint16, bool) {
	if o.at == len(o.in) {
		return nil, 0, false
	}
	o.at++
	return o.in[o.at-1], 5, true
}

func (o *outcomes) Take(p drmt.Leaving) {
	o.out = append(o.out, p.Append([]byte{byte(p.Port)}, o.in[p.Number]))
}

// The options' bytes by hand: option A of the first union comes last, everything else is payload, and a third
// option is an error, with which a packet goes on.
func TestStackOfUnionsOnTheMachine(t *testing.T) {
	p := optionsProgram()
	g, err := compile.Graph(p, compile.Options{})
	require.NoError(t, err)
	s := randomSchedule(rand.New(rand.NewPCG(1, 1)), g, 1, 4)
	c, err := compile.DRMT(p, s, compile.Options{})
	require.NoError(t, err)
	o := &outcomes{in: [][]byte{
		{10, 1, 99},
		{10, 0, 11, 1, 7, 99},
		{11, 0, 8, 11, 0, 9, 10, 1},
		{10, 0, 10, 0, 10},
		{10, 0, 11, 1},
		{12, 1},
	}}
	m, err := drmt.NewSwitch(drmt.Config{
		Processors: 1, Image: c.Image, Parser: c.Parser, Deparser: c.Deparser, Source: o, Sink: o,
	})
	require.NoError(t, err)
	require.NoError(t, m.Clock.Run(uint64(10*s.Period+s.Length())))
	require.Equal(t, [][]byte{
		{5, 10, 1, 99},
		{5, 11, 1, 7, 10, 0, 99},
		{5, 11, 0, 8, 11, 0, 9, 10, 1},
		{5, 10, 0, 10, 0, 10},
		{5, 10, 0, 11, 1},
		{5, 12, 1},
	}, o.out)
	in, err := p4.NewSwitch(p, p4.Configuration{})
	require.NoError(t, err)
	for i, x := range o.in {
		require.Equal(t, o.out[i][1:], in.Run(5, x).Packet, "packet %d", i)
	}
}
