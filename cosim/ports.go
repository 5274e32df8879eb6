package cosim

import (
	"context"
	"fmt"

	"github.com/goldwire/goldwire/rtl"
)

// Port is a port of the RTL's top module, or a signal of an interface at it: "s_axis.tdata".
type Port struct {
	Name string
	Dir  rtl.Direction

	shape  *shape
	flat   bool // the simulator does not tell members
	iface  int  // index of the interface, -1 for none
	hollow bool // a port of the interface itself, such as its clock
}

// anyDirection is a variable's in a waveform, which does not have it.
const anyDirection = rtl.Direction(-1)

// is tells whether the port can have the direction.
func (p Port) is(d rtl.Direction) bool { return p.Dir == d || p.Dir == anyDirection }

// Width returns the port's bits.
func (p Port) Width() int { return p.shape.width() }

// String returns the port as Verilog names it: "data[63:0]".
func (p Port) String() string {
	text := p.Name
	s := p.shape
	for ; s.of != nil; s = s.of {
		text += fmt.Sprintf("[%d:%d]", s.left, s.right)
	}
	if s = s.plain(); s.width() > 1 {
		text += fmt.Sprintf("[%d:%d]", s.left, s.right)
	}
	return text
}

// reading is what a simulator tells of a design.
type reading struct {
	ports  []Port   // of the top module, with parameters resolved
	ifaces []iface  // at its ports
	files  []string // that were read, by their absolute names: sources, includes, modules of libraries
	notes  []string // likely mistakes that may be none
}

// read asks the simulator for the ports of the top module.
func (d Design) read(ctx context.Context, dir string, m Map) (r reading, err error) {
	if d.Simulator == Icarus {
		if len(m.Interfaces) > 0 {
			return r, fmt.Errorf("interfaces in the map: Icarus takes none: --sim verilator does")
		}
		r, err = d.readByIcarus(ctx, dir)
	} else {
		r, err = d.readByVerilator(ctx, dir, m)
	}
	if err != nil {
		return r, err
	}
	if d.Simulator == Verilator {
		r.notes = newerVersion()
	}
	unused, err := d.unusedDefines(r.files)
	r.notes = append(r.notes, unused...)
	return r, err
}
