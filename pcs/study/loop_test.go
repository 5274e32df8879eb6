package study

import (
	"context"

	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"

	"github.com/goldwire/goldwire/pcs"
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

func runLoop(t testing.TB, cfg pcs.LoopConfig, frames [][]byte) (*pcs.Loop, *loopMonitor) {
	t.Helper()
	l, err := pcs.NewLoop(cfg)
	require.NoError(t, err)
	m := newLoopMonitor(l)
	require.NoError(t, l.WaitForLock())
	require.NoError(t, l.SendAll(context.Background(), frames))
	return l, m
}

func TestCleanLoopReturnsEveryFrame(t *testing.T) {
	frames := randomFrames(1, append(sizesFrom(1, 200), 1514, 9000, 60)...)
	for _, cfg := range []pcs.LoopConfig{
		{}, {Width: 64}, {Width: 32}, {Width: 40}, {Width: 1, Skew: 5},
		{Clock: clock.Block10G, Width: 64, Delay: 17, Skew: 33},
		{Sim: rtl.Config{Mode: rtl.Strict}, Width: 64}, {Sim: rtl.Config{Mode: rtl.Parallel, Workers: 2}},
	} {
		send := frames
		if cfg.Width == 1 || cfg.Sim.Mode != rtl.Fast {
			send = frames[:100]
		}
		l, m := runLoop(t, cfg, send)
		require.Equal(t, len(send), len(l.Sink.Frames()), "%+v", cfg)
		for i, f := range l.Sink.Frames() {
			require.Equal(t, pcs.FrameOK, f.Fault)
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
		l, m := runLoop(t, pcs.LoopConfig{Skew: skew}, frames)
		require.Zero(t, (uint64(skew)+m.slips)%pcs.BlockBits, "skew %d", skew)
		require.Equal(t, 2, len(l.Sink.Frames()))
		require.Equal(t, 2, m.Report().Intact)
	}
}

// One bit error anywhere on the line hits the frames whose blocks it disturbs and no other, and is never delivered as a
// good frame. Each bit of a block is hit in some block; under the tag soak each bit of each block is.
func TestEveryBitErrorIsAccountedFor(t *testing.T) {
	frames := randomFrames(4, 60, 61, 62, 63, 64, 65, 66, 67, 60, 100)
	clean, m := runLoop(t, pcs.LoopConfig{}, frames)
	first, last := m.sent[0].first, m.sent[len(m.sent)-1].last
	require.Equal(t, len(frames), len(clean.Sink.Frames()))
	outcomes, survived := map[string]int{}, 0
	for p := (first - 2) * pcs.BlockBits; p < (last+3)*pcs.BlockBits; p += bitErrorStep {
		_, m := runLoop(t, pcs.LoopConfig{Flips: []uint64{p}}, frames)
		r := m.Report()
		require.Equal(t, 1, r.BitErrors)
		require.Equal(t, len(frames), r.Intact+len(r.Hit), "position %d", p)
		require.Empty(t, r.Unexplained, "position %d: block %d bit %d of %+v, %+v", p, p/pcs.BlockBits,
			p%pcs.BlockBits, m.sent, r)
		require.Zero(t, r.Stray)
		for _, i := range r.Survived { // only bits between the last data byte and the first control code may flip unseen
			require.Empty(t, r.Hit)
			require.Equal(t, m.sent[i].last, p/pcs.BlockBits)
			require.Less(t, int(p%pcs.BlockBits), 2+8+48+7)
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
	l, m := runLoop(t, pcs.LoopConfig{BER: 1e-5, Seed: 4, Width: 64, Skew: 11}, frames)
	r := m.Report()
	require.Equal(t, len(frames), r.Intact+len(r.Hit))
	require.NotEmpty(t, r.Hit)
	require.Empty(t, r.Unexplained)
	require.Equal(t, len(l.Flips), r.BitErrors)
}

// A burst of bad headers loses the lock; it comes back, and so do frames.
func TestLockIsLostAndFoundAgain(t *testing.T) {
	var flips []uint64
	for b := range uint64(40) {
		flips = append(flips, (1000+b)*pcs.BlockBits)
	}
	frames := randomFrames(6, sizesFrom(60, 460)...)
	l, m := runLoop(t, pcs.LoopConfig{Flips: flips}, frames)
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

// A monitor that settles as the loop runs reports the same as one that settles at the end, and holds only the blocks
// under way.
func TestSettlingChangesNothing(t *testing.T) {
	frames := randomFrames(7, append(sizesFrom(1, 100), 1514, 9000, 60)...)
	for _, cfg := range []pcs.LoopConfig{{}, {BER: 1e-4}, {BER: 1e-5, Width: 64, Skew: 11, Delay: 300},
		{BER: 1e-5, Width: 7, Skew: 70}, {BER: 2e-3}} {
		cfg.Seed = 8
		run := func(settle func(m *loopMonitor)) (LoopReport, *loopMonitor) {
			l, err := pcs.NewLoop(cfg)
			require.NoError(t, err)
			m := newLoopMonitor(l)
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
		want, whole := run(func(*loopMonitor) {})
		most := 0
		got, m := run(func(m *loopMonitor) {
			m.Settle()
			most = max(
				most,
				len(m.sent)+len(m.byStart)+len(m.received)+len(
					m.touched,
				)+len(m.errorBlocks)+len(m.loop.Flips)+len(m.loop.Sink.Frames()),
			)
		})
		require.Equal(t, want, got, "%+v", cfg)
		require.Equal(t, 5*len(frames), got.Sent)
		require.Equal(t, whole.base+len(whole.sent), m.base+len(m.sent))
		require.Equal(t, cfg.BER > 0, got.HitFrames > 0)
		// under way are 61 cycles, the line's delay and the 64 blocks before the receiver: some dozen frames and their bit
		// errors
		require.Less(t, most, 200, "%+v", cfg)
		t.Logf("%+v: %d of %d frames hit, at most %d entries held", cfg, got.HitFrames, got.Sent, most)
	}
}
