package rifl

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
)

// haltingWords sends frames of four words, numbered, with gaps at random.
type haltingWords struct {
	Word  rtl.Out[RxWord]
	Push  rtl.Out[bool]
	Ready rtl.In[bool]

	rng  *rand.Rand
	sent uint64
}

// Tick sends a word in three cycles of five.
func (h *haltingWords) Tick() {
	if h.Push.Get() && !h.Ready.Get() {
		return
	}
	push := h.rng.IntN(5) < 3
	h.Push.Set(push)
	if push {
		h.Word.Set(RxWord{Data: h.sent, First: h.sent%4 == 0, Last: h.sent%4 == 3, Good: true})
		h.sent++
	}
}

// Whenever a frame is shown it is whole: the frame before or the one after it, also when the crossing runs empty
// before its last word. The frame clock sees each one.
func TestDeserialiserShowsWholeFrames(t *testing.T) {
	const words, depth = 4, 8
	h := &haltingWords{rng: rand.New(rand.NewPCG(1, 2))}
	w, d := &blocks.AsyncWriter[RxWord]{Memory: make([]rtl.Out[RxWord], depth)}, newDeserialiser(words, depth)
	sim := rtl.New(rtl.Config{})
	clk := sim.Clock("gt", clock.MHz(400))
	top := sim.Scope("top").On(clk)
	top.Add("words", h)
	top.Add("writer", w)
	top.Add("deserialiser", d)
	rtl.Connect(&h.Word, &w.In)
	rtl.Connect(&h.Push, &w.Push)
	rtl.Connect(&w.Ready, &h.Ready)
	rtl.Connect(&d.Pointer, &w.Reader)
	rtl.Connect(&w.Pointer, &d.Writer)
	for i := range w.Memory {
		rtl.Connect(&w.Memory[i], &d.Memory[i])
	}
	require.NoError(t, sim.Elaborate())
	shown := uint64(0) // frames at edges of the frame clock
	for cycle := range 4000 {
		require.NoError(t, clk.Run(1))
		if !d.Valid.Get() {
			continue
		}
		for i := range words {
			require.EqualValues(t, 4*shown+uint64(i), d.Frame[i].Get(), "cycle %d", cycle)
		}
		if cycle%words == words-2 { // the next edge is one of the frame clock
			shown++
		}
	}
	require.Greater(t, shown, uint64(300))
	require.InDelta(t, h.sent/words, shown, 4)
}
