// Package reach tells what a module could read of other modules: ports that are not its own, and functions, which may
// read anything.
package reach

import (
	"maps"
	"reflect"
)

// Search looks at modules. It allocates nothing once it knows their types.
type Search struct {
	isPort func(reflect.Type) bool

	seen   map[seenAt]bool
	safe   map[reflect.Type]bool  // types from which no port or function can be reached
	fields map[reflect.Type][]int // by type of module: the fields that have to be searched
}

type seenAt struct {
	p uintptr
	t reflect.Type
}

// New returns a search that knows a port by its type.
func New(isPort func(reflect.Type) bool) *Search {
	return &Search{isPort, map[seenAt]bool{}, map[reflect.Type]bool{}, map[reflect.Type][]int{}}
}

// Confined tells whether what the fields of a module, a pointer to a struct, lead to has no ports but the module's
// own, and no functions.
func (s *Search) Confined(module any) bool {
	clear(s.seen)
	v := reflect.ValueOf(module).Elem()
	fields, known := s.fields[v.Type()]
	if !known {
		for i := range v.NumField() {
			if f := v.Type().Field(i); !s.ownPorts(f.Type) && !s.harmless(f.Type) && !promised(f) {
				fields = append(fields, i)
			}
		}
		s.fields[v.Type()] = fields
	}
	for _, i := range fields {
		if !s.value(v.Field(i)) {
			return false
		}
	}
	return true
}

// promised tells whether a field's tag promises that the values behind the field read no port: a search cannot see
// into functions.
func promised(f reflect.StructField) bool { return f.Tag.Get("ports") == "none" }

// ownPorts tells whether a field has ports and nothing else.
func (s *Search) ownPorts(t reflect.Type) bool {
	if t.Kind() == reflect.Slice || t.Kind() == reflect.Array {
		t = t.Elem()
	}
	return s.isPort(t)
}

// value searches a value and everything that it leads to. It returns false at a port or a function.
func (s *Search) value(v reflect.Value) bool {
	t := v.Type()
	if s.harmless(t) {
		return true
	}
	switch t.Kind() {
	case reflect.Func:
		return v.IsNil()
	case reflect.Pointer:
		at := seenAt{v.Pointer(), t}
		if v.IsNil() || s.seen[at] {
			return true
		}
		s.seen[at] = true
		return s.value(v.Elem())
	case reflect.Interface:
		return v.IsNil() || s.value(v.Elem())
	case reflect.Struct:
		if s.isPort(t) {
			return false
		}
		for i := range v.NumField() {
			if !s.value(v.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if !s.value(v.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Map:
		for iter := v.MapRange(); iter.Next(); {
			if !s.value(iter.Key()) || !s.value(iter.Value()) {
				return false
			}
		}
		return true
	}
	return false // a channel, or a pointer without a type
}

// harmless tells whether nothing of a type leads to a port or a function, whatever its values.
func (s *Search) harmless(t reflect.Type) bool {
	known, there := s.safe[t]
	if !there {
		s.safe[t] = true // a type that leads to itself is as harmless as the rest of it
		if known = s.look(t); !known {
			// some may rest on the assumption above
			maps.DeleteFunc(s.safe, func(_ reflect.Type, safe bool) bool { return safe })
		}
		s.safe[t] = known
	}
	return known
}

func (s *Search) look(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return s.harmless(t.Elem())
	case reflect.Map:
		return s.harmless(t.Key()) && s.harmless(t.Elem())
	case reflect.Struct:
		for f := range t.Fields() {
			if !s.harmless(f.Type) {
				return false
			}
		}
		return !s.isPort(t)
	case reflect.Func, reflect.Interface, reflect.Chan, reflect.UnsafePointer:
		return false
	}
	return true
}
