package mutation

import (
	"bufio"
	"fmt"
	"io"
	"slices"
)

// literal is a node of an and-inverter graph, times two, plus one if inverted.
type literal uint32

const (
	literalFalse literal = 0
	literalTrue  literal = 1
)

func (a literal) not() literal { return a ^ 1 }

// graph is an and-inverter graph with latches that start at 0. Equal nodes are one.
type graph struct {
	nodes   []node
	known   map[[2]literal]literal
	inputs  int
	latches []literal // their nodes
	next    []literal // of each latch
}

type node struct {
	kind uint8
	a, b literal // of an and
}

const (
	nodeConstant uint8 = iota
	nodeInput
	nodeLatch
	nodeAnd
)

func newGraph() *graph { return &graph{nodes: []node{{}}, known: map[[2]literal]literal{}} }

func (g *graph) add(n node) literal {
	g.nodes = append(g.nodes, n)
	return literal(2 * (len(g.nodes) - 1))
}

func (g *graph) input() literal {
	g.inputs++
	return g.add(node{kind: nodeInput})
}

// latch makes one whose next value is set later.
func (g *graph) latch() literal {
	l := g.add(node{kind: nodeLatch})
	g.latches, g.next = append(g.latches, l), append(g.next, literalFalse)
	return l
}

func (g *graph) and(a, b literal) literal {
	if a > b {
		a, b = b, a
	}
	switch {
	case a == literalFalse || a == b.not():
		return literalFalse
	case a == literalTrue || a == b:
		return b
	}
	if x, ok := g.known[[2]literal{a, b}]; ok {
		return x
	}
	x := g.add(node{nodeAnd, a, b})
	g.known[[2]literal{a, b}] = x
	return x
}

func (g *graph) or(a, b literal) literal { return g.and(a.not(), b.not()).not() }

// any is a tree of ors.
func (g *graph) any(list []literal) literal {
	switch n := len(list); n {
	case 0:
		return literalFalse
	case 1:
		return list[0]
	default:
		return g.or(g.any(list[:n/2]), g.any(list[n/2:]))
	}
}

func (g *graph) xor(a, b literal) literal { return g.or(g.and(a, b.not()), g.and(a.not(), b)) }

// mux is b if s, else a.
func (g *graph) mux(a, b, s literal) literal {
	if a == b {
		return a
	}
	return g.or(g.and(s, b), g.and(s.not(), a))
}

// run computes the gates of a netlist over the nets' literals.
func (g *graph) run(n *netlist, v []literal) {
	for _, x := range n.gates {
		switch x.kind {
		case gateBuf:
			v[x.y] = v[x.a]
		case gateNot:
			v[x.y] = v[x.a].not()
		case gateAnd:
			v[x.y] = g.and(v[x.a], v[x.b])
		case gateOr:
			v[x.y] = g.or(v[x.a], v[x.b])
		case gateXor:
			v[x.y] = g.xor(v[x.a], v[x.b])
		case gateMux:
			v[x.y] = g.mux(v[x.a], v[x.b], v[x.s])
		}
	}
}

// write writes the graph as binary AIGER (Biere, Heljanko and Wieringa, AIGER 1.9 And Beyond, 2011).
func (g *graph) write(w io.Writer, outputs ...literal) error {
	number := make([]literal, len(g.nodes)) // of the file, times two
	last := literal(0)
	for _, kind := range []uint8{nodeInput, nodeLatch, nodeAnd} {
		for i, n := range g.nodes {
			if n.kind == kind {
				last += 2
				number[i] = last
			}
		}
	}
	of := func(l literal) literal { return number[l>>1] | l&1 }
	b := bufio.NewWriter(w)
	ands := int(last/2) - g.inputs - len(g.latches)
	fmt.Fprintf(b, "aig %d %d %d %d %d\n", last/2, g.inputs, len(g.latches), len(outputs), ands)
	for _, n := range append(slices.Clone(g.next), outputs...) {
		fmt.Fprintf(b, "%d\n", of(n))
	}
	delta := func(x literal) {
		for ; x >= 0x80; x >>= 7 {
			b.WriteByte(byte(x) | 0x80)
		}
		b.WriteByte(byte(x))
	}
	for i, n := range g.nodes {
		if n.kind != nodeAnd {
			continue
		}
		x, y := of(n.a), of(n.b)
		if x < y {
			x, y = y, x
		}
		delta(number[i] - x)
		delta(x - y)
	}
	return b.Flush()
}
