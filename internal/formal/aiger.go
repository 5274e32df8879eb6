package formal

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// literal is a node of an and-inverter graph, times two, plus one if inverted. Node 0 is the constant 0.
type literal uint32

func (a literal) not() literal { return a ^ 1 }

// aigerGraph is a graph as binary AIGER has it (Biere, Heljanko and Wieringa, AIGER 1.9 And Beyond, 2011): the inputs
// are nodes 1 on, then come the latches, which start at 0, then the ands, each after the nodes that it reads.
type aigerGraph struct {
	inputs      int
	next        []literal    // of each latch
	outputs     []literal    // watched nets
	bads        []literal    // a state in which one is 1 is bad
	constraints []literal    // a path counts as long as all are 1
	ands        [][2]literal // the greater operand first
	known       map[[2]literal]literal
}

// latch returns the literal of a latch.
func (g *aigerGraph) latch(i int) literal { return literal(2 * (1 + g.inputs + i)) }

// firstAnd is the node of the first and.
func (g *aigerGraph) firstAnd() int { return 1 + g.inputs + len(g.next) }

// readAIGER reads a file without symbols of its own use: they are skipped.
func readAIGER(name string) (*aigerGraph, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	r := bytes.NewReader(data)
	b := bufio.NewReader(r)
	head, err := b.ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var all, inputs, latches, outputs, ands, bads, constraints int
	n, _ := fmt.Sscanf(head, "aig %d %d %d %d %d %d %d", &all, &inputs, &latches, &outputs, &ands, &bads, &constraints)
	if n < 5 || all != inputs+latches+ands || min(inputs, latches, outputs, ands, bads, constraints) < 0 ||
		latches+outputs+ands+bads+constraints > len(data) {
		return nil, fmt.Errorf("%s: %.60q, want the head of a graph", name, head)
	}
	g := &aigerGraph{inputs: inputs}
	for _, list := range []struct {
		to *[]literal
		n  int
	}{{&g.next, latches}, {&g.outputs, outputs}, {&g.bads, bads}, {&g.constraints, constraints}} {
		for range list.n {
			var l literal
			line, err := b.ReadString('\n')
			if _, scan := fmt.Sscanf(line, "%d\n", &l); err != nil || scan != nil || int(l>>1) > all {
				return nil, fmt.Errorf("%s: %.60q, want a literal and no value at the start", name, line)
			}
			*list.to = append(*list.to, l)
		}
	}
	for i := range ands {
		of := literal(2 * (g.firstAnd() + i))
		d0, err0 := readDelta(b)
		d1, err1 := readDelta(b)
		if err := errors.Join(err0, err1); err != nil || d0 > of || d1 > of-d0 {
			return nil, fmt.Errorf("%s: an and that reads a node after it, or none", name)
		}
		g.ands = append(g.ands, [2]literal{of - d0, of - d0 - d1})
	}
	return g, nil
}

// readDelta reads a number, seven bits a byte, the least significant first.
func readDelta(b io.ByteReader) (d literal, err error) {
	for shift := 0; shift < 32; shift += 7 {
		c, err := b.ReadByte()
		if err != nil {
			return 0, err
		}
		d |= literal(c&0x7f) << shift
		if c < 0x80 {
			return d, nil
		}
	}
	return 0, errors.New("a number of more than 32 bits")
}

// and returns the literal that is 1 while both a and b are: a constant, one of the two, an and that the graph has
// already, or a new one. It may be called once g.known is made.
func (g *aigerGraph) and(a, b literal) literal {
	if a < b {
		a, b = b, a
	}
	switch {
	case b == 0 || a == b.not():
		return 0
	case b == 1 || a == b:
		return a
	}
	if i := int(a>>1) - g.firstAnd(); i >= 0 && a&1 == 0 && (g.ands[i][0] == b || g.ands[i][1] == b) {
		return a
	}
	x, ok := g.known[[2]literal{a, b}]
	if !ok {
		x = literal(2 * (g.firstAnd() + len(g.ands)))
		g.ands = append(g.ands, [2]literal{a, b})
		g.known[[2]literal{a, b}] = x
	}
	return x
}

// at0 returns the graph with more latches. Every latch but first is read as 0 in the first step, in which first is 0.
// Its value is 0 then anyhow; since the graph says so, an induction tries no other.
func (g *aigerGraph) at0(first literal, more int) (w *aigerGraph, read func(literal) literal) {
	w = &aigerGraph{
		inputs: g.inputs, next: make([]literal, len(g.next)+more), known: map[[2]literal]literal{},
	}
	of := make([]literal, g.firstAnd()+len(g.ands))
	read = func(l literal) literal { return of[l>>1] ^ l&1 }
	for i := range of {
		switch l := literal(2 * i); {
		case i <= g.inputs || l == first:
			of[i] = l
		case i < g.firstAnd():
			of[i] = w.and(first, l)
		default:
			operands := g.ands[i-g.firstAnd()]
			of[i] = w.and(read(operands[0]), read(operands[1]))
		}
	}
	for i, l := range g.next {
		w.next[i] = read(l)
	}
	for _, l := range g.bads {
		w.bads = append(w.bads, read(l))
	}
	for _, l := range g.constraints {
		w.constraints = append(w.constraints, read(l))
	}
	return w, read
}

// write writes the graph. Its outputs are the first outputs, its bad states the last.
func (g *aigerGraph) write(name string) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "aig %d %d %d %d %d %d %d\n", g.firstAnd()+len(g.ands)-1, g.inputs, len(g.next), len(g.outputs),
		len(g.ands), len(g.bads), len(g.constraints))
	for _, list := range [][]literal{g.next, g.outputs, g.bads, g.constraints} {
		for _, l := range list {
			fmt.Fprintf(&b, "%d\n", l)
		}
	}
	for i, operands := range g.ands {
		of := literal(2 * (g.firstAnd() + i))
		for _, d := range []literal{of - operands[0], operands[0] - operands[1]} {
			for ; d >= 0x80; d >>= 7 {
				b.WriteByte(byte(d) | 0x80)
			}
			b.WriteByte(byte(d))
		}
	}
	return os.WriteFile(name, b.Bytes(), 0o644)
}
