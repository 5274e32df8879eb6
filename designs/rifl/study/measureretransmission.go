package study

import (
	"context"
	"math/big"
	"math/rand/v2"

	"github.com/goldwire/goldwire/claims"

	"github.com/goldwire/goldwire/designs/rifl"
)

// passLength counts the frames of a retransmission on running modules.
func passLength(cfg rifl.Config) measuring {
	return func(context.Context, *claims.Run) (claims.Measurement, error) {
		t, err := runFlips(rifl.LinkConfig{Config: cfg}, [2][]int{nil, {20}}, 1000, nil)
		if err != nil {
			return claims.Measurement{}, err
		}
		m := count(int64(t.In(0, rifl.Retrans)), "frames", "one bit flipped on the way to end 1, S = %d, %v profile: %d pass, all normal again after %d frames",
			cfg.S(), cfg.Profile, t.Passes[0], len(t.Trace))
		for e, name := range []string{"end 0", "end 1"} {
			for s := rifl.Init; s < rifl.NumStates; s++ {
				m.Rows = append(m.Rows, claims.Row{Label: name + " " + s.String(), Exact: big.NewRat(int64(t.In(e, s)), 1)})
			}
		}
		return m, nil
	}
}

// noiseAccepted counts frames of white noise that are delivered by a verifier that misses a frame, or by one that expects a
// new one each time.
func noiseAccepted(missing bool) measuring {
	return func(_ context.Context, run *claims.Run) (claims.Measurement, error) {
		rng := rand.New(rand.NewPCG(run.Seed, 4))
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
		return count(int64(delivered), "frames", "delivered of %d frames of white noise", trials), nil
	}
}

// codesToTrust counts how many frames in order a receiver sees before it delivers the one that was lost.
func codesToTrust(context.Context, *claims.Run) (claims.Measurement, error) {
	v := rifl.NewVerifier(8)
	for id := range uint16(68) {
		v.Verify(id, true)
	}
	v.Verify(68^0x80, true)
	n := int64(0)
	for id := v.FrameID; !v.Verify(id, true); id++ {
		n++
	}
	return count(n, "codes", "frame 68 lost; %d frames in order before it is delivered (the example of the paper)", n), nil
}
