package blocks

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
)

// stamper sends the number of its cycle.
type stamper struct {
	Out rtl.Out[uint64]
	n   uint64
}

func (s *stamper) Tick() { s.n++; s.Out.Set(s.n) }

// Table 1 of EDM: 48 ns at 390.625 MHz are 18.75 cycles of 2.56 ns.
func TestRecover(t *testing.T) {
	period := clock.MustTime("2.56ns")
	for _, c := range []struct {
		delay, sent string
		edges       int
		phase       string
	}{
		{"48ns", "0ns", 19, "1.92ns"},
		{"48ns", "0.64ns", 19, "0s"},
		{"48ns", "1.28ns", 19, "0.64ns"},
		{"51.2ns", "0ns", 20, "0s"},
		{"51.2ns", "1ns", 20, "1ns"},
		{"2.56ns", "0ns", 1, "0s"},
		{"1fs", "0ns", 1, "1fs"},
		{"0ns", "1ns", 0, "1ns"},
	} {
		edges, phase := Recover(clock.MustTime(c.delay), clock.MustTime(c.sent), period)
		require.Equal(t, c.edges, edges, "%v", c)
		require.Zero(t, clock.MustTime(c.phase).Cmp(phase), "%v: phase %v", c, phase)
	}
}

// Whatever the delay, every value is on the far register exactly that much later than on the near one, to the
// femtosecond, and none is left out or taken twice.
func TestWireTakesItsDelayExactly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		freq := rapid.SampledFrom([]clock.Freq{clock.Block25G, clock.MustFreq("644.53125MHz"), clock.MHz(100)}).Draw(t,
			"frequency")
		delay := clock.Femtosecond.Times(rapid.Int64Range(1, 200_000_000).Draw(t, "fs"))
		if rapid.Bool().Draw(t, "whole periods") {
			delay = freq.Period().Times(rapid.Int64Range(1, 9).Draw(t, "periods"))
		}
		sent := clock.Femtosecond.Times(rapid.Int64Range(0, 1_500_000).Draw(t, "phase"))
		edges, phase := Recover(delay, sent, freq.Period())

		sim := rtl.New(rtl.Config{})
		clocks := NewPhases(sim, freq)
		tx, rx := clocks.At(sent, "tx"), clocks.At(phase, "rx")
		near, far := &stamper{}, NewWire[uint64](edges)
		sim.Scope("near").On(tx).Add("stamper", near)
		sim.Scope("far").On(rx).Add("wire", far)
		rtl.Connect(&near.Out, &far.In)
		require.NoError(t, sim.Elaborate())
		last := uint64(0)
		for range 60 + 2*edges {
			require.NoError(t, rx.Run(1))
			if got := far.Out.Get(); got > 0 {
				require.Equal(t, last+1, got)
				last = got
				// the stamper's edge n is at its phase and n periods
				drove := sent.Add(freq.Period().Times(int64(got)))
				require.Zero(t, rx.Time().Sub(drove).Cmp(delay), "%v later, not %v", rx.Time().Sub(drove), delay)
			}
		}
		require.Greater(t, last, uint64(30))
	})
}

func TestPhasesAreOneDomainEach(t *testing.T) {
	sim := rtl.New(rtl.Config{})
	p := NewPhases(sim, clock.MHz(100))
	a := p.At(clock.MustTime("1ns"), "a")
	require.Same(t, a, p.At(clock.Seconds(big.NewRat(1, 1e9)), "b"))
	require.NotSame(t, a, p.At(clock.MustTime("2ns"), "c"))
	require.Equal(t, []string{"a", "c"}, []string{sim.Clocks()[0].Name(), sim.Clocks()[1].Name()})
}

func TestWireOfNoEdges(t *testing.T) {
	require.PanicsWithValue(t, "blocks: wire of 0 edges, want at least 1", func() { NewWire[bool](0) })
}
