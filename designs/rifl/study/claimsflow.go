package study

import (
	"fmt"

	"github.com/goldwire/goldwire/claims"

	"github.com/goldwire/goldwire/designs/rifl"
)

// sizeClaims are of buffers: Eq. 1 and 20 to 25.
func sizeClaims() []claims.Claim {
	flow := func(pick func(b flowControl) int) claims.Measure {
		return claims.Fixed(func() (m claims.Measurement, err error) {
			b := newFlowControl(rifl.Core, 6)
			for range pick(b) { // fill until the buffer answers
				b.Push()
				b.Judge(b.Len)
			}
			was := b.Full
			b.Push()
			b.Judge(b.Len)
			if was || !b.Full {
				return m, fmt.Errorf("full at %d: %v, at %d: %v", pick(b), was, b.Len, b.Full)
			}
			on := b.Len - 1
			for b.Full {
				b.Pop()
				b.Judge(b.Len)
			}
			return claims.Count(
				on, "frames", "of a buffer of %d the request to pause comes above %d, that to resume below %d", b.Depth, on,
				b.Len+1,
			), nil
		})
	}
	return []claims.Claim{
		{ID: "rifl/2.b/buffer", Source: paper + "§2.B, Eq. 1, 2, 4", Printed: "45 KB",
			Text:  "The retransmission buffer for 500 m at 100 Gb/s needs no more than 45 KB.",
			Note:  "Light in the cable at 3.34 ns/m, as the published core reckons; in glass, at 5 ns/m, it would be 65 KB.",
			Judge: claims.AtMost("45", "KB"), Expect: claims.Holds, Measure: bufferBytes(false)},
		{ID: "rifl/2.b/buffer/built", Source: paper + "§2.B, Eq. 1", Printed: "45 KB",
			Text:  "The retransmission buffer that the core builds for that link is no larger.",
			Judge: claims.AtMost("45", "KB"), Expect: claims.Deviates, Recorded: claims.Exactly("65", "KB"),
			Reason:  "It has an entry for each ID, so its size is a power of two frames: 2^11 of 32 bytes.",
			Measure: bufferBytes(true)},
		{
			ID: "rifl/eq24/on", Source: paper + "Eq. 24", Printed: "2/3",
			Text: "The far end is paused when two thirds of the flow-control buffer are in use.",
			Note: "2 x 2^6 frames, S = 6.", Judge: claims.Exactly("85", "frames"), Expect: claims.Holds,
			Measure: flow(func(b flowControl) int { return b.On }),
		},
		{ID: "rifl/eq25/off", Source: paper + "Eq. 25", Printed: "1/3", Text: "It resumes when a third is in use.",
			Judge: claims.Exactly("42", "frames"), Expect: claims.Holds, Measure: claims.Fixed(flowOff)},
		{
			ID: "rifl/eq22/apart", Source: paper + "Eq. 22", Printed: ">= RTT / 2",
			Text:  "The two thresholds are at least half a round trip apart: 12.4 frames at 28 Gb/s and 10 m.",
			Judge: claims.AtLeast("12.4", "frames"), Expect: claims.Holds, Measure: claims.Fixed(flowApart),
		},
		{
			ID: "rifl/eq20/overflow", Source: paper + "Eq. 20, 23", Printed: "no overflow",
			Text:  "A flow-control buffer of 2 x 2^S frames never overflows on a line without errors.",
			Judge: claims.Exactly("0", "frames"), Expect: claims.Holds, Measure: stalledUsers(rifl.Default(), 0, 20),
		},
		{
			ID: "rifl/eq21/starvation", Source: paper + "Eq. 21, 23", Printed: "no starving",
			Text:  "While it drains and the far end resumes, the user gets a frame in every cycle.",
			Judge: claims.Exactly("0", "cycles"), Expect: claims.Holds, Measure: claims.Seeded(starvation),
		},
		{
			ID: "rifl/4.d/overflow/errors", Source: paper + "§4.D", Printed: "no loss",
			Text: "Errors only delay flow-control notifications, and nothing is lost meanwhile, because data stops in both " +
				"directions.",
			Note: "Core profile, a cable of 20 m, both users stall at random. The reason given is not the whole one: a " +
				"receiver that is in step again sends after 2^S idles, while the far end's pass still goes on and cannot tell it " +
				"to pause. The core's 16 frames in front of the buffer's memory hold what comes meanwhile.",
			Judge: claims.Exactly("0", "frames"), Expect: claims.Holds, Measure: stalledUsers(with(metres(20)), 2e-5, 20),
		},
		{
			ID: "rifl/4.d/overflow/paper", Source: paper + "§4.D, Eq. 20", Printed: "no loss",
			Text: "The same by the letter of the paper: no idles after an error, and no frames in front.",
			Note: "Paper profile, 10 m, S = 7.", Judge: claims.Exactly("0", "frames"), Expect: claims.Deviates,
			Recorded: claims.AtLeast("1", "frames"),
			Reason: "An end that retransmits cannot notify: its pass goes on for twice the loop and the tail of a pass " +
				"after the far end sends again, which is more than the third of the buffer that Eq. 24 leaves.",
			Measure: stalledUsers(with(profile(rifl.Paper), idBits(7)), 2e-5, 20),
		},
		{
			ID: "rifl/4.d/overflow/default", Source: paper + "§4.D", Printed: "no loss",
			Text: "The same at the default cable of 10 m.", Judge: claims.Exactly("0", "frames"), Expect: claims.Holds,
			Measure: stalledUsers(rifl.Default(), 2e-5, 20),
		},
		{
			ID: "rifl/4.d/overflow/safe", Source: paper + "§4.D", Printed: "no loss",
			Text:  "The same at 20 m in the safe profile, whose buffer has 6 x 2^S frames and pauses the far end at half.",
			Judge: claims.Exactly("0", "frames"), Expect: claims.Holds,
			Measure: stalledUsers(with(metres(20), profile(rifl.Safe)), 2e-5, 20),
		},
		{
			ID: "rifl/4.e/compensation", Source: paper + "§4.E", Printed: "no loss",
			Text: "With clock compensation, ends whose crystals differ lose nothing.", Judge: claims.Exactly("0", "words"),
			Expect: claims.Holds, Measure: crystals(false),
		},
		{
			ID: "rifl/4.e/uncompensated", Source: paper + "§4.E", Printed: "overflow",
			Text: "Without it, the slower end's buffer overflows.", Judge: claims.AtLeast("1", "words"),
			Expect: claims.Holds, Measure: crystals(true),
		},
	}
}

