// Package layout says what a signal's Go type looks like in bits.
//
// A signal type is a plain value: bool, uint8 to uint64, and arrays and structs of them. Its leaves are its scalars in
// the order of declaration. A leaf has the width of its Go type, or what a tag `bits:"n"` on the field says; the tag of
// an array holds for each element. A blank field has no leaf, and an embedded struct's leaves have the names that Go
// selects them by. From the leaves come waveforms, vectors and Verilog ports.
package layout

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode"
)

// Leaf is one field of a signal type: where it lies in the value and how many bits it has.
type Leaf struct {
	Name   string // "payload", "lane_3_data"; "" if the type is a scalar
	Width  int    // 1 to 64 bits
	offset uintptr
	kind   reflect.Kind // Bool or Uint8 to Uint64
}

// Of returns the leaves of a signal type. It fails if a part of the type has no fixed width, or if two leaves would
// have one name.
func Of(t reflect.Type) ([]Leaf, error) { return OfField(t, "") }

// OfField returns the leaves of a field by its own tag; their names are without the field's.
func OfField(t reflect.Type, tag reflect.StructTag) ([]Leaf, error) {
	leaves, err := of(t, "", 0, tag)
	if err != nil || len(leaves) < 2 {
		return leaves, err
	}
	names := make(map[string]bool, len(leaves))
	for _, l := range leaves {
		if names[l.Name] {
			return nil, fmt.Errorf("two leaves of %v have the name %s", t, l.Name)
		}
		names[l.Name] = true
	}
	return leaves, nil
}

func of(t reflect.Type, name string, offset uintptr, tag reflect.StructTag) ([]Leaf, error) {
	bits, tagged := tag.Lookup("bits")
	width, isScalar := scalarWidth(t.Kind())
	if tagged {
		n, err := strconv.Atoi(bits)
		elem := t
		for elem.Kind() == reflect.Array {
			elem = elem.Elem()
		}
		most, scalar := scalarWidth(elem.Kind())
		if err != nil || !scalar || n < 1 || n > most {
			return nil, fmt.Errorf("%s %v has the tag bits:%q, want 1 to the %d bits of its type", orValue(name), t, bits, most)
		}
		width = n
	}
	switch {
	case isScalar:
		return []Leaf{{name, width, offset, t.Kind()}}, nil
	case t.Kind() == reflect.Array:
		var all []Leaf
		for i := range t.Len() {
			leaves, err := of(t.Elem(), Under(name, strconv.Itoa(i)), offset+uintptr(i)*t.Elem().Size(), tag)
			if err != nil {
				return nil, err
			}
			all = append(all, leaves...)
		}
		return all, nil
	case t.Kind() == reflect.Struct:
		var all []Leaf
		for f := range t.Fields() {
			if f.Name == "_" {
				continue
			}
			inner := name // a field of an embedded struct is one of the struct around it, in Go too
			if !f.Anonymous || f.Type.Kind() != reflect.Struct {
				inner = Under(name, SnakeCase(f.Name))
			}
			leaves, err := of(f.Type, inner, offset+f.Offset, f.Tag)
			if err != nil {
				return nil, err
			}
			all = append(all, leaves...)
		}
		return all, nil
	default:
		return nil, fmt.Errorf("%s has type %v, want bool, uint8 to uint64, or arrays and structs of them", orValue(name), t)
	}
}

func scalarWidth(k reflect.Kind) (int, bool) {
	switch k {
	case reflect.Bool:
		return 1, true
	case reflect.Uint8:
		return 8, true
	case reflect.Uint16:
		return 16, true
	case reflect.Uint32:
		return 32, true
	case reflect.Uint64:
		return 64, true
	}
	return 0, false
}

// SnakeCase turns a Go name into the lower-case form of waveforms and Verilog: "RxData" is rx_data, "BERCount"
// ber_count.
func SnakeCase(s string) string {
	var b strings.Builder
	r := []rune(s)
	for i, c := range r {
		if i > 0 && unicode.IsUpper(c) && r[i-1] != '_' &&
			(!unicode.IsUpper(r[i-1]) || i+1 < len(r) && unicode.IsLower(r[i+1])) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}

// Under returns the name of a part of the value called prefix.
func Under(prefix, name string) string {
	if prefix == "" {
		return name
	}
	return prefix + "_" + name
}

func orValue(name string) string {
	if name == "" {
		return "the value"
	}
	return "field " + name
}
