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

func runLoop(t testing.TB, cfg LoopConfig, frames [][]byte) (*Loop, *LoopMonitor) {
	t.Helper()
	l, err := NewLoop(cfg)
	require.NoError(t, err)
	m := NewLoopMonitor(l)
	require.NoError(t, l.WaitForLock())
	require.NoError(t, l.SendAll(context.Background(), frames))
	return l, m
}

func TestCleanLoopReturnsEveryFrame(t *testing.T) {
	frames := randomFrames(1, append(sizesFrom(1, 200), 1514, 9000, 60)...)
	for _, cfg := range []LoopConfig{
		{}, {Width: 64}, {Width: 32}, {Width: 40}, {Width: 1, Skew: 5}, {Clock: clock.Block10G, Width: 64, Delay: 17, Skew: 33},
		{Sim: rtl.Config{Mode: rtl.Strict}, Width: 64}, {Sim: rtl.Config{Mode: rtl.Parallel, Workers: 2}},
	} {
		send := frames
		if cfg.Width == 1 || cfg.Sim.Mode != rtl.Fast {
			send = frames[:100]
		}
		l, m := runLoop(t, cfg, send)
		require.Equal(t, len(send), len(l.Sink.Frames()), "%+v", cfg)
		for i, f := range l.Sink.Frames() {
			require.Equal(t, FrameOK, f.Fault)
			require.Equal(t, send[i], f.Bytes[:len(send[i])])
			require.Len(t, f.Bytes, max(60, len(send[i])), "padded to 64 bytes with the FCS")
		}
		r := m.Report()
		require.Equal(t, len(send), r.Sent)
		require.Equal(t, len(send), r.Intact)
		require.Empty(t, r.Hit)
		require.Empty(t, r.Unexplained)
		require.Zero(t, r.InvalidHeaders+r.LockLosses+r.BitErrors+r.Stray)
	}
}

// Every skew is found, and only by slipping.
func TestBlockLockFromEverySkew(t *testing.T) {
	frames := randomFrames(2, 60, 61)
	for skew := range 67 {
		l, m := runLoop(t, LoopConfig{Skew: skew}, frames)
		require.Zero(t, (uint64(skew)+m.slips)%BlockBits, "skew %d", skew)
		require.Equal(t, 2, len(l.Sink.Frames()))
		require.Equal(t, 2, m.Report().Intact)
	}
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
			require.NotEmpty(t, l.Flips())
			return h.Sum()
		}
		want := hash(rtl.Config{})
		for seed := range uint64(3) {
			require.Equal(t, want, hash(rtl.Config{Mode: rtl.Strict, Seed: seed}), "strict, seed %d", seed)
		}
		require.Equal(t, want, hash(rtl.Config{Mode: rtl.Parallel, Workers: 2}))
	}
}

// One bit error anywhere on the line hits the frames whose blocks it disturbs and no other, and is never delivered as a
// good frame. Each bit of a block is hit in some block; under the tag soak each bit of each block is.
func TestEveryBitErrorIsAccountedFor(t *testing.T) {
	frames := randomFrames(4, 60, 61, 62, 63, 64, 65, 66, 67, 60, 100)
	clean, m := runLoop(t, LoopConfig{}, frames)
	first, last := m.sent[0].first, m.sent[len(m.sent)-1].last
	require.Equal(t, len(frames), len(clean.Sink.Frames()))
	outcomes, survived := map[string]int{}, 0
	for p := (first - 2) * BlockBits; p < (last+3)*BlockBits; p += bitErrorStep {
		_, m := runLoop(t, LoopConfig{Flips: []uint64{p}}, frames)
		r := m.Report()
		require.Equal(t, 1, r.BitErrors)
		require.Equal(t, len(frames), r.Intact+len(r.Hit), "position %d", p)
		require.Empty(t, r.Unexplained, "position %d: block %d bit %d of %+v, %+v", p, p/BlockBits, p%BlockBits, m.sent, r)
		require.Zero(t, r.Stray)
		for _, i := range r.Survived { // only bits between the last data byte and the first control code may flip unseen
			require.Empty(t, r.Hit)
			require.Equal(t, m.sent[i].last, p/BlockBits)
			require.Less(t, int(p%BlockBits), 2+8+48+7)
			survived++
		}
		for _, h := range r.Hit {
			require.Equal(t, []uint64{p}, h.Flips)
			outcomes[h.PCS+", "+h.Outcome]++
		}
	}
	t.Log(outcomes, survived)
	require.Contains(t, outcomes, "nothing: data bits only, bad FCS")
	require.Contains(t, outcomes, "invalid sync header, code error")
	require.Contains(t, outcomes, "invalid block, lost")
}

