package study

import (
	"context"
	"fmt"
	"strings"

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/designs/drmt"
	"github.com/goldwire/goldwire/designs/drmt/compile"
	"github.com/goldwire/goldwire/designs/drmt/p4"
	"github.com/goldwire/goldwire/designs/drmt/schedule"
	"github.com/goldwire/goldwire/rtl"
)

const skeletonNote = "A program of the graph's operations, with keys and actions of its sizes, compiled to the " +
	"schedule or the stages and run; the largest difference from the formula over N."

// skeleton makes a program of a graph's operations: a table with a key as wide and an action as large for each match
// and action, a condition for each condition. Every action writes fields of its own, so that any order is right: the
// schedule keeps the operations apart.
func skeleton(g *schedule.Graph) (*p4.Program, error) {
	b := &skeletonBuilder{
		p: &p4.Program{Name: g.Name, Standard: p4.Standard{IngressPort: -1, EgressPort: -1, PacketLength: -1},
			Headers: []p4.Header{{Name: "h"}, {Name: "meta", Metadata: true, Valid: -1}},
			Egress:  p4.Pipeline{Name: "egress", First: p4.Accept}, Ingress: p4.Pipeline{Name: "ingress"}, Deparse: []int{0}},
	}
	b.key(g)
	b.p.States = []p4.State{
		{Name: "start", Ops: []p4.ParserOp{{Header: 0}}, Transitions: []p4.Transition{{Next: p4.Accept}}},
	}
	matched := map[string]schedule.Node{}
	for _, n := range g.Nodes {
		if name, ok := strings.CutSuffix(n.Name, "_MATCH"); ok && n.Kind == schedule.Match {
			matched[name] = n
		}
	}
	nodes := 0
	for _, n := range g.Nodes {
		name, isTable := strings.CutSuffix(n.Name, "_ACTION")
		switch {
		case n.Kind == schedule.Condition:
			b.condition(n.Name)
		case n.Kind == schedule.Action && isTable:
			b.table(name, n.Fields, matched[name].KeyBits)
			if _, ok := matched[name]; ok {
				nodes++
			}
		case n.Kind == schedule.Match && strings.HasSuffix(n.Name, "_MATCH"):
			continue
		default:
			return nil, fmt.Errorf("graph %s: %s is neither a condition nor T_MATCH or T_ACTION", g.Name, n.Name)
		}
		nodes++
	}
	if nodes != len(g.Nodes) {
		return nil, fmt.Errorf("graph %s: a match without the action of its table", g.Name)
	}
	last := &b.p.Ingress.Nodes[len(b.p.Ingress.Nodes)-1]
	if last.Table != nil {
		last.Table.Next[0] = p4.Accept
	} else {
		last.Condition.True, last.Condition.False = p4.Accept, p4.Accept
	}
	return b.p, nil
}

type skeletonBuilder struct {
	p    *p4.Program
	keys []int // fields of 32 bits that keys are made of
	used int   // fields that actions write
}

func (b *skeletonBuilder) field(header int, name string, bits int) int {
	b.p.Fields = append(b.p.Fields, p4.Field{Name: name, Header: header, Bits: bits})
	return len(b.p.Fields) - 1
}

// key makes the fields of the widest key, the header that holds them, and egress_spec.
func (b *skeletonBuilder) key(g *schedule.Graph) {
	widest := 1
	for _, n := range g.Nodes {
		widest = max(widest, keyFields(n.KeyBits))
	}
	h := &b.p.Headers[0]
	for i := range widest {
		b.keys = append(b.keys, b.field(0, fmt.Sprint("h.key", i), 32))
	}
	h.Fields, h.Bits, h.Valid = b.keys, 32*widest, b.field(0, "h.$valid$", 1)
	b.p.Standard.EgressSpec = b.field(1, "meta.egress_spec", 9)
	b.p.Headers[1].Fields = []int{b.p.Standard.EgressSpec}
}

// keyFields is the number of 32-bit fields that take the same number of segments as a key of these bits.
func keyFields(bits int) int { return (bits + 79) / 80 * drmt.SegmentBytes / 4 }

func (b *skeletonBuilder) condition(name string) {
	next := len(b.p.Ingress.Nodes) + 1
	is := &p4.Expr{
		Kind: p4.Operation, Operator: p4.Equal, Left: &p4.Expr{Kind: p4.FieldValue, Field: b.keys[0]},
		Right: &p4.Expr{Kind: p4.Constant},
	}
	b.p.Ingress.Nodes = append(
		b.p.Ingress.Nodes, p4.Node{Name: name, Condition: &p4.Condition{If: is, True: next, False: next}},
	)
}

