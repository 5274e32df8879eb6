// Package netlist holds logic as a graph of bit vectors: inputs, registers, and operations on them. A node is made
// once: the same operation on the same arguments is the same node. Constants are folded at once, and each node is
// as narrow as the values that it can have:
//
//	x := g.Input("x", 8)
//	y := g.Extend(x, 64, false)                  // {56'h0, x}
//	z := g.Binary(Add, y, g.Const(1, 64))        // {55'h0, {1'h0, x} + 9'h1}
//	g.Extend(z, 8, false)                        // x + 8'h1
package netlist

import (
	"fmt"
	"math/bits"
	"slices"
)

// Op is what a node does.
type Op uint8

// The operations. Widths of a and b are equal where nothing else is said.
const (
	Const  Op = iota // Val
	Input            // Name
	Reg              // Name: a register's value before the edge
	Cat              // its arguments one after the other, the highest bits first
	Slice            // W bits of a, the lowest is bit Val
	Sext             // a with its sign bit repeated
	Not              // ^a
	And              // a & b
	Or               // a | b
	Xor              // a ^ b
	Add              // a + b
	Sub              // a - b
	Mul              // a * b
	UDiv             // a / b, unsigned
	URem             // a % b, unsigned
	SDiv             // a / b, signed, towards zero as Go has it
	SRem             // a % b, signed, with the sign of a as Go has it
	Shl              // a << b; b has its own width
	Lshr             // a >> b; b has its own width
	Ashr             // a >> b of a signed a; b has its own width
	Eq               // one bit
	Ult              // one bit: a < b, unsigned
	Slt              // one bit: a < b, signed
	Mux              // a is one bit: a ? b : c
	Select           // Args[0] is an index into the rest
	Bound            // a, of which is known that it is at most Val
)

// Node is a bit vector of 1 to 64 bits.
type Node struct {
	Op   Op
	W    int
	Args []*Node
	Val  uint64
	Name string
	ID   int // in the order in which they were made

	lo, hi   uint64 // the least and the greatest value, unsigned
	slo, shi int64  // the same of the value taken as a signed number of W bits
	ones     int    // how many bits can be 1 at a time: a loop over the bits of a mask ends by it
	// Hint is the name of the Go variable that first held the value, and Where its line: "block_sync.go:41".
	Hint, Where string
}

// IsConst tells whether a node is the constant v.
func (n *Node) IsConst(v uint64) bool { return n.Op == Const && n.Val == v }

// Range returns the least and the greatest value that the node can have, unsigned.
func (n *Node) Range() (lo, hi uint64) { return n.lo, n.hi }

// LimitError says that a graph has more nodes than it may.
type LimitError struct{ Most int }

func (e *LimitError) Error() string { return fmt.Sprintf("more than %d operations", e.Most) }

// Graph makes nodes.
type Graph struct {
	most  int
	count int
	small map[key]*Node
	large map[string]*Node
	cut   map[cut]*Node // what Slice has returned: a part of shared logic is cut once

	compared map[uint64]bool // the constants that something was compared with
}

type cut struct {
	n      *Node
	low, w int
}

type key struct {
	op      Op
	w       int
	val     uint64
	name    string
	a, b, c *Node
}

// New returns a graph with room for a number of nodes. One more panics with a [LimitError].
func New(most int) *Graph {
	return &Graph{most: most, small: map[key]*Node{}, large: map[string]*Node{}, cut: map[cut]*Node{},
		compared: map[uint64]bool{}}
}

// Len returns the number of nodes.
func (g *Graph) Len() int { return g.count }

// Mask returns a number of w ones.
func Mask(w int) uint64 {
	if w >= 64 {
		return ^uint64(0)
	}
	return 1<<w - 1
}

func signed(v uint64, w int) int64 { return int64(v<<(64-w)) >> (64 - w) }

func (g *Graph) node(op Op, w int, val uint64, name string, lo, hi uint64, args ...*Node) *Node {
	if len(args) <= 3 {
		k := key{op: op, w: w, val: val, name: name}
		for i, p := range []**Node{&k.a, &k.b, &k.c} {
			if i < len(args) {
				*p = args[i]
			}
		}
		n := g.small[k]
		if n == nil {
			n = g.fresh(op, w, val, name, lo, hi, args)
			g.small[k] = n
		}
		return n
	}
	b := make([]byte, 0, 16+len(args)*4)
	b = append(b, byte(op), byte(w))
	for _, a := range args {
		b = append(b, byte(a.ID), byte(a.ID>>8), byte(a.ID>>16), byte(a.ID>>24))
	}
	n := g.large[string(b)]
	if n == nil {
		n = g.fresh(op, w, val, name, lo, hi, args)
		g.large[string(b)] = n
	}
	return n
}

