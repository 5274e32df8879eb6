package reach_test

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/reach"
)

//lint:file-ignore U1000 the fields here are read by their types alone

// in and out are the ports of these modules.
type (
	in  struct{ p *uint64 }
	out struct{ p *uint64 }
)

func isPort(t reflect.Type) bool { return t == reflect.TypeFor[in]() || t == reflect.TypeFor[out]() }

type ownFields struct {
	In   in
	Outs []out

	source rand.Source
	call   func()
	err    error
	bytes  []byte
	ring   *ringNode
	any    any
	tell   func() `ports:"none"`
	see    func() `ports:"all"`
}

// ringNode and ringEnd lead to each other, and only one of them has a function.
type ringNode struct {
	end *ringEnd
	do  func()
}

type ringEnd struct{ node *ringNode }

type spyOn struct{ out *out }

// A module is confined if its fields lead to no ports but its own, and to no functions. The search allocates nothing
// after the first.
func TestConfined(t *testing.T) {
	for _, x := range []struct {
		m    *ownFields
		want bool
	}{
		{&ownFields{source: rand.NewPCG(1, 2), bytes: []byte{1}, Outs: make([]out, 2)}, true},
		{&ownFields{call: func() {}}, false},
		{&ownFields{tell: func() {}}, true},
		{&ownFields{see: func() {}}, false},
		{&ownFields{any: &spyOn{}}, true},
		{&ownFields{any: &spyOn{&out{}}}, false},
		{&ownFields{any: []any{1, map[string]any{"x": spyOn{&out{}}}}}, false},
		{&ownFields{any: map[any]int{spyOn{}: 1}}, true},
		{&ownFields{any: map[any]int{spyOn{&out{}}: 1}}, false},
		{&ownFields{any: map[*out]int{{}: 1}}, false},
		{&ownFields{any: make(chan int)}, false},
		{&ownFields{ring: &ringNode{}, any: &ringEnd{&ringNode{}}}, true},
		{&ownFields{any: &ringEnd{&ringNode{do: func() {}}}}, false},
		{&ownFields{ring: &ringNode{end: &ringEnd{&ringNode{do: func() {}}}}}, false},
	} {
		c := reach.New(isPort)
		require.Equal(t, x.want, c.Confined(x.m))
		require.Equal(t, x.want, c.Confined(x.m))
	}
	c := reach.New(isPort)
	m := &ownFields{source: rand.NewPCG(1, 2)}
	require.Zero(t, testing.AllocsPerRun(5, func() { c.Confined(m) }))
}
