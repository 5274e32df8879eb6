package emit

import (
	"fmt"
	"maps"
	"math/bits"
	"regexp"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/internal/netlist"
)

// array is a memory: registers name_0, name_1 … of one width that all become what one formula says of their number i:
//
//	for (i = 0; i < 16; i = i + 1) if (write && address == i) mem[i] <= data;
//
// A memory that is written at one address a cycle is written as such, so that synthesis finds its port.
type array struct {
	name  string
	width int
	regs  []register
	index map[string]int
	keys  map[*netlist.Node]bool // what the elements' numbers are compared with: addresses
	elem  int                    // the element that is looked at
	met   map[*netlist.Node]bool // whether a node is other for it than for another element
}

// look turns to an element.
func (a *array) look(i int) {
	if a.met == nil || a.elem != i {
		a.elem, a.met = i, map[*netlist.Node]bool{}
	}
}

var numbered = regexp.MustCompile(`^(.+)_(\d+)$`)

// fewest is the shortest array that is worth being one.
const fewest = 4

func (p *printer) findArrays() {
	p.of = map[string]*array{}
	groups := map[string][]register{}
	var order []string
	for _, r := range p.c.Regs {
		if m := numbered.FindStringSubmatch(r.Name); m != nil && !r.Port {
			i, err := strconv.Atoi(m[2])
			group := groups[m[1]]
			if err != nil || i != len(group) || i > 0 && (group[0].Width != r.Width || group[0].Clock != r.Clock) {
				continue
			}
			if i == 0 {
				order = append(order, m[1])
			}
			groups[m[1]] = append(group, r)
		}
	}
	for _, name := range order {
		for banks := 1; banks <= mostBanks; banks *= 2 {
			if p.addBanks(name, groups[name], banks) {
				break
			}
		}
	}
}

// mostBanks bounds the arrays that registers name_0, name_1 … are split into: a buffer of frames of eight words is an
// array for each word.
const mostBanks = 16

// addBanks takes registers for arrays, element i for one of bank i % banks, if each bank is one.
func (p *printer) addBanks(name string, regs []register, banks int) bool {
	if len(regs)%banks != 0 || len(regs)/banks < fewest {
		return false
	}
	var all []*array
	for b := range banks {
		a := &array{name: name, width: regs[0].Width, index: map[string]int{}}
		if banks > 1 {
			a.name = fmt.Sprintf("%s_bank%d", name, b)
		}
		for i := b; i < len(regs); i += banks {
			a.index[regs[i].Name] = len(a.regs)
			a.regs = append(a.regs, regs[i])
		}
		if p.taken[a.name] || !p.uniform(a) {
			return false
		}
		all = append(all, a)
	}
	for _, a := range all {
		p.taken[a.name] = true
		p.arrays = append(p.arrays, a)
		for _, r := range a.regs {
			p.of[r.Name] = a
		}
	}
	return true
}

// mostLooks bounds the search for arrays: elements times operations.
const mostLooks = 20_000_000

// uniform tells whether all elements become what one formula says of their number.
func (p *printer) uniform(a *array) bool {
	one, size := a.compared(1, 1)
	two, _ := a.compared(2, 2)
	if size*len(a.regs) > mostLooks {
		return false
	}
	addresses, states := map[*netlist.Node]bool{}, map[*netlist.Node]bool{}
	other, _ := a.compared(1, 2)
	for n := range one {
		if two[n] {
			if addresses[n] = true; other[n] {
				states[n] = true
			}
		}
	}
	if p.one(a, addresses) {
		return true
	}
	maps.DeleteFunc(addresses, func(n *netlist.Node, _ bool) bool { return states[n] }) // all elements look at them
	return len(states) > 0 && p.one(a, addresses)
}

// one tells whether one formula holds for the next values of all elements, by the addresses that are keys.
func (p *printer) one(a *array, keys map[*netlist.Node]bool) bool {
	a.keys, a.met = maps.Clone(keys), nil
	ids := map[string]int{}
	want := ""
	for i, r := range a.regs {
		a.look(i)
		f := formula{a: a, memo: map[*netlist.Node]string{}, ids: ids}
		switch got := f.of(r.Next); {
		case f.chooses:
			return false
		case i == 0:
			want = got
		case got != want:
			return false
		}
	}
	return true
}

// compared returns the nodes that an element's next value compares with a number, and the number of its operations.
func (a *array) compared(i int, number uint64) (keys map[*netlist.Node]bool, size int) {
	keys = map[*netlist.Node]bool{}
	met := map[*netlist.Node]bool{}
	var visit func(n *netlist.Node)
	visit = func(n *netlist.Node) {
		if met[n] {
			return
		}
		met[n] = true
		if n.Op == netlist.Eq && n.Args[1].IsConst(number) && n.Args[0].W > 1 {
			keys[n.Args[0]] = true
		}
		for _, x := range n.Args {
			visit(x)
		}
	}
	visit(a.regs[i].Next)
	return keys, len(met)
}

// formula writes a node with the element's number taken out of it.
type formula struct {
	a    *array
	memo map[*netlist.Node]string
	ids  map[string]int

	chooses bool // a wire or a case statement depends on the element: there is none inside a loop
}

