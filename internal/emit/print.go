package emit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/internal/netlist"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/rtl/layout"
	"github.com/goldwire/goldwire/vectors"
)

// Verilog returns the circuit as a module of Verilog-2005. The clock is clk, the synchronous reset, active high,
// is rst.
func (c *circuit) Verilog() string {
	p := &printer{c: c, names: map[*netlist.Node]string{}, uses: map[*netlist.Node]int{},
		taken: map[string]bool{"i": true}}
	for _, d := range c.Clocks {
		p.taken[d.clk], p.taken[d.rst] = true, true
	}
	p.prepare()
	return p.module()
}

// printer writes one module.
type printer struct {
	c      *circuit
	arrays []*array
	of     map[string]*array // by an element's name
	names  map[*netlist.Node]string
	uses   map[*netlist.Node]int
	taken  map[string]bool
	decls  strings.Builder // wires, in an order in which each follows from those before
	count  int

	loop *array // whose element i is printed: see array
}

// prepare finds arrays, and counts how often each node is used.
func (p *printer) prepare() {
	for _, q := range p.c.Ports {
		p.taken[q.Name] = true
	}
	for _, r := range p.c.Regs {
		p.taken[r.Name] = true
	}
	p.findArrays()
	seen := map[*netlist.Node]bool{}
	var visit func(n *netlist.Node)
	visit = func(n *netlist.Node) {
		p.uses[n]++
		if seen[n] {
			return
		}
		seen[n] = true
		if n.Op == netlist.Select && p.arrayOf(n) != nil {
			visit(n.Args[0])
			return
		}
		for _, a := range n.Args {
			visit(a)
		}
	}
	for _, q := range p.c.Ports {
		if q.Value != nil {
			visit(q.Value)
		}
	}
	for _, r := range p.c.Regs {
		visit(r.Next)
	}
}

// span is the range of a vector, "" for one bit.
func span(w int) string {
	if w == 1 {
		return ""
	}
	return fmt.Sprintf("[%d:0] ", w-1)
}

func (p *printer) module() string {
	var head, foot strings.Builder
	head.WriteString("/* verilator lint_off UNUSEDSIGNAL */ // not every bit of a port is read\n")
	for line := range strings.Lines(p.c.Doc) {
		fmt.Fprintf(&head, "// %s\n", strings.TrimRight(line, "\n"))
	}
	fmt.Fprintf(&head, "module %s (", p.c.Name)
	for i, d := range p.c.Clocks {
		fmt.Fprintf(&head, "%s\n    input %s,\n    input %s", strings.Repeat(",", min(i, 1)), d.clk, d.rst)
	}
	for _, q := range p.c.Ports {
		switch {
		case q.Dir == rtl.Input:
			fmt.Fprintf(&head, ",\n    input %s%s", span(q.Width), q.Name)
		case q.Kind == rtl.Combinational:
			fmt.Fprintf(&head, ",\n    output %s%s", span(q.Width), q.Name)
		default:
			fmt.Fprintf(&head, ",\n    output reg %s%s", span(q.Width), q.Name)
		}
	}
	head.WriteString("\n);\n")
	for _, r := range p.c.Regs {
		if !r.Port && p.of[r.Name] == nil {
			fmt.Fprintf(&head, "    reg %s%s;\n", span(r.Width), r.Name)
		}
	}
	for _, a := range p.arrays {
		fmt.Fprintf(&head, "    reg %s%s [0:%d];\n", span(a.width), a.name, len(a.regs)-1)
	}
	if len(p.arrays) > 0 {
		head.WriteString("    integer i;\n")
	}
	for _, q := range p.c.Ports {
		if q.Value != nil {
			e := p.expr(q.Value)
			fmt.Fprintf(&foot, "    assign %s = %s;\n", q.Name, e)
		}
	}
	for i := range p.c.Clocks {
		p.registers(&foot, i)
	}
	foot.WriteString("endmodule\n")
	return head.String() + p.decls.String() + foot.String()
}

