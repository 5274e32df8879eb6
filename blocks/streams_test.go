package blocks_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/tb"
	"github.com/goldwire/goldwire/vectors"
)

// through sends words through a module, with pauses on both sides, and returns what the consumer took and which rule
// was broken.
func through(t *rapid.T, words []uint64, m rtl.Module, in rtl.Consumer[blocks.StreamWord],
	out rtl.Producer[blocks.StreamWord]) []uint64 {
	gaps := rapid.SliceOfN(rapid.Bool(), 1, 40).Draw(t, "gaps")
	stalls := rapid.SliceOfN(rapid.Bool(), 1, 40).Draw(t, "stalls")
	sim := rtl.New(rtl.Config{Mode: rtl.Strict, Seed: 1})
	clk := sim.Clock("clk", clock.MHz(1))
	top := sim.Scope("top").On(clk)
	next := 0
	send := &vectors.Sender[blocks.StreamWord]{Next: func(cycle uint64) blocks.StreamWord {
		if next == len(words) || cycle < 500 && gaps[cycle%uint64(len(gaps))] {
			return blocks.StreamWord{}
		}
		next++
		return blocks.StreamWord{Data: words[next-1], Valid: true}
	}}
	cycle := 0
	take := &tb.Receiver[blocks.StreamWord]{
		Stall: func() bool { cycle++; return cycle < 500 && stalls[cycle%len(stalls)] },
	}
	top.Add("send", send)
	top.Add("dut", m)
	top.Add("take", take)
	rtl.ConnectStream(send.Output(), in)
	rtl.ConnectStream(out, take.Input())
	require.NoError(t, sim.Elaborate())
	require.NoError(t, clk.Run(2_000)) // most of it without a pause
	require.NoError(t, take.Err())
	var got []uint64
	for _, b := range take.Beats() {
		got = append(got, b.Data.Data)
	}
	return got
}

// The FIFO gives its words in order, whatever the pauses.
func TestStreamFIFOKeepsAllInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.Uint64(), 1, 60).Draw(t, "words")
		f := blocks.NewStreamFIFO(rapid.IntRange(1, 9).Draw(t, "depth"))
		require.Equal(t, words, through(t, words, f, f.Input(), f.Output()))
	})
}

// The converter gives the bits that it took, cut otherwise.
func TestStreamConverterKeepsAllBits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in, out := rapid.IntRange(1, 64).Draw(t, "in"), rapid.IntRange(1, 64).Draw(t, "out")
		words := rapid.SliceOfN(rapid.Uint64(), 1, 20).Draw(t, "words")
		c := blocks.NewStreamConverter(in, out)
		var bits []uint64 // one by one
		for _, w := range words {
			for i := range in {
				bits = append(bits, w>>i&1)
			}
		}
		var want []uint64
		for ; len(bits) >= out; bits = bits[out:] {
			w := uint64(0)
			for i := range out {
				w |= bits[i] << i
			}
			want = append(want, w)
		}
		require.Equal(t, want, through(t, words, c, c.Input(), c.Output()))
	})
}

// A requester that holds its request waits for no more than n-1 accepted grants of others; a grant is one of the
// requests.
func TestRoundRobinIsFair(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 64).Draw(t, "n")
		requests := rapid.SliceOfN(rapid.Uint64(), 1, 64).Draw(t, "requests")
		always := rapid.IntRange(0, n-1).Draw(t, "always")
		sim := rtl.New(rtl.Config{Mode: rtl.Strict, Seed: 1})
		clk := sim.Clock("clk", clock.MHz(1))
		r, d := blocks.NewRoundRobin(n), &requester{list: requests, always: 1 << always}
		sim.Scope("top").On(clk).Add("dut", r)
		sim.Scope("top").On(clk).Add("requests", d)
		rtl.Connect(&d.Out, &r.Request)
		rtl.Tie(true, &r.Accept)
		require.NoError(t, sim.Elaborate())
		sim.Observe(settledWires{})
		waited := 0
		for range len(requests) {
			require.NoError(t, clk.Run(1))
			g := r.Grant.Get()
			require.True(t, g.Valid)
			require.Less(t, int(g.Index), n)
			require.Equal(t, uint64(1)<<g.Index, g.OneHot)
			require.NotZero(t, d.Out.Get()&g.OneHot)
			if waited++; int(g.Index) == always {
				waited = 0
			}
			require.Less(t, waited, n)
		}
	})
}

type requester struct {
	Out rtl.Out[uint64]

	list   []uint64
	always uint64
	at     int
}

func (r *requester) Tick() {
	r.Out.Set(r.list[r.at%len(r.list)] | r.always)
	r.at++
}

type settledWires struct{}

func (settledWires) Observe(rtl.Edges) {}