func (b *skeletonBuilder) table(name string, fields, keyBits int) {
	a := p4.Action{ID: len(b.p.Actions), Name: name}
	for range fields {
		bits := 8
		if b.used >= drmt.Fields8-3 { // one is the compiler's, one a validity, one to spare
			bits = 16
		}
		if b.used >= drmt.Fields8-3+drmt.Fields16-1 {
			bits = 32
		}
		b.used++
		f := b.field(1, fmt.Sprint("meta.field", b.used), bits)
		b.p.Headers[1].Fields = append(b.p.Headers[1].Fields, f)
		a.Ops = append(
			a.Ops,
			p4.Primitive{Op: p4.Assign, Field: f, Header: -1, Value: &p4.Expr{Kind: p4.FieldValue, Field: b.keys[0]}},
		)
	}
	b.p.Actions = append(b.p.Actions, a)
	t := &p4.Table{
		Name: name, Match: p4.Exact, Size: 1, Actions: []int{a.ID}, Next: []int{len(b.p.Ingress.Nodes) + 1},
		Default: a.ID,
	}
	for i := range keyFields(keyBits) {
		t.Key = append(t.Key, p4.KeyField{Match: p4.Exact, Field: b.keys[i]})
	}
	b.p.Ingress.Nodes = append(b.p.Ingress.Nodes, p4.Node{Name: name, Table: t})
}

// figure7 runs a graph's skeleton with each number of processors up to the need of a packet a cycle and one more, or of
// stages at IPC 0, and measures how far the throughput is from the formula.
func figure7(g *schedule.Graph, ipc, needed int) measure {
	count := 2000
	if ipc == 0 {
		count = 6000 // recirculation comes in bursts of a pipeline's length, which the ends of a run cut
	}
	return func(ctx context.Context, run *claims.Run) (m claims.Measurement, err error) {
		p4p, err := skeleton(g)
		if err != nil {
			return claims.Measurement{}, err
		}
		p := Program{P4: p4p}
		m = claims.Measurement{Detail: fmt.Sprintf("%d packets each", count)}
		note := func(n int, o Outcome, want float64) error {
			if o.Faults > 0 {
				return fmt.Errorf("a fault: %s", o.FirstFault)
			}
			m.Value = max(m.Value, absf(o.Throughput-want))
			m.Rows = append(m.Rows, claims.Row{Label: fmt.Sprint(n), Kind: claims.Point, At: float64(n), Value: o.Throughput})
			return nil
		}
		if ipc == 0 {
			pipe, _, err := schedule.MinimizeStages(ctx, g, schedule.RMT(32), true, schedule.Options{})
			if err != nil || pipe == nil {
				return m, fmt.Errorf("no pipeline: %w", err)
			}
			stage := map[string]int{}
			for v, n := range g.Nodes {
				if n.Kind != schedule.Match {
					stage[strings.TrimSuffix(n.Name, "_ACTION")] = pipe.Stage[v]
				}
			}
			c, err := compile.RMT(p4p, stage, compile.Options{})
			if err != nil {
				return m, err
			}
			for n := 1; n <= needed+1; n++ {
				o, err := RunPipeline(ctx, p, c, n, count, always(p, count, run.Seed), rtl.Config{}, nil)
				if err == nil {
					err = note(n, o, 1/float64((needed+n-1)/n))
				}
				if err != nil {
					return m, err
				}
			}
			return m, nil
		}
		r, err := schedule.Minimize(ctx, g, schedule.DRMT(ipc), schedule.Options{Seed: run.Seed})
		if err != nil {
			return m, err
		}
		c, err := compile.DRMT(p4p, r.Schedule, compile.Options{})
		if err != nil {
			return m, err
		}
		if err := sameSize(r.Schedule, c); err != nil {
			return m, err
		}
		for n := 1; n <= needed; n++ {
			o, err := RunSwitch(ctx, p, c, n, count, always(p, count, run.Seed), rtl.Config{}, nil)
			if err == nil {
				err = note(n, o, float64(n)/float64(needed))
			}
			if err != nil {
				return m, err
			}
		}
		return m, nil
	}
}

// sameSize checks that a skeleton takes all the key segments and ALUs that the graph's operations take.
func sameSize(s *schedule.Schedule, c *compile.Result) error {
	var want, got [2]int
	for i, u := range s.Usage() {
		want[0], want[1] = want[0]+u.Segments, want[1]+u.Fields
		got[0], got[1] = got[0]+c.Segments[i], got[1]+c.ALUs[i]
	}
	if got != want {
		return fmt.Errorf(
			"the program takes %d key segments and %d ALUs, the graph %d and %d", got[0], got[1], want[0], want[1],
		)
	}
	return nil
}
