package rtl

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

type ownFields struct {
	In   In[uint64]
	Outs []Out[uint64]

	source rand.Source
	call   func()
	err    error
	bytes  []byte
	ring   *ringNode
	any    any
}

func (f *ownFields) Tick() {}

// ringNode and ringEnd lead to each other, and only one of them has a function.
type ringNode struct {
	end *ringEnd
	do  func()
}

type ringEnd struct{ node *ringNode }

type spyOn struct{ out *Out[uint64] }

// What fields lead to has no ports but the module's own, and no functions. The look allocates nothing after the first.
func TestConfined(t *testing.T) {
	for _, x := range []struct {
		m    *ownFields
		want bool
	}{
		{&ownFields{source: rand.NewPCG(1, 2), bytes: []byte{1}, Outs: make([]Out[uint64], 2)}, true},
		{&ownFields{call: func() {}}, false},
		{&ownFields{any: &spyOn{}}, true},
		{&ownFields{any: &spyOn{&Out[uint64]{}}}, false},
		{&ownFields{any: []any{1, map[string]any{"x": spyOn{&Out[uint64]{}}}}}, false},
		{&ownFields{any: make(chan int)}, false},
		{&ownFields{ring: &ringNode{}, any: &ringEnd{&ringNode{}}}, true},
		{&ownFields{any: &ringEnd{&ringNode{do: func() {}}}}, false},
		{&ownFields{ring: &ringNode{end: &ringEnd{&ringNode{do: func() {}}}}}, false},
	} {
		var c confinement
		require.Equal(t, x.want, c.confined(x.m))
		require.Equal(t, x.want, c.confined(x.m))
	}
	var c confinement
	m := &ownFields{source: rand.NewPCG(1, 2)}
	require.Zero(t, testing.AllocsPerRun(5, func() { c.confined(m) }))
}