func TestManyBitErrors(t *testing.T) {
	frames := randomFrames(5, append(sizesFrom(46, 300), sizesFrom(1000, 1100)...)...)
	l, m := runLoop(t, LoopConfig{BER: 1e-5, Seed: 4, Width: 64, Skew: 11}, frames)
	r := m.Report()
	require.Equal(t, len(frames), r.Intact+len(r.Hit))
	require.NotEmpty(t, r.Hit)
	require.Empty(t, r.Unexplained)
	require.Equal(t, len(l.Flips()), r.BitErrors)
}

// A burst of bad headers loses the lock; it comes back, and so do frames.
func TestLockIsLostAndFoundAgain(t *testing.T) {
	var flips []uint64
	for b := range uint64(40) {
		flips = append(flips, (1000+b)*BlockBits)
	}
	frames := randomFrames(6, sizesFrom(60, 460)...)
	l, m := runLoop(t, LoopConfig{Flips: flips}, frames)
	r := m.Report()
	require.Equal(t, 1, r.LockLosses)
	require.True(t, l.Rx.BlockSync.Lock.Get())
	require.Greater(t, r.Intact, 300)
	good := map[int]bool{}
	for i := range frames {
		good[i] = m.received[i].intact
	}
	require.True(t, good[len(frames)-1])
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

// A loop that is settled as it goes ends with the report of one that is not, and holds only what is under way.
func TestSettlingChangesNothing(t *testing.T) {
	frames := randomFrames(7, append(sizesFrom(1, 100), 1514, 9000, 60)...)
	for _, cfg := range []LoopConfig{{}, {BER: 1e-4}, {BER: 1e-5, Width: 64, Skew: 11, Delay: 300}, {BER: 1e-5, Width: 7, Skew: 70}, {BER: 2e-3}} {
		cfg.Seed = 8
		run := func(settle func(m *LoopMonitor)) (LoopReport, *LoopMonitor) {
			l, err := NewLoop(cfg)
			require.NoError(t, err)
			m := NewLoopMonitor(l)
			require.NoError(t, l.WaitForLock())
			l.Source.Repeat = 5
			l.Send(frames)
			for !l.Source.Done() {
				require.NoError(t, l.Clock.Run(61))
				settle(m)
			}
			require.NoError(t, l.Clock.Run(l.Drain()))
			return m.Report(), m
		}
		want, whole := run(func(*LoopMonitor) {})
		most := 0
		got, m := run(func(m *LoopMonitor) {
			m.Settle()
			most = max(most, len(m.sent)+len(m.byStart)+len(m.received)+len(m.touched)+len(m.errorBlocks)+len(m.loop.Flips())+len(m.loop.Sink.Frames()))
		})
		require.Equal(t, want, got, "%+v", cfg)
		require.Equal(t, 5*len(frames), got.Sent)
		require.Equal(t, whole.base+len(whole.sent), m.base+len(m.sent))
		require.Equal(t, cfg.BER > 0, got.HitFrames > 0)
		// under way are 61 cycles, the line's delay and the 64 blocks before the receiver: some dozen frames and their bit errors
		require.Less(t, most, 200, "%+v", cfg)
		t.Logf("%+v: %d of %d frames hit, at most %d entries held", cfg, got.HitFrames, got.Sent, most)
	}
}
