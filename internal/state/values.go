package state

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// plain are the plans of values that are nobody's modules.
var plain = NewPlans(
	Rules{Wiring: func(reflect.Type) bool { return false }, Object: func(reflect.Type) bool { return false }},
)

// Save returns a file with the targets of some pointers: a model without a kernel, and its further roots.
func Save(roots ...any) ([]byte, error) {
	e := NewEncoder(plain)
	if err := walk(e, roots); err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	if p := e.Overlap(); p != nil { // once more, to learn the path
		e = NewEncoder(plain)
		e.Find(p)
		return nil, fmt.Errorf("checkpoint: %w", walk(e, roots))
	}
	return headOf(roots).Seal(e.Bytes()), nil
}

// Walker is an [Encoder] or a [Decoder]: one walk with both writes and reads things in one order.
type Walker interface {
	Register(v any)
	Object(name string, v any) error
}

// Root walks what a pointer leads to. In the path of a fault it has the name of its type.
func Root(w Walker, r any) error {
	return w.Object(strings.TrimPrefix(reflect.TypeOf(r).String(), "*"), r)
}

func walk(w Walker, roots []any) error {
	for _, r := range roots {
		w.Register(r)
	}
	for _, r := range roots {
		if err := Root(w, r); err != nil {
			return err
		}
	}
	return nil
}

// Restore reads such a file into values that were built alike. A file that is not of this program and these types,
// truncated or changed is refused before anything is touched; after any other error the values are good for nothing.
func Restore(r io.Reader, roots ...any) error {
	parts, err := headOf(roots).Open(r)
	if err == nil && len(parts) != 1 {
		err = errors.New("the file is of another kind of model")
	}
	if err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	d := NewDecoder(plain, parts[0])
	if err = walk(d, roots); err == nil {
		err = d.Close()
	}
	if err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	return nil
}

// headOf tells the types of roots and of all their targets.
func headOf(roots []any) Head {
	var b bytes.Buffer
	seen := map[reflect.Type]bool{}
	for _, r := range roots {
		_, q := plain.target(r)
		fmt.Fprintln(&b, q.typ)
		plain.Describe(&b, q.typ, seen)
	}
	return Head{Program: Program(), Design: sha256.Sum256(b.Bytes())}
}
