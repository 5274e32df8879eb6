package study

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/rifl"
)

// One flipped bit, one way and both: what each end sends from the first frame out of the ordinary to the last. The end
// that is hit requests from its verdict until the frame before the missing one is there; the other makes one pass as
// soon as it believes the request.
func TestSingleFlip(t *testing.T) {
	for _, c := range []struct {
		profile rifl.Profile
		s       int
		pass    int // frames of RETRANS
	}{
		{rifl.Core, 6, 161}, {rifl.Core, 7, 321}, {rifl.Paper, 6, 160}, {rifl.Paper, 7, 320}, {rifl.Safe, 6, 192},
		{rifl.Safe, 7, 384},
	} {
		cfg := rifl.LinkConfig{Config: rifl.Default()}
		cfg.Profile, cfg.IDBits = c.profile, c.s
		for _, flips := range [][2][]int{{{20}, nil}, {nil, {20}}, {{20}, {20}}} {
			got, err := runFlips(cfg, flips, 800, nil)
			require.NoError(t, err)
			hit := 0
			if flips[0] == nil {
				hit = 1
			}
			require.Equal(t, 1, got.Passes[1-hit])
			require.Equal(t, c.pass, got.In(1-hit, rifl.Retrans))
			require.Positive(t, got.In(hit, rifl.SendRetrans))
			if flips[1-hit] == nil {
				require.Zero(t, got.Passes[hit])
				require.Zero(t, got.In(1-hit, rifl.SendRetrans))
				// the missing frame comes in its place in the pass; the request goes on until the one before it is there:
				// the way there and back, and as far into the pass
				require.Less(t, got.In(hit, rifl.SendRetrans), 2<<c.s)
			} else {
				require.Equal(t, got.Frames[0], got.Frames[1], "symmetric")
			}
			for e := range 2 {
				require.Zero(t, got.In(e, rifl.Init)+got.In(e, rifl.Pause)+got.In(e, rifl.SendPause))
			}
		}
	}
}

// What the published core itself does with one flip, S = 6, by D: the frames of SEND RETRANS, the frames until the
// other end begins its pass, the pass, the idles after. With both directions hit, each end sends 64 idles too.
func TestSingleFlipAsTheCoreDoes(t *testing.T) {
	for d, requests := range map[int]int{18: 99, 20: 98, 50: 83, 70: 73} {
		cfg := rifl.Default()
		cfg.IDBits, cfg.LineCycles = 6, d
		got, err := runFlips(rifl.LinkConfig{Config: cfg}, [2][]int{nil, {20}}, 800, nil)
		require.NoError(t, err)
		require.Equal(t, requests, got.In(1, rifl.SendRetrans), "D = %d", d)
		require.Equal(t, 64, got.Idles[1], "D = %d", d)
		require.Equal(t, 161, got.In(0, rifl.Retrans), "D = %d", d)
		began := 0
		for got.Trace[began][0].State != rifl.Retrans {
			began++
		}
		if d == 20 {
			require.Equal(t, 17, began)
			both, err := runFlips(rifl.LinkConfig{Config: cfg}, [2][]int{{20}, {20}}, 800, nil)
			require.NoError(t, err)
			require.Equal(t, [2]int{64, 64}, both.Idles)
		}
	}
}

// A beat's way in transceiver cycles, R x ceil((10 + 3R + D) / R), observed at the handshakes: the published core's
// figures.
func TestLatencyAsTheCoreHasIt(t *testing.T) {
	for _, c := range []struct{ f, d, want int }{
		{256, 18, 40}, {256, 19, 44}, {256, 20, 44}, {256, 21, 44}, {256, 22, 44}, {256, 23, 48},
		{512, 16, 56}, {512, 19, 56}, {512, 22, 56}, {512, 23, 64},
	} {
		cfg := rifl.LinkConfig{Config: rifl.Default()}
		cfg.FrameBits, cfg.LineCycles = c.f, c.d
		total, _, err := beatWay(cfg)
		require.NoError(t, err)
		word := cfg.LaneRate.Times(1, 64).Period()
		require.Zero(t, total.Cmp(word.Times(int64(c.want))), "F = %d, D = %d: %v", c.f, c.d, total)
		require.Equal(t, c.want, cfg.LatencyFrames()*cfg.Words(), "F = %d, D = %d", c.f, c.d)
	}
}

// The modules on their clocks and the frame-level link send the same frames, one by one, whatever is hit: first errors,
// errors within passes, in requests, in SYNs short of losing alignment, in both directions; at every phase of the line
// against the frame clock, D a whole number of cycles or not.
func TestModulesAndFramesAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	runs := 32 // D from 10 to 25: every phase against the frame clock
	if soaking {
		runs = 96
	}
	for k := range runs {
		cfg := rifl.Default()
		cfg.Profile = []rifl.Profile{rifl.Core, rifl.Safe}[k%2]
		cfg.FrameBits, cfg.IDBits, cfg.UpBit = []int{128, 256, 256, 512}[k/2%4], 6, 6
		cfg.LineCycles = 10 + k/2
		if k%5 == 0 {
			cfg.LineCycles, cfg.Transceivers = 0, 10+100*rng.Float64()
		}
		var flips [2][]int
		for e := range flips {
			at := 20
			for range rng.IntN(7) {
				at += 1 + rng.IntN(1+rng.IntN(300))
				flips[e] = append(flips[e], at)
			}
		}
		modules, err := runFlips(rifl.LinkConfig{Config: cfg}, flips, 2000, nil)
		if err != nil { // the modules see wrong bytes where the frames see a wrong number
			_, err = runFlipsByFrames(rifl.FrameLinkConfig{Config: cfg}, flips, 2000)
			require.Error(t, err)
			require.Error(t, cfg.Sound())
			continue
		}
		frames, err := runFlipsByFrames(rifl.FrameLinkConfig{Config: cfg}, flips, 2000)
		require.NoError(t, err)
		// an order of errors that never ends is cut at other frames
		for i := range min(len(frames.Trace), len(modules.Trace)) {
			require.Equal(
				t, frames.Trace[i], modules.Trace[i], "frame %d, F = %d, D = %d, %v ns, flips %v", i, cfg.FrameBits,
				cfg.LineCycles, cfg.Transceivers, flips,
			)
		}
		if cfg.Sound() == nil {
			require.Len(t, modules.Trace, len(frames.Trace))
			require.Equal(t, frames.Frames, modules.Frames)
		}
	}
}
