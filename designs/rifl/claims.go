package rifl

import (
	"context"
	"fmt"
	"math"
	"math/big"

	"github.com/goldwire/goldwire/claims"
)

// Claims returns what RIFL's paper says in figures, each measured on running parts or modules.
func Claims() []claims.Claim {
	var all []claims.Claim
	all = append(all, frameClaims()...)
	all = append(all, sizeClaims()...)
	all = append(all, latencyClaims()...)
	all = append(all, retransmissionClaims()...)
	all = append(all, losslessClaims()...)
	all = append(all, performanceClaims()...)
	return all
}

const paper = "RIFL "

// frameClaims are of §3.
func frameClaims() []claims.Claim {
	const t1, t2, t3 = paper + "Table 1", paper + "Table 2", paper + "Table 3"
	list := []claims.Claim{
		{ID: "rifl/table1/none", Source: t1, Printed: "00", Text: "A frame without valid bytes has meta code 00.",
			Judge: claims.Exactly("0", ""), Expect: claims.Holds, Measure: tableRow(0, false)},
		{ID: "rifl/table1/all", Source: t1, Printed: "01", Text: "A full frame with more of its packet to come has meta code 01.",
			Judge: claims.Exactly("1", ""), Expect: claims.Holds, Measure: tableRow(30, false)},
		{ID: "rifl/table1/partial", Source: t1, Printed: "10", Text: "The end of a packet in part of a frame has meta code 10, the last byte being the format code.",
			Judge: claims.Exactly("2", ""), Expect: claims.Holds, Measure: tableRow(17, true)},
		{ID: "rifl/table1/end", Source: t1, Printed: "11", Text: "The end of a packet in a full frame has meta code 11.",
			Judge: claims.Exactly("3", ""), Expect: claims.Holds, Measure: tableRow(30, true)},
	}
	ids, sums := []int{9, 8, 7, 6, 5}, []int{8, 9, 10, 11, 12}
	shares := []string{"87.5", "93.75", "96.875", "98.4375", "99.21875"}
	for i, f := range frameSizes {
		list = append(list,
			claims.Claim{ID: fmt.Sprintf("rifl/table2/id/%d", f), Source: t2 + ", Eq. 13", Printed: "recomputed: " + fmt.Sprint(ids[i]),
				Text:  fmt.Sprintf("At 100 Gb/s and a round trip of 500 ns, frames of %d bits need at least %d bits of ID.", f, ids[i]),
				Judge: claims.Exactly(fmt.Sprint(ids[i]), "bits"), Expect: claims.Holds,
				Measure: perSize(i, func(f int) int { return LeastID(100e9, 500e-9, f) }, "least S with 2^S frames in a round trip")},
			claims.Claim{ID: fmt.Sprintf("rifl/table2/checksum/%d", f), Source: t2 + ", Eq. 14 to 16", Printed: "recomputed: " + fmt.Sprint(sums[i]),
				Text:  fmt.Sprintf("Frames of %d bits need a checksum of at least %d bits for an MTBF of 100 years at a BER of 1e-7.", f, sums[i]),
				Note:  "Hamming distance 4 over the payload, found by trying all generators; the table itself is recomputed, the text has lost it.",
				Judge: claims.Exactly(fmt.Sprint(sums[i]), "bits"), Expect: claims.Holds,
				Measure: perSize(i, func(f int) int { return LeastChecksum(f-16, f, 100e9) }, "least CRC width")},
			claims.Claim{ID: fmt.Sprintf("rifl/table3/efficiency/%d", f), Source: t3 + ", Eq. 11", Printed: "recomputed: " + shares[i] + " %",
				Text:  fmt.Sprintf("With 12 bits of verification code, %s %% of a line of %d-bit frames is payload.", shares[i], f),
				Judge: claims.Exactly(shares[i], "%"), Expect: claims.Holds, Measure: payloadShare(f)},
		)
	}
	return append(list,
		claims.Claim{ID: "rifl/3.b/distance/2048", Source: paper + "§3.B", Printed: "HD 4",
			Text:  "The code sees all errors of up to three bits at every frame size.",
			Note:  "The number of bit pairs in a frame of 2048 bits whose flips the published polynomial does not see.",
			Judge: claims.Exactly("0", "pairs"), Expect: claims.Deviates, Recorded: claims.AtLeast("1", "pairs"),
			Reason:  "x comes round after fewer than 2048 bits modulo the polynomial of the published core, so bits that far apart have the same syndrome: distance 2. Up to 1024 bits a frame it is 4.",
			Measure: func(context.Context, *claims.Run) (claims.Measurement, error) { return pairsAt2048() }},
		claims.Claim{ID: "rifl/eq15/share", Source: paper + "Eq. 15", Printed: "1 / 2^m",
			Text:  "Of the errors above the code's distance, one of 2^m is not seen.",
			Note:  "All patterns of four flips in 256 bits, counted exactly.",
			Judge: claims.Within("1", "5%", "x 2^-12"), Expect: claims.Deviates, Recorded: claims.Within("2", "5%", "x 2^-12"),
			Reason:  "x+1 divides the polynomial: errors of odd weight are always seen, so those of even weight escape twice as often, and four flips are by far the most likely ones.",
			Measure: undetectedQuads(256)},
	)
}

