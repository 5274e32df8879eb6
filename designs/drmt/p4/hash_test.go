package p4_test

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// The check values of the catalogue of CRCs are of the nine digits. RFC 1071's example has ddf2 as its sum.
func TestHashes(t *testing.T) {
	digits := []byte("123456789")
	for a, want := range map[p4.Algorithm]uint64{p4.CRC16: 0xbb3d, p4.CRC32: 0xcbf43926, p4.CRCCCITT: 0x29b1,
		p4.CRC8Custom: 0xf4,
		p4.XOR16:      0x3132 ^ 0x3334 ^ 0x3536 ^ 0x3738 ^ 0x3900, p4.XOR32: 0x31323334 ^ 0x35363738 ^ 0x39000000,
		p4.Identity: 0x3132333435363738} {
		require.Equal(t, want, p4.Digested(a, digits), "algorithm %d", a)
	}
	require.EqualValues(t, 0xddf2^0xffff, p4.Digested(p4.CSum16, []byte{0, 1, 0xf2, 3, 0xf4, 0xf5, 0xf6, 0xf7}))
	require.EqualValues(t, 0xffff, p4.Digested(p4.CSum16, nil))
}

// Arithmetic is exact: the interpreter's 64 bits agree with numbers of any size, cut to the field at the end.
func TestExactArithmetic(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	ops := map[p4.Operator]func(z, l, r *big.Int) *big.Int{
		p4.Add: (*big.Int).Add,
		p4.Sub: (*big.Int).Sub,
		p4.Mul: (*big.Int).Mul,
		p4.And: (*big.Int).And,
		p4.Or:  (*big.Int).Or,
		p4.Xor: (*big.Int).Xor,
	}
	compare := map[p4.Operator]func(c int) bool{
		p4.Less:         func(c int) bool { return c < 0 },
		p4.GreaterEqual: func(c int) bool { return c >= 0 },
		p4.Equal:        func(c int) bool { return c == 0 },
	}
	var build func(depth int) (*p4.Expr, *big.Int)
	build = func(depth int) (*p4.Expr, *big.Int) {
		if depth == 0 {
			v := rng.Uint64() >> rng.IntN(64)
			return number(v), new(big.Int).SetUint64(v)
		}
		l, x := build(depth - 1)
		r, y := build(depth - 1)
		for o, f := range ops {
			if rng.IntN(3) == 0 {
				return &p4.Expr{Kind: p4.Operation, Operator: o, Left: l, Right: r}, f(new(big.Int), x, y)
			}
		}
		for o, f := range compare {
			v := new(big.Int)
			if f(x.Cmp(y)) {
				v.SetInt64(1)
			}
			return &p4.Expr{Kind: p4.Operation, Operator: o, Left: l, Right: r}, v
		}
		return l, x
	}
	mask := new(big.Int).SetUint64(^uint64(0))
	for range 3000 {
		e, want := build(1 + rng.IntN(3))
		in, err := p4.NewInterpreter(bare(&p4.Table{Match: p4.Exact}, give(fResult, e)), nil, nil)
		require.NoError(t, err)
		in.Run(0, nil)
		require.Equal(t, new(big.Int).And(want, mask).Uint64(), in.Value(fResult))
	}
}

// What a register holds outlives a packet; beyond its end nothing is read, nor written.
func TestRegistersAndCounters(t *testing.T) {
	index := &p4.Expr{Kind: p4.FieldValue, Field: fIngress}
	sum := &p4.Expr{
		Kind: p4.Operation, Operator: p4.Add, Left: &p4.Expr{Kind: p4.FieldValue, Field: fResult}, Right: number(200),
	}
	p := bare(&p4.Table{Match: p4.Exact}, p4.Action{Ops: []p4.Primitive{
		{Op: p4.Assign, Field: fResult, Header: -1, Value: number(7)},
		{Op: p4.ReadRegister, Field: fResult, Header: -1, Args: []*p4.Expr{index}},
		{Op: p4.WriteRegister, Field: -1, Header: -1, Args: []*p4.Expr{index, sum}}}})
	p.Registers = []p4.Register{{Name: "r", Size: 2, Bits: 8}}
	in, err := p4.NewInterpreter(p, nil, nil)
	require.NoError(t, err)
	for i, want := range []uint64{0, 200, 144, 88} { // cut to 8 bits
		in.Run(1, nil)
		require.Equal(t, want, in.Value(fResult), "packet %d", i)
	}
	in.Run(2, nil)
	require.EqualValues(t, 7, in.Value(fResult))
	require.EqualValues(t, 0, in.Register(0, 0))
	require.EqualValues(t, 32, in.Register(0, 1))
}
