package emit

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/rtl/layout"
	"github.com/goldwire/goldwire/vectors"
)

// Text is the Verilog of a unit: one module, or a top and the modules in it.
type Text interface{ Verilog() string }

// Whole runs a unit's modules on symbols. A unit of few modules becomes one module of Verilog, a larger one a top with
// an instance for each.
func Whole(ctx context.Context, dir string, u vectors.Unit) (Text, error) {
	if u.Assemble == nil {
		return Unit(ctx, dir, u)
	}
	in, err := u.Simulate(rtl.Config{Mode: rtl.Strict}, 1)
	if err != nil {
		return nil, err
	}
	parts, err := within(in)
	if err != nil {
		return nil, fmt.Errorf("unit %s: %w", u.Name, err)
	}
	if len(parts) <= flatModules {
		return Unit(ctx, dir, u)
	}
	h := &hierarchy{name: u.Module(), doc: u.Doc, parts: parts}
	var modules []rtl.Module
	for _, p := range parts {
		modules = append(modules, p.module)
	}
	src, err := Load(ctx, dir, modules...)
	if err != nil {
		return nil, err
	}
	for _, c := range u.Clocks {
		h.clocks = append(h.clocks, domain{c.ClockPort(), c.ResetPort()})
	}
	if err := h.build(src, in); err != nil {
		return nil, fmt.Errorf("unit %s: %w", u.Name, err)
	}
	return h, nil
}

// flatModules is the most modules of a unit of several clocks that become one.
const flatModules = 2

// hierarchy is a top: instances of modules, and the wires between them.
type hierarchy struct {
	name, doc string
	clocks    []domain
	parts     []*instance
	texts     []string // of the modules, each once
	top       string
}

// instance is a module of a top.
type instance struct {
	path, name string
	module     rtl.Module
	infos      []rtl.PortInfo
	clock      int    // of hierarchy.clocks
	kind       string // the module's name in Verilog
}

// within returns the modules that the unit's outputs follow from, up to its inputs: the modules around it drive those.
func within(in *vectors.Instance) ([]*instance, error) {
	clocks := map[string]int{}
	for i, k := range in.Clocks() {
		for _, sig := range in.Sim.Signals() {
			if sig.Clock == k {
				clocks[sig.Module] = i
			}
		}
	}
	owner := map[unsafe.Pointer]*instance{} // of outputs
	var all []*instance
	for path, m := range in.Sim.Modules() {
		infos, err := rtl.Ports(m)
		if err != nil {
			return nil, err
		}
		p := &instance{path: path, module: m, infos: infos, clock: -1}
		if c, is := clocks[path]; is {
			p.clock = c
		}
		all = append(all, p)
		for _, i := range infos {
			if i.Dir == rtl.Output {
				owner[portAt(i)] = p
			}
		}
	}
	ports := map[unsafe.Pointer]bool{}
	for _, p := range in.Ports() {
		ports[portAt(p)] = true
	}
	met := map[*instance]bool{}
	var visit func(p *instance) error
	visit = func(p *instance) error {
		if met[p] {
			return nil
		}
		if met[p] = true; p.clock < 0 {
			return fmt.Errorf("%s: no clock of the unit is its own", p.path)
		}
		for _, i := range p.infos {
			if i.Dir != rtl.Input || ports[portAt(i)] {
				continue
			}
			source := owner[linkAt(i)]
			if source == nil {
				return fmt.Errorf("%s.%s: an input that is no module's and no port of the unit", p.path, i.Name)
			}
			if err := visit(source); err != nil {
				return err
			}
		}
		return nil
	}
	for _, p := range in.Ports() {
		if p.Dir == rtl.Output {
			if err := visit(owner[portAt(p)]); err != nil {
				return nil, err
			}
		}
	}
	return slices.DeleteFunc(all, func(p *instance) bool { return !met[p] }), nil
}

// linkAt is the address of the output that an input is connected to: see linkOf.
func linkAt(p rtl.PortInfo) unsafe.Pointer {
	return linkOf(reflect.ValueOf(&p).Elem().FieldByName("port").Elem().Elem())
}

