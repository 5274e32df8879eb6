package rifl

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Without errors a slot leaves in each cycle, and comes as late as a frame of a link at rest.
func TestSlotsAtRest(t *testing.T) {
	s, err := NewSlots(FrameLinkConfig{Config: Default()}, 0)
	require.NoError(t, err)
	require.Equal(t, 30, s.Bytes())
	late := uint64(s.link.lags.data + userEdges)
	for _, c := range []uint64{0, 1, 77, 100_000} {
		n := s.Next(c)
		require.Equal(t, c, s.Sent(n))
		require.Equal(t, c+late, s.Came(n))
	}
	require.Zero(t, s.Passes())
	require.NoError(t, s.Err())
}

// A slot for each frame of the user: its times are the frame's, followed one by one in a link that
// skips nothing.
func TestSlotsAreTheFrames(t *testing.T) {
	for _, lanes := range []int{1, 4} {
		cfg := FrameLinkConfig{Config: Default(), BER: [2]float64{1e-6, 3e-6}, Seed: 5}
		cfg.Lanes = lanes
		for from := range 2 {
			s, err := NewSlots(cfg, from)
			require.NoError(t, err)
			plain := frameLink(t, cfg)
			plain.Run(cfg.Settle())
			sends, takes := &plain.Ends[from], &plain.Ends[1-from]
			jumps := 0
			for c := range uint64(40_000) {
				sent, came := (sends.next-1)/uint64(lanes), takes.delivered/uint64(lanes)
				plain.Step()
				require.Equal(t, sent, s.Next(c), "the next slot in cycle %d", c)
				if (sends.next-1)/uint64(lanes) > sent {
					require.Equal(t, c, s.Sent(sent))
				} else {
					jumps++
				}
				if takes.delivered/uint64(lanes) > came {
					require.Equal(t, c, s.Came(came))
				}
			}
			require.Greater(t, jumps, 1000, "passes")
			require.Positive(t, s.Passes())
			require.NoError(t, s.Err())
		}
	}
}

// The bytes that a link of modules, bit by bit, takes from its user and hands over are the slots' bytes: a user's
// beat has 32 bytes and a frame 30, so that both differ by a few beats in the converters of widths, and no error adds
// any.
func TestSlotsAreTheLinks(t *testing.T) {
	for _, lanes := range []int{1, 4} {
		spread := func(ber float64) (least, most [2]int) {
			cfg := LinkConfig{Config: Default(), BER: [2]float64{ber, 0}, Seed: 3, Uncompensated: true}
			cfg.Lanes = lanes
			cfg.Send[0], cfg.Expect[1] = Packets(1, 1<<20, 1<<20), Packets(1, 1<<20, 1<<20)
			l, err := NewLink(cfg)
			require.NoError(t, err)
			s, err := NewSlots(FrameLinkConfig{Config: cfg.Config, BER: cfg.BER, Seed: cfg.Seed}, 0)
			require.NoError(t, err)
			start := cfg.Settle()
			const cycles = 12_000
			for end := range 2 {
				require.NoError(t, l.Ends[end].Frame.Run(start+cycles))
			}
			require.NoError(t, l.Err())
			taken, arrived := l.Ends[0].Generator.Taken(), l.Ends[1].Validator.Arrived()
			first := s.Next(0)
			count := func(list []uint64, until uint64) (n int) {
				for n < len(list) && list[n] <= until {
					n++
				}
				return n
			}
			base := [2]int{count(taken, start+2000), count(arrived, start+2000)}
			zero := [2]int{}
			for c := uint64(2000); c < cycles; c += 50 {
				slots := [2]int{int(s.Next(c) - first), 0}
				for s.Came(first+uint64(slots[1])) < c {
					slots[1]++
				}
				if c == 2000 {
					zero = slots
				}
				for i, list := range [][]uint64{taken, arrived} {
					d := lanes*32*(count(list, start+c)-base[i]) - s.Bytes()*(slots[i]-zero[i])
					least[i], most[i] = min(least[i], d), max(most[i], d)
				}
			}
			if ber > 0 {
				require.Greater(t, s.Passes(), uint64(5))
			}
			return least, most
		}
		least, most := spread(0)
		errLeast, errMost := spread(1e-5)
		// a pass moves 4 or 5 thousand bytes a lane; bonded lanes wait for each other by a few frames
		for i := range 2 {
			require.Less(t, most[i]-least[i], 4*lanes*32)
			require.Less(t, errMost[i]-errLeast[i], 7*lanes*32, "%d lanes, place %d", lanes, i)
		}
	}
}
