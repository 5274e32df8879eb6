package state_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/internal/state"
)

//lint:file-ignore U1000 the fields here are read by their types alone

func plans() *state.Plans {
	return state.NewPlans(state.Rules{
		Wiring: func(t reflect.Type) bool { return t == reflect.TypeFor[*wiring]() },
		Object: func(t reflect.Type) bool { return t == reflect.TypeFor[part]() },
	})
}

type wiring struct{ n int }

// part is an object: it may be registered.
type part struct {
	a, b uint64
	list []int
}

type animal interface{ legs() int }

type dog struct{ n int }

func (d dog) legs() int { return d.n }

type bird struct{ n *int }

func (b *bird) legs() int { return *b.n }

type ring struct {
	value int
	next  *ring
}

// whole has a field of each kind.
type whole struct {
	small   uint8
	gap     uint64
	flag    bool
	f       float64
	name    string
	array   [3]string
	plain   []uint32
	nested  [][]byte
	empty   []int
	none    []int
	roomy   []int
	alias   []int
	ptr     *part
	same    *part
	own     part
	inOwn   *uint64
	cells   []int // of own.list's array? no: of its own
	m       map[string]*part
	table   map[[2]int]int
	animals [2]animal
	circle  *ring
	rng     *rand.Rand
	to      *wiring
	fn      func()
	skipped func() `state:"none"`
	scratch []int  `state:"none"`
	ch      chan int
	_       [5]byte
}

// build returns a whole as its owner would build it, and its parts.
func build() *whole {
	w := &whole{roomy: make([]int, 0, 8), to: &wiring{7}, skipped: func() {}, rng: rand.New(rand.NewPCG(1, 2))}
	one := 1
	w.animals = [2]animal{dog{4}, &bird{&one}}
	w.inOwn = &w.own.b
	w.m = map[string]*part{"x": {a: 1}}
	return w
}

// live changes all of it.
func (w *whole) live(x uint64) {
	w.small, w.gap, w.flag, w.f, w.name = uint8(x), x*x, true, float64(x)/3, string(rune('a'+x%26))
	w.array = [3]string{"", "b", w.name}
	w.plain = append(w.plain, uint32(x), 0, 0, uint32(x))
	w.nested = [][]byte{nil, {}, {1, byte(x)}}
	w.empty = []int{}
	w.roomy = append(w.roomy, int(x))
	w.alias = w.roomy
	w.ptr = &part{x, 2, []int{1, 2, 3}}
	w.same = w.ptr
	w.own = part{x, x + 1, make([]int, 2, 9)}
	w.m = map[string]*part{"y": w.ptr, "x": {a: x}}
	w.table = map[[2]int]int{{1, 2}: 3, {0, 9}: int(x)}
	*w.animals[1].(*bird).n = int(x)
	w.animals[0] = dog{int(x)}
	w.circle = &ring{value: 1, next: &ring{value: 2}}
	w.circle.next.next = w.circle
	w.rng.Uint64()
	w.scratch = []int{int(x)}
}

func save(t require.TestingT, w *whole) []byte {
	e := state.NewEncoder(plans())
	e.Register(w)
	e.Register(&w.own)
	require.NoError(t, e.Object("whole", w))
	require.NoError(t, e.Object("own", &w.own))
	require.Nil(t, e.Overlap())
	return e.Bytes()
}

func restore(w *whole, data []byte) error {
	d := state.NewDecoder(plans(), data)
	d.Register(w)
	d.Register(&w.own)
	if err := d.Object("whole", w); err != nil {
		return err
	}
	if err := d.Object("own", &w.own); err != nil {
		return err
	}
	return d.Close()
}

var everything = cmp.Options{
	cmp.Exporter(func(reflect.Type) bool { return true }),
	cmp.Comparer(func(a, b *rand.Rand) bool { return reflect.DeepEqual(a, b) }),
	cmp.FilterPath(
		func(p cmp.Path) bool { n := p.Last().String(); return n == ".skipped" || n == ".scratch" || n == "._" },
		cmp.Ignore(),
	),
}

