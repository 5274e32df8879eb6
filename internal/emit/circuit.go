// Package emit writes Verilog of modules: their Tick, Comb and Reset are run on symbols, on the module as it was
// built, so that its configuration is constant. What a Tick changes is a register.
//
//	func (s *Counter) Tick() {            module counter (input clk, input rst, input en, output reg [7:0] n);
//	        if s.En.Get() {                   always @(posedge clk)
//	                s.n++             →           if (rst) n <= 8'h0;
//	        }                                     else if (en) n <= n + 8'h1;
//	        s.N.Set(s.n)                  endmodule
//	}
package emit

import (
	"errors"
	"fmt"
	"math/bits"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/internal/netlist"
	"github.com/goldwire/goldwire/internal/symbolic"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// mostNodes bounds the operations of a module. 1,500,000 take some 400 MB.
const mostNodes = 1_500_000

// Port is a port of the Verilog module.
type Port struct {
	Name  string
	Width int
	Dir   rtl.Direction
	Kind  rtl.SignalKind // of an output
	Value *netlist.Node  // of a combinational output
}

// register is a register, an output's among them.
type register struct {
	Name   string
	Width  int
	Port   bool // it is an output
	Clock  int  // of circuit.Clocks
	Next   *netlist.Node
	Reset  *netlist.Node // a constant
	Array  string        // the array that it is an element of; "" for none
	Index  int
	Family int // the elements of the array
}

// circuit is a module as logic between registers.
type circuit struct {
	Name   string
	Doc    string // of the module's type
	Clocks []domain
	Ports  []Port
	Regs   []register
	Nodes  int
}

// circuit runs a module on symbols. Ports are named as waveforms name them.
func (s *Source) Circuit(m rtl.Module, name string) (*circuit, error) {
	infos, err := rtl.Ports(m)
	if err != nil {
		return nil, err
	}
	v := reflect.ValueOf(m).Elem()
	t, err := s.typeOf(v.Type())
	if err != nil {
		return nil, err
	}
	x := symbolic.NewMachine(netlist.New(mostNodes), s.prog)
	im := &importer{src: s, x: x, met: map[place]*symbolic.Cell{}}
	root := im.cell(v, "", "")
	if len(im.ports) < len(infos) {
		return nil, fmt.Errorf("%s: %d ports are known, and its fields have %d", name, len(infos), len(im.ports))
	}
	c := &circuit{Name: name, Doc: s.docs[docKey(v.Type())], Clocks: []domain{{"clk", "rst"}}}
	b := &builder{x: x, parts: []part{{root, t, 0}}, c: c, used: map[string]bool{"clk": true, "rst": true}}
	for i, p := range infos {
		if err := b.addPort(im.ports[i], p, 0, false); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	if err := b.run(); err != nil {
		return nil, err
	}
	b.c.Nodes = x.G.Len()
	return b.c, nil
}

func docKey(t reflect.Type) string {
	name, _, _ := strings.Cut(t.Name(), "[")
	return t.PkgPath() + "." + name
}

// builder finds a module's registers and their next values.
type builder struct {
	x     *symbolic.Machine
	parts []part
	c     *circuit
	used  map[string]bool
	clock map[*symbolic.Cell]int // of a candidate for a register, if there are several

	ins, outs, nexts, wires []leaf
	cells                   []*symbolic.Cell // candidates for registers, in the order of the fields
	names                   map[*symbolic.Cell]string
	reg                     map[*symbolic.Cell]bool
	steps                   map[*symbolic.Cell]int    // how often most has grown
	once                    map[*symbolic.Cell]bool   // was taken for a register, and is a constant
	most                    map[*symbolic.Cell]uint64 // the greatest value of a register of no declared width, so far
}

// leaf is a scalar of a port and its port in Verilog.
type leaf struct {
	cell   *symbolic.Cell
	name   string
	width  int
	port   int // of circuit.Ports; none of an inner register
	clock  int
	inside bool
}

// addPort adds a port, or one of a module inside.
func (b *builder) addPort(cell *symbolic.Cell, p rtl.PortInfo, clock int, inside bool) error {
	elems := leaves(cell.Elem)
	if len(elems) != len(p.Leaves) || (p.Dir == rtl.Input) != (cell.Port == "In" || cell.Port == "Async") {
		return fmt.Errorf("port %s is not where its field is", p.Name)
	}
	for i, l := range p.Leaves {
		name := p.Name
		if l.Name != "" {
			name += "_" + l.Name
		}
		b.used[name] = true
		at := leaf{elems[i], name, l.Width, len(b.c.Ports), clock, inside}
		if !inside {
			b.c.Ports = append(b.c.Ports, Port{Name: name, Width: l.Width, Dir: p.Dir, Kind: p.Kind})
		}
		switch cell.Port {
		case "Out":
			b.outs = append(b.outs, at)
			b.nexts = append(b.nexts, leaf{cell: leaves(cell.Next)[i]})
		case "Wire":
			b.wires = append(b.wires, at)
		default:
			b.ins = append(b.ins, at)
		}
	}
	return nil
}

// mostRounds bounds the search for registers: each round but the last finds one at least.
const mostRounds = 1000

func (b *builder) run() error {
	x := b.x
	call := func(state symbolic.State, method string) error {
		for _, p := range b.parts {
			if fn := x.Method(p.t, method); fn != nil {
				if err := state.Call(fn, symbolic.Ptr{To: p.root}); err != nil {
					return err
				}
			}
		}
		return nil
	}
	inputs := x.NewState()
	for _, l := range b.ins {
		inputs.Set(l.cell, x.G.Extend(x.G.Input(l.name, l.width), l.cell.W, false))
	}
	reset := inputs.Child()
	if err := call(reset, "Reset"); err != nil {
		return err
	}
	b.names, b.most = map[*symbolic.Cell]string{}, map[*symbolic.Cell]uint64{}
	b.reg, b.once, b.steps = map[*symbolic.Cell]bool{}, map[*symbolic.Cell]bool{}, map[*symbolic.Cell]int{}
	for round := 0; ; round++ {
		if round > mostRounds {
			return errors.New("what a Tick changes is other after each round: the registers cannot be told")
		}
		b.collect(reset)
		begin := reset.Child()
		for _, c := range b.cells {
			if b.reg[c] {
				b.setRegister(begin, c)
			}
		}
		for i, l := range b.outs {
			n := x.G.Extend(x.G.Reg(l.name, l.width), l.cell.W, false)
			begin.Set(l.cell, n)
			begin.Set(b.nexts[i].cell, n)
		}
		settled := begin.Child()
		if err := call(settled, "Comb"); err != nil {
			return err
		}
		after := settled.Child()
		if err := call(after, "Tick"); err != nil {
			return err
		}
		again := false
		for _, c := range b.cells {
			if !b.reg[c] && !b.unchanged(reset.Get(c), after.Get(c)) {
				b.reg[c], again = true, true
				if n, is := reset.Get(c).(*netlist.Node); is && n.Op == netlist.Const && c.Bits == c.W && c.W > 1 {
					b.most[c] = n.Val
				}
			}
		}
		if again = b.widen(after) || again; !again {
			again = b.settled(reset, after)
		}
		if !again {
			return b.finish(reset, begin, settled, after)
		}
	}
}

// collect finds all cells that the module's fields lead to after the reset.
func (b *builder) collect(state symbolic.State) {
	b.cells, b.clock = nil, map[*symbolic.Cell]int{}
	clock := 0
	met := map[*symbolic.Cell]bool{}
	var walk func(c *symbolic.Cell, name string)
	value := func(v symbolic.Value, name string) {
		switch v := v.(type) {
		case symbolic.Slice:
			for i, p := range v.Of {
				walk(p.To, under(name, strconv.Itoa(i)))
			}
		case symbolic.Ptr:
			if v.To != nil {
				walk(v.To, name)
			}
			for i, k := range v.Of {
				walk(k, under(name, strconv.Itoa(i)))
			}
		}
	}
	walk = func(c *symbolic.Cell, name string) {
		if c == nil || met[c] || c.Port != "" {
			return
		}
		met[c] = true
		if c.Agg {
			for _, k := range c.Kids {
				walk(k, under(name, strings.TrimPrefix(strings.TrimPrefix(k.Name, c.Name), "_")))
			}
			c.Name = name
			return
		}
		c.Name = name
		if c.Unknown != "" {
			return
		}
		b.cells, b.clock[c] = append(b.cells, c), clock
		switch v := state.Get(c).(type) {
		case symbolic.Iface:
			value(v.V, c.Name)
		case symbolic.Func:
			for i, f := range v.Free {
				value(f, under(c.Name, strconv.Itoa(i)))
			}
		default:
			value(v, c.Name)
		}
	}
	for _, p := range b.parts {
		clock = p.clock
		walk(p.root, p.root.Name)
	}
}

// setRegister lets a cell hold a register: a number, or the length of a slice, or the choice of a pointer.
func (b *builder) setRegister(state symbolic.State, c *symbolic.Cell) {
	g := b.x.G
	if s, is := state.Get(c).(symbolic.Slice); is {
		w := 1
		for 1<<w <= len(s.Of) {
			w++
		}
		s.Len = g.AtMost(g.Extend(g.Reg(b.name(c, "_len"), w), 64, false), uint64(len(s.Of)))
		state.Set(c, s)
		return
	}
	n := g.Reg(b.name(c, ""), b.width(c))
	if most, bounded := b.most[c]; bounded {
		n = g.AtMost(n, most)
	}
	state.Set(c, g.Extend(n, c.W, false))
}

// width is the register's: as declared, or as its values need.
func (b *builder) width(c *symbolic.Cell) int {
	if most, bounded := b.most[c]; bounded {
		return max(1, bits.Len64(most))
	}
	return c.Bits
}

// name returns the register's name: the fields that lead to it.
func (b *builder) name(c *symbolic.Cell, suffix string) string {
	if n := b.names[c]; n != "" {
		return n
	}
	n := strings.Trim(strings.Map(func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' {
			return r
		}
		return '_'
	}, c.Name+suffix), "_")
	if n == "" || n[0] >= '0' && n[0] <= '9' {
		n = "r" + n
	}
	for b.used[n] || vectors.Reserved(n) {
		n += "_r"
	}
	b.used[n], b.names[c] = true, n
	return n
}

