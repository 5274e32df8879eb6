package rtl

import (
	"reflect"
	"unsafe"

	"github.com/goldwire/goldwire/internal/fusedcode"
)

// Generated code reaches ports this way.
func init() {
	k := &fusedcode.Kernel
	k.Shapes = func(sim any) []fusedcode.Shape {
		s := sim.(*Sim)
		s.mustBe(running, "Shapes")
		return s.engine.Shapes()
	}
	k.Place = func(p any) *unsafe.Pointer { return p.(port).pin().Cur }
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
