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
	const t1, t2, t3 = paper + "Table 1", paper + "Table 2", paper + "Table 3"
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
	ids, sums := []int{9, 8, 7, 6, 5}, []int{8, 9, 10, 11, 12}
	shares := []string{"87.5", "93.75", "96.875", "98.4375", "99.21875"}
	for i, f := range frameSizes {
		list = append(
			list,
			claims.Claim{
				ID: fmt.Sprintf("rifl/table2/id/%d", f), Source: t2 + ", Eq. 13", Printed: "recomputed: " + fmt.Sprint(ids[i]),
				Text: fmt.Sprintf(
					"At 100 Gb/s and a round trip of 500 ns, frames of %d bits need at least %d bits of ID.", f, ids[i],
				),
				Judge: claims.Exactly(fmt.Sprint(ids[i]), "bits"), Expect: claims.Holds,
				Measure: perSize(
					i, func(f int) int { return leastID(100e9, 500e-9, f) }, "least S with 2^S frames in a round trip",
				),
			},
			claims.Claim{
				ID: fmt.Sprintf("rifl/table2/checksum/%d", f), Source: t2 + ", Eq. 14 to 16",
				Printed: "recomputed: " + fmt.Sprint(sums[i]),
				Text: fmt.Sprintf(
					"Frames of %d bits need a checksum of at least %d bits for an MTBF of 100 years at a BER of 1e-7.", f,
					sums[i],
				),
				Note: "Hamming distance 4 over the payload, found by trying all generators; the table itself is recomputed, " +
					"the text has lost it.",
				Judge: claims.Exactly(fmt.Sprint(sums[i]), "bits"), Expect: claims.Holds,
				Measure: perSize(i, func(f int) int { return leastChecksum(f-16, f, 100e9) }, "least CRC width"),
			},
			claims.Claim{
				ID: fmt.Sprintf("rifl/table3/efficiency/%d", f), Source: t3 + ", Eq. 11",
				Printed: "recomputed: " + shares[i] + " %",
				Text: fmt.Sprintf(
					"With 12 bits of verification code, %s %% of a line of %d-bit frames is payload.", shares[i], f,
				),
				Judge: claims.Exactly(shares[i], "%"), Expect: claims.Holds,
				Measure: payloadShare(f),
			},
		)
	}
	return append(list,
		claims.Claim{ID: "rifl/3.b/distance/2048", Source: paper + "§3.B, Eq. 15", Printed: "recomputed: n = 3",
			Text:  "The code sees all errors of up to three bits at every frame size.",
			Note:  "The number of bit pairs in a frame of 2048 bits whose flips the published polynomial does not see.",
			Judge: claims.Exactly("0", "pairs"), Expect: claims.Deviates, Recorded: claims.AtLeast("1", "pairs"),
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

// pairsAt2048 counts the pairs of bits of a frame of 2048 whose flips no receiver sees.
func pairsAt2048() (m claims.Measurement, err error) {
	p := undetectedPairs(2048)
	if len(p) == 0 {
		return claims.Count(0, "pairs", "none of 2048 x 2047 / 2"), nil
	}
	return claims.Count(len(p), "pairs", "of 2048 x 2047 / 2; the first are the bits %v", p[0]), nil
}