// unchanged tells whether a Tick leaves a cell's value as it was, for all inputs.
func (b *builder) unchanged(before, after symbolic.Value) bool {
	switch p := before.(type) {
	case *netlist.Node:
		return p == after
	case symbolic.Slice:
		q, is := after.(symbolic.Slice)
		return is && len(p.Of) == len(q.Of) && p.Len == q.Len && p.From == q.From
	}
	return true // texts, functions: [finish] looks at them
}

func (b *builder) finish(reset, begin, settled, after symbolic.State) error {
	g := b.x.G
	node := func(s symbolic.State, c *symbolic.Cell, w int) (*netlist.Node, error) {
		v := s.Get(c)
		if sl, is := v.(symbolic.Slice); is {
			v = sl.Len
			if sl.Len == nil {
				v = g.Const(uint64(len(sl.Of)), 64)
			}
		}
		n, is := v.(*netlist.Node)
		if !is {
			return nil, fmt.Errorf("%s holds no number", c.Name)
		}
		return g.Extend(n, w, false), nil
	}
	for _, l := range b.wires {
		n, err := node(settled, l.cell, b.c.Ports[l.port].Width)
		if err != nil {
			return err
		}
		b.c.Ports[l.port].Value = n
	}
	add := func(name string, w, clock int, port bool, from, to *symbolic.Cell) error {
		r := register{Name: name, Width: w, Port: port, Clock: clock}
		var err error
		if r.Reset, err = node(reset, to, w); err != nil {
			return err
		}
		if r.Reset.Op != netlist.Const {
			return fmt.Errorf("%s: its value after the reset follows from an input", name)
		}
		r.Next, err = node(after, from, w)
		b.c.Regs = append(b.c.Regs, r)
		return err
	}
	for i, l := range b.outs {
		if err := add(l.name, l.width, l.clock, !l.inside, b.nexts[i].cell, b.nexts[i].cell); err != nil {
			return err
		}
	}
	for _, c := range b.cells {
		if !b.reg[c] {
			if !same(reset.Get(c), after.Get(c)) {
				return fmt.Errorf("field %s: a Tick changes it, and it is no number and no slice of a fixed array", c.Name)
			}
			continue
		}
		w := b.width(c)
		if s, is := begin.Get(c).(symbolic.Slice); is {
			for w = 1; 1<<w <= len(s.Of); w++ {
			}
		}
		if err := add(b.names[c], w, b.clock[c], false, c, c); err != nil {
			return err
		}
	}
	b.prune()
	return nil
}

