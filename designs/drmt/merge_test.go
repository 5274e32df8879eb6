package drmt

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
)

// tagSource shows tags, one a cycle, from a list: number -1 is none.
type tagSource struct {
	Tag    rtl.Out[Tag]
	Header rtl.Out[HeaderVector]

	at      int
	numbers []int
}

func (s *tagSource) Reset() {
	s.Tag.Set(Tag{})
	s.Header.Set(HeaderVector{})
}

func (s *tagSource) Tick() {
	t := Tag{}
	if s.at < len(s.numbers) && s.numbers[s.at] >= 0 {
		t = Tag{Number: uint32(s.numbers[s.at]), Origin: uint32(s.numbers[s.at]), Valid: true}
	}
	s.at++
	s.Tag.Set(t)
}

// taken is a sink that keeps the numbers.
type taken struct{ numbers []int }

func (k *taken) Take(p Leaving) {
	k.numbers = append(k.numbers, int(p.Number))
}

// Packets leave one by one and in order; two in a cycle, and one that overtook another, are faults in their cycle.
func TestEgressMerge(t *testing.T) {
	const no = -1
	for _, c := range []struct {
		name          string
		first, second []int
		faults        map[int]uint32 // packet by cycle
		taken         []int
	}{
		{"in turn", []int{0, no, 2, no}, []int{no, 1, no, 5}, map[int]uint32{}, []int{0, 1, 2, 5}}, // 3 and 4 never came
		{"two at once", []int{0, 1}, []int{no, 2}, map[int]uint32{1: 2}, []int{0, 1, 2}},
		{"one overtakes", []int{0, no, 1}, []int{no, 2, no, 3}, map[int]uint32{2: 1}, []int{0, 2, 1, 3}},
		{"one twice", []int{4, 4}, nil, map[int]uint32{1: 4}, []int{4, 4}},
	} {
		t.Run(c.name, func(t *testing.T) {
			sink := &taken{}
			e := newEgress(
				2,
				&Deparser{
					Port:  []Piece{{Field: 64, Bits: 9}},
					Drops: []DropRule{{Pieces: []Piece{{Field: 64, Bits: 9}}, Value: 511}},
				},
				sink, 0,
			)
			sim := rtl.New(rtl.Config{Mode: rtl.Strict, Seed: 1})
			clk := sim.Clock("core", clock.MHz(1200))
			top := sim.Scope("top").On(clk)
			for i, numbers := range [][]int{c.first, c.second} {
				s := &tagSource{numbers: numbers}
				top.Add(fmt.Sprint("source_", i), s)
				rtl.Connect(&s.Tag, &e.Tag[i])
				rtl.Connect(&s.Header, &e.Header[i])
			}
			top.Add("egress", e)
			require.NoError(t, sim.Elaborate())
			faults := map[int]uint32{}
			for edge := range 8 { // what a source shows after edge k is taken at edge k + 1
				require.NoError(t, clk.Run(1))
				if f := e.Fault.Get(); f.Valid {
					faults[edge-1] = f.Number
				}
			}
			require.Equal(t, c.faults, faults)
			require.Equal(t, c.taken, sink.numbers)
			require.EqualValues(t, len(c.taken), e.Left.Get())
		})
	}
}

// Two ALUs that write one field of one packet clash; on two packets, in two cycles or under a false guard they do not.
func TestOutputCrossbarClash(t *testing.T) {
	const dest, other, guard = Field(160), Field(161), Predicate(7)
	packets := [2]*thread{{predicates: Predicates{1 << Always}}, {predicates: Predicates{1 << Always}}}
	var x outputCrossbar
	cycle := func(writes ...aluWrite) Field {
		for _, w := range writes {
			x.put(w)
		}
		return x.commit(&packets)
	}
	require.Equal(t, dest, cycle(aluWrite{1, dest, Always, 0}, aluWrite{2, dest, Always, 0}))
	require.EqualValues(t, 2, packets[0].header.Get(dest))
	require.Equal(
		t, NoField, cycle(aluWrite{3, dest, Always, 0}, aluWrite{4, dest, Always, 1}, aluWrite{5, other, Always, 0}),
	)
	require.Equal(
		t, [...]uint32{3, 4, 5},
		[...]uint32{packets[0].header.Get(dest), packets[1].header.Get(dest), packets[0].header.Get(other)},
	)
	require.Equal(t, NoField, cycle(aluWrite{6, dest, Always, 0}, aluWrite{7, dest, guard, 0}))
	require.EqualValues(t, 6, packets[0].header.Get(dest), "a false guard writes nothing")
	packets[0].predicates.Set(guard)
	require.Equal(t, dest, cycle(aluWrite{6, dest, Always, 0}, aluWrite{7, dest, guard, 0}))
	require.Equal(t, NoField, cycle())
}

// The scratch pad's entries of a table are taken in turn, and no other table's.
func TestScratchRing(t *testing.T) {
	r := ScratchRing{Base: 5, Count: 3}
	for serial, want := range []uint8{5, 6, 7, 5, 6, 7} {
		require.Equal(t, want, r.entry(uint32(serial)))
	}
}

// What a hand-made key entry takes of a vector: ten bytes, of any places, the first in the least significant bits.
func TestKeyOf(t *testing.T) {
	var h HeaderVector
	for w := range h.Words {
		for b := range 8 {
			h.Words[w] |= uint64(uint8(31*(8*w+b))) << (8 * b)
		}
	}
	var c SegmentConfig
	places := [SegmentBytes]int{511, 0, 8, 77, 200, 256, 300, 345, 400, 501}
	for i, b := range places {
		c.SetByte(i, 511-b) // overwritten
		c.SetByte(i, b)
	}
	k := c.KeyOf(&h)
	for i, b := range places {
		got := uint8(k.Lo >> (8 * i))
		if i >= 8 {
			got = uint8(k.Hi >> (8 * (i - 8)))
		}
		require.Equal(t, uint8(31*b), got, "byte %d", i)
	}
}
