package study

import (
	"context"
	"sort"

	"github.com/goldwire/goldwire/claims"

	"github.com/goldwire/goldwire/designs/rifl"
)

// retransmissionClaims are of §4.C.
func retransmissionClaims() []claims.Claim {
	const c = paper + "§4.C"
	return []claims.Claim{
		{
			ID: "rifl/4.c/pass/paper", Source: c, Printed: "2.5 x 2^S",
			Text: "A retransmission takes 2.5 x 2^S frames: 160 with S = 6.", Judge: claims.Exactly("160", "frames"),
			Expect: claims.Holds, Measure: passLength(with(profile(rifl.Paper))),
		},
		{ID: "rifl/4.c/pass/core", Source: c, Printed: "2.5 x 2^S", Text: "It does in the published core.",
			Judge: claims.Exactly("160", "frames"), Expect: claims.Deviates, Recorded: claims.Exactly("161", "frames"),
			Reason:  "The core's counter stops at 2.5 x 2^S, not one below: a control frame more.",
			Measure: passLength(rifl.Default())},
		{
			ID: "rifl/4.c/pass/core/7", Source: c, Printed: "2.5 x 2^S", Text: "It does with S = 7: 320 frames.",
			Note: "Core profile.", Judge: claims.Exactly("320", "frames"), Expect: claims.Deviates,
			Recorded: claims.Exactly("321", "frames"),
			Reason:   "The core's counter stops at 2.5 x 2^S, not one below: a control frame more.",
			Measure:  passLength(with(idBits(7))),
		},
		{
			ID: "rifl/4.c/codes", Source: c, Printed: "16",
			Text:  "A receiver wants 16 frames in order before it delivers the one that it lost.",
			Judge: claims.Exactly("16", "codes"), Expect: claims.Holds, Measure: claims.Fixed(codesToTrust),
		},
		{
			ID: "rifl/4.c/noise/pass", Source: c, Printed: "1 / (2^12)^16",
			Text: "White noise is never taken for the missing frame.", Judge: claims.Exactly("0", "frames"),
			Expect: claims.Holds, Measure: noiseAccepted(true),
		},
		{ID: "rifl/4.c/noise/onset", Source: c, Printed: "1 / (2^12)^16", Text: "White noise is never taken for a frame.",
			Note: "The first frame of noise, for a receiver that misses nothing. On record with four standard deviations of " +
				"a count of 61.",
			Judge: claims.Exactly("0", "frames"), Expect: claims.Deviates, Recorded: claims.Within("61", "31", "frames"),
			Reason: "The 16 codes protect a receiver that misses a frame already. The first frame of noise has to pass one " +
				"code and one SYN: a chance of 2^-14.",
			Measure: noiseAccepted(false)},
	}
}

