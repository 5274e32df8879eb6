package fuse

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
)

// crossing is a value that comes to an island from another part of a large island, or leaves it.
type crossing struct {
	name string // in the island's type
	kind string // "Exit" or "Entry"
	find string // the function that returns it
	typ  types.Type
	path string // of the port
}

// cross finds the signals across the border of an island of one clock, but for its own delays.
func (d *domains) cross(g *graph) error {
	outputs := d.outputs()
	exits := func(signals []string, kind string) (all []crossing, err error) {
		for i, s := range signals {
			o, there := outputs[s]
			if !there {
				return nil, fmt.Errorf("an output leaves the island that no module has, %s: build the program again", s)
			}
			_, signal, _ := strings.Cut(s, ".")
			t := o.box.signalType(o.port)
			all = append(
				all,
				crossing{
					fmt.Sprint(strings.ToLower(kind), i), "Exit", fmt.Sprintf("fused.%s[%%s](b, %d)", kind, i), t,
					o.box.path + "." + signal,
				},
			)
		}
		return all, nil
	}
	var err error
	if d.leaves, err = exits(g.leaves, "Leaves"); err != nil {
		return err
	}
	if d.gives, err = exits(g.gives, "Gives"); err != nil {
		return err
	}
	for _, b := range d.boxes {
		for _, port := range b.order {
			_, several := b.lengths[port]
			for i, signal := range b.signals(port) {
				if b.delay || b.ins[signal] != "outside" {
					continue
				}
				in := port
				if several {
					in = fmt.Sprintf("%s[%d]", port, i)
				}
				d.comes = append(
					d.comes,
					crossing{fmt.Sprint("comes", len(d.comes)), "Entry", fmt.Sprintf("fused.Comes[%%s](b, &f.%s.m.%s)", b.name, in),
						b.signalType(port), b.path + "." + signal},
				)
			}
		}
	}
	return nil
}

// crossings returns the signals that the code moves across the border.
func (d *domains) crossings() []crossing {
	if !d.runs() {
		return nil // the kernel does
	}
	return slices.Concat(d.leaves, d.comes, d.gives)
}

// runs tells whether the code runs all edges of a window by itself: an island of one clock does, unless rows of its
// modules share functions.
func (d *domains) runs() bool {
	if len(d.order) > 1 {
		return false
	}
	return !slices.ContainsFunc(d.groups[d.order[0]], func(g *group) bool { return g.name != "" })
}

// writeRun writes the function for the edges of an island of one clock, and the function that finds the signals which
// it moves across the border. Its order at an edge is the kernel's.
func (d *domains) writeRun(p *printer, w func(string, ...any), name string) error {
	steps, err := d.steps(d.order[0])
	if err != nil {
		return err
	}
	move := func(all []crossing, call string) (s step) {
		for _, c := range all {
			s.add("f.%s.%s()\n", c.name, call)
		}
		return s
	}
	leave, take, tick, commit, come, comb, give := move(d.leaves, "Put"), steps[0], steps[1], steps[2],
		move(d.comes, "Get"), steps[3], move(d.gives, "Put")
	all := step{parts: slices.Concat(leave.parts, take.parts, tick.parts, commit.parts, come.parts, comb.parts,
		give.parts)}
	w("\n// run runs edges, with all that there is to do at each.\nfunc (f *%s) run(edges int, watch *fused.Watch) {\n",
		name)
	for _, piece := range all.pieces() { // one
		w("%sfor range edges {\n%s", piece.head, piece.text)
	}
	w(
		"watch.Observe()\n}\n}\n\n// border finds what crosses the island's border.\n"+
			"func (f *%s) border(b *fused.Border) {\n",
		name,
	)
	for _, c := range d.crossings() {
		w("f.%s = %s\n", c.name, fmt.Sprintf(c.find, p.typeName(c.typ)))
	}
	w("}\n")
	return nil
}