// registers writes the always block of a clock.
func (p *printer) registers(w *strings.Builder, clock int) {
	others := func(r register) bool { return r.Clock != clock }
	regs := slices.DeleteFunc(slices.Clone(p.c.Regs), others)
	arrays := slices.DeleteFunc(slices.Clone(p.arrays), func(a *array) bool { return others(a.regs[0]) })
	if len(regs) == 0 {
		return
	}
	var updates []update
	for _, r := range regs {
		if p.of[r.Name] == nil {
			updates = append(updates, update{r.Name, r.Next})
		}
	}
	var body strings.Builder
	p.statements(&body, updates, "            ", true)
	for _, a := range arrays {
		p.updateArray(&body, a)
	}
	fmt.Fprintf(w, "    always @(posedge %s)\n        if (%s) begin\n", p.c.Clocks[clock].clk, p.c.Clocks[clock].rst)
	for _, r := range regs {
		if p.of[r.Name] == nil {
			fmt.Fprintf(w, "            %s <= %s;\n", r.Name, p.expr(r.Reset))
		}
	}
	for _, a := range arrays {
		p.resetArray(w, a)
	}
	if body.Len() == 0 {
		w.WriteString("        end\n")
		return
	}
	fmt.Fprintf(w, "        end else begin\n%s        end\n", body.String())
}

// update is what a register becomes.
type update struct {
	name string
	next *netlist.Node
}

func (p *printer) keeps(u update) bool {
	n := u.next
	for n.Op == netlist.Bound {
		n = n.Args[0]
	}
	return n.Op == netlist.Reg && n.Name == u.name
}

// statements writes updates, with one if around all updates of a condition.
func (p *printer) statements(w *strings.Builder, updates []update, indent string, outer bool) {
	done := make([]bool, len(updates))
	for i, u := range updates {
		switch {
		case done[i] || p.keeps(u):
			continue
		case u.next.Op != netlist.Mux || !outer && p.uses[u.next] > 1: // a shared choice has a name
			fmt.Fprintf(w, "%s%s <= %s;\n", indent, u.name, bare(p.expr(u.next)))
			continue
		}
		c := u.next.Args[0]
		var then, other []update
		for j := i; j < len(updates); j++ {
			v := updates[j]
			if !done[j] && v.next.Op == netlist.Mux && v.next.Args[0] == c {
				done[j] = true
				then = append(then, update{v.name, v.next.Args[1]})
				other = append(other, update{v.name, v.next.Args[2]})
			}
		}
		var a, b strings.Builder
		cond := p.expr(c)
		p.statements(&a, then, indent+"    ", false)
		p.statements(&b, other, indent+"    ", false)
		switch {
		case a.Len() == 0:
			fmt.Fprintf(w, "%sif (!%s) begin\n%s%send\n", indent, paren(cond), b.String(), indent)
		case b.Len() == 0:
			fmt.Fprintf(w, "%sif (%s) begin\n%s%send\n", indent, bare(cond), a.String(), indent)
		default:
			fmt.Fprintf(w, "%sif (%s) begin\n%s", indent, bare(cond), a.String())
			fmt.Fprintf(w, "%send else begin\n%s%send\n", indent, b.String(), indent)
		}
	}
}

// bare takes away the brackets around a whole expression.
func bare(e string) string {
	if !strings.HasPrefix(e, "(") || !strings.HasSuffix(e, ")") {
		return e
	}
	depth := 0
	for i, c := range e {
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 && i < len(e)-1 {
				return e
			}
		}
	}
	return e[1 : len(e)-1]
}

func paren(e string) string {
	if strings.ContainsAny(e, " ?") && !strings.HasPrefix(e, "(") && !strings.HasPrefix(e, "{") {
		return "(" + e + ")"
	}
	return e
}

var operator = map[netlist.Op]string{
	netlist.And: "&", netlist.Or: "|", netlist.Xor: "^", netlist.Add: "+", netlist.Sub: "-", netlist.Mul: "*",
	netlist.UDiv: "/", netlist.URem: "%", netlist.Shl: "<<", netlist.Lshr: ">>", netlist.Eq: "==", netlist.Ult: "<"}

func literal(v uint64, w int) string {
	if w == 1 {
		return fmt.Sprintf("1'b%d", v)
	}
	return fmt.Sprintf("%d'h%x", w, v)
}

