package rtl

import (
	"reflect"
	"unsafe"

	"github.com/goldwire/goldwire/internal/fusedcode"
)

// Shape is an island, or a design that is not cut into any, as generated code goes by it.
type Shape struct {
	// Text has a line a module: its type, its clock if there are several, whether it is a delay ("pipe"), the lengths of
	// its slices of ports, and what each input reads. That is an output of a module by its number from 0, a constant, or
	// something outside. Then it has a line for each delay that takes something out ("leaves"), for each output that
	// another island reads at once ("gives"), and for each call of a Comb, in their order.
	Text    string
	Modules []Module
	Paths   []string
	Rates   []float64 // of its clocks in Hz: code is right at any rates, and orders the clocks' ticks as costs least at these
	Fused   bool      // there is generated code for it, and the simulation uses it
	Ran     bool      // that code has run: see [Clock.Run]
}

// Shapes returns the shapes of an elaborated simulation's islands, in the order of their first modules.
func (s *Sim) Shapes() []Shape {
	s.mustBe(running, "Shapes")
	var shapes []Shape
	for _, of := range s.engine.Shapes() {
		shape := Shape{Text: of.Text, Rates: of.Rates, Fused: of.Fused, Ran: of.Ran}
		for _, n := range of.Nodes {
			shape.Modules, shape.Paths = append(shape.Modules, n.Module), append(shape.Paths, n.Path)
		}
		shapes = append(shapes, shape)
	}
	return shapes
}

// Generated code reaches ports this way.
func init() {
	k := &fusedcode.Kernel
	k.Place = func(p any) unsafe.Pointer { return *p.(port).pin().Cur }
	k.NextPlace = func(register any) unsafe.Pointer { return *register.(port).pin().Next }
	k.Line = func(m fusedcode.Module) (start, end any, register unsafe.Pointer) {
		_, moved := m.(delay).length()
		return moved.Start, moved.End, moved.Register
	}
	k.Registers = func(m fusedcode.Module, each func(unsafe.Pointer, reflect.Type)) {
		portsOf.Find(reflect.ValueOf(m).Elem(), func(_ string, v reflect.Value, _ reflect.StructTag) {
			pin := reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Interface().(port).pin()
			if pin.Next != nil {
				each(*pin.Cur, pin.Kind.Type())
			}
		}, func(string, reflect.Value, reflect.StructTag) {})
	}
}
