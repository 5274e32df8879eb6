//go:build soak

package rifl

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// Thousands of runs with bit errors, stalls and pulled cables at once: the default link, and the safe profile at
// lengths that the core's profile does not stand. Noise is left out: the first frame of it passes the code once in
// 2^14.
func TestSoakLosesNothing(t *testing.T) {
	for _, c := range []struct {
		profile Profile
		metres  float64
	}{{Core, 10}, {Safe, 10}, {Safe, 80}, {Safe, 500}} {
		for seed := range uint64(1500) {
			rng := rand.New(rand.NewPCG(seed, 8))
			cfg := FrameLinkConfig{Config: Default(), Seed: seed}
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
			if c.profile == Core { // TestErrorsAtTheStart covers the start
				at = cfg.Settle()
			}
			for range rng.IntN(60) {
				at += uint64(rng.IntN(2000))
				l.Damage(Damage{From: at, To: at + 1 + uint64(rng.IntN(200)), End: rng.IntN(2), Lane: -1, Kind: Pulled})
			}
			l.Run(max(60_000, at+200))
			for e := range 2 { // after the last pull frames come again, sooner or later
				before, end := l.Report(e).Delivered, l.Cycle()+1_000_000
				for ; l.Report(e).Delivered == before; l.Run(1000) {
					require.Less(t, l.Cycle(), end, "%v, %v m, seed %d, end %d: nothing comes", c.profile, c.metres, seed, e)
				}
			}
			for e := range 2 {
				r := l.Report(e)
				require.True(t, r.Lossless(), "%v, %v m, seed %d, end %d: %d wrong, %d lost of %d", c.profile, c.metres, seed, e,
					r.Wrong, r.Overflow, r.Delivered)
			}
		}
	}
}

// A long run of the modules with errors, offsets of the crystals, and stalls.
func TestSoakLink(t *testing.T) {
	for seed := range uint64(10) {
		cfg := LinkConfig{Config: Default(), BER: [2]float64{3e-6, 1e-6}, PPM: [2]float64{100, -100}, Seed: seed}
		cfg.Lanes = 1 + int(seed%4)
		cfg.Profile = []Profile{Core, Safe}[seed%2]
		for e := range 2 {
			cfg.Stall[e] = phases(seed*2+uint64(e), 300, 1<<40)
		}
		l := twoWay(t, cfg, 1, 8192)
		require.NoError(t, l.Ends[0].Frame.Run(100_000))
		intact(t, l, 10_000)
	}
}

// 10 GB each way over four bonded lanes of the core's profile at 10 m, stepped frame by frame and with clean stretches
// skipped: the two agree in every figure, and every frame delivered is the expected one. A FrameLink moves names, not
// bytes: checked are each frame's number and whether any bit of it was changed on the way. TestSoakBytes checks bytes.
func TestSoakTenGigabytes(t *testing.T) {
	const bytes = 10_000_000_000
	for _, ber := range []float64{1e-7, 1e-6} {
		var first [2]FrameLinkReport
		for _, skip := range []bool{true, false} {
			cfg := Default()
			cfg.Lanes = 4
			l := frameLink(t, FrameLinkConfig{Config: cfg, BER: [2]float64{ber, ber}, Seed: 10, Skip: skip})
			frames := uint64(bytes / cfg.PayloadBytes())
			for l.Report(0).Delivered < frames || l.Report(1).Delivered < frames {
				l.Run(1 << 20)
			}
			for e := range 2 {
				r := l.Report(e)
				require.True(t, r.Lossless(), "BER %g, end %d: %d wrong, %d lost of %d", ber, e, r.Wrong, r.Overflow, r.Delivered)
				require.Positive(t, r.Passes)
				// frames taken and not delivered are on their way: no more than buffers and line hold
				require.LessOrEqual(t, r.Offered-r.Delivered, uint64(cfg.Lanes)<<(cfg.S()+1), "BER %g, end %d", ber, e)
				if skip {
					first[e] = r
					t.Logf(
						"BER %g, end %d: %.3f GB in %d frames, none wrong, lost or out of order; %d passes; bandwidth %.2f %%",
						ber,
						e,
						float64(r.Delivered)*float64(cfg.PayloadBytes())/1e9,
						r.Delivered,
						r.Passes,
						100*float64(r.Delivered)/float64(l.Cycle())/float64(cfg.Lanes),
					)
				} else {
					require.Equal(t, first[e], r, "stepped and skipped, BER %g, end %d", ber, e)
				}
			}
		}
	}
}

// Real bytes over the modules, every bit on the line, four bonded lanes, both ways.
func TestSoakBytes(t *testing.T) {
	for _, c := range []struct {
		ber   float64
		bytes uint64
	}{{1e-6, 50_000_000}, {3.2e-6, 20_000_000}, {1e-5, 2_000_000}} {
		cfg := LinkConfig{Config: Default(), BER: [2]float64{c.ber, c.ber}, Seed: 11}
		cfg.Lanes = 4
		l := twoWay(t, cfg, 1500, 1500)
		cycles := 0
		for l.Ends[0].Validator.Bytes() < c.bytes || l.Ends[1].Validator.Bytes() < c.bytes {
			require.NoError(t, l.Ends[0].Frame.Run(10_000))
			cycles += 10_000
		}
		intact(t, l, 10_000)
		for e, end := range l.Ends {
			n := end.Validator.Bytes()
			t.Logf("BER %g, end %d: %.1f MB, every byte as sent; bandwidth %.2f %%", c.ber, e, float64(n)/1e6,
				100*float64(n)/float64(cycles*cfg.Lanes*cfg.PayloadBytes()))
		}
	}
}
