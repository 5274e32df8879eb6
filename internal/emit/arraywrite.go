package emit

import (
	"fmt"
	"strings"

	"github.com/goldwire/goldwire/internal/netlist"
)

// writeAt writes one element of an array if all conditions hold.
func (p *printer) writeAt(w *strings.Builder, a *array, index *netlist.Node, conditions []string, data string) {
	indent := "            "
	if _, hi := index.Range(); hi >= uint64(len(a.regs)) {
		// A write beyond the end writes nothing (IEEE 1364 5.2.2); Verilator 5.006 takes it around the end.
		within := fmt.Sprintf("(%s < %s)", p.expr(index), literal(uint64(len(a.regs)), index.W))
		conditions = append([]string{within}, conditions...)
	}
	if len(conditions) > 0 {
		fmt.Fprintf(w, "%sif (%s)\n", indent, bare(strings.Join(conditions, " && ")))
		indent += "    "
	}
	fmt.Fprintf(w, "%s%s[%s] <= %s;\n", indent, a.name, p.address(a, index), bare(data))
}

// condition is one of a write, which holds if the node is 1, or 0 if it is inverted.
type condition struct {
	node     *netlist.Node
	inverted bool
}

// write tells of an array that is written at one address: index == i && conditions ? data : old.
func (a *array) write(n *netlist.Node) (conditions []condition, index, data *netlist.Node) {
	old := func(n *netlist.Node) bool { return n.Op == netlist.Reg && n.Name == a.regs[a.elem].Name }
	var ands func(c *netlist.Node) bool
	ands = func(c *netlist.Node) bool {
		switch {
		case !a.dependsOn(c):
			conditions = append(conditions, condition{c, false})
		case a.compares(c) && index == nil:
			index = c.Args[0]
		case c.Op == netlist.And:
			return ands(c.Args[0]) && ands(c.Args[1])
		default:
			return false
		}
		return true
	}
	for n.Op == netlist.Mux {
		switch c := n.Args[0]; {
		case old(n.Args[2]) && ands(c):
			n = n.Args[1]
		case old(n.Args[1]) && !a.dependsOn(c):
			conditions = append(conditions, condition{c, true})
			n = n.Args[2]
		default:
			return nil, nil, nil
		}
		if !a.dependsOn(n) && index != nil {
			return conditions, index, n
		}
	}
	return nil, nil, nil
}

const never, always = "1'b0", "1'b1"

// port is write for data that conditions choose: element index becomes data if enable is 1, and the others stay. All
// writes are at one index.
func (p *printer) port(a *array, n *netlist.Node, index **netlist.Node) (enable, data string, ok bool) {
	switch {
	case n.Op == netlist.Reg && n.Name == a.regs[a.elem].Name:
		return never, "", true
	case n.Op != netlist.Mux:
		return "", "", false
	}
	c := n.Args[0]
	elseEnable, elseData, ok := p.port(a, n.Args[2], index)
	if !ok {
		return "", "", false
	}
	if !a.dependsOn(c) {
		enable, data, ok = p.port(a, n.Args[1], index)
		e := p.expr(c)
		return choose(e, enable, elseEnable), chooseData(e, data, elseData), ok
	}
	rest, ok := p.rest(a, c, index) // index == i && rest ? data : as the other side says
	if !ok || a.dependsOn(n.Args[1]) {
		return "", "", false
	}
	return choose(rest, always, elseEnable), chooseData(rest, p.expr(n.Args[1]), elseData), true
}

// rest is a condition without the comparison of the index with the element's number, which it has to have.
func (p *printer) rest(a *array, c *netlist.Node, index **netlist.Node) (e string, ok bool) {
	switch {
	case a.compares(c) && (*index == nil || *index == c.Args[0]):
		*index = c.Args[0]
		return always, true
	case c.Op != netlist.And:
		return "", false
	}
	for i, x := range c.Args {
		if other := c.Args[1-i]; a.dependsOn(x) && !a.dependsOn(other) {
			e, ok = p.rest(a, x, index)
			return choose(p.expr(other), e, never), ok
		}
	}
	return "", false
}

// choose is c ? a : b of one bit.
func choose(c, a, b string) string {
	switch {
	case c == always || a == b:
		return a
	case a == always && b == never:
		return c
	case a == never && b == always:
		return "~" + paren(c)
	case a == never:
		return "(~" + paren(c) + " & " + b + ")"
	case a == always:
		return "(" + c + " | " + b + ")"
	case b == never:
		return "(" + c + " & " + a + ")"
	case b == always:
		return "(~" + paren(c) + " | " + a + ")"
	}
	return "(" + c + " ? " + a + " : " + b + ")"
}

// chooseData is c ? a : b. An empty text is data that nothing writes.
func chooseData(c, a, b string) string {
	switch {
	case c == always || b == "" || a == b:
		return a
	case a == "":
		return b
	}
	return "(" + bare(c) + " ? " + a + " : " + b + ")"
}