func TestAllKindsComeBack(t *testing.T) {
	a := build()
	a.live(5)
	a.live(77)
	data := save(t, a)
	fresh := build()
	other := build()
	other.live(3)
	for _, b := range []*whole{fresh, other} {
		to := b.to
		require.NoError(t, restore(b, data))
		require.Empty(t, cmp.Diff(a, b, everything))
		require.Equal(t, data, save(t, b))
		// identity, capacity, nil and empty
		require.Same(t, b.ptr, b.same)
		require.Same(t, b.ptr, b.m["y"])
		require.Same(t, &b.roomy[0], &b.alias[0])
		require.Same(t, b.circle, b.circle.next.next)
		require.Same(t, &b.own.b, b.inOwn)
		require.Same(t, to, b.to)
		require.Equal(t, 8, cap(b.roomy))
		require.Equal(t, 9, cap(b.own.list))
		require.NotNil(t, b.empty)
		require.Nil(t, b.none)
		require.NotNil(t, b.skipped)
		require.Equal(t, a.rng.Uint64(), b.rng.Uint64())
		a.rng = build().rng
		require.NoError(t, restore(a, data))
	}
	require.Nil(t, fresh.scratch)
	require.Equal(t, []int{3}, other.scratch)
}

func TestWhatCannotBeSavedIsNamed(t *testing.T) {
	type inner struct{ w []whole }
	n := 5
	backing := make([]int, 10)
	for _, c := range []struct {
		v    any
		want string
	}{
		{&inner{[]whole{{}, {fn: func() {}}}},
			"x.w[1].fn: a func() cannot be saved: make it a struct or an interface with the state in fields, or say that it " +
				"has none with the tag `state:\"none\"`"},
		{&whole{ch: make(chan int)}, "x.ch: a chan int cannot be saved: make it"},
		{&map[*int]int{&n: 1}, "x: a map[*int]int cannot be saved: its keys have no order"},
		{&map[[1]*int]int{}, "x: a map[[1]*int]int cannot be saved: its keys have no order"},
		{&whole{roomy: backing[:5], alias: backing[:5:5]},
			"x.alias: shares its memory with another slice or pointer in part"},
		{&whole{roomy: backing[:5], alias: backing[:6]}, "x.alias: shares its memory with another slice or pointer in part"},
	} {
		e := state.NewEncoder(plans())
		require.ErrorContains(t, e.Object("x", c.v), c.want)
	}

	apart := &whole{roomy: backing[:5], alias: backing[4:]}
	e := state.NewEncoder(plans())
	require.NoError(t, e.Object("x", apart))
	p := e.Overlap()
	require.NotNil(t, p)
	e = state.NewEncoder(plans())
	e.Find(p)
	require.EqualError(
		t, e.Object("x", apart),
		"x.alias: shares its memory with another slice or pointer in part: keep an index instead",
	)
}

func TestWhatWasBuiltOtherwiseIsNamed(t *testing.T) {
	a := build()
	data := save(t, a)
	b := build()
	b.animals[0] = &bird{new(int)}
	require.EqualError(
		t, restore(b, data),
		"whole.animals[0]: held a github.com/goldwire/goldwire/internal/state_test.dog, and is a "+
			"*github.com/goldwire/goldwire/internal/state_test.bird as built",
	)
	b = build()
	b.animals[1] = nil
	require.EqualError(
		t, restore(b, data),
		"whole.animals[1]: held a *github.com/goldwire/goldwire/internal/state_test.bird, and is nil as built",
	)
	b = build()
	b.inOwn = &b.own.a
	require.ErrorContains(t, restore(b, data), "whole.inOwn: points to another place inside of an object than as built")
	b = build()
	b.fn = func() {}
	require.ErrorContains(t, restore(b, data), "whole.fn: a func() cannot be saved")
}

