package mutation

import (
	"io"

	"github.com/goldwire/goldwire/internal/aiger"
)

type literal = aiger.Literal

const (
	literalFalse = aiger.False
	literalTrue  = aiger.True
)

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
	if x, ok := aiger.Fold(a, b); ok {
		return x
	}
	a, b = min(a, b), max(a, b)
	if x, ok := g.known[[2]literal{a, b}]; ok {
		return x
	}
	x := g.add(node{nodeAnd, a, b})
	g.known[[2]literal{a, b}] = x
	return x
}

func (g *graph) or(a, b literal) literal { return g.and(a.Not(), b.Not()).Not() }

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

func (g *graph) xor(a, b literal) literal { return g.or(g.and(a, b.Not()), g.and(a.Not(), b)) }

// mux is b if s, else a.
func (g *graph) mux(a, b, s literal) literal {
	if a == b {
		return a
	}
	return g.or(g.and(s, b), g.and(s.Not(), a))
}

// run computes the gates of a netlist over the nets' literals.
func (g *graph) run(n *netlist, v []literal) {
	for _, x := range n.gates {
		switch x.kind {
		case gateBuf:
			v[x.y] = v[x.a]
		case gateNot:
			v[x.y] = v[x.a].Not()
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

// write writes the graph with its nodes in a file's order.
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
	f := aiger.Graph{Inputs: g.inputs}
	for _, n := range g.next {
		f.Next = append(f.Next, of(n))
	}
	for _, n := range outputs {
		f.Outputs = append(f.Outputs, of(n))
	}
	for _, n := range g.nodes {
		if n.kind == nodeAnd {
			f.Ands = append(f.Ands, [2]literal{max(of(n.a), of(n.b)), min(of(n.a), of(n.b))})
		}
	}
	return f.Write(w)
}