func (g *Graph) fresh(op Op, w int, val uint64, name string, lo, hi uint64, args []*Node) *Node {
	if g.count++; g.count > g.most {
		panic(&LimitError{g.most})
	}
	n := &Node{Op: op, W: w, Args: args, Val: val, Name: name, ID: g.count, lo: lo, hi: min(hi, Mask(w))}
	n.slo, n.shi = signedRange(n)
	n.ones = min(ones(n), bits.Len64(n.hi))
	return n
}

func ones(n *Node) int {
	switch n.Op {
	case Const:
		return bits.OnesCount64(n.Val)
	case Cat:
		sum := 0
		for _, a := range n.Args {
			sum += a.ones
		}
		return sum
	case And:
		a, b := n.Args[0], n.Args[1]
		if clears(a, b) || clears(b, a) {
			return max(0, min(a.ones, b.ones)-1)
		}
		return min(a.ones, b.ones)
	case Or, Xor:
		return n.Args[0].ones + n.Args[1].ones
	case Mux:
		return max(n.Args[1].ones, n.Args[2].ones)
	case Slice, Bound:
		return n.Args[0].ones
	}
	return n.W
}

// clears tells of b = a - 1: a & b is a without its lowest 1.
func clears(a, b *Node) bool {
	return b.Op == Add && b.Args[0] == a && b.Args[1].IsConst(Mask(a.W))
}

// signedRange returns the least and the greatest value of a node as a signed number.
func signedRange(n *Node) (lo, hi int64) {
	switch {
	case n.Op == Const:
		return signed(n.Val, n.W), signed(n.Val, n.W)
	case n.hi>>(n.W-1) == 0:
		return int64(n.lo), int64(n.hi)
	case n.Op == Sext:
		return n.Args[0].slo, n.Args[0].shi
	case n.Op == Mux:
		return min(n.Args[1].slo, n.Args[2].slo), max(n.Args[1].shi, n.Args[2].shi)
	}
	lo, hi = signed(1<<(n.W-1), n.W), int64(Mask(n.W-1))
	if n.W < 63 && (n.Op == Add || n.Op == Sub) {
		a, b := n.Args[0], n.Args[1]
		l, h := a.slo+b.slo, a.shi+b.shi
		if n.Op == Sub {
			l, h = a.slo-b.shi, a.shi-b.slo
		}
		if l >= lo && h <= hi {
			return l, h
		}
	}
	return lo, hi
}

// Const returns a constant.
func (g *Graph) Const(v uint64, w int) *Node {
	v &= Mask(w)
	return g.node(Const, w, v, "", v, v)
}

// Bit returns a constant of one bit.
func (g *Graph) Bit(v bool) *Node {
	if v {
		return g.Const(1, 1)
	}
	return g.Const(0, 1)
}

// Input returns the input of a name.
func (g *Graph) Input(name string, w int) *Node { return g.node(Input, w, 0, name, 0, Mask(w)) }

// Reg returns the value that a register has before the edge.
func (g *Graph) Reg(name string, w int) *Node { return g.node(Reg, w, 0, name, 0, Mask(w)) }

// Thresholds returns the constants that anything was compared with, and those beside them: where a range may end.
func (g *Graph) Thresholds() []uint64 {
	met := map[uint64]bool{}
	for v := range g.compared {
		met[v], met[v+1] = true, true
		if v > 0 {
			met[v-1] = true
		}
	}
	for w := range 64 {
		met[Mask(w)] = true
	}
	var list []uint64
	for v := range met {
		list = append(list, v)
	}
	slices.Sort(list)
	return list
}

// need returns how many low bits of n can be other than 0.
func need(n *Node) int { return bits.Len64(n.hi) }

// core returns n without the zeros above its values: at least one bit.
func (g *Graph) core(n *Node) *Node {
	if w := max(1, need(n)); w < n.W {
		return g.Slice(n, 0, w)
	}
	return n
}

// Extend returns n with w bits: cut, or with zeros above it, or with its sign bit repeated.
func (g *Graph) Extend(n *Node, w int, isSigned bool) *Node {
	switch {
	case n.W == w:
		return n
	case w < n.W:
		return g.Slice(n, 0, w)
	case !isSigned || n.hi>>(n.W-1) == 0:
		return g.Cat(g.Const(0, w-n.W), n)
	case n.Op == Const:
		return g.Const(uint64(signed(n.Val, n.W)), w)
	case n.Op == Sext:
		return g.node(Sext, w, 0, "", 0, Mask(w), n.Args[0])
	}
	return g.node(Sext, w, 0, "", 0, Mask(w), n)
}

