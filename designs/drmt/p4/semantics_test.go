package p4_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// The fields of a program without headers.
const (
	fSpec = iota
	fIngress
	fEgress
	fKey
	fResult
)

// bare is a program of metadata alone: a table whose default action is the first of the actions, in ingress.
func bare(table *p4.Table, actions ...p4.Action) *p4.Program {
	for i := range actions {
		actions[i].ID, actions[i].Name = i, fmt.Sprint("a", i)
		table.Actions, table.Next = append(table.Actions, i), append(table.Next, p4.Accept)
	}
	table.Name, table.Size = "t", 16
	return &p4.Program{Name: "bare",
		Fields: []p4.Field{
			{Name: "spec", Bits: 9}, {Name: "ingress", Bits: 9}, {Name: "egress", Bits: 9}, {Name: "key", Bits: 9},
			{Name: "result", Bits: 64},
		},
		Headers: []p4.Header{
			{Name: "meta", Metadata: true, Fields: []int{fSpec, fIngress, fEgress, fKey, fResult}, Valid: -1},
		},
		Standard: p4.Standard{EgressSpec: fSpec, IngressPort: fIngress, EgressPort: fEgress, PacketLength: -1},
		States:   []p4.State{{Name: "start", Transitions: []p4.Transition{{Next: p4.Accept}}}},
		Actions:  actions,
		Ingress:  p4.Pipeline{Name: "ingress", Nodes: []p4.Node{{Name: "t", Table: table}}},
		Egress:   p4.Pipeline{Name: "egress", First: p4.Accept},
	}
}

func give(field int, value *p4.Expr) p4.Action {
	return p4.Action{Ops: []p4.Primitive{{Op: p4.Assign, Field: field, Header: -1, Value: value}}}
}

func number(v uint64) *p4.Expr { return &p4.Expr{Kind: p4.Constant, Const: v} }

// Operators, worked out by hand.
func TestOperators(t *testing.T) {
	const a, b, top = 0xf00f, 3, 1 << 63
	for _, c := range []struct {
		op   p4.Operator
		l, r uint64
		want uint64
	}{
		{p4.Add, a, b, 0xf012}, {p4.Add, ^uint64(0), 2, 1},
		{p4.Sub, a, b, 0xf00c}, {p4.Sub, b, a, 0xffffffffffff0ff4},
		{p4.Mul, a, b, 0x2d02d},
		{p4.ShiftLeft, a, b, 0x78078}, {p4.ShiftLeft, 1, 64, 0},
		// logic, not arithmetic
		{p4.ShiftRight, a, b, 0x1e01}, {p4.ShiftRight, top, b, 0x1000000000000000}, {p4.ShiftRight, top, 64, 0},
		{p4.And, a, b, 3}, {p4.Or, a, 0xff0, 0xffff}, {p4.Xor, a, b, 0xf00c},
		{p4.Not, 0, 1, 0xfffffffffffffffe},
		{p4.Equal, b, b, 1}, {p4.Equal, a, b, 0}, {p4.NotEqual, b, b, 0}, {p4.NotEqual, a, b, 1},
		{p4.Less, b, a, 1}, {p4.Less, b, b, 0}, {p4.Less, a, b, 0}, {p4.Less, top, 1, 0}, // unsigned
		{p4.LessEqual, b, a, 1}, {p4.LessEqual, b, b, 1}, {p4.LessEqual, a, b, 0},
		{p4.Greater, a, b, 1}, {p4.Greater, b, b, 0}, {p4.Greater, top, 1, 1},
		{p4.GreaterEqual, a, b, 1}, {p4.GreaterEqual, b, b, 1}, {p4.GreaterEqual, b, a, 0},
		{p4.LogicalAnd, 1, 2, 1}, {p4.LogicalAnd, 1, 0, 0}, {p4.LogicalAnd, 0, 1, 0},
		{p4.LogicalOr, 0, 0, 0}, {p4.LogicalOr, 0, 4, 1}, {p4.LogicalOr, 4, 0, 1},
		{p4.LogicalNot, 0, 5, 0}, {p4.LogicalNot, 0, 0, 1}, {p4.Same, 0, 5, 1},
	} {
		e := &p4.Expr{Kind: p4.Operation, Operator: c.op, Left: number(c.l), Right: number(c.r)}
		in, err := p4.NewInterpreter(bare(&p4.Table{Match: p4.Exact}, give(fResult, e)), nil, nil)
		require.NoError(t, err)
		in.Run(0, nil)
		require.Equal(t, c.want, in.Value(fResult), "operator %d of %#x and %#x", c.op, c.l, c.r)
	}
	for cond, want := range map[uint64]uint64{0: 8, 1: 7, 2: 7} {
		e := &p4.Expr{Kind: p4.Choice, Cond: number(cond), Left: number(7), Right: number(8)}
		in, err := p4.NewInterpreter(bare(&p4.Table{Match: p4.Exact}, give(fResult, e)), nil, nil)
		require.NoError(t, err)
		in.Run(0, nil)
		require.Equal(t, want, in.Value(fResult))
	}
}

