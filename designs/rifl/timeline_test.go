package rifl_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/rifl"
)

// One flipped bit, one way and both: what each end sends from the first frame out of the ordinary to the last. The end that
// is hit requests from its verdict until the frame before the missing one is there; the other makes one pass as soon as it
// believes the request.
func TestSingleFlip(t *testing.T) {
	for _, c := range []struct {
		profile rifl.Profile
		s       int
		pass    int // frames of RETRANS
	}{
		{rifl.Core, 6, 161}, {rifl.Core, 7, 321}, {rifl.Paper, 6, 160}, {rifl.Paper, 7, 320}, {rifl.Safe, 6, 192}, {rifl.Safe, 7, 384},
	} {
		cfg := rifl.LinkConfig{Config: rifl.Default()}
		cfg.Profile, cfg.IDBits = c.profile, c.s
		for _, flips := range [][2][]int{{{20}, nil}, {nil, {20}}, {{20}, {20}}} {
			got, err := rifl.Flips(cfg, flips, 600)
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

// The modules on their clocks and the frame-level link send the same frames, one by one, whatever is hit: first errors, errors
// within passes, in requests, in both directions.
func TestModulesAndFramesAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for k := range 60 {
		cfg := rifl.Default()
		cfg.Profile = []rifl.Profile{rifl.Core, rifl.Safe}[k%2]
		cfg.FrameBits = []int{256, 512}[k/2%2]
		var flips [2][]int
		for e := range flips {
			at := 20
			for range rng.IntN(7) {
				at += 1 + rng.IntN(1+rng.IntN(300))
				flips[e] = append(flips[e], at)
			}
		}
		modules, err := rifl.Flips(rifl.LinkConfig{Config: cfg}, flips, 3000)
		require.NoError(t, err)
		frames, err := rifl.FlipsByFrames(rifl.FrameLinkConfig{Config: cfg}, flips, 3000)
		require.NoError(t, err)
		require.Equal(t, frames, modules, "flips %v", flips)
	}
}