// AtMost returns n, of which the caller knows that it is never more than most.
func (g *Graph) AtMost(n *Node, most uint64) *Node {
	if n.hi <= most {
		return n
	}
	w := max(1, bits.Len64(most))
	if low := g.Slice(n, 0, w); low.hi <= most {
		return g.Extend(low, n.W, false)
	}
	return g.Extend(g.node(Bound, w, most, "", 0, most, g.Slice(n, 0, w)), n.W, false)
}

// Cat returns its arguments one after the other, the highest bits first; together they have at most 64 bits.
func (g *Graph) Cat(parts ...*Node) *Node {
	var flat []*Node
	add := func(n *Node) {
		if len(flat) > 0 {
			last := flat[len(flat)-1]
			switch {
			case last.Op == Const && n.Op == Const:
				flat[len(flat)-1] = g.Const(last.Val<<n.W|n.Val, last.W+n.W)
				return
			case last.Op == Slice && n.Op == Slice && last.Args[0] == n.Args[0] && last.Val == n.Val+uint64(n.W):
				flat[len(flat)-1] = g.Slice(n.Args[0], int(n.Val), last.W+n.W)
				return
			}
		}
		flat = append(flat, n)
	}
	for _, p := range parts {
		if p.Op == Cat {
			for _, a := range p.Args {
				add(a)
			}
			continue
		}
		add(p)
	}
	if len(flat) == 1 {
		return flat[0]
	}
	w, lo, hi := 0, uint64(0), uint64(0)
	for _, p := range flat {
		w += p.W
		lo, hi = lo<<p.W|p.lo, hi<<p.W|p.hi
	}
	return g.node(Cat, w, 0, "", lo, hi, flat...)
}

// Slice returns w bits of n from bit low on.
func (g *Graph) Slice(n *Node, low, w int) *Node {
	if low == 0 && w == n.W {
		return n
	}
	switch n.Op {
	case Const:
		return g.Const(n.Val>>low, w)
	case Slice:
		return g.Slice(n.Args[0], int(n.Val)+low, w)
	}
	k := cut{n, low, w}
	if g.cut[k] == nil {
		g.cut[k] = g.slice(n, low, w)
	}
	return g.cut[k]
}

func (g *Graph) slice(n *Node, low, w int) *Node {
	switch n.Op {
	case Cat:
		var parts []*Node
		at := n.W
		for _, p := range n.Args { // p lies at bits at-p.W .. at-1
			at -= p.W
			from, to := max(low, at), min(low+w, at+p.W)
			if from < to {
				parts = append(parts, g.Slice(p, from-at, to-from))
			}
		}
		return g.Cat(parts...)
	case Sext:
		if a := n.Args[0]; low < a.W {
			return g.Extend(g.Slice(a, low, min(w, a.W-low)), w, true)
		}
	case And, Or, Xor:
		return g.Binary(n.Op, g.Slice(n.Args[0], low, w), g.Slice(n.Args[1], low, w))
	case Not:
		return g.Not(g.Slice(n.Args[0], low, w))
	case Mux:
		return g.Mux(n.Args[0], g.Slice(n.Args[1], low, w), g.Slice(n.Args[2], low, w))
	case Add, Sub, Mul:
		if low == 0 {
			return g.Binary(n.Op, g.Slice(n.Args[0], 0, w), g.Slice(n.Args[1], 0, w))
		}
	case Shl:
		if low == 0 {
			return g.Binary(Shl, g.Slice(n.Args[0], 0, w), n.Args[1])
		}
	case Select:
		if !slices.ContainsFunc(n.Args[1:], func(a *Node) bool { return a.Op != Reg }) {
			break // a word of a memory
		}
		args := []*Node{}
		for _, a := range n.Args[1:] {
			args = append(args, g.Slice(a, low, w))
		}
		return g.Select(n.Args[0], args)
	}
	if low >= need(n) {
		return g.Const(0, w)
	}
	hi := Mask(w)
	if n.hi>>low < hi {
		hi = n.hi >> low
	}
	lo := uint64(0)
	if need(n) <= low+w {
		lo = n.lo >> low
	}
	if k := bits.Len64(hi); k < w { // zeros above it
		return g.Cat(g.Const(0, w-k), g.node(Slice, k, uint64(low), "", lo, hi, n))
	}
	return g.node(Slice, w, uint64(low), "", lo, hi, n)
}
