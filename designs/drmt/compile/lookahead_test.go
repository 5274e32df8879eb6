package compile

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// Field 7 has the 128 bits of a lookahead from bit 8 on. Its value's lowest bit is bit 135 of the packet.
func TestPartsOfAWideLookahead(t *testing.T) {
	b := &parserBuilder{wide: map[int]span{7: {8, 128}}}
	f := fieldExpr(7)
	on := func(o p4.Operator, l, r *p4.Expr) *p4.Expr { return binary(o, l, r) }
	wide := func(bits uint) *p4.Expr {
		n := new(big.Int).Lsh(big.NewInt(1), bits)
		return &p4.Expr{Kind: p4.Constant, Wide: true, Number: n.Sub(n, big.NewInt(1))}
	}
	for _, c := range []struct {
		name string
		e    *p4.Expr
		want span
		ok   bool
	}{
		{"the whole", f, span{8, 128}, true},
		{"the first byte", on(p4.And, on(p4.ShiftRight, f, constant(120)), constant(0xff)), span{8, 8}, true},
		{"the second byte", on(p4.And, on(p4.ShiftRight, f, constant(112)), constant(0xff)), span{16, 8}, true},
		{"the last 32 bits", on(p4.And, f, constant(0xffff_ffff)), span{104, 32}, true},
		{"a mask of 128 bits", on(p4.And, f, wide(128)), span{8, 128}, true},
		{"a wider mask", on(p4.And, on(p4.ShiftRight, f, constant(100)), wide(70)), span{8, 28}, true},
		{"one bit", on(p4.ShiftRight, f, constant(127)), span{8, 1}, true},
		{"none", on(p4.ShiftRight, f, constant(128)), span{}, false},
		{"a mask with a hole", on(p4.And, f, constant(5)), span{}, false},
		{"a mask of upper bits", on(p4.And, f, constant(0xf0)), span{}, false},
		{"no bits", on(p4.And, f, constant(0)), span{}, false},
		{"a sum", on(p4.Add, f, constant(1)), span{}, false},
		{"another field", fieldExpr(6), span{}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, ok := b.part(c.e)
			require.Equal(t, c.ok, ok)
			if ok {
				require.Equal(t, c.want, got)
			}
		})
	}
}