func same(a, b symbolic.Value) bool {
	switch p := a.(type) {
	case *netlist.Node:
		return a == b
	case symbolic.Slice:
		q, is := b.(symbolic.Slice)
		return is && len(p.Of) == len(q.Of) && p.Len == q.Len && p.From == q.From &&
			(len(p.Of) == 0 || p.Of[0].To == q.Of[0].To)
	case symbolic.Ptr:
		q, is := b.(symbolic.Ptr)
		return is && p.To == q.To && p.Index == q.Index
	case symbolic.Iface:
		q, is := b.(symbolic.Iface)
		return is && same(p.V, q.V)
	case symbolic.Func:
		q, is := b.(symbolic.Func)
		return is && p.Fn == q.Fn
	case symbolic.Agg:
		q, is := b.(symbolic.Agg)
		if !is || len(p) != len(q) {
			return false
		}
		for i := range p {
			if !same(p[i], q[i]) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(a, b)
}

// prune takes away the registers that no output follows from: counters for a report, say.
func (b *builder) prune() {
	byName := map[string]*register{}
	for i := range b.c.Regs {
		byName[b.c.Regs[i].Name] = &b.c.Regs[i]
	}
	met, needed := map[*netlist.Node]bool{}, map[string]bool{}
	var visit func(n *netlist.Node)
	need := func(r *register) {
		if !needed[r.Name] {
			needed[r.Name] = true
			visit(r.Next)
		}
	}
	visit = func(n *netlist.Node) {
		if met[n] {
			return
		}
		met[n] = true
		if n.Op == netlist.Reg {
			need(byName[n.Name])
		}
		for _, a := range n.Args {
			visit(a)
		}
	}
	for _, p := range b.c.Ports {
		if p.Value != nil {
			visit(p.Value)
		}
	}
	for i := range b.c.Regs {
		if b.c.Regs[i].Port {
			need(&b.c.Regs[i])
		}
	}
	b.c.Regs = slices.DeleteFunc(b.c.Regs, func(r register) bool { return !needed[r.Name] })
}

// large is the number of operations from which simulators take minutes to compile the text.
const large = 40_000

// Large tells of a circuit whose text is for machines that have time.
func (c *circuit) Large() bool { return c.Nodes > large }
