package ring_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/internal/ring"
)

// A register after n edges has the value read n-1 edges before, whether the ends run edge by edge or a window apart;
// UnderWay finds the values in between.
func TestDelay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		delays := rapid.SampledFrom([]int{1, 3}).Draw(t, "delays")
		edges, window := rapid.IntRange(1, 9).Draw(t, "edges"), rapid.IntRange(1, 6).Draw(t, "window")
		next := make([]uint64, delays)
		r := ring.New[uint64](delays, edges, edges+window)
		split := rapid.IntRange(0, delays).Draw(t, "delays of the first of two starts and ends")
		starts := []*ring.Start[uint64]{r.Start(0, split), r.Start(split, delays-split)}
		ends := []*ring.End[uint64]{r.End(0, next[:split]), r.End(split, next[split:])}
		in := make([]uint64, delays)
		alone := delays == 1 && split == 0 && rapid.Bool().Draw(t, "the only one by itself")
		for i := range in {
			if i < split {
				starts[0].From[i] = &in[i]
			} else {
				starts[1].From[i-split] = &in[i]
			}
		}
		ticks := []func(){starts[0].Tick, starts[1].Tick, ends[0].Tick, ends[1].Tick}
		if rapid.Bool().Draw(t, "by calls") {
			ticks = []func(){starts[0].Call(), starts[1].Call(), ends[0].Call(), ends[1].Call()}
		}
		value := func(edge, i int) uint64 {
			if edge < 0 {
				return 0
			}
			return uint64(10*edge + i + 1)
		}
		sample := func(edge int) {
			for i := range in {
				in[i] = value(edge, i)
			}
			if ticks[0](); alone {
				starts[1].Put(&in[0])
			} else {
				ticks[1]()
			}
			for i := range in {
				for age := range edges {
					require.Equal(t, value(edge-age, i), *r.UnderWay(i, age))
				}
			}
		}
		give := func(edge int) {
			if ticks[2](); alone {
				ends[1].Get(&next[0])
			} else {
				ticks[3]()
			}
			for i := range next {
				require.Equal(t, value(edge-edges+1, i), next[i])
			}
		}
		ahead := rapid.Bool().Draw(t, "the start runs ahead")
		for first := 0; first < 40; first += window {
			for edge := first; edge < first+window; edge++ {
				if sample(edge); !ahead {
					give(edge)
				}
			}
			for edge := first; ahead && edge < first+window; edge++ {
				give(edge)
			}
		}
	})
}

// Of a ring without spare rows the start knows where the end is: Put and Next alone, or Tick of both, in any turns.
func TestDelayWithoutSpareRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		edges := rapid.IntRange(1, 9).Draw(t, "edges")
		var in, out uint64
		next := make([]uint64, 1)
		r := ring.New[uint64](1, edges, edges)
		start, end := r.Start(0, 1), r.End(0, next)
		start.From[0] = &in
		for edge := range 40 {
			in = uint64(edge + 1)
			if rapid.Bool().Draw(t, "the start for both") {
				start.Put(&in)
				start.Next(&out)
			} else {
				start.Tick()
				end.Follow(start)
				end.Tick()
				out = next[0]
			}
			require.Equal(t, uint64(max(0, edge+2-edges)), out)
		}
	})
}

// A ring that could not be gone around is not made, nor is a part of one that it does not have.
func TestRingsThatAreNone(t *testing.T) {
	for _, none := range []func(){
		func() { ring.New[uint64](1, 0, 3) },
		func() { ring.New[uint64](1, 4, 3) },
		func() { ring.New[struct{}](1, 1, 1) },
		func() { ring.New[uint64](2, 3, 3).Start(1, 2) },
		func() { ring.New[uint64](2, 3, 3).End(2, make([]uint64, 1)) },
	} {
		require.Panics(t, none)
	}
	require.NotPanics(t, func() { ring.New[uint64](2, 3, 3).Start(1, 1) })
}