// Whatever the bytes are, reading them ends, with an error or without.
func TestDamageIsAnError(t *testing.T) {
	a := build()
	a.live(9)
	data := save(t, a)
	rapid.Check(t, func(t *rapid.T) {
		bad := bytes.Clone(data)
		for range rapid.IntRange(1, 4).Draw(t, "changes") {
			bad[rapid.IntRange(0, len(bad)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "byte")
		}
		if rapid.Bool().Draw(t, "cut") {
			bad = bad[:rapid.IntRange(0, len(bad)-1).Draw(t, "length")]
			require.Error(t, restore(build(), bad))
			return
		}
		_ = restore(build(), bad) // other numbers are no damage that it could see
	})
	require.Error(t, restore(build(), append(bytes.Clone(data), 0)))
}

// Memory comes back from its groups, whatever its length and zeros.
func TestMemoryComesBack(t *testing.T) {
	comesBack := func(t require.TestingT, mem []byte) {
		e := state.NewEncoder(plans())
		e.Memory(mem)
		got := bytes.Repeat([]byte{0xa5}, len(mem))
		d := state.NewDecoder(plans(), e.Bytes())
		require.NoError(t, d.Memory(got))
		require.NoError(t, d.Close())
		require.Equal(t, mem, got)
		require.LessOrEqual(t, len(e.Bytes()), len(mem)+len(mem)/64+3)
	}
	rapid.Check(t, func(t *rapid.T) {
		mem := make([]byte, rapid.IntRange(0, 400).Draw(t, "bytes"))
		for range rapid.IntRange(0, 20).Draw(t, "set") {
			if len(mem) > 0 {
				mem[rapid.IntRange(0, len(mem)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "byte")
			}
		}
		comesBack(t, mem)
	})
	for n := range 300 { // whole groups of zeros at the end, and all but the last byte zero
		mem := make([]byte, n)
		comesBack(t, mem)
		if n > 0 {
			mem[n-1] = 1
			comesBack(t, mem)
		}
	}
}

func TestFilesOfOthersAreRefused(t *testing.T) {
	h := state.Head{Program: "here v1", Design: [32]byte{1}}
	file := h.Seal([]byte("one"), nil, []byte("three"))
	r := bytes.NewReader(append(bytes.Clone(file), "more"...))
	parts, err := h.Open(r)
	require.NoError(t, err)
	require.Equal(t, []string{"one", "", "three"}, []string{string(parts[0]), string(parts[1]), string(parts[2])})
	require.Equal(t, 4, r.Len(), "no byte more is read")

	for n := range len(file) {
		_, err := h.Open(bytes.NewReader(file[:n]))
		require.EqualError(t, err, "the file is truncated", "%d bytes", n)
	}
	for i := range file {
		bad := bytes.Clone(file)
		bad[i] ^= 0x10
		_, err := h.Open(bytes.NewReader(bad))
		require.Error(t, err, "byte %d", i)
	}
	_, err = state.Head{Program: "here v2", Design: h.Design}.Open(bytes.NewReader(file))
	require.EqualError(t, err, "the file is of another program, here v1; this is here v2")
	_, err = state.Head{Program: h.Program}.Open(bytes.NewReader(file))
	require.EqualError(t, err, "the file is of another design, or of one built with other parameters")
	_, err = h.Open(bytes.NewReader([]byte("\x7fELF and so on, and on")))
	require.EqualError(t, err, "the file is no state of goldwire")
	_, err = h.Open(bytes.NewReader(bytes.Replace(file, []byte("state 2\n"), []byte("state 3\n"), 1)))
	require.EqualError(t, err, "the file is of format 3, want 2")

	// a number of parts that lies costs neither time nor memory
	many := append([]byte("goldwire state 2\n"), 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f)
	_, err = h.Open(bytes.NewReader(append(many, file...)))
	require.EqualError(t, err, "the file was changed: it has an impossible length")
	empty := state.Head{}.Seal()
	// a part of half a terabyte
	long := append(bytes.Clone(empty[:len("goldwire state 2\n")]), 1, 0, 0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x10)
	_, err = state.Head{}.Open(bytes.NewReader(append(long, "too little"...)))
	require.EqualError(t, err, "the file is truncated")
}

// An error comes back as its text, also where none was built, and is no longer there where there was none.
func TestErrorsComeBackAsText(t *testing.T) {
	type owner struct{ one, none, same error }
	same := io.EOF
	a := &owner{one: fmt.Errorf("cycle %d: %w", 7, io.EOF), same: same}
	file, err := state.Save(a)
	require.NoError(t, err)
	b := &owner{none: io.EOF, same: same}
	require.NoError(t, state.Restore(bytes.NewReader(file), b))
	require.EqualError(t, b.one, "cycle 7: EOF")
	require.NoError(t, b.none)
	require.Same(t, same, b.same)

	err = state.Restore(bytes.NewReader(file), &struct{ one error }{})
	require.EqualError(t, err, "checkpoint: the file is of another design, or of one built with other parameters")
	_, err = state.Save(&struct{ fn func() }{func() {}})
	require.ErrorContains(t, err, "checkpoint: struct { fn func() }.fn: a func() cannot be saved")
}
