package wave

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Var is a variable of a dump.
type Var struct {
	Scope string // names joined by dots: "top.tx.scrambler"
	Name  string
	Width int // 1 to 64 bits
}

// Writer encodes a VCD file change by change. It keeps the rules that viewers punish when broken: stamps only rise,
// and all variables have a value at the first.
type Writer struct {
	to    io.Writer
	buf   []byte // not written yet; there is room for a line
	codes []code
	now   uint64
	err   error
}

// code is what a variable's changes need: its identifier and width.
type code struct {
	width int
	id    [8]byte // identifier and newline
	n     int
}

const (
	bufferSize = 1 << 16
	lineRoom   = 96 // a change of 64 bits has at most 1+64+1+8 bytes, a stamp 22; digits and identifiers are put by eights
)

var nameForm = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_$]*$`)

// NewWriter writes the header. Variables are numbered in the order given; in the header the variables of one scope
// stand together, and scopes in the order of their first variable.
func NewWriter(w io.Writer, scale Scale, vars []Var) (*Writer, error) {
	nets := make([]int, len(vars))
	for i := range nets {
		nets[i] = i
	}
	return newWriter(w, scale, vars, nets)
}

// newWriter is NewWriter where several variables may show one net: they share an identifier, and a change is written
// once. Nets says which one each variable shows; values and changes are the nets'.
func newWriter(w io.Writer, scale Scale, vars []Var, nets []int) (*Writer, error) {
	o := &Writer{to: w, buf: make([]byte, 0, bufferSize), codes: make([]code, slices.Max(append(nets, -1))+1)}
	root := &scopeNode{}
	declared := make(map[Var]bool, len(vars))
	for i, v := range vars {
		if v.Width < 1 || v.Width > 64 {
			return nil, fmt.Errorf("variable %s.%s has %d bits, want 1 to 64", v.Scope, v.Name, v.Width)
		}
		for _, name := range append(strings.Split(v.Scope, "."), v.Name) {
			if !nameForm.MatchString(name) {
				return nil, fmt.Errorf("variable %s.%s: %q is not a name", v.Scope, v.Name, name)
			}
		}
		if declared[Var{v.Scope, v.Name, 0}] {
			return nil, fmt.Errorf("variable %s.%s is declared twice", v.Scope, v.Name)
		}
		declared[Var{v.Scope, v.Name, 0}] = true
		at := root.at(strings.Split(v.Scope, "."))
		at.vars = append(at.vars, i)
		o.codes[nets[i]] = newCode(nets[i], v.Width)
	}
	var header bytes.Buffer
	fmt.Fprintf(&header, "$version goldwire $end\n$timescale %s $end\n", scale)
	root.write(&header, vars, nets, o.codes)
	fmt.Fprint(&header, "$enddefinitions $end\n")
	o.write(header.Bytes())
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

func (n *scopeNode) write(w io.Writer, vars []Var, nets []int, codes []code) {
	for _, v := range n.vars {
		c := codes[nets[v]]
		bits := ""
		if c.width > 1 {
			bits = fmt.Sprintf(" [%d:0]", c.width-1)
		}
		fmt.Fprintf(w, "$var wire %d %s %s%s $end\n", c.width, c.id[:c.n-1], vars[v].Name, bits)
	}
	for _, s := range n.subs {
		fmt.Fprintf(w, "$scope module %s $end\n", s.name)
		s.write(w, vars, nets, codes)
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
	o.write(fmt.Appendf(nil, "#%d\n$dumpvars\n", stamp))
	o.now = stamp
	for i, v := range values {
		switch c := &o.codes[i]; {
		case unknown == nil || !unknown[i]:
			o.Change(i, v)
		case c.width == 1:
			o.write(fmt.Appendf(nil, "x%s", c.id[:c.n]))
		default:
			o.write(fmt.Appendf(nil, "bx %s", c.id[:c.n]))
		}
	}
	o.write([]byte("$end\n"))
}

// write puts text of any length.
func (o *Writer) write(text []byte) {
	for len(text) > 0 {
		o.makeRoom()
		n := min(len(text), lineRoom)
		o.buf = append(o.buf, text[:n]...)
		text = text[n:]
	}
}

// makeRoom makes room for a line.
func (o *Writer) makeRoom() {
	if cap(o.buf)-len(o.buf) < lineRoom {
		o.flush()
	}
}

// flush writes the buffered bytes. Once a write has failed nothing more is written.
func (o *Writer) flush() {
	if _, err := o.to.Write(o.buf); err != nil {
		o.to = io.Discard
		if o.err == nil {
			o.err = err
		}
	}
	o.buf = o.buf[:0]
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
	o.makeRoom()
	o.buf = append(strconv.AppendUint(append(o.buf, '#'), stamp, 10), '\n')
}

// byteDigits has the eight binary digits of each byte, the first in the lowest place.
var byteDigits = func() (t [256]uint64) {
	for i := range t {
		for j := range 8 {
			t[i] |= uint64('0'+i>>(7-j)&1) << (8 * j)
		}
	}
	return t
}()

// Change writes a variable's new value at the current stamp.
func (o *Writer) Change(v int, value uint64) {
	o.makeRoom()
	c, at := &o.codes[v], len(o.buf)
	b := o.buf[:at+lineRoom]
	if c.width == 1 {
		b[at] = byte('0' + value&1)
		at++
	} else {
		b[at] = 'b'
		at++
		top := (c.width - 1) / 8
		spare := 8*(top+1) - c.width // digits of the highest byte that the variable does not have
		binary.LittleEndian.PutUint64(b[at:], byteDigits[byte(value>>(8*top))]>>(8*spare))
		at += 8 - spare
		for i := top - 1; i >= 0; i-- {
			binary.LittleEndian.PutUint64(b[at:], byteDigits[byte(value>>(8*i))])
			at += 8
		}
		b[at] = ' '
		at++
	}
	*(*[8]byte)(b[at:]) = c.id
	o.buf = b[:at+c.n]
}

// Close writes a closing stamp and the buffered bytes. It does not close the file below.
func (o *Writer) Close(stamp uint64) error {
	if stamp > o.now {
		o.At(stamp)
	}
	o.flush()
	return o.err
}
