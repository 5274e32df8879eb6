// Package dpi puts models behind SystemVerilog's DPI-C. A C archive with one's own models is a main package of this
// kind, built by go build -buildmode=c-archive:
//
//	package main
//
//	import (
//		"github.com/goldwire/goldwire/design/dpi"
//
//		"example.com/mine"
//	)
//
//	func init() { dpi.Use(mine.Design()) }
//
//	func main() {}
//
// The SystemVerilog module that calls it for a unit is written by goldwire vectors UNIT --format dpi. A simulator
// calls from one thread. A call costs some 0.1 µs, the price of cgo from C into Go.
//
// The functions that C sees are goldwire_new, goldwire_fields, goldwire_reset, goldwire_input, goldwire_settle,
// goldwire_edge and goldwire_output; the written module declares them. A handle that is null, or that goldwire_new did
// not return, does nothing but say so, once, on the standard error output.
package dpi

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"unsafe"

	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// units are what goldwire_new can build.
var units vectors.Catalogue

// Use offers the units of the designs. It panics if two have one name.
func Use(designs ...design.Design) {
	house := design.House(designs)
	if err := house.Check(); err != nil {
		panic(err)
	}
	units = append(units, house.Units()...)
}

// model is a unit that RTL drives. A reset builds it anew.
type model struct {
	unit  vectors.Unit
	now   *vectors.Driven
	fresh bool // not run since its reset

	described unsafe.Pointer // C's text of its fields
}

// fields is a line for each field: "in_data in 64 -", "out_sum out 9 out_valid".
func (m *model) fields() string {
	var b strings.Builder
	for _, f := range m.now.Fields {
		valid := f.Valid
		if valid == "" {
			valid = "-"
		}
		fmt.Fprintf(&b, "%s %v %d %s\n", f.Name, f.Dir, f.Width, valid)
	}
	return b.String()
}

// models holds all models that were built; a handle is the place in the list, counted from 1. They last as long as the
// program.
var models []*model

// newModel returns the handle of a model in its reset state, 0 if there is none. The name may be followed by values of
// parameters: "blocks/fifo depth=8".
func newModel(name string) uintptr {
	name, settings, given := strings.Cut(name, " ")
	u, err := units.Find(name)
	if err == nil && given {
		u, err = u.WithParams(strings.Split(settings, ",")...)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "goldwire: %v\n", err)
		return 0
	}
	d, err := u.SimulateDriven(rtl.Config{})
	if err != nil {
		fmt.Fprintf(os.Stderr, "goldwire: %v\n", err)
		return 0
	}
	models = append(models, &model{unit: u, now: d, fresh: true})
	return uintptr(len(models))
}

var sayOnce sync.Once

// find returns the model of a handle, nil if there is none.
func find(handle uintptr, caller string) *model {
	if handle == 0 || handle > uintptr(len(models)) {
		sayOnce.Do(func() {
			fmt.Fprintf(os.Stderr, "goldwire: %s was given a handle that is not of a model\n", caller)
		})
		return nil
	}
	return models[handle-1]
}

func (m *model) reset() {
	if m == nil || m.fresh {
		return
	}
	if d, err := m.unit.SimulateDriven(rtl.Config{}); err == nil { // as it was built before
		m.now, m.fresh = d, true
	}
}

func (m *model) input(field int, value uint64) {
	if m != nil {
		m.now.Set(field, value)
	}
}

func (m *model) settle() {
	if m != nil {
		_ = m.now.Settle() // fast mode has no faults
	}
}

func (m *model) edge() {
	if m != nil {
		m.fresh = false
		_ = m.now.Edge() // fast mode has no faults
	}
}

func (m *model) output(field int) uint64 {
	if m == nil {
		return 0
	}
	return m.now.Get(field)
}
