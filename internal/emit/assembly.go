package emit

import (
	"fmt"
	"go/types"
	"reflect"
	"strings"
	"unsafe"

	"github.com/goldwire/goldwire/internal/netlist"
	"github.com/goldwire/goldwire/internal/symbolic"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/rtl/layout"
	"github.com/goldwire/goldwire/vectors"
)

// domain is a clock with its reset, as ports in Verilog.
type domain struct{ clk, rst string }

// part is a module of a circuit.
type part struct {
	root  *symbolic.Cell
	t     types.Type
	clock int // of circuit.Clocks
}

// driversPath is the package of the modules that drive a unit's inputs.
var driversPath = reflect.TypeFor[vectors.Unit]().PkgPath()

// partsOf returns the modules of a unit of several clocks, by their paths, without the drivers of its inputs.
func partsOf(in *vectors.Instance) (paths []string, modules []rtl.Module) {
	for path, m := range in.Sim.Modules() {
		if reflect.TypeOf(m).Elem().PkgPath() != driversPath {
			paths, modules = append(paths, path), append(modules, m)
		}
	}
	return paths, modules
}

// assembly runs the modules of a unit of several clocks on symbols. The instance is of strict mode, which keeps the
// connections.
func (s *Source) assembly(u vectors.Unit, in *vectors.Instance) (*circuit, error) {
	paths, modules := partsOf(in)
	x := symbolic.NewMachine(netlist.New(mostNodes), s.prog)
	im := &importer{src: s, x: x, met: map[place]*symbolic.Cell{}, links: map[*symbolic.Cell]unsafe.Pointer{}}
	c := &circuit{Name: u.Module(), Doc: u.Doc}
	b := &builder{x: x, c: c, used: map[string]bool{}}
	names := map[unsafe.Pointer]string{} // of the unit's ports
	for _, p := range in.Ports() {
		names[portAt(p)] = p.Name
	}
	clocks := map[string]int{} // of the modules
	for i, k := range in.Clocks() {
		d := domain{u.Clocks[i].ClockPort(), u.Clocks[i].ResetPort()}
		c.Clocks = append(c.Clocks, d)
		b.used[d.clk], b.used[d.rst] = true, true
		for _, sig := range in.Sim.Signals() {
			if sig.Clock == k {
				clocks[sig.Module] = i
			}
		}
	}
	outs := map[unsafe.Pointer]*symbolic.Cell{} // by the port
	type known struct {
		info  rtl.PortInfo
		cell  *symbolic.Cell
		clock int
		path  string
	}
	var all []known
	for i, m := range modules {
		v := reflect.ValueOf(m).Elem()
		t, err := s.typeOf(v.Type())
		if err != nil {
			return nil, err
		}
		clock, is := clocks[paths[i]]
		if !is {
			return nil, fmt.Errorf("%s: no signal tells its clock", paths[i])
		}
		infos, err := rtl.Ports(m)
		if err != nil {
			return nil, err
		}
		name := layout.SnakeCase(paths[i][strings.LastIndex(paths[i], ".")+1:])
		from := len(im.ports)
		b.parts = append(b.parts, part{im.cell(v, name, ""), t, clock})
		if len(im.ports)-from != len(infos) {
			return nil, fmt.Errorf("%s: %d ports are known, and its fields have %d", paths[i], len(infos), len(im.ports)-from)
		}
		for k, p := range infos {
			cell := im.ports[from+k]
			all = append(all, known{p, cell, clock, name})
			outs[portAt(p)] = cell
		}
	}
	for _, k := range all { // inputs that another module drives
		if source := outs[im.links[k.cell]]; source != nil && source.Port == "Out" {
			k.cell.Elem = source.Elem
		} else if names[portAt(k.info)] == "" && k.info.Dir == rtl.Input {
			return nil, fmt.Errorf("%s_%s: an input that is no register's and no port of the unit", k.path, k.info.Name)
		}
	}
	for _, k := range all {
		name, isPort := names[portAt(k.info)]
		switch {
		case !isPort && k.info.Dir == rtl.Input:
			continue
		case !isPort && k.cell.Port == "Wire":
			return nil, fmt.Errorf("%s_%s: a wire between modules of several clocks", k.path, k.info.Name)
		case isPort:
			k.info.Name = name
		default:
			k.info.Name = k.path + "_" + k.info.Name
		}
		if err := b.addPort(k.cell, k.info, k.clock, !isPort); err != nil {
			return nil, err
		}
	}
	if err := b.run(); err != nil {
		return nil, err
	}
	c.Nodes = x.G.Len()
	return c, nil
}

// portAt is the address of a port's field.
func portAt(p rtl.PortInfo) unsafe.Pointer {
	return reflect.ValueOf(&p).Elem().FieldByName("port").Elem().UnsafePointer()
}

// linkOf is the address of the output that an input is connected to, nil if strict mode does not say.
func linkOf(v reflect.Value) unsafe.Pointer {
	f := v.FieldByName("link")
	if !f.IsValid() || f.IsNil() {
		return nil
	}
	src := f.Elem().FieldByName("src")
	if !src.IsValid() || src.IsNil() {
		return nil
	}
	return src.Elem().UnsafePointer()
}
