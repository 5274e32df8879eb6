package study

import (
	"github.com/goldwire/goldwire/claims"
)

// layoutClaims are Appendix C.
func layoutClaims() []claims.Claim {
	const processors, width = 32, 8*80 + 8*96 // Table 1, §5.3: eight keys of 80 bits there, eight results of 96 bits back
	return []claims.Claim{
		{
			ID: "drmt/c/tracks", Source: "dRMT Appendix C, Figure 15", Printed: "(32 x 1408)/4",
			Text: "In a shuffle of 32 buses of 1408 wires about a quarter of all wires lie side by side on their way to " +
				"the right.",
			Judge: claims.Within("11264", "5%", "tracks"), Expect: claims.Holds,
			Note: "The most wires to the right over any point, wire b of processor p going from place 1408 p + b to 32 b + p.",
			Measure: claims.Fixed(func() (m claims.Measurement, err error) {
				n := tracks(processors, width)
				return claims.Count(n, "tracks", "of %d wires", processors*width), nil
			}),
		},
		{
			ID: "drmt/c/height", Source: "dRMT Appendix C", Printed: "1408 microns",
			Text:  "At 16 wires a micron, both directions together make a shuffle 1408 microns high.",
			Judge: claims.Within("1408", "5%", "um"), Expect: claims.Holds,
			Measure: claims.Fixed(func() (m claims.Measurement, err error) {
				return claims.Measurement{
					Value: 2 * float64(tracks(processors, width)) / 16, Unit: "um",
					Detail: "both directions' tracks at 16 a micron",
				}, nil
			}),
		},
		{
			ID: "drmt/c/width", Source: "dRMT Appendix C, §5.3", Printed: "1408 bits",
			Text:  "Keys and results of a processor are 1408 bits together.",
			Judge: claims.Exactly("1408", "bits"), Expect: claims.Deviates, Recorded: claims.Exactly("1488", "bits"),
			Reason: "The instruction pointers are left out: a result is 96 bits of data and a pointer of 10 bits (§5.1, " +
				"§5.3), so eight of them are 848 bits, not 768.",
			Measure: claims.Fixed(func() (m claims.Measurement, err error) {
				return claims.Count(8*80+8*(96+10), "bits", "eight key segments of 80 bits, eight results of 96 and 10"), nil
			}),
		},
	}
}

// tracks counts, in the shuffle of Figure 15, the wires from left to right over the point that most of them pass.
func tracks(processors, width int) int {
	change := make([]int, processors*width+1)
	for p := range processors {
		for b := range width {
			if from, to := p*width+b, b*processors+p; to > from {
				change[from]++
				change[to]--
			}
		}
	}
	most, now := 0, 0
	for _, c := range change {
		now += c
		most = max(most, now)
	}
	return most
}