// losslessClaims are about frames that get through.
func losslessClaims() []claims.Claim {
	const all = paper + "§2.E, §6.E"
	return []claims.Claim{
		{
			ID: "rifl/lossless/default", Source: all, Printed: "lossless",
			Text: "No frame is lost, repeated or out of order whatever the bit errors.",
			Note: "Core profile, 10 m, S = 6.", Judge: claims.Exactly("0", "frames"), Expect: claims.Holds,
			Measure: staleFrames(rifl.Default(), 2e-5, 40_000, 20),
		},
		{
			ID: "rifl/lossless/eq13", Source: paper + "Eq. 13", Printed: "2^S >= frames of a round trip",
			Text:  "IDs that cover a round trip are enough to lose nothing.",
			Note:  "Core profile, 80 m, where the core itself takes S = 7: a round trip of 76 frames.",
			Judge: claims.Exactly("0", "frames"), Expect: claims.Deviates, Recorded: claims.AtLeast("1000", "frames"),
			Reason: "A pass that was not needed follows when the loop is longer than the tail of a pass, 2^(S-1) + 3 frames; " +
				"its first frame is 2^S old, has the ID that is due, and is delivered as new. So are all frames after it.",
			Measure: staleFrames(with(metres(80)), 2e-5, 20_000, 8),
		},
		{
			ID: "rifl/lossless/eq13/paper-profile", Source: paper + "Eq. 13", Printed: "2^S >= frames of a round trip",
			Text:  "The same by the letter of the paper, at 10 m with S = 6.",
			Note:  "Paper profile: a sender goes on with data at once, without the core's idles.",
			Judge: claims.Exactly("0", "frames"), Expect: claims.Deviates, Recorded: claims.AtLeast("1000", "frames"),
			Reason: "Data frames take a request back only after 17 of them, where one idle would, so the tail of a pass is " +
				"16 frames shorter than the core's: the loop of 22 frames is too long.",
			Measure: staleFrames(with(profile(rifl.Paper)), 2e-5, 20_000, 8),
		},
		{
			ID: "rifl/lossless/limit/6", Source: paper + "Eq. 13", Printed: "2^S >= frames of a round trip",
			Text: "With S = 6, a loop of 35 frames and less is sound: the longest cable of the core's profile.",
			Note: "Core profile. The line is lengthened by whole frames.", Judge: claims.Exactly("0", "frames"),
			Expect: claims.Holds, Measure: atLimit(6, 0, 2e-5, 20_000, 8),
		},
		{
			ID: "rifl/lossless/limit/6/beyond", Source: paper + "Eq. 13", Printed: "2^S >= frames of a round trip",
			Text: "So is the next longer one.", Judge: claims.Exactly("0", "frames"), Expect: claims.Deviates,
			Recorded: claims.AtLeast("1000", "frames"), Reason: "The loop of 36 frames is longer than 2^(S-1) + 3 = 35.",
			Measure: atLimit(6, 1, 2e-5, 20_000, 8),
		},
		{
			ID: "rifl/lossless/limit/7", Source: paper + "Eq. 13", Printed: "2^S >= frames of a round trip",
			Text: "With S = 7, a loop of 67 frames and less is sound.", Judge: claims.Exactly("0", "frames"),
			Expect: claims.Holds, Measure: atLimit(7, 0, 1e-5, 40_000, 8),
		},
		{
			ID: "rifl/lossless/limit/7/beyond", Source: paper + "Eq. 13", Printed: "2^S >= frames of a round trip",
			Text: "So is the next longer one.", Judge: claims.Exactly("0", "frames"), Expect: claims.Deviates,
			Recorded: claims.AtLeast("1000", "frames"), Reason: "The loop of 68 frames is longer than 2^(S-1) + 3 = 67.",
			Measure: atLimit(7, 1, 2e-5, 20_000, 8),
		},
		{
			ID: "rifl/lossless/safe", Source: all, Printed: "lossless",
			Text:  "The safe profile loses nothing at any length that the core's sizing rule admits.",
			Note:  "80 m, S = 7, where the core's profile fails.",
			Judge: claims.Exactly("0", "frames"), Expect: claims.Holds,
			Measure: staleFrames(with(metres(80), profile(rifl.Safe)), 1e-5, 40_000, 8),
		},
		{
			ID: "rifl/lossless/pulled", Source: all, Printed: "lossless",
			Text:  "Alignment that is lost and found again loses nothing.",
			Note:  "Core profile, 10 m; a request is forgotten while the receiver is not aligned.",
			Judge: claims.Exactly("0", "frames"), Expect: claims.Holds, Measure: pulledCables(rifl.Default(), 30),
		},
		{
			ID: "rifl/lossless/codeword", Source: all, Printed: "lossless", Text: "No error whatever gets through.",
			Note: "Core profile; four flips that make a code word of the CRC.", Judge: claims.Exactly("0", "frames"),
			Expect: claims.Deviates, Recorded: claims.AtLeast("1", "frames"),
			Reason: "A 12-bit code has patterns that it does not see; Table 5 reckons with them. Near the end of a frame " +
				"they also reach the next one, through the descrambler.",
			Measure: codeword(rifl.Default()),
		},
		{
			ID: "rifl/lossless/codeword/2048", Source: all, Printed: "lossless",
			Text: "No error of two bits gets through at 2048 bits a frame.", Judge: claims.Exactly("0", "frames"),
			Expect: claims.Deviates, Recorded: claims.AtLeast("1", "frames"),
			Reason: "The published polynomial has distance 2 there.", Measure: codeword(with(frameBits(2048))),
		},
	}
}

// atLimit counts stale frames on the core's longest sound link with S-bit IDs, or on one that is more frames longer.
// The search for it waits until the claim is measured: a list of claims is made whenever the command starts.
func atLimit(s, more int, ber float64, cycles uint64, seeds int) claims.Measure {
	return func(ctx context.Context, run *claims.Run) (m claims.Measurement, err error) {
		return staleFrames(longest(rifl.Core, s, more), ber, cycles, seeds)(ctx, run)
	}
}

// longest returns the link of the profile and ID whose loop is the longest that is sound, or more frames longer than
// that.
func longest(p rifl.Profile, s, more int) rifl.Config {
	const least = 4 // frames, which is sound
	of := func(frames int) rifl.Config {
		c := with(profile(p), idBits(s), metres(0))
		c.Transceivers = (float64(frames) - 2.6) * c.FrameNs()
		return c
	}
	frames := least + sort.Search(1<<s, func(d int) bool { return of(least+d+1).Sound() != nil })
	c := of(frames)
	c.Transceivers += float64(more) * c.FrameNs()
	return c
}
