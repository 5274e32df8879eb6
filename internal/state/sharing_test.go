package state_test

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/state"
)

//lint:file-ignore U1000 the fields here are read by their types alone

// write saves an owner with the objects that lie in it or beside it.
func write(t *testing.T, owner any, objects ...any) []byte {
	e := state.NewEncoder(plans())
	all := append([]any{owner}, objects...)
	for _, o := range all {
		e.Register(o)
	}
	for _, o := range all {
		require.NoError(t, e.Object("x", o))
	}
	require.Nil(t, e.Overlap())
	return e.Bytes()
}

// read restores them.
func read(data []byte, owner any, objects ...any) error {
	d := state.NewDecoder(plans(), data)
	all := append([]any{owner}, objects...)
	for _, o := range all {
		d.Register(o)
	}
	for _, o := range all {
		if err := d.Object("x", o); err != nil {
			return err
		}
	}
	return d.Close()
}

// bank has memory that a slice and a pointer of its own lead into.
type bank struct {
	cells  [8]int
	window []int
	cell   *int
}

// newBank has cells[from:to:end] as its window.
func newBank(from, to, end int) *bank {
	b := &bank{}
	b.window, b.cell = b.cells[from:to:end], &b.cells[7]
	return b
}

// A slice of an array in the owner comes back with its length. It has to be where it was built, as long as it was.
func TestSlicesOfAnArray(t *testing.T) {
	a := newBank(2, 2, 6)
	a.window = append(a.window, 5, 6)
	data := write(t, a)
	b := newBank(2, 2, 6)
	require.NoError(t, read(data, b))
	require.Equal(t, []int{5, 6}, b.window)
	require.Equal(t, 4, cap(b.window))
	require.Same(t, &b.cells[2], &b.window[0])
	require.Same(t, &b.cells[7], b.cell)

	for _, b := range []*bank{newBank(1, 1, 5), newBank(2, 2, 5)} {
		require.EqualError(
			t, read(data, b), "x.window: points to another place inside of an object than as built: keep an index instead",
		)
	}
}

// A reference built to lead into the owner's own memory, and led elsewhere when it was saved, gets memory of its own.
func TestWhatLeftTheOwner(t *testing.T) {
	a := newBank(2, 4, 6)
	one := 1
	a.window, a.cell = []int{8, 9, 0, 0}[:2], &one
	data := write(t, a)
	b := newBank(2, 4, 6)
	require.NoError(t, read(data, b))
	require.Equal(t, [8]int{}, b.cells)
	require.Equal(t, []int{8, 9}, b.window)
	require.Equal(t, 1, *b.cell)
	require.NotSame(t, &b.cells[7], b.cell)
}

// lane starts with an object, and has more.
type lane struct {
	part
	extra int
	names []string
}

// A slice that begins with an object but is longer is written whole, and the object once.
func TestWhatBeginsWithAnObject(t *testing.T) {
	type owner struct {
		one   *lane
		lanes []lane
		parts []part
	}
	build := func() (*owner, []any) {
		o := &owner{one: &lane{}, lanes: make([]lane, 2), parts: make([]part, 3)}
		return o, []any{&o.one.part, &o.lanes[0].part, &o.lanes[1].part, &o.parts[0], &o.parts[2]}
	}
	a, objects := build()
	for i, l := range []*lane{a.one, &a.lanes[0], &a.lanes[1]} {
		*l = lane{part{a: uint64(i + 1), list: []int{}}, i + 10, []string{"s"}}
	}
	for i := range a.parts {
		a.parts[i] = part{a: uint64(i + 1), list: []int{}}
	}
	data := write(t, a, objects...)
	b, objects := build()
	require.NoError(t, read(data, b, objects...))
	require.Equal(t, a, b)
}

// nest is an object with another in it, and a place after that.
type nest struct {
	inner part
	after int
	to    *int
}

// A pointer into an object after one that lies in it is inside all the same.
func TestPointerPastAnInnerObject(t *testing.T) {
	a := &nest{}
	a.to = &a.after
	data := write(t, &a.inner, a) // registered in another order than they lie in
	b := &nest{}
	require.EqualError(
		t, read(data, &b.inner, b),
		"x.to: points to another place inside of an object than as built: keep an index instead",
	)
	b.to = &b.after
	require.NoError(t, read(data, &b.inner, b))
	require.Same(t, &b.after, b.to)
}

// An object registered twice is one object.
func TestRegisteredTwice(t *testing.T) {
	type self struct {
		me *self
		n  *int
	}
	build := func() *self {
		s := &self{n: new(int)}
		s.me = s
		return s
	}
	a, b := build(), build()
	*a.n = 7
	e := state.NewEncoder(plans())
	e.Register(a)
	e.Register(a)
	require.NoError(t, e.Object("x", a))
	d := state.NewDecoder(plans(), e.Bytes())
	d.Register(b)
	d.Register(b)
	require.NoError(t, d.Object("x", b))
	require.NoError(t, d.Close())
	require.Same(t, b, b.me)
	require.Equal(t, 7, *b.n)
}

