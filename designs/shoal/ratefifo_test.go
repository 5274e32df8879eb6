package shoal

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/rtl"
)

// slotWords sends eleven numbered words and an idle one, over and over.
type slotWords struct {
	Out  rtl.Out[pcs.XGMII]
	sent uint64
	at   int
}

func (s *slotWords) Reset() { s.Out.Set(pcs.IdleWord()) }

func (s *slotWords) Tick() {
	w := pcs.IdleWord()
	if s.at = (s.at + 1) % 12; s.at > 0 {
		s.sent++
		w = pcs.XGMII{Data: s.sent, Valid: true}
	}
	s.Out.Set(w)
}

// numberedWords counts the words that come in order, and the cycles without a word after the first.
type numberedWords struct {
	In     rtl.In[pcs.XGMII]
	Filled rtl.In[bool]
	came   uint64
	wrong  int
	dry    int
}

func (n *numberedWords) Tick() {
	if !n.Filled.Get() {
		if n.came > 0 {
			n.dry++
		}
		return
	}
	if w := n.In.Get(); w != pcs.IdleWord() {
		n.came++
		if w.Data != n.came {
			n.wrong++
		}
	}
}

// Between clocks that are 1,000 ppm apart no word of a frame is lost, doubled, or late, and the FIFO never runs dry.
// Idle words make up for the difference, one in a thousand cycles.
func TestRateFIFO(t *testing.T) {
	for _, ppm := range []float64{-1000, -100, 0, 100, 1000} {
		sim := rtl.New(rtl.Config{})
		from, to := sim.Clock("from", XGMIIClock.PPM(ppm)), sim.Clock("to", XGMIIClock)
		source, f, sink := &slotWords{}, newRateFIFO(), &numberedWords{}
		s := sim.Scope("dut")
		s.On(from).Add("source", source)
		s.On(from).Add("write", &f.Write)
		s.On(to).Add("read", &f.Read)
		s.On(to).Add("sink", sink)
		rtl.Connect(&source.Out, &f.Write.In)
		rtl.Tie(true, &f.Write.Push)
		rtl.Connect(&f.Read.Out, &sink.In)
		rtl.Connect(&f.Read.Filled, &sink.Filled)
		require.NoError(t, sim.Elaborate())
		const cycles = 20_000
		require.NoError(t, to.Run(cycles))
		require.Zero(t, sink.wrong, "%v ppm", ppm)
		require.Zero(t, sink.dry, "%v ppm", ppm)
		require.LessOrEqual(t, source.sent-sink.came, uint64(8), "%v ppm", ppm)
		// the first word or two come while the FIFO fills
		require.InDelta(t, cycles*ppm*1e-6, float64(f.Read.Removed)-float64(f.Read.Added), 3, "%v ppm", ppm)
		if ppm < 0 {
			require.Zero(t, f.Read.Removed)
		}
	}
}
