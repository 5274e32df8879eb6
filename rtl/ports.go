package rtl

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/goldwire/goldwire/rtl/layout"
)

// Direction is a port's, seen from its module.
type Direction int

// Directions.
const (
	Input Direction = iota
	Output
)

func (d Direction) String() string { return [...]string{"in", "out"}[d] }

// PortInfo describes a port of a module and, once the module's simulation is elaborated, reads it.
type PortInfo struct {
	Name    string // "in", "rx_data_3"
	Dir     Direction
	Kind    SignalKind // of an output: Register or Combinational
	IsAsync bool       // an input that may read any clock
	Type    reflect.Type
	Leaves  []layout.Leaf

	port port
	cur  *unsafe.Pointer // points to its value
}

// Width returns the port's bits, all leaves together.
func (p *PortInfo) Width() int {
	w := 0
	for _, l := range p.Leaves {
		w += l.Width
	}
	return w
}

// Value returns the settled value of a leaf.
func (p *PortInfo) Value(leaf int) uint64 {
	return p.Leaves[leaf].Load(*p.cur)
}

// Tap returns the tap of a leaf; the module's simulation is elaborated.
func (p *PortInfo) Tap(leaf int) layout.Tap { return p.Leaves[leaf].Tap(*p.cur) }

// Ports returns the ports of a module in declaration order, in or out of a simulation. It fails if the module is not a
// pointer to a struct or a port's type has no fixed width.
func Ports(m Module) ([]PortInfo, error) {
	scratch := New(Config{})
	scratch.listing = true
	clk := &Clock{sim: scratch}
	n := scratch.addNode(layout.SnakeCase(reflect.Indirect(reflect.ValueOf(m)).Type().Name()), m, clk)
	scratch.scanModules()
	if err := scratch.takeFaults(); err != nil {
		return nil, fmt.Errorf("ports of %T: %w", m, err)
	}
	return n.ports, nil
}
