//go:build soak

package rifl_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"goldwire/designs/rifl"
)

// Thousands of runs with bit errors, stalls and pulled cables at once: the default link, and the safe profile at lengths that
// the core's profile does not stand. Noise is left out: the first frame of it passes the code once in 2^14.
func TestSoakLosesNothing(t *testing.T) {
	for _, c := range []struct {
		profile rifl.Profile
		metres  float64
	}{{rifl.Core, 10}, {rifl.Safe, 10}, {rifl.Safe, 80}, {rifl.Safe, 500}} {
		for seed := range uint64(1500) {
			rng := rand.New(rand.NewPCG(seed, 8))
			cfg := rifl.FrameLinkConfig{Config: rifl.Default(), Seed: seed}
			cfg.Profile, cfg.Length, cfg.Lanes = c.profile, c.metres, 1+int(seed%2)
			if c.metres > 100 {
				cfg.BER = [2]float64{1e-6, 1e-6} // longer passes: fewer errors leave as much to do
			} else {
				cfg.BER = [2]float64{[]float64{1e-6, 1e-5, 2e-5}[seed%3], 1e-5}
			}
			for e := range 2 {
				if rng.IntN(3) > 0 {
					cfg.Stall[e] = phases(seed+uint64(e), []int{50, 400, 1500}[rng.IntN(3)], 1<<40)
				}
			}
			l := frameLink(t, cfg)
			at := uint64(0)
			for range rng.IntN(60) {
				at += uint64(rng.IntN(2000))
				l.Damage(rifl.Damage{From: at, To: at + 1 + uint64(rng.IntN(200)), End: rng.IntN(2), Lane: -1, Kind: rifl.Pulled})
			}
			l.Run(60_000)
			for e := range 2 {
				r := l.Report(e)
				require.True(t, r.Lossless(), "%v, %v m, seed %d, end %d: %d wrong, %d lost of %d", c.profile, c.metres, seed, e, r.Wrong, r.Overflow, r.Delivered)
			}
		}
	}
}

// A long run of the modules with errors, offsets of the crystals, and stalls.
func TestSoakLink(t *testing.T) {
	for seed := range uint64(10) {
		cfg := rifl.LinkConfig{Config: rifl.Default(), BER: [2]float64{3e-6, 1e-6}, PPM: [2]float64{100, -100}, Seed: seed}
		cfg.Lanes = 1 + int(seed%4)
		cfg.Profile = []rifl.Profile{rifl.Core, rifl.Safe}[seed%2]
		for e := range 2 {
			cfg.Stall[e] = phases(seed*2+uint64(e), 300, 1<<40)
		}
		l := twoWay(t, cfg, 1, 8192)
		require.NoError(t, l.Ends[0].Frame.Run(100_000))
		intact(t, l, 10_000)
	}
}