func (f *formula) of(n *netlist.Node) string {
	if s, ok := f.memo[n]; ok {
		return s
	}
	s := ""
	switch {
	case n.Op == netlist.Reg && n.Name == f.a.regs[f.a.elem].Name:
		s = "R"
	case f.a.compares(n):
		s = "E" + strconv.Itoa(n.Args[0].ID)
	case !f.a.dependsOn(n):
		s = "N" + strconv.Itoa(n.ID)
	default:
		switch n.Op {
		case netlist.Select, netlist.Slice, netlist.Sext:
			f.chooses = true
		}
		parts := []string{strconv.Itoa(int(n.Op)), strconv.Itoa(n.W), strconv.FormatUint(n.Val, 10), n.Name}
		var args []string
		for _, a := range n.Args {
			args = append(args, f.of(a))
		}
		if len(args) == 2 && commutes(n.Op) && args[1] < args[0] {
			args[0], args[1] = args[1], args[0]
		}
		k := strings.Join(append(parts, args...), ",")
		if f.ids[k] == 0 {
			f.ids[k] = len(f.ids) + 1
		}
		s = "F" + strconv.Itoa(f.ids[k])
	}
	f.memo[n] = s
	return s
}

func commutes(op netlist.Op) bool {
	switch op {
	case netlist.And, netlist.Or, netlist.Xor, netlist.Add, netlist.Mul, netlist.Eq:
		return true
	}
	return false
}

// compares tells of address == i.
func (a *array) compares(n *netlist.Node) bool {
	return n.Op == netlist.Eq && n.Args[1].IsConst(uint64(a.elem)) && a.keys[n.Args[0]]
}

// dependsOn tells whether a node is other for the element than for another.
func (a *array) dependsOn(n *netlist.Node) bool {
	if known, ok := a.met[n]; ok {
		return known
	}
	d := n.Op == netlist.Reg && n.Name == a.regs[a.elem].Name || a.compares(n)
	if n.Op == netlist.Select && a.reads(n) {
		d = a.dependsOn(n.Args[0])
	} else {
		for _, x := range n.Args {
			d = a.dependsOn(x) || d
		}
	}
	a.met[n] = d
	return d
}

// reads tells of a[index]: a selection among the first elements, all of them in order.
func (a *array) reads(n *netlist.Node) bool {
	of := n.Args[1:]
	if len(of) > len(a.regs) {
		return false
	}
	for i, v := range of {
		if v.Op != netlist.Reg || v.Name != a.regs[i].Name {
			return false
		}
	}
	return true
}

// arrayOf returns the array that a selection reads an element of.
func (p *printer) arrayOf(n *netlist.Node) *array {
	if v := n.Args[1]; v.Op == netlist.Reg {
		if a := p.of[v.Name]; a != nil && a.reads(n) {
			return a
		}
	}
	return nil
}

func (p *printer) depends(n *netlist.Node) bool {
	return p.loop.dependsOn(n)
}

func (p *printer) resetArray(w *strings.Builder, a *array) {
	for _, r := range a.regs {
		if r.Reset != a.regs[0].Reset {
			for i, r := range a.regs {
				fmt.Fprintf(w, "            %s[%d] <= %s;\n", a.name, i, p.expr(r.Reset))
			}
			return
		}
	}
	a.forEach(w, p.expr(a.regs[0].Reset))
}

// mostRoundsOfALoop is as many as Verilator 5.006 unrolls: it has no delayed assignment to an array in a longer loop.
const mostRoundsOfALoop = 64

// forEach writes a loop in which element i becomes an expression.
func (a *array) forEach(w *strings.Builder, e string) {
	for from := 0; from < len(a.regs); from += mostRoundsOfALoop {
		to := min(from+mostRoundsOfALoop, len(a.regs))
		fmt.Fprintf(w, "            for (i = %d; i < %d; i = i + 1)\n", from, to)
		fmt.Fprintf(w, "                %s[i] <= %s;\n", a.name, e)
	}
}

// updateArray writes what the elements become.
func (p *printer) updateArray(w *strings.Builder, a *array) {
	next := a.regs[0].Next
	if next.Op == netlist.Reg && next.Name == a.regs[0].Name {
		return
	}
	a.look(0)
	if conditions, index, data := a.write(next); data != nil {
		var all []string
		for _, c := range conditions {
			e := paren(p.expr(c.node))
			if c.inverted {
				e = "!" + e
			}
			all = append(all, e)
		}
		p.writeAt(w, a, index, all, p.expr(data))
		return
	}
	var index *netlist.Node
	if enable, data, ok := p.port(a, next, &index); ok && index != nil {
		p.writeAt(w, a, index, []string{enable}, data)
		return
	}
	p.loop = a
	e := bare(p.expr(next))
	p.loop = nil
	a.forEach(w, e)
}

// address is an index with as many bits as the array needs.
func (p *printer) address(a *array, index *netlist.Node) string {
	w := bits.Len(uint(len(a.regs) - 1))
	if index.W <= w {
		return bare(p.expr(index))
	}
	return fmt.Sprintf("%s[%d:0]", p.named(index), w-1)
}

// isElement compares an index with the number of the element.
func (p *printer) isElement(index *netlist.Node) string {
	i := "i"
	switch {
	case index.W < 32:
		i = fmt.Sprintf("i[%d:0]", index.W-1)
	case index.W > 32:
		i = fmt.Sprintf("{%d'h0, i}", index.W-32)
	}
	return fmt.Sprintf("(%s == %s)", p.expr(index), i)
}
