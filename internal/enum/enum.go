// Package enum has the texts of enumerations: of types whose values are 0, 1, 2 and so on, with a text each. Such a
// type reads and prints itself by three methods of a line each:
//
//	type Policy uint8
//
//	const (
//		SRPT Policy = iota
//		FCFS
//	)
//
//	var policies = enum.Texts{"srpt", "fcfs"}
//
//	func (p Policy) String() string                { return enum.String(p, policies) }
//	func (p Policy) MarshalText() ([]byte, error)  { return enum.Marshal(p, policies) }
//	func (p *Policy) UnmarshalText(b []byte) error { return enum.Unmarshal(p, b, policies) }
package enum

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/internal/suggest"
)

// Texts are the texts of an enumeration's values from 0 on.
type Texts []string

// integer is a type that an enumeration may have.
type integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~uint | ~uint8 | ~uint16 | ~uint32
}

// String returns a value's text, or its type and number if it has none.
func String[T integer](v T, texts Texts) string {
	if i := int(v); i >= 0 && i < len(texts) {
		return texts[i]
	}
	return fmt.Sprintf("%T(%d)", v, int(v))
}

// Marshal returns a value's text. A value without one is an error.
func Marshal[T integer](v T, texts Texts) ([]byte, error) {
	if i := int(v); i >= 0 && i < len(texts) {
		return []byte(texts[i]), nil
	}
	return nil, fmt.Errorf("%T(%d): want %s", v, int(v), texts.or())
}

// Unmarshal sets a value by its text. A text that no value has is an error, which names the existing ones; the value
// stays as it is.
func Unmarshal[T integer](to *T, text []byte, texts Texts) error {
	i := slices.Index(texts, string(text))
	if i < 0 {
		return fmt.Errorf("%s: want %s", suggest.Quote(string(text)), texts.or())
	}
	*to = T(i)
	return nil
}

// or lists the texts: "a, b or c".
func (t Texts) or() string {
	if len(t) < 2 {
		return strings.Join(t, "")
	}
	return strings.Join(t[:len(t)-1], ", ") + " or " + t[len(t)-1]
}
