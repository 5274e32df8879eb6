package state

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// fault is what cannot be written or read, with the path of where.
type fault struct {
	path []string // the innermost part first
	err  error
}

// mostPath bounds the parts of a path that are told, of its start and of its end.
const mostPath = 50

func (f *fault) Error() string {
	parts := slices.Clone(f.path)
	slices.Reverse(parts)
	if len(parts) > 2*mostPath {
		parts = slices.Replace(parts, mostPath, len(parts)-mostPath, " … ")
	}
	return strings.Join(parts, "") + ": " + f.err.Error()
}

func (f *fault) Unwrap() error { return f.err }

// at puts a part of a path before an error's.
func at(name string, err error) error {
	if f, ok := errors.AsType[*fault](err); ok {
		f.path = append(f.path, name)
		return f
	}
	return &fault{[]string{name}, err}
}

func element(i int) string { return fmt.Sprintf("[%d]", i) }

var (
	errDamaged = errors.New("the state is damaged")
	errDeep    = fmt.Errorf("pointers and slices lead deeper than %d", deepest)
)

// deepest bounds how far values lead into each other: each step takes some of the stack.
const deepest = 1 << 19

// refusal says what an owner can do about a field that cannot be written.
func (o *op) refusal() error {
	return fmt.Errorf(
		"a %v cannot be saved: make it a struct or an interface with the state in fields, or say that it has none with the "+
			"tag `state:\"none\"`",
		o.typ,
	)
}