func pairsAt2048() (claims.Measurement, error) {
	p := UndetectedPairs(2048)
	if len(p) == 0 {
		return count(0, "pairs", "none of 2048 x 2047 / 2"), nil
	}
	return count(int64(len(p)), "pairs", "of 2048 x 2047 / 2; the first are the bits %v", p[0]), nil
}

// sizeClaims are of buffers: Eq. 1 and 20 to 25.
func sizeClaims() []claims.Claim {
	flow := func(pick func(b flowControl) int) measure {
		return func(context.Context, *claims.Run) (claims.Measurement, error) {
			b := newFlowControl(Core, 6)
			for range pick(b) { // fill until the buffer answers
				b.push()
				b.judge(b.len)
			}
			was := b.full
			b.push()
			b.judge(b.len)
			if was || !b.full {
				return claims.Measurement{}, fmt.Errorf("full at %d: %v, at %d: %v", pick(b), was, b.len, b.full)
			}
			on := b.len - 1
			for b.full {
				b.pop()
				b.judge(b.len)
			}
			return count(int64(on), "frames", "of a buffer of %d the request to pause comes above %d, that to resume below %d", b.depth, on, b.len+1), nil
		}
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
		{ID: "rifl/eq24/on", Source: paper + "Eq. 24", Printed: "2/3", Text: "The far end is paused when two thirds of the flow-control buffer are in use.",
			Note:  "2 x 2^6 frames, S = 6.",
			Judge: claims.Exactly("85", "frames"), Expect: claims.Holds, Measure: flow(func(b flowControl) int { return b.on })},
		{ID: "rifl/eq25/off", Source: paper + "Eq. 25", Printed: "1/3", Text: "It resumes when a third is in use.",
			Judge: claims.Exactly("42", "frames"), Expect: claims.Holds, Measure: flowOff},
		{ID: "rifl/eq22/apart", Source: paper + "Eq. 22", Printed: ">= RTT / 2", Text: "The two thresholds are at least half a round trip apart: 12.4 frames at 28 Gb/s and 10 m.",
			Judge: claims.AtLeast("12.4", "frames"), Expect: claims.Holds, Measure: flowApart},
		{ID: "rifl/eq20/overflow", Source: paper + "Eq. 20, 23", Printed: "no overflow", Text: "A flow-control buffer of 2 x 2^S frames never overflows on a line without errors.",
			Judge: claims.Exactly("0", "frames"), Expect: claims.Holds, Measure: stalledUsers(Default(), 0, 20)},
		{ID: "rifl/eq21/starvation", Source: paper + "Eq. 21, 23", Printed: "no starving", Text: "While it drains and the far end resumes, the user gets a frame in every cycle.",
			Judge: claims.Exactly("0", "cycles"), Expect: claims.Holds, Measure: starvation},
		{ID: "rifl/4.d/overflow/errors", Source: paper + "§4.D", Printed: "no loss", Text: "Errors only delay flow-control notifications, and nothing is lost meanwhile, because data stops in both directions.",
			Note:  "Core profile, a cable of 20 m, both users stall at random. The reason given is not the whole one: a receiver that is in step again sends after 2^S idles, while the far end's pass still goes on and cannot tell it to pause. The core's 16 frames in front of the buffer's memory hold what comes meanwhile.",
			Judge: claims.Exactly("0", "frames"), Expect: claims.Holds, Measure: stalledUsers(with(metres(20)), 2e-5, 40)},
		{ID: "rifl/4.d/overflow/paper", Source: paper + "§4.D, Eq. 20", Printed: "no loss", Text: "The same by the letter of the paper: no idles after an error, and no frames in front.",
			Note:  "Paper profile, 10 m, S = 7.",
			Judge: claims.Exactly("0", "frames"), Expect: claims.Deviates, Recorded: claims.AtLeast("1", "frames"),
			Reason:  "An end that retransmits cannot notify: its pass goes on for twice the loop and the tail of a pass after the far end sends again, which is more than the third of the buffer that Eq. 24 leaves.",
			Measure: stalledUsers(with(profile(Paper), idBits(7)), 2e-5, 40)},
		{ID: "rifl/4.d/overflow/default", Source: paper + "§4.D", Printed: "no loss", Text: "The same at the default cable of 10 m.",
			Judge: claims.Exactly("0", "frames"), Expect: claims.Holds, Measure: stalledUsers(Default(), 2e-5, 40)},
		{ID: "rifl/4.d/overflow/safe", Source: paper + "§4.D", Printed: "no loss", Text: "The same at 20 m in the safe profile, whose buffer has 6 x 2^S frames and pauses the far end at half.",
			Judge: claims.Exactly("0", "frames"), Expect: claims.Holds, Measure: stalledUsers(with(metres(20), profile(Safe)), 2e-5, 40)},
		{ID: "rifl/4.e/compensation", Source: paper + "§4.E", Printed: "no loss", Text: "With clock compensation, ends whose crystals differ lose nothing.",
			Judge: claims.Exactly("0", "words"), Expect: claims.Holds, Measure: crystals(false)},
		{ID: "rifl/4.e/uncompensated", Source: paper + "§4.E", Printed: "overflow", Text: "Without it, the slower end's buffer overflows.",
			Judge: claims.AtLeast("1", "words"), Expect: claims.Holds, Measure: crystals(true)},
	}
}

