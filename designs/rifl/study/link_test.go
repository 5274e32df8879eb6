package study

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"

	"github.com/goldwire/goldwire/designs/rifl"
)

// twoWay makes a link with packets both ways.
func twoWay(t require.TestingT, cfg rifl.LinkConfig, least, most int) *rifl.Link {
	for e := range 2 {
		cfg.Send[e] = rifl.Packets(cfg.Seed+uint64(e), least, most)
		cfg.Expect[1-e] = rifl.Packets(cfg.Seed+uint64(e), least, most)
	}
	l, err := rifl.NewLink(cfg)
	require.NoError(t, err)
	return l
}

// intact wants the arrived beats to equal the sent ones, nothing lost for want of room, and more beats than the given
// number.
func intact(t require.TestingT, l *rifl.Link, beats int) {
	for e, end := range l.Ends {
		require.NoError(t, end.Validator.Err(), "end %d", e)
		require.Greater(t, end.Validator.Beats(), beats, "end %d", e)
		require.Zero(t, end.Collector.Overflow.Get(), "end %d", e)
		for _, lane := range end.Lanes {
			require.Zero(t, lane.Receiver.Overflow.Get(), "end %d", e)
		}
	}
}

// Every frame size, every number of lanes, lines that begin anywhere.
func TestLinkCarriesTraffic(t *testing.T) {
	for _, f := range frameSizes {
		cfg := rifl.LinkConfig{Config: rifl.Default(), Offset: 49, Sim: rtl.Config{Mode: rtl.Strict, Seed: 1}}
		cfg.FrameBits, cfg.IDBits, cfg.UpBit = f, 6, 8
		l := twoWay(t, cfg, 1, 600)
		require.NoError(t, l.Ends[0].Frame.Run(cfg.Settle()+900))
		intact(t, l, 200)
	}
	some := []int{2, 3, 8}
	if soaking {
		some = []int{2, 3, 4, 5, 6, 7, 8}
	}
	for _, lanes := range some {
		cfg := rifl.LinkConfig{Config: rifl.Default(), Offset: 55, Skew: []float64{0, 3.3, 20, 1, 11}}
		cfg.Lanes = lanes
		l := twoWay(t, cfg, 1, 2000)
		require.NoError(t, l.Ends[0].Frame.Run(cfg.Settle()+900))
		intact(t, l, 400)
	}
	for _, gbps := range []float64{25_000, 25_781.25, 56_000, 112_000} {
		cfg := rifl.LinkConfig{Config: rifl.Default()}
		cfg.LaneRate = clock.MHz(gbps)
		l := twoWay(t, cfg, 1, 100)
		require.NoError(t, l.Ends[0].Frame.Run(cfg.Settle()+900))
		intact(t, l, 400)
	}
}

// Every step of a beat's way takes the cycles that the pipeline has, and they add up to the time between the
// handshakes.
func TestLatencyAccountsForEveryCycle(t *testing.T) {
	for _, f := range []int{256, 512} {
		var last clock.Time
		for _, metres := range []float64{1, 3, 10, 30, 100} {
			cfg := rifl.LinkConfig{Config: rifl.Default()}
			cfg.FrameBits, cfg.Length, cfg.IDBits = f, metres, 8
			total, stages, err := beatWay(cfg)
			require.NoError(t, err)
			word := cfg.LaneRate.Times(1, 64).Period()
			frame := word.Times(int64(f / 64))
			line := clock.MustTime(fmt.Sprintf("%.6fns", 25+3.34*metres))
			want := map[int]clock.Time{
				0: word, 1: word, 2: word, 3: line, 4: word.Times(3), 5: word, 6: word.Times(int64(f/64 - 1)), 9: frame,
			}
			var sum clock.Time
			for i, s := range stages {
				sum = sum.Add(s.Time())
				if w, ok := want[i]; ok {
					require.Zero(t, s.Time().Cmp(w), "F=%d, %v m: %s took %v, want %v", f, metres, s.Place, s.Time(), w)
				}
			}
			// crossing: the write and two flip-flops, the first of them up to a cycle late, and the frame before waits for its
			// edge of the frame clock; then up to a frame cycle to the buffer, and one to the output converter's register
			require.Positive(t, stages[7].Time().Cmp(word.Times(2)))
			require.Positive(t, stages[8].Time().Cmp(frame))
			require.LessOrEqual(t, stages[7].Time().Add(stages[8].Time()).Cmp(frame.Times(2).Add(word.Times(3))), 0)
			require.Zero(t, sum.Cmp(total))
			// in all, whole frame cycles, and never less for a longer cable
			require.True(t, total.In(frame).IsInt())
			require.GreaterOrEqual(t, total.Cmp(last), 0)
			last = total
		}
	}
}

// The report of a saturated lane: 30 bytes a frame cycle of 9.14 ns, and the latency that OneWay finds.
func TestTrafficReport(t *testing.T) {
	cfg := rifl.LinkConfig{Config: rifl.Default()}
	l := twoWay(t, cfg, 3000, 3000)
	require.NoError(t, l.Ends[0].Frame.Run(cfg.Settle()+2500))
	r := l.Traffic(1)
	require.Greater(t, r.Beats, 2000)
	require.InDelta(t, 30*8/cfg.FrameNs(), r.Gbps, 0.05)
	total, _, err := beatWay(cfg)
	require.NoError(t, err)
	ns, _ := total.In(clock.Nanosecond).Float64()
	// a beat of 32 bytes leaves in parts: its last ones wait for the next frame, and up to 16 beats pile up
	require.GreaterOrEqual(t, float64(r.Latency.Quantile(0))+0.5, ns)
	require.Less(t, float64(r.Latency.Max), ns+3*cfg.FrameNs())
	require.EqualValues(t, r.Beats, r.Latency.N)
}
