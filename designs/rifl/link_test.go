package rifl

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/rtl"
)

// twoWay makes a link with packets both ways.
func twoWay(t require.TestingT, cfg LinkConfig, least, most int) *Link {
	for e := range 2 {
		cfg.Send[e] = Packets(cfg.Seed+uint64(e), least, most)
		cfg.Expect[1-e] = Packets(cfg.Seed+uint64(e), least, most)
	}
	l, err := NewLink(cfg)
	require.NoError(t, err)
	return l
}

// intact wants every arrived beat to be the beat sent, nothing lost for want of room, and more beats than the given
// number.
func intact(t require.TestingT, l *Link, beats int) {
	for e, end := range l.Ends {
		require.NoError(t, end.Validator.Err(), "end %d", e)
		require.Greater(t, end.Validator.Beats(), beats, "end %d", e)
		require.Zero(t, end.Collector.Overflow.Get(), "end %d", e)
		for _, lane := range end.Lanes {
			require.Zero(t, lane.Receiver.Overflow.Get(), "end %d", e)
		}
	}
}

// The user's interface has any power of two.
func TestUserWidths(t *testing.T) {
	for width := 1; width <= 256; width *= 2 {
		cfg := LinkConfig{Config: Default(), UserBytes: width}
		l := twoWay(t, cfg, 1, 90)
		require.NoError(t, l.Ends[0].Frame.Run(cfg.Settle()+900))
		intact(t, l, 200)
	}
}

// Temporal and spatial bonding as in Fig. 5: four lanes in two groups, the user at twice the frame clock with half the
// width. It fills the line all the same.
func TestTemporalBonding(t *testing.T) {
	list := [][2]int{{2, 2}, {4, 4}, {6, 2}}
	if soaking {
		list = append(list, [2]int{4, 2}, [2]int{8, 2}, [2]int{8, 4})
	}
	for _, c := range list {
		cfg := LinkConfig{Config: Default(), BER: [2]float64{1e-6, 1e-6}, Skew: []float64{0, 9, 2, 30}, Groups: c[1], Seed: 2}
		cfg.Lanes = c[0]
		l := twoWay(t, cfg, 1, 2000)
		require.NoError(t, l.Ends[0].Frame.Run(cfg.Settle()+2500))
		intact(t, l, 1500)
	}
	cfg := LinkConfig{Config: Default(), Groups: 2, Sim: rtl.Config{Mode: rtl.Strict, Seed: 5}}
	cfg.Lanes = 4
	l := twoWay(t, cfg, 6000, 6000) // 100 flits of 60 bytes
	require.NoError(t, l.Ends[0].Frame.Run(cfg.Settle()+600))
	before := l.Ends[1].Validator.Bytes()
	require.NoError(t, l.Ends[0].Frame.Run(500))
	intact(t, l, 1500)
	require.InDelta(t, 500*4*30, l.Ends[1].Validator.Bytes()-before, 200, "four payloads a frame cycle")
}

// Bit errors both ways: nothing is lost, and retransmissions happened.
func TestLinkSurvivesBitErrors(t *testing.T) {
	for _, p := range []Profile{Core, Safe} {
		cfg := LinkConfig{Config: Default(), BER: [2]float64{2e-6, 4e-6}, Seed: 3}
		cfg.Profile, cfg.Lanes = p, 2
		l := twoWay(t, cfg, 1, 300)
		count := retransmissions(l)
		require.NoError(t, l.Ends[0].Frame.Run(12_000))
		intact(t, l, 4000)
		require.NotZero(t, count[0])
		require.NotZero(t, count[1])
	}
}

// retransmissions counts retransmitted frames by end.
func retransmissions(l *Link) *[2]int {
	var n [2]int
	l.Sim.Observe(observer(func(edges rtl.Edges) {
		for e, end := range l.Ends {
			if edges.Has(end.Frame) {
				for _, lane := range end.Lanes {
					if lane.Transmitter.State.Get().Again {
						n[e]++
					}
				}
			}
		}
	}))
	return &n
}

type observer func(rtl.Edges)

func (o observer) Observe(edges rtl.Edges) { o(edges) }