// flowControl is a buffer with its thresholds.
type flowControl struct {
	flowBuffer
	flowLevel
}

func newFlowControl(p Profile, s int) (f flowControl) {
	f.depth, f.flowLevel = flowSize(p, s)
	return f
}

// flowOff fills a buffer, drains it and finds where it asks to resume.
func flowOff(context.Context, *claims.Run) (claims.Measurement, error) {
	b := newFlowControl(Core, 6)
	for b.push() {
		b.judge(b.len)
	}
	for b.full && b.len > 0 {
		b.pop()
		b.judge(b.len)
	}
	return count(int64(b.len+1), "frames", "drained from %d, the request to resume comes with %d left", b.depth, b.len), nil
}

// flowApart counts the frames between the two requests of a buffer that drains.
func flowApart(context.Context, *claims.Run) (claims.Measurement, error) {
	b := newFlowControl(Core, 6)
	for !b.full {
		b.push()
		b.judge(b.len)
	}
	on := b.len
	for b.full {
		b.pop()
		b.judge(b.len)
	}
	return count(int64(on-b.len), "frames", "pause asked for with %d in use, resume with %d, of %d", on, b.len, b.depth), nil
}

// latencyClaims are of the way through a link.
func latencyClaims() []claims.Claim {
	const note = "The paper does not say what its transceivers take. A beat takes R x ceil((10 + 3R + D) / R) cycles, as in the published core; the printed 110 ns are 48 of them, which over 10 m needs 19.2 to 28.3 ns of transceivers. 25 ns here; with less it is 100.6 ns, with more 118.9."
	return []claims.Claim{
		{ID: "rifl/latency/256", Source: paper + "abstract, Fig. 8(d)", Printed: "110 ns", Text: "Point-to-point latency over 10 m at 28 Gb/s a lane is 110 ns.", Note: note,
			Judge: claims.Within("110", "1%", "ns"), Expect: claims.Holds, Measure: oneWay(with(lanes(4)))},
		{ID: "rifl/latency/logic", Source: paper + "abstract", Printed: "110 ns", Text: "Logic and the clocks' phases take less than half of that.",
			Note:  "Without transceivers and cable: counted between registers, no assumption in it.",
			Judge: claims.AtMost("55", "ns"), Expect: claims.Holds, Measure: logicOnly(Default())},
		{ID: "rifl/latency/fig9", Source: paper + "§6.C", Printed: "107 ns", Text: "At BER of 1e-7 and better the average latency is within 107 ns.", Note: note + " Judged to 3 %, a third of a frame.",
			Judge: claims.Within("107", "3%", "ns"), Expect: claims.Holds,
			Measure: sweepAt(1e-8, 200, func(p SweepPoint) claims.Measurement { return figure(p.Mean, "ns", "mean of all frames") })},
		{ID: "rifl/latency/512", Source: paper + "Fig. 8(d)", Printed: "more than RIFL256", Text: "With frames of 512 bits latency is higher than with 256.", Note: note + " Printed as a curve only; here two frames of 512 bits more or less do not matter.",
			Judge: claims.AtLeast("111", "ns"), Expect: claims.Holds, Measure: oneWay(with(frameBits(512)))},
		{ID: "rifl/latency/length", Source: paper + "§2.B", Printed: "circuit + cable", Text: "Latency grows with the cable and with nothing else: a frame cycle for each that the line is longer, rounded up.", Note: note,
			Judge: claims.Shape("ceil((10 + 3R + D) / R) frame cycles at every length", "cycles", func(m claims.Measurement) bool {
				for i, length := range []float64{1, 3, 10, 30, 100, 300, 500} {
					for k, f := range []int{256, 512} {
						words := float64(f / 64)
						line := (Default().Transceivers + nsPerMetre*length) / with(frameBits(f)).FrameNs() * words
						want := new(big.Rat).SetFloat64(math.Ceil((10 + 3*words + math.Floor(line)) / words)) // D in whole cycles
						if r := m.Rows[k*7+i]; r.Exact == nil || r.Exact.Cmp(want) != 0 {
							return false
						}
					}
				}
				return true
			}), Expect: claims.Holds, Measure: byLength},
		{ID: "rifl/eq4/cable", Source: paper + "Eq. 4", Printed: "L / C", Text: "A metre of cable adds L / C.",
			Judge: claims.Exactly("3.34", "ns/m"), Expect: claims.Holds, Measure: cable(10, 100)},
		{ID: "rifl/eq2/round-trip", Source: paper + "Eq. 2, 3", Printed: "2 x (circuit + cable)", Text: "The round trip is twice circuits and cable: 226.8 ns for 80 ns of circuits and 10 m.",
			Note:  "The figure is the core's sizing rule; the link's own is a whole number of frame cycles.",
			Judge: claims.Within("226.8", "5%", "ns"), Expect: claims.Holds, Measure: roundTrip},
	}
}