// flowControl is a buffer with its thresholds.
type flowControl struct {
	rifl.FlowBuffer
	rifl.FlowLevel
}

func newFlowControl(p rifl.Profile, s int) (f flowControl) {
	f.Depth, f.FlowLevel = rifl.FlowSize(p, s)
	return f
}

// flowOff fills a buffer, drains it and finds where it asks to resume.
func flowOff() (m claims.Measurement, err error) {
	b := newFlowControl(rifl.Core, 6)
	for b.Push() {
		b.Judge(b.Len)
	}
	for b.Full && b.Len > 0 {
		b.Pop()
		b.Judge(b.Len)
	}
	return claims.Count(
		b.Len+1, "frames", "drained from %d, the request to resume comes with %d left", b.Depth, b.Len,
	), nil
}

// flowApart counts the frames between the two requests of a buffer that drains.
func flowApart() (m claims.Measurement, err error) {
	b := newFlowControl(rifl.Core, 6)
	for !b.Full {
		b.Push()
		b.Judge(b.Len)
	}
	on := b.Len
	for b.Full {
		b.Pop()
		b.Judge(b.Len)
	}
	return claims.Count(
		on-b.Len, "frames", "pause asked for with %d in use, resume with %d, of %d", on, b.Len, b.Depth,
	), nil
}