// The entry that wins: by priority in a ternary table, by prefix in an LPM one, the first among equals; the default
// action if none does.
func TestWhichEntryWins(t *testing.T) {
	entry := func(value, mask uint64, prefix, priority int) p4.Entry {
		return p4.Entry{
			Table: "t", Key: []p4.KeyValue{{Value: value, Mask: mask, PrefixLen: prefix}}, Priority: priority, Action: 1,
		}
	}
	for _, c := range []struct {
		kind    p4.MatchKind
		entries []p4.Entry
		want    map[int]int // entry by key
	}{
		{p4.Exact, []p4.Entry{entry(4, 511, 9, 0), entry(5, 511, 9, 0)}, map[int]int{4: 0, 5: 1, 6: -1}},
		{p4.Ternary, []p4.Entry{entry(4, 4, 0, 5), entry(5, 5, 0, 2), entry(0, 0, 0, 9)}, map[int]int{4: 0, 5: 1, 3: 2}},
		{p4.Ternary, []p4.Entry{entry(5, 5, 0, 2), entry(4, 4, 0, 5), entry(4, 12, 0, 5)}, map[int]int{4: 1, 5: 0, 3: -1}},
		{p4.LPM, []p4.Entry{entry(256, 256, 1, 0), entry(256, 384, 2, 0), entry(0, 0, 0, 0)},
			map[int]int{256: 1, 384: 0, 1: 2}},
		{p4.LPM, []p4.Entry{entry(0, 0, 0, 0), entry(256, 384, 2, 0), entry(256, 256, 1, 0)},
			map[int]int{256: 1, 384: 2, 1: 0}},
	} {
		table := &p4.Table{Match: c.kind, Key: []p4.KeyField{{Match: c.kind, Field: fIngress}}}
		in, err := p4.NewInterpreter(
			bare(table, give(fResult, number(1)), give(fResult, number(2)), give(fResult, number(3))), c.entries,
			map[string]p4.Entry{"t": {Action: 2}},
		)
		require.NoError(t, err)
		for key, want := range c.want {
			out := in.Run(key, nil)
			step := p4.Step{Node: "t", Hit: want >= 0, Entry: want, Action: 1}
			value := uint64(2)
			if want < 0 {
				step.Action, value = 2, 3 // the default that was set, not the program's
			}
			require.Equal(t, []p4.Step{step}, out.Trace, "%v, key %d", c.kind, key)
			require.Equal(t, value, in.Value(fResult))
		}
	}
}

// A packet is dropped after egress as well as after ingress, and leaves where ingress sends it.
func TestDropsAndPorts(t *testing.T) {
	drop := p4.Action{Ops: []p4.Primitive{{Op: p4.Drop, Field: fSpec, Header: -1}}}
	p := bare(&p4.Table{Match: p4.Exact}, drop)
	in, err := p4.NewInterpreter(p, nil, nil)
	require.NoError(t, err)
	require.True(t, in.Run(1, nil).Dropped)
	p.Ingress, p.Egress = p4.Pipeline{First: p4.Accept}, p.Ingress
	in, err = p4.NewInterpreter(p, nil, nil)
	require.NoError(t, err)
	require.True(t, in.Run(1, nil).Dropped)
	in, err = p4.NewInterpreter(bare(&p4.Table{Match: p4.Exact}, give(fSpec, number(300))), nil, nil)
	require.NoError(t, err)
	out := in.Run(1, []byte{1, 2})
	require.False(t, out.Dropped)
	require.Equal(t, 300, out.Port)
	require.Equal(t, []byte{1, 2}, out.Packet)
	require.EqualValues(t, 300, in.Value(fEgress))
}

// The step after a hit is not the step after a miss.
func TestHitAndMiss(t *testing.T) {
	table := &p4.Table{
		Match: p4.Exact, Key: []p4.KeyField{{Match: p4.Exact, Field: fIngress}}, HitOrMiss: true, Hit: 1, Miss: 2,
	}
	p := bare(table, give(fKey, number(1)))
	for i := range 2 {
		p.Actions = append(p.Actions, give(fResult, number(uint64(10+i))))
		p.Ingress.Nodes = append(
			p.Ingress.Nodes,
			p4.Node{
				Name: fmt.Sprint("next", i),
				Table: &p4.Table{
					Name: fmt.Sprint("next", i), Size: 1, Default: 1 + i, Actions: []int{1 + i}, Next: []int{p4.Accept},
				},
			},
		)
	}
	in, err := p4.NewInterpreter(p, []p4.Entry{{Table: "t", Key: []p4.KeyValue{{Value: 7, Mask: 511, PrefixLen: 9}}}}, nil)
	require.NoError(t, err)
	in.Run(7, nil)
	require.EqualValues(t, 10, in.Value(fResult))
	in.Run(8, nil)
	require.EqualValues(t, 11, in.Value(fResult))
}