// expr returns a node as an operand: a name, a literal, or an expression in brackets that has the node's width by
// itself.
func (p *printer) expr(n *netlist.Node) string {
	if p.loop != nil && p.depends(n) { // element 0 may have a wire, and this is about element i
		return p.write(n)
	}
	if e, ok := p.names[n]; ok {
		return e
	}
	e := p.write(n)
	if p.wants(n, e) {
		e = p.wire(n, e)
	}
	p.names[n] = e
	return e
}

// wants tells whether an expression gets a wire of its own.
func (p *printer) wants(n *netlist.Node, e string) bool {
	switch n.Op {
	case netlist.Const, netlist.Input, netlist.Reg, netlist.Bound:
		return false
	case netlist.Ashr, netlist.SDiv, netlist.SRem: // their operands would be unsigned beside others that are
		return true
	case netlist.Slice, netlist.Sext:
		return n.Hint != "" && p.uses[n] > 1
	case netlist.Select:
		return p.arrayOf(n) == nil || p.uses[n] > 1
	case netlist.Not:
		return p.uses[n] > 2 && len(e) > 20
	}
	return p.uses[n] > 1 || n.Hint != "" && len(e) > 12 || len(e) > 90
}

// wire declares a wire for an expression.
func (p *printer) wire(n *netlist.Node, e string) string {
	name := p.fresh(n)
	note := ""
	if n.Where != "" {
		note = " // " + n.Where
	}
	fmt.Fprintf(&p.decls, "    wire %s%s = %s;%s\n", span(n.W), name, bare(e), note)
	return name
}

// fresh returns a name for a node: its Go variable's name, if there is one.
func (p *printer) fresh(n *netlist.Node) string {
	base := layout.SnakeCase(n.Hint)
	if base == "" || !identifier(base) {
		p.count++
		base = fmt.Sprintf("n%d", p.count)
	}
	name := base
	for k := 2; p.taken[name] || vectors.Reserved(name); k++ {
		name = fmt.Sprintf("%s_%d", base, k)
	}
	p.taken[name] = true
	return name
}

