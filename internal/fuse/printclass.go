package fuse

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// write writes a class: its type and its methods.
func (c *class) write(p *printer, out *bytes.Buffer) error {
	w := func(format string, args ...any) { fmt.Fprintf(out, format, args...) }
	b := c.of
	var bodies bytes.Buffer // before the type, since they tell which pointers it needs
	for _, x := range b.code.bodies {
		if b.code.refuse != nil || x == b.code.tick() && b.pasted() || x != b.code.tick() && !c.called[x.methodName()] {
			continue // a helper is called by bodies before it
		}
		if err := c.writeBody(&bodies, x); err != nil {
			return err
		}
	}
	typ := p.typeName(b.named)
	for _, x := range b.code.bodies {
		if b.code.refuse == nil {
			maps.Copy(p.imports, x.imports)
		}
	}
	switch {
	case b.code.refuse == nil && b.code.unseen == nil:
		w("\n// %s has a %s: where the values of its ports lie.\n", c.name, b.typ)
	case b.code.refuse == nil:
		w("\n// %s has a %s: where the values of its ports lie. It %s.\n", c.name, b.typ, b.code.unseen.Reason)
	default:
		w("\n// %s has a %s, which is run as it is: it %s.\n", c.name, b.typ, b.code.refuse.Reason)
	}
	w("type %s struct {\nm *%s\n", c.name, typ)
	var makes strings.Builder
	for _, port := range b.order {
		if c.setsAside(port) || c.pointers[port] {
			c.writePort(p, w, &makes, port)
		}
	}
	for _, f := range b.code.fields {
		if b.code.refuse == nil {
			t := p.typeName(f.typ)
			w("%s *%s\n", f.name, t)
			fmt.Fprintf(&makes, "%s: fused.Field[%s](m, %q),\n", f.name, t, f.name)
		}
	}
	w("}\n\nfunc new%s(m *%s) %s {\nreturn %s{\nm: m,\n%s}\n}\n", title(c.name), typ, c.name, c.name, makes.String())
	out.Write(bodies.Bytes())
	if c.commits {
		w("\nfunc (t *%s) commit() {\n", c.name)
		for _, port := range b.order {
			_, several := b.lengths[port]
			switch {
			case !b.aside[port]:
			case several: // arrays that may overlap would be copied by a call
				w("{\nrow := *t.%sNext\n*t.%s = row\n}\n", port, port)
			default:
				w("*t.%s = *t.%sNext\n", port, port)
			}
		}
		w("}\n")
	}
	return nil
}

// setsAside tells whether the code knows where a register's value lies that is set aside.
func (c *class) setsAside(port string) bool {
	return c.of.aside[port] && c.commits
}

// writePort writes the places of a port's value.
func (c *class) writePort(p *printer, w func(string, ...any), makes *strings.Builder, port string) {
	b := c.of
	t := p.typeName(b.signalType(port))
	n, several := b.lengths[port]
	own := b.ports[port] == "Out" || b.ports[port] == "Wire"
	slice := "m." + port
	if several && b.isArray(port) {
		slice += "[:]"
	}
	switch {
	case !several:
		w("%s *%s\n", port, t)
		fmt.Fprintf(makes, "%s: fused.Place(&m.%s),\n", port, port)
	case own || b.rows[port]:
		w("%s *[%d]%s\n", port, n, t)
		fmt.Fprintf(makes, "%s: (*[%d]%s)(fused.Row[%s](%s)),\n", port, n, t, t, slice)
	default:
		w("%s [%d]*%s\n", port, n, t)
		fmt.Fprintf(makes, "%s: [%d]*%s(fused.Places[%s](%s)),\n", port, n, t, t, slice)
	}
	switch {
	case !c.setsAside(port):
	case several:
		w("%sNext *[%d]%s\n", port, n, t)
		fmt.Fprintf(makes, "%sNext: (*[%d]%s)(fused.NextRow(%s)),\n", port, n, t, slice)
	default:
		w("%sNext *%s\n", port, t)
		fmt.Fprintf(makes, "%sNext: fused.NextPlace(&m.%s),\n", port, port)
	}
}

// writeBody writes a method.
func (c *class) writeBody(out *bytes.Buffer, x *body) error {
	head, err := x.between(x.decl.Type.Params.Pos(), x.decl.Type.End(), c.resolve(x, "", byPointer, nil))
	if err != nil {
		return err
	}
	text, err := c.bodyText(x, "", byPointer)
	if err != nil {
		return err
	}
	recv := ""
	if x.recv != nil {
		recv = x.recv.Name() + " "
	}
	fmt.Fprintf(out, "\nfunc (%s*%s) %s%s {\n%s\n}\n", recv, c.name, x.methodName(), head, text)
	return nil
}

// bodyText returns the statements of a body. Where they are pasted, returns jump to the end of the labelled block.
func (c *class) bodyText(x *body, label string, place placer) (string, error) {
	x.variables = map[string]bool{}
	y := *x
	if label != "" {
		y.edits = slices.Concat(x.edits, x.unreturns)
	}
	calls, err := c.callTexts(x, label, place)
	if err != nil {
		return "", err
	}
	text, err := y.text(c.resolve(x, label, place, calls))
	if err != nil {
		return "", err
	}
	text = strings.Trim(text, "\n")
	for name := range x.hoisted {
		if c.of.ports[name] == "" {
			x.variables[name] = true
		}
	}
	for _, name := range slices.Backward(slices.Sorted(maps.Keys(x.variables))) {
		text = fmt.Sprintf("%s := %s.%[1]s\n%[3]s", name, x.recv.Name(), text)
	}
	if x.loads() {
		text = fmt.Sprintf("m := %s.m\n%s", x.recv.Name(), text)
	}
	return text, nil
}

// placer returns how code names what a port reads or sets, if not by its pointer. next tells that it is a register's
// value after the edge.
type placer func(port string, next bool) string

// byPointer is for the methods of a class, which know no more.
func byPointer(string, bool) string { return "" }

// resolve returns what the marks of a body stand for. calls are its helpers' calls, by their numbers.
func (c *class) resolve(x *body, label string, place placer, calls map[string]string) func(byte, []string) string {
	return func(kind byte, words []string) string {
		switch {
		case kind == markLabel:
			return label
		case kind == markModule && x.loads():
			return "m"
		case kind == markModule:
			return x.recv.Name() + ".m"
		case kind == markCall:
			return calls[words[0]]
		case kind == markForeign && x.hoisted[words[0]]:
			return "(*" + words[0] + ")"
		case kind == markForeign:
			return fmt.Sprintf("(*%s.%s)", x.recv.Name(), words[0])
		case kind == markGet || kind == markSet:
			return c.access(x, words[0], words[1:], kind == markSet && c.of.aside[words[0]], place)
		}
		return ""
	}
}

// access returns how the code names the value of a port.
func (c *class) access(x *body, port string, star []string, next bool, place placer) string {
	by := strings.Join(star, "")
	at := place(port, next)
	switch {
	case at == "":
		c.pointers[port] = true
		name := port
		if next {
			name += "Next"
		}
		if x.hoisted[port] {
			x.variables[name] = true
		} else {
			name = x.recv.Name() + "." + name
		}
		if by == "&" {
			return name
		}
		return by + name + strings.Repeat(")", strings.Count(by, "("))
	case by == "&":
		return by + at
	}
	return at
}
