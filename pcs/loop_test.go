package pcs

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
)

// randomFrames makes frames of the given sizes, without FCS.
func randomFrames(seed uint64, sizes ...int) [][]byte {
	rng := rand.New(rand.NewPCG(seed, 0))
	frames := make([][]byte, len(sizes))
	for i, n := range sizes {
		frames[i] = make([]byte, n)
		for j := range frames[i] {
			frames[i][j] = byte(rng.Uint32())
		}
	}
	return frames
}

func sizesFrom(first, last int) []int {
	var s []int
	for n := first; n <= last; n++ {
		s = append(s, n)
	}
	return s
}

func TestTraceHashIsTheSameInAllModes(t *testing.T) {
	frames := randomFrames(3, append(sizesFrom(46, 120), 1514)...)
	for _, width := range []int{66, 64} {
		hash := func(cfg rtl.Config) uint64 {
			l, err := NewLoop(LoopConfig{Width: width, Skew: 7, BER: 1e-4, Seed: 9, Sim: cfg})
			require.NoError(t, err)
			h := rtl.NewTraceHash(l.Sim)
			require.NoError(t, l.WaitForLock())
			require.NoError(t, l.SendAll(context.Background(), frames))
			require.NotEmpty(t, l.Flips)
			return h.Sum()
		}
		want := hash(rtl.Config{})
		for seed := range uint64(3) {
			require.Equal(t, want, hash(rtl.Config{Mode: rtl.Strict, Seed: seed}), "strict, seed %d", seed)
		}
		require.Equal(t, want, hash(rtl.Config{Mode: rtl.Parallel, Workers: 2}))
	}
}

func TestGapsAverageTwelveBytes(t *testing.T) {
	for _, lane0 := range []bool{false, true} {
		rapid.Check(t, func(t *rapid.T) {
			sizes := rapid.SliceOfN(rapid.IntRange(60, 90), 100, 100).Draw(t, "sizes")
			l, err := NewLoop(LoopConfig{})
			require.NoError(t, err)
			l.Framer.AlwaysLane0 = lane0
			w := &gapWatcher{loop: l}
			l.Sim.Observe(w)
			require.NoError(t, l.SendAll(context.Background(), randomFrames(1, sizes...)))
			require.Len(t, w.gaps, 99)
			sum, step := 0, 4
			if lane0 {
				step = 8
			}
			for i, g := range w.gaps {
				require.GreaterOrEqual(t, g, MinGapBytes-step+1)
				require.LessOrEqual(t, g, MinGapBytes+step-1)
				sum += g
				// the deficit is never more than step-1 bytes
				require.GreaterOrEqual(t, sum, MinGapBytes*(i+1)-step+1)
				require.LessOrEqual(t, sum, MinGapBytes*(i+1)+step-1)
			}
			for _, lane := range w.lanes {
				require.Zero(t, lane%step)
			}
		})
	}
}

// gapWatcher counts the bytes from each /T/ to the next /S/.
type gapWatcher struct {
	loop  *Loop
	gaps  []int
	lanes []int
	since int
	ended bool
}

func (w *gapWatcher) Observe(rtl.Edges) {
	x := w.loop.Framer.Out.Get()
	if !x.Valid {
		return
	}
	for i := range 8 {
		c, ctrl := x.Lane(i)
		switch {
		case ctrl && c == CharTerm:
			w.since, w.ended = 0, true
		case ctrl && c == CharStart:
			w.lanes = append(w.lanes, i)
			if w.ended {
				w.gaps = append(w.gaps, w.since)
			}
			w.ended = false
		}
		w.since++
	}
}

func TestLoopDoesNotAllocate(t *testing.T) {
	l, err := NewLoop(LoopConfig{Width: 64})
	require.NoError(t, err)
	require.NoError(t, l.WaitForLock())
	require.Zero(t, testing.AllocsPerRun(10, func() { _ = l.Clock.Run(1000) }))
}

func TestBadLoops(t *testing.T) {
	for _, c := range []struct {
		cfg  LoopConfig
		want string
	}{
		{LoopConfig{Width: 67}, "line width of 67 bits, want 1 to 66"},
		{LoopConfig{Skew: -1}, "want none below 0"},
		{LoopConfig{BER: 2}, "error rate"},
	} {
		_, err := NewLoop(c.cfg)
		require.ErrorContains(t, err, c.want)
	}
}

func TestPseudoRandomTestPattern(t *testing.T) {
	for _, localFault := range []bool{false, true} {
		for _, flips := range [][]uint64{nil, {(2000*66 + 40)}, {5000 * 66, 5001*66 + 7}} {
			sim := rtl.New(rtl.Config{Mode: rtl.Strict})
			sc := sim.Scope("loop").On(sim.Clock("clk", clock.Block10G))
			gen := &TestPattern{SeedA: SeedA52, SeedB: SeedB52, LocalFault: localFault}
			tx, rx := NewTxGearbox(66), NewRxGearbox(66, 0)
			l := &Loop{}
			check := &PatternChecker{LocalFault: localFault}
			inject := &flipper{at: flips}
			sc.Add("gen", gen)
			sc.Add("tx", tx)
			sc.Add("inject", inject)
			sc.Add("rx", rx)
			sc.Add("sync", &l.Rx.BlockSync)
			sc.Add("descrambler", &l.Rx.Descrambler)
			sc.Add("check", check)
			rtl.Tie(true, &gen.Enable)
			rtl.Connect(&gen.Out, &tx.In)
			rtl.Connect(&tx.Out, &inject.In)
			rtl.Connect(&inject.Out, &rx.In)
			rtl.Connect(&l.Rx.BlockSync.Slip, &rx.Slip)
			rtl.Connect(&rx.Out, &l.Rx.BlockSync.In, &l.Rx.Descrambler.In)
			rtl.Connect(&l.Rx.Descrambler.Next, &check.In)
			rtl.Connect(&l.Rx.BlockSync.Lock, &check.Lock)
			require.NoError(t, sim.Elaborate())
			require.NoError(t, sc.Clock().Run(10000))
			want := map[int]uint16{0: 0, 1: 2, 2: 1}[len(flips)]
			// 38+39 and 38+58 are in the next block, 5+39 and 5+58 in the same; headers are not compared
			require.Equal(t, want, check.Errors.Get(), fmt.Sprint(flips))
		}
	}
}

// flipper flips bits of a 66-bit line.
type flipper struct {
	In  rtl.In[Line]
	Out rtl.Out[Line]
	at  []uint64
	bit uint64
}

func (f *flipper) Tick() {
	w := f.In.Get()
	if w.Valid {
		for _, p := range f.at {
			if p >= f.bit && p < f.bit+64 {
				w.Lo ^= 1 << (p - f.bit)
			}
		}
		f.bit += 66
	}
	f.Out.Set(w)
}