// retransmissionClaims are of §4.C.
func retransmissionClaims() []claims.Claim {
	const c = paper + "§4.C"
	return []claims.Claim{
		{ID: "rifl/4.c/pass/paper", Source: c, Printed: "2.5 x 2^S", Text: "A retransmission takes 2.5 x 2^S frames: 160 with S = 6.",
			Judge: claims.Exactly("160", "frames"), Expect: claims.Holds, Measure: passLength(with(profile(Paper)))},
		{ID: "rifl/4.c/pass/core", Source: c, Printed: "2.5 x 2^S", Text: "It does in the published core.",
			Judge: claims.Exactly("160", "frames"), Expect: claims.Deviates, Recorded: claims.Exactly("161", "frames"),
			Reason: "The core's counter stops at 2.5 x 2^S, not one below: a control frame more.", Measure: passLength(Default())},
		{ID: "rifl/4.c/pass/core/7", Source: c, Printed: "2.5 x 2^S", Text: "It does with S = 7: 320 frames.", Note: "Core profile.",
			Judge: claims.Exactly("320", "frames"), Expect: claims.Deviates, Recorded: claims.Exactly("321", "frames"),
			Reason: "The core's counter stops at 2.5 x 2^S, not one below: a control frame more.", Measure: passLength(with(idBits(7)))},
		{ID: "rifl/4.c/codes", Source: c, Printed: "16", Text: "A receiver wants 16 frames in order before it delivers the one that it lost.",
			Judge: claims.Exactly("16", "codes"), Expect: claims.Holds, Measure: codesToTrust},
		{ID: "rifl/4.c/noise/pass", Source: c, Printed: "1 / (2^12)^16", Text: "White noise is never taken for the missing frame.",
			Judge: claims.Exactly("0", "frames"), Expect: claims.Holds, Measure: noiseAccepted(true)},
		{ID: "rifl/4.c/noise/onset", Source: c, Printed: "1 / (2^12)^16", Text: "White noise is never taken for a frame.",
			Note:  "The first frame of noise, for a receiver that misses nothing.",
			Judge: claims.Exactly("0", "frames"), Expect: claims.Deviates, Recorded: claims.Within("61", "50%", "frames"),
			Reason:  "The 16 codes protect a receiver that misses a frame already. The first frame of noise has to pass one code and one SYN: a chance of 2^-14.",
			Measure: noiseAccepted(false)},
	}
}

