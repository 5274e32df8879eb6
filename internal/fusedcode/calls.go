package fusedcode

import (
	"fmt"
	"reflect"
	"slices"
)

// Call is a call that generated code wants: see [Alone] and [InTurn].
type Call interface {
	// alike tells whether one function can do both calls.
	alike(next Call) bool
	// function returns a function for calls that are like this one, which is the first of them.
	function(calls []Call) func()
}

// Alone is a call of a function without arguments.
func Alone(call func()) Call { return &alone{call} }

type alone struct{ call func() }

func (a *alone) alike(Call) bool        { return false }
func (a *alone) function([]Call) func() { return a.call }

// InTurn is a call of a function that works on groups of modules that are alike, one after another; of returns it, and
// is no function literal. Where calls of one function stand beside each other, also the last of an instant and the
// first of the next, one call does for all.
func InTurn[M any](of func(first *Group[M]) func(), groups ...*Group[M]) Call {
	return &inTurn[M]{of, groups}
}

// Group is a group of modules, and leads to the next one. A loop over a slice would have more to keep, which costs more
// than the calls that it takes the place of. Where all functions that work on a group have the same one after it, they
// share it, and its lines of the nearest cache. A function for which another one comes next has a copy: a place for the
// modules outside of the group would be one more to load.
type Group[M any] struct {
	Modules M
	Next    *Group[M]
	linked  bool // Next is what some function wants
}

type inTurn[M any] struct {
	of     func(first *Group[M]) func()
	groups []*Group[M]
}

func (c *inTurn[M]) alike(next Call) bool {
	n, is := next.(*inTurn[M])
	return is && reflect.ValueOf(c.of).Pointer() == reflect.ValueOf(n.of).Pointer()
}

func (c *inTurn[M]) function(calls []Call) func() {
	var next *Group[M]
	for _, call := range slices.Backward(calls) {
		for _, group := range slices.Backward(call.(*inTurn[M]).groups) {
			if group.linked && group.Next != next {
				group = &Group[M]{Modules: group.Modules}
			}
			group.Next, group.linked = next, true
			next = group
		}
	}
	return c.of(next)
}

// Functions has the functions for calls that stand beside each other. The same calls have one, wherever they come: it
// stays in the nearest cache.
type Functions map[string]func()

// Of returns the functions for a list of calls, in its order.
func (made Functions) Of(calls []Call) (list []func()) {
	for len(calls) > 0 {
		n := 1
		for n < len(calls) && calls[0].alike(calls[n]) {
			n++
		}
		key := fmt.Sprint(calls[:n]) // where they lie
		if made[key] == nil {
			made[key] = calls[0].function(calls[:n])
		}
		list, calls = append(list, made[key]), calls[n:]
	}
	return list
}

// CallAll calls functions one after another. In a function of its own there is little to load again after each of them.
// Many of them are so short that a turn of a loop costs as much, so each turn calls eight.
//
//go:noinline
func CallAll(calls []func()) {
	for ; len(calls) >= 8; calls = calls[8:] {
		calls[0]()
		calls[1]()
		calls[2]()
		calls[3]()
		calls[4]()
		calls[5]()
		calls[6]()
		calls[7]()
	}
	for _, call := range calls {
		call()
	}
}
