// Package ports finds the ports and the probes of a module among its fields, and names them as waveforms and Verilog
// do: by the fields that lead to them, in the order of declaration.
package ports

import (
	"reflect"
	"strconv"
	"sync"

	"github.com/goldwire/goldwire/rtl/layout"
)

// finder finds the ports of modules by reflection. It keeps the fields of each type: a large design has thousands of
// modules of some ten types. Several goroutines may use it.
type finder struct {
	isPort func(reflect.Type) bool
	types  sync.Map // reflect.Type of a struct to []field
}

// Found is told of a port, or of a probe, which is a private field with a bits tag.
type Found func(name string, v reflect.Value, tag reflect.StructTag)

// field is one of a struct that is worth a look.
type field struct {
	index int
	name  string // as waveforms have it; "" for an embedded one
	tag   reflect.StructTag
	is    kind
}

type kind uint8

const (
	nothing kind = iota
	inside       // a port, or a struct or an array of structs that hold some
	slice        // of ports
	probe
)

// New returns a finder of ports of these types.
func New(isPort func(reflect.Type) bool) *finder { return &finder{isPort: isPort} }

// Find looks through a module's struct: at structs and arrays in it that hold ports, and at slices of ports. Memories
// are not looked through.
func (f *finder) Find(v reflect.Value, port, probed Found) { f.find(v, "", "", port, probed) }

func (f *finder) find(v reflect.Value, name string, tag reflect.StructTag, port, probed Found) {
	t := v.Type()
	switch {
	case f.isPort(t):
		port(name, v, tag)
	case t.Kind() == reflect.Struct:
		for _, c := range f.fields(t) {
			sub, at := name, v.Field(c.index)
			if c.name != "" {
				sub = layout.Under(name, c.name)
			}
			switch c.is {
			case inside:
				f.find(at, sub, c.tag, port, probed)
			case slice:
				for j := range at.Len() {
					f.find(at.Index(j), layout.Under(sub, strconv.Itoa(j)), c.tag, port, probed)
				}
			case probe:
				probed(sub, at, c.tag)
			}
		}
	case t.Kind() == reflect.Array:
		for i := range t.Len() {
			f.find(v.Index(i), layout.Under(name, strconv.Itoa(i)), tag, port, probed)
		}
	}
}

// fields lists the fields of a struct that are worth a look.
func (f *finder) fields(t reflect.Type) []field {
	if known, met := f.types.Load(t); met {
		return known.([]field)
	}
	var fields []field
	for i := range t.NumField() {
		of := t.Field(i)
		c := field{index: i, tag: of.Tag, is: f.kindOf(of)}
		if !of.Anonymous {
			c.name = layout.SnakeCase(of.Name)
		}
		if c.is != nothing {
			fields = append(fields, c)
		}
	}
	f.types.Store(t, fields)
	return fields
}

func (f *finder) kindOf(of reflect.StructField) kind {
	switch {
	case f.holdsPorts(of.Type):
		return inside
	case f.isSlice(of.Type):
		return slice
	case !of.IsExported() && of.Tag.Get("bits") != "":
		return probe
	}
	return nothing
}

// isSlice tells of slices of ports.
func (f *finder) isSlice(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && f.isPort(t.Elem())
}

// holdsPorts tells whether a value of this type is worth a look inside.
func (f *finder) holdsPorts(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Struct:
		if f.isPort(t) {
			return true
		}
		for field := range t.Fields() {
			if f.holdsPorts(field.Type) || f.isSlice(field.Type) {
				return true
			}
		}
	case reflect.Array:
		return f.holdsPorts(t.Elem())
	}
	return false
}
