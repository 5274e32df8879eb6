// Package ports finds the ports and the probes of a module among its fields, and names them as waveforms and Verilog do: by the fields that
// lead to them, in the order of declaration.
package ports

import (
	"reflect"
	"strconv"

	"github.com/goldwire/goldwire/layout"
)

// Finder is told what it finds.
type Finder struct {
	IsPort func(reflect.Type) bool
	Port   func(name string, v reflect.Value, tag reflect.StructTag)
	Probe  func(name string, v reflect.Value, tag reflect.StructTag) // a private field with a bits tag
}

// Find looks through a module's struct: at structs and arrays in it that hold ports, and at slices of ports. Memories are not looked through.
func (f *Finder) Find(v reflect.Value) { f.find(v, "", "") }

func (f *Finder) find(v reflect.Value, name string, tag reflect.StructTag) {
	t := v.Type()
	switch {
	case f.IsPort(t):
		f.Port(name, v, tag)
	case t.Kind() == reflect.Struct:
		for i := range t.NumField() {
			field := t.Field(i)
			sub := name
			if !field.Anonymous {
				sub = layout.Under(name, layout.SnakeCase(field.Name))
			}
			switch {
			case f.holdsPorts(field.Type):
				f.find(v.Field(i), sub, field.Tag)
			case f.isSlice(field.Type):
				for j := range v.Field(i).Len() {
					f.find(v.Field(i).Index(j), layout.Under(sub, strconv.Itoa(j)), field.Tag)
				}
			case !field.IsExported() && field.Tag.Get("bits") != "":
				f.Probe(sub, v.Field(i), field.Tag)
			}
		}
	case t.Kind() == reflect.Array:
		for i := range t.Len() {
			f.find(v.Index(i), layout.Under(name, strconv.Itoa(i)), tag)
		}
	}
}

// isSlice tells of slices of ports.
func (f *Finder) isSlice(t reflect.Type) bool { return t.Kind() == reflect.Slice && f.IsPort(t.Elem()) }

// holdsPorts tells whether a value of this type is worth a look inside.
func (f *Finder) holdsPorts(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Struct:
		if f.IsPort(t) {
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
