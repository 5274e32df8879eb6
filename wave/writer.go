package wave

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// Var is a variable of a dump.
type Var struct {
	Scope string // names joined by dots: "top.tx.scrambler"
	Name  string
	Width int // 1 to 64 bits
}

// Writer encodes a VCD file change by change. It keeps the rules that viewers punish when broken: stamps only rise, and all
// variables have a value at the first.
type Writer struct {
	w      *bufio.Writer
	codes  []code
	digits []byte
	now    uint64
	begun  bool
	err    error
}

// code is what a variable's changes need: its identifier and width.
type code struct {
	width int
	id    [5]byte // identifier and newline
	n     int
}

var nameForm = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_$]*$`)

// NewWriter writes the header. Variables are numbered in the order given; those of a scope stand together, scopes in the
// order of their first variable.
func NewWriter(w io.Writer, scale Scale, vars []Var) (*Writer, error) {
	o := &Writer{w: bufio.NewWriterSize(w, 1<<16), digits: make([]byte, 0, 80)}
	root := &scopeNode{}
	for i, v := range vars {
		if v.Width < 1 || v.Width > 64 {
			return nil, fmt.Errorf("variable %s.%s has %d bits, want 1 to 64", v.Scope, v.Name, v.Width)
		}
		for _, name := range append(strings.Split(v.Scope, "."), v.Name) {
			if !nameForm.MatchString(name) {
				return nil, fmt.Errorf("variable %s.%s: %q is not a name", v.Scope, v.Name, name)
			}
		}
		root.at(strings.Split(v.Scope, ".")).vars = append(root.at(strings.Split(v.Scope, ".")).vars, i)
		o.codes = append(o.codes, newCode(i, v.Width))
	}
	fmt.Fprintf(o.w, "$version goldwire $end\n$timescale %s $end\n", scale)
	root.write(o.w, vars, o.codes)
	fmt.Fprint(o.w, "$enddefinitions $end\n")
	return o, nil
}

type scopeNode struct {
	name string
	subs []*scopeNode
	vars []int
}

func (n *scopeNode) at(path []string) *scopeNode {
	if len(path) == 0 {
		return n
	}
	for _, s := range n.subs {
		if s.name == path[0] {
			return s.at(path[1:])
		}
	}
	s := &scopeNode{name: path[0]}
	n.subs = append(n.subs, s)
	return s.at(path[1:])
}

func (n *scopeNode) write(w io.Writer, vars []Var, codes []code) {
	for _, v := range n.vars {
		c := codes[v]
		bits := ""
		if c.width > 1 {
			bits = fmt.Sprintf(" [%d:0]", c.width-1)
		}
		fmt.Fprintf(w, "$var wire %d %s %s%s $end\n", c.width, c.id[:c.n-1], vars[v].Name, bits)
	}
	for _, s := range n.subs {
		fmt.Fprintf(w, "$scope module %s $end\n", s.name)
		s.write(w, vars, codes)
		fmt.Fprint(w, "$upscope $end\n")
	}
}

// newCode gives variable i the i-th identifier: base 94, in the characters ! to ~, least significant first.
func newCode(i, width int) code {
	c := code{width: width}
	for {
		c.id[c.n] = byte('!' + i%94)
		c.n++
		if i = i/94 - 1; i < 0 {
			break
		}
	}
	c.id[c.n] = '\n'
	c.n++
	return c
}

// Begin writes the first stamp with all values.
func (o *Writer) Begin(stamp uint64, values []uint64) { o.BeginUnknown(stamp, values, nil) }

// BeginUnknown is Begin with variables that are x.
func (o *Writer) BeginUnknown(stamp uint64, values []uint64, unknown []bool) {
	fmt.Fprintf(o.w, "#%d\n$dumpvars\n", stamp)
	o.now, o.begun = stamp, true
	for i, v := range values {
		switch c := &o.codes[i]; {
		case unknown == nil || !unknown[i]:
			o.value(i, v)
		case c.width == 1:
			fmt.Fprintf(o.w, "x%s", c.id[:c.n])
		default:
			fmt.Fprintf(o.w, "bx %s", c.id[:c.n])
		}
	}
	_, o.err = o.w.WriteString("$end\n")
}

// At moves on to a stamp, which must not be less than the last one.
func (o *Writer) At(stamp uint64) {
	if stamp == o.now {
		return
	}
	if stamp < o.now && o.err == nil {
		o.err = fmt.Errorf("stamp %d comes after stamp %d, want stamps that do not go back", stamp, o.now)
	}
	o.now = stamp
	b := append(o.w.AvailableBuffer(), '#')
	b = strconv.AppendUint(b, stamp, 10)
	b = append(b, '\n')
	if _, err := o.w.Write(b); err != nil {
		o.err = err
	}
}

// Change writes a variable's new value at the current stamp.
func (o *Writer) Change(v int, value uint64) { o.value(v, value) }

// byteDigits has the eight binary digits of each byte.
var byteDigits = func() (t [256][8]byte) {
	for i := range t {
		for j := range 8 {
			t[i][j] = byte('0' + i>>(7-j)&1)
		}
	}
	return t
}()

func (o *Writer) value(v int, value uint64) {
	c := &o.codes[v]
	b := o.digits
	if c.width == 1 {
		b = append(b, byte('0'+value&1))
	} else {
		b = append(b, 'b')
		first := (c.width - 1) / 8
		d := &byteDigits[byte(value>>(8*first))]
		b = append(b, d[7-(c.width-1)%8:]...)
		for i := first - 1; i >= 0; i-- {
			b = append(b, byteDigits[byte(value>>(8*i))][:]...)
		}
		b = append(b, ' ')
	}
	b = append(b, c.id[:c.n]...)
	if _, err := o.w.Write(b); err != nil {
		o.err = err
	}
}

// Close writes a closing stamp and what is buffered. It does not close the file below.
func (o *Writer) Close(stamp uint64) error {
	if stamp > o.now {
		o.At(stamp)
	}
	if err := o.w.Flush(); err != nil {
		return err
	}
	return o.err
}