func identifier(s string) bool {
	for i, r := range s {
		if r != '_' && (r < 'a' || r > 'z') && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return true
}

// named returns an expression that a bit can be taken from.
func (p *printer) named(n *netlist.Node) string {
	e := p.expr(n)
	if !strings.ContainsAny(e, " ({[~'") {
		return e
	}
	e = p.wire(n, e)
	p.names[n] = e
	return e
}

func (p *printer) write(n *netlist.Node) string {
	if p.loop != nil && p.loop.compares(n) {
		return p.isElement(n.Args[0])
	}
	switch n.Op {
	case netlist.Const:
		return literal(n.Val, n.W)
	case netlist.Input:
		return n.Name
	case netlist.Bound:
		return p.expr(n.Args[0])
	case netlist.Reg:
		if a := p.of[n.Name]; a != nil {
			if a == p.loop && a.regs[a.elem].Name == n.Name {
				return a.name + "[i]"
			}
			return fmt.Sprintf("%s[%d]", a.name, a.index[n.Name])
		}
		return n.Name
	case netlist.Cat:
		var parts []string
		for i := 0; i < len(n.Args); i++ {
			k := i
			for k < len(n.Args) && n.Args[k] == n.Args[i] {
				k++
			}
			e := bare(p.expr(n.Args[i]))
			if k-i > 1 {
				e = fmt.Sprintf("{%d{%s}}", k-i, e)
				i = k - 1
			}
			parts = append(parts, e)
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case netlist.Slice:
		from := p.named(n.Args[0])
		low := int(n.Val)
		switch {
		case n.Args[0].W == 1:
			return from
		case n.W == 1:
			return fmt.Sprintf("%s[%d]", from, low)
		}
		return fmt.Sprintf("%s[%d:%d]", from, low+n.W-1, low)
	case netlist.Sext:
		a := n.Args[0]
		from := p.named(a)
		sign := from
		if a.W > 1 {
			sign = fmt.Sprintf("%s[%d]", from, a.W-1)
		}
		return fmt.Sprintf("{{%d{%s}}, %s}", n.W-a.W, sign, from)
	case netlist.Not:
		return "~" + paren(p.expr(n.Args[0]))
	case netlist.Mux:
		if e := p.chain(n); e != "" {
			return e
		}
		then, other := p.expr(n.Args[1]), p.expr(n.Args[2])
		if then == other {
			return then
		}
		return fmt.Sprintf("(%s ? %s : %s)", bare(p.expr(n.Args[0])), then, other)
	case netlist.Slt:
		return fmt.Sprintf("($signed(%s) < $signed(%s))", bare(p.expr(n.Args[0])), bare(p.expr(n.Args[1])))
	case netlist.Ashr:
		return fmt.Sprintf("($signed(%s) >>> %s)", bare(p.expr(n.Args[0])), p.expr(n.Args[1]))
	case netlist.SDiv:
		return fmt.Sprintf("($signed(%s) / $signed(%s))", bare(p.expr(n.Args[0])), bare(p.expr(n.Args[1])))
	case netlist.SRem:
		return fmt.Sprintf("($signed(%s) %% $signed(%s))", bare(p.expr(n.Args[0])), bare(p.expr(n.Args[1])))
	case netlist.Select:
		return p.selection(n)
	}
	return fmt.Sprintf("(%s %s %s)", p.expr(n.Args[0]), operator[n.Op], p.expr(n.Args[1]))
}

// arm is one case of a case statement.
type arm struct {
	key   uint64
	value *netlist.Node
}

// table writes a case statement and returns the name of the signal that it drives.
func (p *printer) table(n, key *netlist.Node, arms []arm, other *netlist.Node) string {
	var lines []string
	k := p.expr(key)
	slices.SortStableFunc(arms, func(a, b arm) int { return cmp.Compare(a.key, b.key) })
	for i := 0; i < len(arms); {
		keys := []string{literal(arms[i].key, key.W)}
		j := i + 1
		for ; j < len(arms) && arms[j].value == arms[i].value && len(keys) < 6; j++ {
			keys = append(keys, literal(arms[j].key, key.W))
		}
		lines = append(lines, fmt.Sprintf("%s: @ = %s;", strings.Join(keys, ", "), bare(p.expr(arms[i].value))))
		i = j
	}
	if other != nil {
		lines = append(lines, fmt.Sprintf("default: @ = %s;", bare(p.expr(other))))
	}
	name := p.fresh(n)
	note := ""
	if n.Where != "" {
		note = " // " + n.Where
	}
	fmt.Fprintf(&p.decls, "    reg %s%s;%s\n    always @(*)\n        case (%s)\n", span(n.W), name, note, bare(k))
	for _, l := range lines {
		fmt.Fprintf(&p.decls, "            %s\n", strings.Replace(l, "@", name, 1))
	}
	p.decls.WriteString("        endcase\n")
	p.names[n] = name
	return name
}

// selection writes an element of an array, or a case statement.
func (p *printer) selection(n *netlist.Node) string {
	if a := p.arrayOf(n); a != nil {
		return fmt.Sprintf("%s[%s]", a.name, p.address(a, n.Args[0]))
	}
	if p.loop != nil && p.depends(n) {
		panic("emit: a selection inside a loop over an array")
	}
	var arms []arm
	of := n.Args[1:]
	for i, v := range of[:len(of)-1] {
		arms = append(arms, arm{uint64(i), v})
	}
	return p.table(n, n.Args[0], arms, of[len(of)-1])
}

// chain writes a chain of comparisons of one value with constants as a case statement; "" if n is none of at least
// four.
func (p *printer) chain(n *netlist.Node) string {
	if p.loop != nil && p.depends(n) {
		return ""
	}
	var key *netlist.Node
	var arms []arm
	met := map[uint64]bool{}
	at := n
	for at.Op == netlist.Mux && (at == n || p.uses[at] == 1) {
		c := at.Args[0]
		if c.Op != netlist.Eq || c.Args[1].Op != netlist.Const || key != nil && key != c.Args[0] {
			break
		}
		key = c.Args[0]
		if v := c.Args[1].Val; !met[v] {
			met[v] = true
			arms = append(arms, arm{v, at.Args[1]})
		}
		at = at.Args[2]
	}
	if len(arms) < 4 {
		return ""
	}
	return p.table(n, key, arms, at)
}
