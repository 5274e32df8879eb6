package netlist_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/netlist"
)

// evaluate computes a node from its definition, by the values of inputs.
func evaluate(n *netlist.Node, inputs map[string]uint64) uint64 {
	arg := func(i int) uint64 { return evaluate(n.Args[i], inputs) }
	mask := netlist.Mask(n.W)
	signed := func(i int) int64 {
		w := n.Args[i].W
		return int64(arg(i)<<(64-w)) >> (64 - w)
	}
	bit := func(b bool) uint64 {
		if b {
			return 1
		}
		return 0
	}
	switch n.Op {
	case netlist.Const:
		return n.Val
	case netlist.Input:
		return inputs[n.Name] & mask
	case netlist.Cat:
		v := uint64(0)
		for i, a := range n.Args {
			v = v<<a.W | arg(i)
		}
		return v
	case netlist.Slice:
		return arg(0) >> n.Val & mask
	case netlist.Sext:
		return uint64(signed(0)) & mask
	case netlist.Not:
		return ^arg(0) & mask
	case netlist.Bound:
		return arg(0)
	case netlist.Mux:
		if arg(0) == 1 {
			return arg(1)
		}
		return arg(2)
	case netlist.Select:
		return arg(1 + int(min(arg(0), uint64(len(n.Args)-2))))
	case netlist.Eq:
		return bit(arg(0) == arg(1))
	case netlist.Ult:
		return bit(arg(0) < arg(1))
	case netlist.Slt:
		return bit(signed(0) < signed(1))
	case netlist.Ashr:
		return uint64(signed(0)>>arg(1)) & mask
	}
	return plain(n.Op, arg(0), arg(1)) & mask
}

func plain(op netlist.Op, a, b uint64) uint64 {
	switch op {
	case netlist.And:
		return a & b
	case netlist.Or:
		return a | b
	case netlist.Xor:
		return a ^ b
	case netlist.Add:
		return a + b
	case netlist.Sub:
		return a - b
	case netlist.Mul:
		return a * b
	case netlist.Shl:
		return a << b
	case netlist.Lshr:
		return a >> b
	case netlist.UDiv:
		return a / max(b, 1)
	}
	return a % max(b, 1)
}

// term is an operation and its values by Go's own arithmetic, one for each assignment of the inputs.
type term struct {
	n *netlist.Node
	v []uint64
}

// Whatever is folded, a node has the value that the operations have one by one, and lies in its range.
func TestFolding(t *testing.T) {
	const assignments = 24
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 1))
		g := netlist.New(100_000)
		inputs := make([]map[string]uint64, assignments)
		for i := range inputs {
			inputs[i] = map[string]uint64{}
		}
		var pool []term
		for i, w := range []int{1, 1, 2, 4, 8, 32, 64, 1 + rng.IntN(64)} {
			name := string(rune('a' + i))
			in := term{n: g.Input(name, w)}
			for k := range inputs {
				v := rng.Uint64()
				if k%3 == 0 { // small numbers meet borders
					v = uint64(rng.IntN(4))
				}
				inputs[k][name] = v
				in.v = append(in.v, v&netlist.Mask(w))
			}
			pool = append(pool, in)
		}
		constant := func(v uint64, w int) term {
			c := term{n: g.Const(v, w)}
			for range inputs {
				c.v = append(c.v, v&netlist.Mask(w))
			}
			return c
		}
		for _, v := range []uint64{0, 1, 3, 15, 16, ^uint64(0)} {
			pool = append(pool, constant(v, 64), constant(v, 8))
		}
		each := func(n *netlist.Node, of func(i int) uint64) {
			x := term{n: n}
			for i := range inputs {
				x.v = append(x.v, of(i)&netlist.Mask(n.W))
			}
			lo, hi := n.Range()
			for i, want := range x.v {
				got := evaluate(n, inputs[i])
				require.Equalf(t, want, got, "seed %d, operation %d", seed, n.Op)
				require.True(t, lo <= got && got <= hi, "seed %d: %d is not from %d to %d", seed, got, lo, hi)
			}
			pool = append(pool, x)
		}
		for range 120 {
			a, b, c := pool[rng.IntN(len(pool))], pool[rng.IntN(len(pool))], pool[rng.IntN(len(pool))]
			w := a.n.W
			sign := func(x term, i int) int64 { return int64(x.v[i]<<(64-x.n.W)) >> (64 - x.n.W) }
			fit := func(x term) term {
				r := term{n: g.Extend(x.n, w, false)}
				for _, v := range x.v {
					r.v = append(r.v, v&netlist.Mask(w))
				}
				return r
			}
			bit := func(c bool) uint64 {
				if c {
					return 1
				}
				return 0
			}
			switch k := rng.IntN(16); k {
			case 0, 1, 2, 3, 4, 5:
				op := []netlist.Op{netlist.And, netlist.Or, netlist.Xor, netlist.Add, netlist.Sub, netlist.Mul}[k]
				b = fit(b)
				each(g.Binary(op, a.n, b.n), func(i int) uint64 { return plain(op, a.v[i], b.v[i]) })
			case 6:
				each(g.Not(a.n), func(i int) uint64 { return ^a.v[i] })
			case 7:
				op := []netlist.Op{netlist.Shl, netlist.Lshr}[rng.IntN(2)]
				each(g.Binary(op, a.n, b.n), func(i int) uint64 { return plain(op, a.v[i], b.v[i]) })
			case 8:
				each(g.Binary(netlist.Ashr, a.n, b.n), func(i int) uint64 { return uint64(sign(a, i) >> b.v[i]) })
			case 9:
				b = fit(b)
				each(g.Binary(netlist.Eq, a.n, b.n), func(i int) uint64 { return bit(a.v[i] == b.v[i]) })
			case 10:
				b = fit(b)
				each(g.Binary(netlist.Ult, a.n, b.n), func(i int) uint64 { return bit(a.v[i] < b.v[i]) })
			case 11:
				b = fit(b)
				each(g.Binary(netlist.Slt, a.n, b.n), func(i int) uint64 { return bit(sign(a, i) < sign(b, i)) })
			case 12:
				b = fit(b)
				cond := term{n: g.Slice(c.n, 0, 1), v: c.v}
				each(g.Mux(cond.n, a.n, b.n), func(i int) uint64 {
					if cond.v[i]&1 == 1 {
						return a.v[i]
					}
					return b.v[i]
				})
			case 13:
				low := rng.IntN(w)
				n := 1 + rng.IntN(w-low)
				each(g.Slice(a.n, low, n), func(i int) uint64 { return a.v[i] >> low })
			case 14:
				isSigned := rng.IntN(2) == 1
				to := 1 + rng.IntN(64)
				each(g.Extend(a.n, to, isSigned), func(i int) uint64 {
					if isSigned {
						return uint64(sign(a, i))
					}
					return a.v[i]
				})
			case 15:
				of := []term{fit(b), fit(c), a, fit(pool[rng.IntN(len(pool))])}
				index := pool[rng.IntN(len(pool))]
				nodes := []*netlist.Node{of[0].n, of[1].n, of[2].n, of[3].n}
				at := g.Binary(netlist.And, g.Extend(index.n, 64, false), g.Const(3, 64))
				each(g.Select(at, nodes), func(i int) uint64 { return of[index.v[i]&3].v[i] })
			}
		}
	}
}