// A pulled cable, noise, and a line that comes back misaligned: alignment is lost and found again, and no data with it.
func TestAlignmentIsRegainedWithoutLoss(t *testing.T) {
	for _, kind := range []DamageKind{Pulled, Noise} {
		cfg := LinkConfig{Config: Default(), Seed: 1}
		l := twoWay(t, cfg, 1, 300)
		// words of end 1; then of both ends, not at once
		l.Ends[1].Lanes[0].Line.Damage(LineDamage{From: 6000, To: 6400, Kind: kind, Offset: 33},
			LineDamage{From: 24_000, To: 24_030, Kind: kind, Offset: 31})
		l.Ends[0].Lanes[0].Line.Damage(LineDamage{From: 24_010, To: 24_400, Kind: kind, Offset: 1})
		losses := [2]int{}
		was := [2]bool{}
		l.Sim.Observe(observer(func(rtl.Edges) {
			for e, end := range l.Ends {
				now := end.Lanes[0].Aligner.Aligned.Get()
				if was[e] && !now {
					losses[e]++
				}
				was[e] = now
			}
		}))
		require.NoError(t, l.Ends[0].Frame.Run(3000))
		during := l.Ends[1].Validator.Beats()
		require.NoError(t, l.Ends[0].Frame.Run(9000))
		intact(t, l, during+2000)
		require.True(t, was[0] && was[1])
		require.GreaterOrEqual(t, losses[0], 1)
		require.GreaterOrEqual(t, losses[1], 2)
	}
}

// Users that stall in every way: the buffers never overflow, and while both users are ready the line never starves.
func TestFlowControl(t *testing.T) {
	for seed := range uint64(6) {
		cfg := LinkConfig{Config: Default(), Seed: seed}
		const quiet = 6000
		for e := range 2 {
			cfg.Stall[e] = phases(seed*2+uint64(e), []int{2, 30, 700}[seed%3], quiet)
		}
		l := twoWay(t, cfg, 1, 2000)
		require.NoError(t, l.Ends[0].Frame.Run(quiet+500))
		intact(t, l, 1000)
		before := l.Ends[0].Validator.Bytes()
		require.NoError(t, l.Ends[0].Frame.Run(500))
		intact(t, l, 1000)
		require.Greater(t, l.Ends[0].Validator.Bytes()-before, uint64(500*28), "nearly all of 30 bytes a frame")
	}
}

// Crystals 100 ppm off, both ways: with compensation nothing is lost, without it the faster end's frames are.
func TestClockCompensation(t *testing.T) {
	list := [][2]float64{{100, -100}, {-100, 100}}
	if soaking {
		list = append(list, [2]float64{0, 100})
	}
	frames := uint64(60_000) // the 12 frames of difference are more than the crossing's 32 words
	if soaking {
		frames = 100_000
	}
	for _, ppm := range list {
		cfg := LinkConfig{Config: Default(), PPM: ppm}
		l := twoWay(t, cfg, 3000, 3000)
		require.NoError(t, l.Ends[0].Frame.Run(frames))
		intact(t, l, int(frames*8/10))

		cfg.Uncompensated = true
		l = twoWay(t, cfg, 3000, 3000)
		require.NoError(t, l.Ends[0].Frame.Run(frames))
		slower := 0
		if ppm[1] < ppm[0] {
			slower = 1
		}
		require.Error(t, l.Ends[slower].Validator.Err(), "%v", ppm)
		require.NotZero(t, l.Ends[slower].Lanes[0].Receiver.Overflow.Get())
		require.NoError(t, l.Ends[1-slower].Validator.Err())
	}
}

// The same bits in all modes.
func TestLinkModes(t *testing.T) {
	var want uint64
	for i, mode := range modes {
		cfg := LinkConfig{Config: Default(), BER: [2]float64{1e-5, 1e-5}, PPM: [2]float64{100, -100}, Sim: mode}
		cfg.Lanes = 2
		l := twoWay(t, cfg, 1, 300)
		h := rtl.NewTraceHash(l.Sim)
		require.NoError(t, l.Ends[0].Frame.Run(uint64(portion(2500))))
		if i == 0 {
			want = h.Sum()
		}
		require.Equal(t, want, h.Sum(), "%v", mode.Mode)
	}
}

// A link at work allocates nothing.
func TestLinkDoesNotAllocate(t *testing.T) {
	cfg := LinkConfig{Config: Default(), BER: [2]float64{1e-5, 1e-5}}
	l, err := NewLink(cfg)
	require.NoError(t, err)
	require.NoError(t, l.Ends[0].Frame.Run(2000))
	require.Zero(t, testing.AllocsPerRun(3, func() { err = l.Ends[0].Frame.Run(300) }))
	require.NoError(t, err)
	require.EqualValues(t, Normal, l.Ends[0].Lanes[0].Transmitter.State.Get().Value)
}
