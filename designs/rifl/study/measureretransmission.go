package study

import (
	"math/big"
	"math/rand/v2"

	"github.com/goldwire/goldwire/claims"

	"github.com/goldwire/goldwire/designs/rifl"
)

// passLength counts the frames of a retransmission on running modules.
func passLength(cfg rifl.Config) claims.Measure {
	return claims.Fixed(func() (m claims.Measurement, err error) {
		t, err := runFlips(rifl.LinkConfig{Config: cfg}, [2][]int{nil, {20}}, 1000, nil)
		if err != nil {
			return m, err
		}
		m = claims.Count(
			t.In(0, rifl.Retrans), "frames",
			"one bit flipped on the way to end 1, S = %d, %v profile: %d pass, all normal again after %d frames", cfg.S(),
			cfg.Profile, t.Passes[0], len(t.Trace),
		)
		for e, name := range []string{"end 0", "end 1"} {
			for s := rifl.Init; s < rifl.NumStates; s++ {
				m.Rows = append(m.Rows, claims.Row{Label: name + " " + s.String(), Exact: big.NewRat(int64(t.In(e, s)), 1)})
			}
		}
		return m, nil
	})
}

// noiseAccepted counts frames of white noise that are delivered by a verifier that misses a frame, or by one that
// expects a new one each time.
func noiseAccepted(missing bool) claims.Measure {
	return claims.Seeded(func(seed uint64) (m claims.Measurement, err error) {
		rng := rand.New(rand.NewPCG(seed, 4))
		v := rifl.NewVerifier(6)
		for id := range uint16(40) {
			v.Verify(id, true)
		}
		inStep := v
		v.Verify(v.FrameID^1, true)
		const trials = 1_000_000
		frame := make([]uint64, 4)
		delivered := 0
		for range trials {
			for i := range frame {
				frame[i] = rng.Uint64()
			}
			if !missing {
				v = inStep
			}
			if data := rifl.SynOf(frame) == rifl.SynData; v.Verify(rifl.ResidueOf(frame), data) && data {
				delivered++
			}
		}
		return claims.Count(delivered, "frames", "delivered of %d frames of white noise", trials), nil
	})
}

// codesToTrust counts how many frames in order a receiver sees before it delivers the lost one.
func codesToTrust() (m claims.Measurement, err error) {
	v := rifl.NewVerifier(8)
	for id := range uint16(68) {
		v.Verify(id, true)
	}
	v.Verify(68^0x80, true)
	n := int64(0)
	for id := v.FrameID; !v.Verify(id, true); id++ {
		n++
	}
	return claims.Count(
		n, "codes", "frame 68 lost; %d frames in order before it is delivered (the example of the paper)", n,
	), nil
}