// Two types of one name differ in their description by whatever they lead to.
func TestDescribeFollowsTypes(t *testing.T) {
	describe := func(v any) string {
		var b bytes.Buffer
		plans().Describe(&b, reflect.TypeOf(v), map[reflect.Type]bool{})
		return b.String()
	}
	pointed := func() string {
		type far struct{ a uint64 }
		return describe(struct{ p *far }{})
	}()
	keyed := func() string {
		type far struct{ a uint64 }
		return describe(struct{ m map[far]bool }{})
	}()
	type far struct{ a int64 }
	require.NotEqual(t, pointed, describe(struct{ p *far }{}))
	require.NotEqual(t, keyed, describe(struct{ m map[far]bool }{}))
	require.Equal(t, describe(struct{ m map[far]bool }{}), describe(struct{ m map[far]bool }{}))
}

// Things that were apart are so again, where one was built for several.
func TestWhatWasBuiltAsOneComesApart(t *testing.T) {
	type owner struct {
		lists [2][]int
		ptrs  [2]*ring
		maps  [2]map[string]int
	}
	a := &owner{
		lists: [2][]int{{1, 2}, {3, 4}}, ptrs: [2]*ring{{value: 1}, {value: 2}},
		maps: [2]map[string]int{{"a": 1}, {"b": 2}},
	}
	data := write(t, a)
	list, ptr, m := []int{0, 0}, &ring{}, map[string]int{}
	b := &owner{lists: [2][]int{list, list}, ptrs: [2]*ring{ptr, ptr}, maps: [2]map[string]int{m, m}}
	require.NoError(t, read(data, b))
	require.Equal(t, a, b)

	// but not where they overlap in part: one would be read over the other
	b = &owner{lists: [2][]int{make([]int, 3)[:2:2], nil}}
	b.lists[1] = b.lists[0][1:2:2]
	a.lists[1] = []int{3}
	require.EqualError(t, read(write(t, a), b), "two slices or pointers share their memory as built, but not in the state")
}

// A value in a map stays where it was built, and so do the values built for it.
func TestValuesOfAMapStay(t *testing.T) {
	type owner struct{ m map[string]*ring }
	data := write(t, &owner{map[string]*ring{"x": {value: 7}, "y": {value: 8}}})
	x := &ring{}
	b := &owner{map[string]*ring{"x": x, "z": {}}}
	require.NoError(t, read(data, b))
	require.Same(t, x, b.m["x"])
	require.Equal(t, map[string]*ring{"x": {value: 7}, "y": {value: 8}}, b.m)
}

// References to values of another type or kind, and lengths beyond all memory, are refused before they are followed.
func TestReferencesThatLie(t *testing.T) {
	n := 1
	data := write(t, &struct{ a, b *int }{&n, &n})
	require.ErrorContains(t, read(data, &struct {
		a *int
		b *string
	}{}), "x.b: the state is damaged")
	require.ErrorContains(t, read(data, &struct {
		a *int
		b []int
	}{}), "x.b: the state is damaged")

	e := state.NewEncoder(plans())
	e.Uint(3) // a new list: 2 is the owner
	e.Uint(1 << 50)
	e.Uint(0)
	require.ErrorContains(t, read(e.Bytes(), &struct{ a []int }{}), "x.a: the state is damaged")

	e = state.NewEncoder(plans())
	for range 4 {
		e.Uint(0) // a group of zeros
	}
	e.Uint(2) // and two more, where one has room
	require.ErrorContains(t, read(e.Bytes(), &[16]uint64{}), "the state is damaged")

	inside := &struct {
		array [4]int
		list  []int
	}{}
	inside.list = inside.array[:2]
	inArray := "points to another place inside of an object than as built"
	for _, c := range []struct {
		numbers []uint64
		v       any
		want    string
	}{
		// nine bytes of a word
		{[]uint64{9, 1, 1, 1, 1, 1, 1, 1, 1, 1}, new(uint64), "damaged"},
		// the thing after the next one
		{[]uint64{4}, &struct{ a []int }{}, "x.a: the state is damaged"},
		// too much in two lists
		{[]uint64{3, 1 << 30, 0, 4, 1 << 30, 0}, &struct{ a, b []struct{} }{}, "x.b: the state is damaged"},
		{[]uint64{0, 0, 1, 0, 0, 5, 4}, inside, inArray},                              // longer than its array
		{[]uint64{0, 0, 1, 0, 1 << 40, 2, 4}, inside, "x.list: the state is damaged"}, // beyond the object
	} {
		e := state.NewEncoder(plans())
		for _, n := range c.numbers {
			e.Uint(n)
		}
		require.ErrorContains(t, read(e.Bytes(), c.v), c.want, "%v", c.numbers)
	}
}

// A list that is too deep for the stack is refused, soon and in a short line.
func TestDeepListsAreRefused(t *testing.T) {
	var first *ring
	for range 1 << 19 {
		first = &ring{next: first}
	}
	err := state.NewEncoder(plans()).Object("x", &first)
	require.ErrorContains(t, err, "x.next.next")
	require.ErrorContains(t, err, ".next: pointers and slices lead deeper than 524288")
	require.Less(t, len(err.Error()), 1000)
}
