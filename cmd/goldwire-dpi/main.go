// Goldwire-dpi is built as a C archive, libgoldwire.a: the models of the catalogue behind SystemVerilog's DPI-C. The module
// that calls it for a unit is written by goldwire vectors UNIT --format dpi.
//
// A simulator calls from one thread. A call costs some 0.1 µs, that of cgo from C into Go.
package main

// #include <stdint.h>
import "C"

import (
	"runtime/cgo"
	"unsafe"

	"github.com/goldwire/goldwire/internal/house"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// model is a unit that RTL drives. A reset builds it anew.
type model struct {
	unit  vectors.Unit
	now   *vectors.Driven
	fresh bool // not run since its reset
}

func main() {} // a C archive has one that is not called

// goldwire_new returns a model in its reset state, null if there is no unit of that name.
//
//export goldwire_new
func goldwire_new(unit *C.char) unsafe.Pointer {
	u, err := house.Designs().Units().Find(C.GoString(unit))
	if err != nil {
		return nil
	}
	d, err := u.SimulateDriven(rtl.Config{})
	if err != nil {
		return nil
	}
	// a handle is a number that C carries about as a pointer
	h := cgo.NewHandle(&model{unit: u, now: d, fresh: true})
	return *(*unsafe.Pointer)(unsafe.Pointer(&h))
}

func find(p unsafe.Pointer) *model {
	return (*(*cgo.Handle)(unsafe.Pointer(&p))).Value().(*model)
}

// goldwire_reset brings a model to its reset state.
//
//export goldwire_reset
func goldwire_reset(p unsafe.Pointer) {
	m := find(p)
	if m.fresh {
		return
	}
	if d, err := m.unit.SimulateDriven(rtl.Config{}); err == nil { // as it was built before
		m.now, m.fresh = d, true
	}
}

// goldwire_input drives an input, by the column of the vectors.
//
//export goldwire_input
func goldwire_input(p unsafe.Pointer, field C.int, value C.uint64_t) {
	find(p).now.Set(int(field), uint64(value))
}

// goldwire_settle lets combinational outputs follow the inputs.
//
//export goldwire_settle
func goldwire_settle(p unsafe.Pointer) {
	_ = find(p).now.Settle() // fast mode has no faults
}

// goldwire_edge is a rising edge of the clock.
//
//export goldwire_edge
func goldwire_edge(p unsafe.Pointer) {
	m := find(p)
	m.fresh = false
	_ = m.now.Edge() // fast mode has no faults
}

// goldwire_output returns an output, by the column of the vectors.
//
//export goldwire_output
func goldwire_output(p unsafe.Pointer, field C.int) C.uint64_t {
	return C.uint64_t(find(p).now.Get(int(field)))
}
