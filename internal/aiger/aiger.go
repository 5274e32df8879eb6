// Package aiger reads and writes and-inverter graphs in the binary AIGER format, which yosys-abc speaks (Biere,
// Heljanko and Wieringa, AIGER 1.9 And Beyond, 2011).
package aiger

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// Literal is a node of a graph, times two, plus one if inverted. Node 0 is the constant 0.
type Literal uint32

// The constants.
const (
	False Literal = 0
	True  Literal = 1
)

// Not returns the inverted literal.
func (a Literal) Not() Literal { return a ^ 1 }

// Graph is a graph in a file's order. With two inputs, one latch and one and:
//
//	node      0          1       2       3       4
//	literal   0          2       4       6       8
//	          constant   input   input   latch   and, of literals below 8
type Graph struct {
	Inputs      int
	Next        []Literal    // of each latch; latches start at 0
	Outputs     []Literal    // watched nets
	Bads        []Literal    // a state in which one is 1 is bad
	Constraints []Literal    // a path counts as long as all are 1
	Ands        [][2]Literal // the greater operand first
	known       map[[2]Literal]Literal
}

// Latch returns the literal of a latch.
func (g *Graph) Latch(i int) Literal { return Literal(2 * (1 + g.Inputs + i)) }

// FirstAnd is the node of the first and.
func (g *Graph) FirstAnd() int { return 1 + g.Inputs + len(g.Next) }

// Nodes is the number of nodes, with the constant.
func (g *Graph) Nodes() int { return g.FirstAnd() + len(g.Ands) }

// Fold returns the literal that is 1 while both a and b are, if it is a constant or one of the two.
func Fold(a, b Literal) (x Literal, ok bool) {
	switch low, high := min(a, b), max(a, b); {
	case low == False || low == high.Not():
		return False, true
	case low == True || low == high:
		return high, true
	}
	return 0, false
}

// And returns the literal that is 1 while both a and b are: a constant, one of the two, an and that And has made
// before, or a new one.
func (g *Graph) And(a, b Literal) Literal {
	if x, ok := Fold(a, b); ok {
		return x
	}
	a, b = max(a, b), min(a, b)
	if i := int(a>>1) - g.FirstAnd(); i >= 0 && a&1 == 0 && (g.Ands[i][0] == b || g.Ands[i][1] == b) {
		return a
	}
	x, ok := g.known[[2]Literal{a, b}]
	if !ok {
		x = Literal(2 * g.Nodes())
		g.Ands = append(g.Ands, [2]Literal{a, b})
		if g.known == nil {
			g.known = map[[2]Literal]Literal{}
		}
		g.known[[2]Literal{a, b}] = x
	}
	return x
}

// Read reads a file. It skips symbols and comments, and refuses latches that do not start at 0.
func Read(name string) (*Graph, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	b := bufio.NewReader(bytes.NewReader(data))
	head, err := b.ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var all, inputs, latches, outputs, ands, bads, constraints int
	n, _ := fmt.Sscanf(head, "aig %d %d %d %d %d %d %d", &all, &inputs, &latches, &outputs, &ands, &bads, &constraints)
	if n < 5 || min(inputs, latches, outputs, ands, bads, constraints) < 0 ||
		max(latches, outputs, ands, bads, constraints) > len(data) || all != inputs+latches+ands {
		return nil, fmt.Errorf("%s: %.60q, want the head of a graph", name, head)
	}
	g := &Graph{Inputs: inputs}
	for _, list := range []struct {
		to *[]Literal
		n  int
	}{{&g.Next, latches}, {&g.Outputs, outputs}, {&g.Bads, bads}, {&g.Constraints, constraints}} {
		for range list.n {
			var l Literal
			line, err := b.ReadString('\n')
			if _, scan := fmt.Sscanf(line, "%d\n", &l); err != nil || scan != nil || int(l>>1) > all {
				return nil, fmt.Errorf("%s: %.60q, want a literal and no value at the start", name, line)
			}
			*list.to = append(*list.to, l)
		}
	}
	for range ands {
		of := Literal(2 * g.Nodes())
		d0, err0 := readDelta(b)
		d1, err1 := readDelta(b)
		if err := errors.Join(err0, err1); err != nil || d0 > of || d1 > of-d0 {
			return nil, fmt.Errorf("%s: an and that reads a node after it, or none", name)
		}
		g.Ands = append(g.Ands, [2]Literal{of - d0, of - d0 - d1})
	}
	return g, nil
}

// readDelta reads a number, seven bits a byte, the least significant first.
func readDelta(b io.ByteReader) (d Literal, err error) {
	for shift := 0; shift < 32; shift += 7 {
		c, err := b.ReadByte()
		if err != nil {
			return 0, err
		}
		d |= Literal(c&0x7f) << shift
		if c < 0x80 {
			return d, nil
		}
	}
	return 0, errors.New("a number of more than 32 bits")
}

// Write writes the graph. Without bad states and constraints it is a file of AIGER's first version.
func (g *Graph) Write(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "aig %d %d %d %d %d", g.Nodes()-1, g.Inputs, len(g.Next), len(g.Outputs), len(g.Ands))
	if len(g.Bads)+len(g.Constraints) > 0 {
		fmt.Fprintf(b, " %d %d", len(g.Bads), len(g.Constraints))
	}
	fmt.Fprintln(b)
	for _, list := range [][]Literal{g.Next, g.Outputs, g.Bads, g.Constraints} {
		for _, l := range list {
			fmt.Fprintf(b, "%d\n", l)
		}
	}
	for i, operands := range g.Ands {
		of := Literal(2 * (g.FirstAnd() + i))
		for _, d := range []Literal{of - operands[0], operands[0] - operands[1]} {
			for ; d >= 0x80; d >>= 7 {
				b.WriteByte(byte(d) | 0x80)
			}
			b.WriteByte(byte(d))
		}
	}
	return b.Flush()
}

// WriteFile writes the graph into a file.
func (g *Graph) WriteFile(name string) error {
	var b bytes.Buffer
	if err := g.Write(&b); err != nil {
		return err
	}
	return os.WriteFile(name, b.Bytes(), 0o644)
}
