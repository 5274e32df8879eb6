package study

import (
	"fmt"

	"github.com/goldwire/goldwire/claims"
)

// allClaims returns what RIFL's paper says in figures, each measured on running parts or modules.
func allClaims() []claims.Claim {
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
	const t1 = paper + "Table 1"
	list := []claims.Claim{
		{ID: "rifl/table1/none", Source: t1, Printed: "00", Text: "A frame without valid bytes has meta code 00.",
			Judge: claims.Exactly("0", ""), Expect: claims.Holds, Measure: tableRow(0, false)},
		{
			ID: "rifl/table1/all", Source: t1, Printed: "01",
			Text: "A full frame with more of its packet to come has meta code 01.", Judge: claims.Exactly("1", ""),
			Expect: claims.Holds, Measure: tableRow(30, false),
		},
		{
			ID: "rifl/table1/partial", Source: t1, Printed: "10",
			Text:  "The end of a packet in part of a frame has meta code 10, the last byte being the format code.",
			Judge: claims.Exactly("2", ""), Expect: claims.Holds, Measure: tableRow(17, true),
		},
		{ID: "rifl/table1/end", Source: t1, Printed: "11", Text: "The end of a packet in a full frame has meta code 11.",
			Judge: claims.Exactly("3", ""), Expect: claims.Holds, Measure: tableRow(30, true)},
	}
	for i, share := range []string{"87.5", "93.75", "96.875", "98.4375", "99.21875"} {
		f := frameSizes[i]
		list = append(list, claims.Claim{
			ID: fmt.Sprintf("rifl/eq11/efficiency/%d", f), Source: paper + "Eq. 11",
			Printed: "1 - (S_verification + 4) / S_DFrame",
			Text: fmt.Sprintf(
				"With 12 bits of verification code, %s %% of a line of %d-bit frames is payload.", share, f,
			),
			Judge: claims.Exactly(share, "%"), Expect: claims.Holds, Measure: claims.Fixed(func() (claims.Measurement, error) {
				return payloadShare(f)
			}),
		})
	}
	list = append(list, sizeOfFieldClaims()...)
	return append(list,
		claims.Claim{ID: "rifl/3.b/distance/2048", Source: paper + "§3.B, Eq. 15",
			Printed: "a Hamming distance of four",
			Text:    "The code sees all errors of up to three bits at every frame size.",
			Note:    "The number of bit pairs in a frame of 2048 bits whose flips the published polynomial does not see.",
			Judge:   claims.Exactly("0", "pairs"), Expect: claims.Deviates, Recorded: claims.AtLeast("1", "pairs"),
			Reason: "x comes round after fewer than 2048 bits modulo the polynomial of the published core, so bits that far " +
				"apart have the same syndrome: distance 2. Up to 1024 bits a frame it is 4.",
			Measure: claims.Fixed(pairsAt2048)},
		claims.Claim{ID: "rifl/eq15/share", Source: paper + "Eq. 15", Printed: "1 / 2^m",
			Text: "Of the errors above the code's distance, one of 2^m is not seen.",
			Note: "All patterns of four flips in 256 bits, counted exactly. Judged to 0.5 %, as the figures of Table 5, " +
				"which rest on it, have three digits.",
			Judge: claims.Within("1", "0.5%", "x 2^-12"), Expect: claims.Deviates,
			Recorded: claims.Exactly("238208/118745", "x 2^-12"),
			Reason: "x+1 divides the polynomial: errors of odd weight are always seen, so those of even weight escape twice " +
				"as often, and four flips are by far the most likely ones.",
			Measure: undetectedQuads(256)},
	)
}

// sizeOfFieldClaims are of the sizes that §3.A and §3.B choose. The numbers of Tables 2 and 3 are not in the paper's
// text; the choices that follow from them are.
func sizeOfFieldClaims() []claims.Claim {
	const a, b = paper + "§3.A", paper + "§3.B"
	return []claims.Claim{
		{
			ID: "rifl/3.a/crc/8", Source: a, Printed: "119 bits",
			Text:  "CRC codes of 8 bits with a Hamming distance of four protect at most 119 bits.",
			Judge: claims.Exactly("119", "bits"), Expect: claims.Holds, Measure: protects(8),
		},
		{
			ID: "rifl/3.a/crc/16", Source: a, Printed: "32,751 bits",
			Text:  "CRC codes of 16 bits with a Hamming distance of four protect at most 32,751 bits.",
			Judge: claims.Exactly("32751", "bits"), Expect: claims.Holds, Measure: protects(16),
		},
		{
			ID: "rifl/3.b/verification", Source: b + ", Table 3", Printed: "should always be 12 bits",
			Text: "A verification code for frames of 256 to 2048 bits takes 12 bits.",
			Note: "100 Gb/s, a round trip of 500 ns and a BER of 1e-7: the longer one of ID and checksum (Equations 13 to " +
				"16), up to 4 modulo 8 (Equation 19). The rows have what Table 2 does, whose numbers the text lacks.",
			Judge: claims.Shape("12 at every size", "bits", func(m claims.Measurement) bool {
				for _, r := range m.Rows {
					if r.Kind == claims.Variant && r.Value != 12 {
						return false
					}
				}
				return m.Value == 12
			}),
			Expect: claims.Holds, Measure: claims.Fixed(verificationBits),
		},
		{
			ID: "rifl/3.b/sizes", Source: b, Printed: "256, 512, 1024, and 2048 bits",
			Text:  "The least frame of which 90 % is payload has 256 bits.",
			Judge: claims.Exactly("256", "bits"), Expect: claims.Holds, Measure: claims.Fixed(leastFrame),
		},
		{
			ID: "rifl/3.b/lifetime", Source: b + ", Eq. 14", Printed: "at least 100 years",
			Text:  "At a BER of 1e-7 a failure has a chance of 1 % after no less than 100 years.",
			Judge: claims.AtLeast("100", "years"), Expect: claims.Holds, Measure: mtbf(1e-7, 1, "years", false),
		},
	}
}

// pairsAt2048 counts the pairs of bits of a frame of 2048 whose flips no receiver sees.
func pairsAt2048() (m claims.Measurement, err error) {
	p := undetectedPairs(2048)
	if len(p) == 0 {
		return claims.Count(0, "pairs", "none of 2048 x 2047 / 2"), nil
	}
	return claims.Count(len(p), "pairs", "of 2048 x 2047 / 2; the first are the bits %v", p[0]), nil
}