// build writes the modules and the top.
func (h *hierarchy) build(src *Source, in *vectors.Instance) error {
	used := map[string]bool{h.name: true}
	for _, d := range h.clocks {
		used[d.clk], used[d.rst] = true, true
	}
	for _, p := range in.Ports() {
		for _, l := range p.Leaves {
			used[under(p.Name, l.Name)] = true
		}
	}
	kinds := map[string]string{} // by the text of a module without a name
	for _, p := range h.parts {
		p.name = fresh(used, layout.SnakeCase(p.path[strings.LastIndex(p.path, ".")+1:]))
		c, err := src.Circuit(p.module, "")
		if err != nil {
			return fmt.Errorf("%s: %w", p.path, err)
		}
		text := c.Verilog()
		if kinds[text] == "" {
			c.Name = fresh(used, h.name+"_"+layout.SnakeCase(typeName(p.module)))
			kinds[text] = c.Name
			h.texts = append(h.texts, c.Verilog())
		}
		p.kind = kinds[text]
	}
	return h.write(in, used)
}

func typeName(m rtl.Module) string {
	name, _, _ := strings.Cut(reflect.TypeOf(m).Elem().Name(), "[")
	return name
}

// fresh returns a name that is not used yet, and uses it.
func fresh(used map[string]bool, base string) string {
	name := base
	for k := 2; used[name] || vectors.Reserved(name); k++ {
		name = fmt.Sprintf("%s_%d", base, k)
	}
	used[name] = true
	return name
}

// write writes the top.
func (h *hierarchy) write(in *vectors.Instance, used map[string]bool) error {
	wires := map[unsafe.Pointer][]string{} // the leaves of an output, or of the unit's input
	var head, body, foot strings.Builder
	for _, p := range h.parts {
		for _, i := range p.infos {
			if i.Dir != rtl.Output {
				continue
			}
			for _, l := range i.Leaves {
				name := fresh(used, under(p.name, under(i.Name, l.Name)))
				wires[portAt(i)] = append(wires[portAt(i)], name)
				fmt.Fprintf(&body, "    wire %s%s;\n", span(l.Width), name)
			}
		}
	}
	for line := range strings.Lines(h.doc) {
		fmt.Fprintf(&head, "// %s\n", strings.TrimRight(line, "\n"))
	}
	fmt.Fprintf(&head, "module %s (", h.name)
	for i, d := range h.clocks {
		fmt.Fprintf(&head, "%s\n    input %s,\n    input %s", strings.Repeat(",", min(i, 1)), d.clk, d.rst)
	}
	for _, p := range in.Ports() {
		for k, l := range p.Leaves {
			name := under(p.Name, l.Name)
			if p.Dir == rtl.Input {
				wires[portAt(p)] = append(wires[portAt(p)], name)
				fmt.Fprintf(&head, ",\n    input %s%s", span(l.Width), name)
				continue
			}
			fmt.Fprintf(&head, ",\n    output %s%s", span(l.Width), name)
			fmt.Fprintf(&foot, "    assign %s = %s;\n", name, wires[portAt(p)][k])
		}
	}
	head.WriteString("\n);\n")
	for _, p := range h.parts {
		d := h.clocks[p.clock]
		fmt.Fprintf(&body, "    %s %s (\n        .clk(%s),\n        .rst(%s)", p.kind, p.name, d.clk, d.rst)
		for _, i := range p.infos {
			names := wires[portAt(i)]
			if names == nil {
				names = wires[linkAt(i)]
			}
			if len(names) != len(i.Leaves) {
				return fmt.Errorf("%s.%s: %d of its %d fields have a wire", p.path, i.Name, len(names), len(i.Leaves))
			}
			for k, l := range i.Leaves {
				fmt.Fprintf(&body, ",\n        .%s(%s)", under(i.Name, l.Name), names[k])
			}
		}
		body.WriteString("\n    );\n")
	}
	h.top = head.String() + body.String() + foot.String() + "endmodule\n"
	return nil
}

// Verilog returns the modules and the top, which is the last.
func (h *hierarchy) Verilog() string {
	return strings.Join(h.texts, "\n") + "\n" + h.top
}