// losslessClaims are of what gets through.
func losslessClaims() []claims.Claim {
	const all = paper + "§2.E, §6.E"
	return []claims.Claim{
		{ID: "rifl/lossless/default", Source: all, Printed: "lossless", Text: "No frame is lost, repeated or out of order whatever the bit errors.", Note: "Core profile, 10 m, S = 6.",
			Judge: claims.Exactly("0", "frames"), Expect: claims.Holds, Measure: staleFrames(Default(), 2e-5, 40_000, 20)},
		{ID: "rifl/lossless/eq13", Source: paper + "Eq. 13", Printed: "2^S >= frames of a round trip", Text: "IDs that cover a round trip are enough to lose nothing.",
			Note:  "Core profile, 80 m, where the core itself takes S = 7: a round trip of 76 frames.",
			Judge: claims.Exactly("0", "frames"), Expect: claims.Deviates, Recorded: claims.AtLeast("1000", "frames"),
			Reason:  "A pass that was not needed follows when the loop is longer than the tail of a pass, 2^(S-1) + 3 frames; its first frame is 2^S old, has the ID that is due, and is delivered as new. So are all frames after it.",
			Measure: staleFrames(with(metres(80)), 2e-5, 20_000, 8)},
		{ID: "rifl/lossless/eq13/paper-profile", Source: paper + "Eq. 13", Printed: "2^S >= frames of a round trip", Text: "The same by the letter of the paper, at 10 m with S = 6.",
			Note:  "Paper profile: a sender goes on with data at once, without the core's idles.",
			Judge: claims.Exactly("0", "frames"), Expect: claims.Deviates, Recorded: claims.AtLeast("1000", "frames"),
			Reason:  "Data frames take a request back only after 17 of them, where one idle would, so the tail of a pass is 16 frames shorter than the core's: the loop of 22 frames is too long.",
			Measure: staleFrames(with(profile(Paper)), 2e-5, 20_000, 8)},
		{ID: "rifl/lossless/limit/6", Source: paper + "Eq. 13", Printed: "no limit but IDs", Text: "With S = 6, a loop of 35 frames and less is sound: the longest cable of the core's profile.",
			Note:  "Core profile. The line is lengthened by whole frames.",
			Judge: claims.Exactly("0", "frames"), Expect: claims.Holds, Measure: staleFrames(longest(Core, 6, 0), 2e-5, 20_000, 8)},
		{ID: "rifl/lossless/limit/6/beyond", Source: paper + "Eq. 13", Printed: "no limit but IDs", Text: "So is the next longer one.",
			Judge: claims.Exactly("0", "frames"), Expect: claims.Deviates, Recorded: claims.AtLeast("1000", "frames"),
			Reason:  "The loop of 36 frames is longer than 2^(S-1) + 3 = 35.",
			Measure: staleFrames(longest(Core, 6, 1), 2e-5, 20_000, 8)},
		{ID: "rifl/lossless/limit/7", Source: paper + "Eq. 13", Printed: "no limit but IDs", Text: "With S = 7, a loop of 67 frames and less is sound.",
			Judge: claims.Exactly("0", "frames"), Expect: claims.Holds, Measure: staleFrames(longest(Core, 7, 0), 1e-5, 40_000, 8)},
		{ID: "rifl/lossless/limit/7/beyond", Source: paper + "Eq. 13", Printed: "no limit but IDs", Text: "So is the next longer one.",
			Judge: claims.Exactly("0", "frames"), Expect: claims.Deviates, Recorded: claims.AtLeast("1000", "frames"),
			Reason:  "The loop of 68 frames is longer than 2^(S-1) + 3 = 67.",
			Measure: staleFrames(longest(Core, 7, 1), 2e-5, 20_000, 8)},
		{ID: "rifl/lossless/safe", Source: all, Printed: "lossless", Text: "The safe profile loses nothing at any length that the core's sizing rule admits.", Note: "80 m, S = 7, where the core's profile fails.",
			Judge: claims.Exactly("0", "frames"), Expect: claims.Holds, Measure: staleFrames(with(metres(80), profile(Safe)), 1e-5, 40_000, 8)},
		{ID: "rifl/lossless/pulled", Source: all, Printed: "lossless", Text: "Alignment that is lost and found again loses nothing.", Note: "Core profile, 10 m; a request is forgotten while the receiver is not aligned.",
			Judge: claims.Exactly("0", "frames"), Expect: claims.Holds, Measure: pulledCables(Default(), 30)},
		{ID: "rifl/lossless/codeword", Source: all, Printed: "lossless", Text: "No error whatever gets through.", Note: "Core profile; four flips that make a code word of the CRC.",
			Judge: claims.Exactly("0", "frames"), Expect: claims.Deviates, Recorded: claims.AtLeast("1", "frames"),
			Reason: "A 12-bit code has patterns that it does not see; Table 5 reckons with them. Near the end of a frame they also reach the next one, through the descrambler.", Measure: codeword(Default())},
		{ID: "rifl/lossless/codeword/2048", Source: all, Printed: "lossless", Text: "No error of two bits gets through at 2048 bits a frame.",
			Judge: claims.Exactly("0", "frames"), Expect: claims.Deviates, Recorded: claims.AtLeast("1", "frames"),
			Reason: "The published polynomial has distance 2 there.", Measure: codeword(with(frameBits(2048)))},
	}
}

