package rifl

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
)

// The sizing rule on both sides of its steps: a round trip of n frames of 256 bits at 28 Gb/s is 2 x (80 + 3.34 L) =
// 9.143 n ns, and S rises when 32 + n, n rounded, goes above a power of two.
func TestSizingRuleAtItsSteps(t *testing.T) {
	for _, c := range []struct {
		metres float64
		frames int // of the round trip, rounded
		want   int
	}{{20.5, 32, 6}, {20.6, 33, 7}, {108.0, 96, 7}, {108.3, 97, 8}, {283.1, 224, 8}, {283.4, 225, 9}} {
		cfg := Default()
		cfg.Length = c.metres
		n := 2 * (80 + 3.34*c.metres) / (256 / 28.0)
		require.InDelta(t, c.frames, n, 0.5, "%v m", c.metres)
		require.Equal(t, c.want, cfg.SizeID(), "%v m: %d frames", c.metres, c.frames)
	}
}

// compensated counts what one end's compensation does.
type compensated struct {
	local, remote *frameCounter
	comp          compensation
	pulse         compensationPulse
}

// A transmitter whose clock has gained n frames has sent n without data, and the other one none: frame cycles with
// Active up are counted, and the gain is the difference of the edges, each clock's frames counted by itself.
func TestCompensationPaysEveryFrame(t *testing.T) {
	const words = 4
	for _, ppm := range []float64{100, -100} {
		sim := rtl.New(rtl.Config{})
		at := func(name string, ppm float64, words int64) *rtl.Clock {
			return sim.Clock(name, Default().LaneRate.PPM(ppm).Times(1, 64*words))
		}
		word, far, frame, free := at("word", ppm, 1), at("far", 0, 1), at("frame", ppm, words),
			sim.Clock("free", clock.MHz(100))
		c := compensated{local: newFrameCounter(words), remote: newFrameCounter(words)}
		top := sim.Scope("top")
		top.On(word).Add("local", c.local)
		top.On(far).Add("remote", c.remote)
		top.On(free).Add("compensation", &c.comp)
		top.On(frame).Add("pulse", &c.pulse)
		rtl.Connect(&c.local.Gray, &c.comp.Local)
		rtl.Connect(&c.remote.Gray, &c.comp.Remote)
		rtl.Connect(&c.comp.Request, &c.pulse.Request)
		rtl.Connect(&c.pulse.Done, &c.comp.Done)
		require.NoError(t, sim.Elaborate())
		active, gained := 0, int64(0)
		for range 105_000 { // 10.5 frames at 100 ppm: half way between two gains
			require.NoError(t, frame.Run(1))
			if c.pulse.Active.Get() {
				active++
			}
			gained = max(gained, int64(word.Cycle()/words)-int64(far.Cycle()/words))
		}
		if ppm < 0 {
			require.Zero(t, active)
			continue
		}
		require.EqualValues(t, 11, gained, "the eleventh frame is begun")
		require.EqualValues(t, gained, active)
	}
}
