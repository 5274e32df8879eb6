package compile

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// A program in steps does the same as before: fields that change places, sums of many terms, wide carries and choices,
// with values of all sizes.
func TestStepsDoTheSame(t *testing.T) {
	const spec, a, b, c, w, v = 0, 1, 2, 3, 4, 5
	f, k := fieldExpr, constant
	op := binary
	mask := func(e *p4.Expr, bits int) *p4.Expr { return op(p4.And, e, k(^uint64(0)>>(64-bits))) }
	pick := func(cond, l, r *p4.Expr) *p4.Expr { return &p4.Expr{Kind: p4.Choice, Cond: cond, Left: l, Right: r} }
	for name, ops := range map[string][]p4.Primitive{
		"places": {assignment(a, f(b)), assignment(b, op(p4.Add, f(c), op(p4.Add, f(b), k(1)))), assignment(c, f(a))},
		"swap": {assignment(c, f(a)), assignment(a, f(b)), assignment(b, f(c)),
			assignment(spec, op(p4.Xor, op(p4.Add, f(a), f(b)), k(3)))},
		"carry":  {assignment(w, op(p4.Add, f(w), op(p4.Add, f(v), f(a))))},
		"borrow": {assignment(w, mask(op(p4.Sub, op(p4.Xor, f(w), f(v)), f(v)), 48))},
		"shift": {assignment(a, op(p4.ShiftRight, f(w), k(9))),
			assignment(w, op(p4.ShiftLeft, op(p4.Or, f(v), f(b)), k(37)))},
		"product": {assignment(c, op(p4.Mul, op(p4.Add, f(a), f(b)), k(11)))},
		"choice":  {assignment(a, pick(op(p4.Less, f(w), f(v)), op(p4.Add, f(a), k(5)), f(b)))},
		"compare": {assignment(b, op(p4.LogicalAnd, op(p4.GreaterEqual, f(v), f(w)), op(p4.NotEqual, f(w), k(0))))},
		"jumps": {{Op: p4.JumpIfZero, Field: -1, Header: -1, Args: []*p4.Expr{op(p4.Less, f(a), f(b)), k(3)}},
			assignment(a, op(p4.Add, f(a), f(c))), {Op: p4.Jump, Field: -1, Header: -1, Args: []*p4.Expr{k(4)}},
			assignment(b, f(c)), assignment(c, k(9))},
	} {
		t.Run(name, func(t *testing.T) {
			p := &p4.Program{
				Name:     "steps",
				Standard: p4.Standard{IngressPort: -1, EgressSpec: spec, EgressPort: -1, PacketLength: -1},
				Headers: []p4.Header{{Name: "h", Fields: []int{a, b, c, w, v}, Valid: 6, Bits: 192},
					{Name: "m", Metadata: true, Fields: []int{spec}, Valid: -1}},
				Fields: []p4.Field{
					{Name: "spec", Header: 1, Bits: 9}, {Name: "a", Bits: 32}, {Name: "b", Bits: 32}, {Name: "c", Bits: 32},
					{Name: "w", Bits: 48}, {Name: "v", Bits: 48}, {Name: "valid", Bits: 1},
				},
				States:  []p4.State{{Name: "start", Ops: []p4.ParserOp{{Header: 0}}}},
				Actions: []p4.Action{{Name: "x", Ops: ops}},
				Deparse: []int{0},
				Ingress: p4.Pipeline{Nodes: []p4.Node{{Name: "t", Table: &p4.Table{Name: "t", Match: p4.Exact, Actions: []int{0},
					Next: []int{p4.Accept}}}}},
				Egress: p4.Pipeline{First: p4.Accept},
			}
			lowered, err := lower(p, Options{})
			require.NoError(t, err)
			require.Greater(t, len(lowered.Ingress.Nodes), 1, "there are steps")
			one, err := p4.NewInterpreter(p, nil, nil)
			require.NoError(t, err)
			two, err := p4.NewInterpreter(lowered, nil, nil)
			require.NoError(t, err)
			packet := make([]byte, 24)
			for n := range 2000 {
				for i := range packet {
					packet[i] = byte((n + 1) * (i + 3) * 0x9e37 >> (n % 11))
					if n%5 == i%5 {
						packet[i] = []byte{0, 255}[n/5%2]
					}
				}
				want := one.Run(0, packet)
				port, bytes := want.Port, append([]byte(nil), want.Packet...)
				got := two.Run(0, packet)
				require.Equal(t, port, got.Port)
				require.Equal(t, bytes, got.Packet, "packet %d: %x", n, packet)
			}
		})
	}
}