// longest returns the link of the profile and ID whose loop is the longest that is sound, or more frames longer than that.
func longest(p Profile, s, more int) Config {
	c := with(profile(p), idBits(s), metres(0))
	for d := 4; ; d++ {
		next := c
		next.Transceivers = (float64(d) - 2.6) * c.FrameNs()
		if next.Sound() != nil {
			c.Transceivers += float64(more) * c.FrameNs()
			return c
		}
		c = next
	}
}

// performanceClaims are of §6.
func performanceClaims() []claims.Claim {
	const f8, f9, t5 = paper + "Fig. 8", paper + "Fig. 9", paper + "Table 5"
	every := func(id string, laneCount, width int) claims.Claim {
		return claims.Claim{ID: "rifl/fig8/efficiency/" + id, Source: f8, Printed: "n / (ceil(n/p) q)", Text: "Every payload of 1 to 8192 bytes takes whole user flits, and nothing else.",
			Note:  fmt.Sprintf("%d lanes of 256 bits bonded, user beats of %d bytes.", laneCount, width),
			Judge: claims.Exactly("8192", "sizes"), Expect: claims.Holds, Measure: everySize(laneCount, width)}
	}
	return []claims.Claim{
		every("32", 1, 32), every("64", 2, 64), every("128", 4, 128),
		{ID: "rifl/fig8/ranking", Source: f8, Printed: "CMAC, RIFL512, RIFL256, Interlaken", Text: "By bandwidth efficiency the order is CMAC, RIFL512, RIFL256, Interlaken.",
			Note: "The peers by the framing rules of their standards; Aurora is not in the paper's order.",
			Judge: claims.Shape("the first four rows fall", "%", func(m claims.Measurement) bool {
				for i := 1; i < 4; i++ {
					if m.Rows[i].Value >= m.Rows[i-1].Value {
						return false
					}
				}
				return true
			}), Expect: claims.Holds, Measure: ranking},
		{ID: "rifl/fig9/ratio/1e-7", Source: f9, Printed: "96.3 %", Text: "At a BER of 1e-7 the bandwidth is 96.3 % of that without errors.",
			Judge: claims.Within("96.3", "0.7", "%"), Expect: claims.Holds, Measure: sweepAt(1e-7, 600, ratio)},
		{ID: "rifl/fig9/ratio/5.6e-10", Source: f9, Printed: "starts to drop", Text: "At 5.6e-10 the bandwidth just begins to drop.",
			Judge: claims.Within("99.98", "0.015", "%"), Expect: claims.Holds, Measure: sweepAt(math.Pow(10, -9.25), 2000, ratio)},
		{ID: "rifl/fig9/curve", Source: f9, Printed: "a curve", Text: "Bandwidth falls with the BER, slowly up to 1e-7 and fast beyond.", Note: "100 errors a point or 10 GB, whichever is less.",
			Judge: claims.Shape("never rises, at least 96 up to 1e-7, below 80 at 1e-6", "%", func(m claims.Measurement) bool {
				for i := 1; i < len(m.Rows); i++ {
					if m.Rows[i].Value > m.Rows[i-1].Value+0.3 {
						return false
					}
				}
				return m.Value >= 96 && m.Rows[24].Value < 80
			}), Expect: claims.Holds, Measure: curve},
		{ID: "rifl/fig9/p99/1e-7", Source: f9, Printed: "107 ns", Text: "Up to 1e-7 the 99th percentile of latency is that of a link without errors.", Note: "110 ns here: see rifl/latency.",
			Judge: claims.AtMost("110", "ns"), Expect: claims.Holds,
			Measure: sweepAt(1e-7, 400, func(p SweepPoint) claims.Measurement { return figure(p.P99, "ns", "of all frames") })},
		{ID: "rifl/fig9/p99.9/1e-7", Source: f9, Printed: "107 ns", Text: "So is the 99.9th percentile.",
			Judge: claims.AtMost("110", "ns"), Expect: claims.Deviates, Recorded: claims.Within("1190", "5%", "ns"),
			Reason:  "An error holds up what is under way on the loop, some 30 frames on each of the four bonded lanes, for up to a pass: at 1e-7 that is 0.3 % of all frames. The published core itself has 1216 to 1220 ns, and a user that sends one flit in 1009 cycles meets the same.",
			Measure: sweepAt(1e-7, 400, func(p SweepPoint) claims.Measurement { return figure(p.P999, "ns", "of all frames") })},
		{ID: "rifl/fig9/latency/1.7e-6", Source: f9, Printed: "1.7e-6", Text: "Latency has not begun to rise below 1.7e-6.", Note: "Mean of all frames.",
			Judge: claims.AtMost("112", "ns"), Expect: claims.Deviates, Recorded: claims.Within("142", "5%", "ns"),
			Reason:  "At 1e-6 the frames held up by retransmissions are 3 % of all and wait about a pass: the mean rises from 1e-7 on.",
			Measure: sweepAt(1e-6, 500, func(p SweepPoint) claims.Measurement { return figure(p.Mean, "ns", "mean of all frames") })},
		{ID: "rifl/eq8/efficiency", Source: paper + "Eq. 8", Printed: "(1 - header / frame) (1 - N FER)", Text: "Efficiency under errors is what the frames of a stall and the frame error ratio make of it.",
			Note:  "One lane. The equation counts errors one by one; at 3e-7 some fall into the stall of another.",
			Judge: claims.AtMost("0.5", "%"), Expect: claims.Holds, Measure: byEquation},
		{ID: "rifl/eq9/fer", Source: paper + "Eq. 9", Printed: "1 - (1 - BER)^F", Text: "The share of frames hit is what the equation gives.",
			Judge: claims.Within("1", "2%", ""), Expect: claims.Holds, Measure: frameErrors(1e-4)},
		{ID: "rifl/table5/mtbf/mean", Source: t5 + ", Eq. 26", Printed: "1.88e7 years", Text: "At a BER of 1e-7 the MTBF is 1.88e7 years.", Note: "Read as a mean time.",
			Judge: claims.Within("1.88", "2%", "x 10^7 years"), Expect: claims.Holds, Measure: mtbf(true)},
		{ID: "rifl/table5/mtbf/1-percent", Source: t5 + ", Eq. 26", Printed: "1.88e7 years", Text: "The same, read as §3.B defines MTBF: the time to a chance of failure of 1 %.",
			Judge: claims.Within("1.88", "2%", "x 10^7 years"), Expect: claims.Deviates, Recorded: claims.Within("0.0189", "2%", "x 10^7 years"),
			Reason:  "The printed figure is the mean time; the equation as printed gives a hundredth of it, 1.89e5 years. By the exact count of rifl/eq15/share both are half that.",
			Measure: mtbf(false)},
		{ID: "rifl/table4/resources", Source: paper + "Table 4", Printed: "LUTs, FFs, BRAMs", Text: "RIFL takes the LUTs, flip-flops and block RAMs of an FPGA that Table 4 lists.",
			Expect: claims.NotModelled, Reason: "The model has no synthesis."},
	}
}
