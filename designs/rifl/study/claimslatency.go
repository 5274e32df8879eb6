package study

import (
	"math"
	"math/big"

	"github.com/goldwire/goldwire/claims"

	"github.com/goldwire/goldwire/designs/rifl"
)

// latencyClaims are of the way through a link.
func latencyClaims() []claims.Claim {
	const note = "The paper does not say what its transceivers take. A beat takes R x ceil((10 + 3R + D) / R) cycles, " +
		"as in the published core; the printed 110 ns are 48 of them, which over 10 m needs 19.2 to 28.3 ns of " +
		"transceivers. 25 ns here; with less it is 100.6 ns, with more 118.9: see rifl/latency/transceivers."
	const grid = "A beat takes whole frame cycles: 100.6, 109.7 or 118.9 ns (rifl/latency/transceivers), and 107 is " +
		"none of them. A mean of 107 would be one over bring-ups that differ in the phase of their clocks; on one link no " +
		"transceiver delay gives it."
	return []claims.Claim{
		{
			ID: "rifl/latency/256", Source: paper + "abstract, Fig. 8(d)", Printed: "110 ns",
			Text:   "Point-to-point latency over 10 m at 28 Gb/s a lane is 110 ns.",
			Expect: claims.Given, Reason: "The delay of the transceivers is chosen so that it is 109.7 ns. " + note,
		},
		{
			ID: "rifl/latency/transceivers", Source: paper + "abstract", Printed: "110 ns",
			Text: "There are transceivers with which the printed 110 ns come out over 10 m.",
			Note: "One row for each delay D of line and transceivers in whole transceiver cycles, measured. The figure is " +
				"how many of them give 110 ns.",
			Judge: claims.Shape(
				"R ceil((10 + 3R + D) / R) transceiver cycles at every delay, 110 ns at four of them",
				"delays",
				func(m claims.Measurement) bool {
					const words = 4
					for _, r := range m.Rows {
						cycles := words * int64(math.Ceil((10+3*words+r.At)/words))
						if r.Exact.Cmp(big.NewRat(cycles*16, 7)) != 0 { // 64 bits at 28 Gb/s are 16/7 ns
							return false
						}
					}
					return m.Exact.Cmp(big.NewRat(4, 1)) == 0
				},
			),
			Expect:  claims.Holds,
			Measure: claims.Fixed(transceiverRange),
		},
		{
			ID: "rifl/latency/fig9", Source: paper + "§6.C", Printed: "107 ns",
			Text:  "At a BER of 1e-8 the average latency is within 107 ns.",
			Note:  note,
			Judge: claims.AtMost("107", "ns"), Expect: claims.Deviates, Recorded: claims.Within("110", "0.4", "ns"),
			Reason:  grid,
			Measure: sweepAt(1e-8, fig9Errors, meanLatency),
		},
		{
			ID: "rifl/latency/512", Source: paper + "Fig. 8(d)", Printed: "RIFL256, RIFL512",
			Text: "With frames of 512 bits latency is higher than with 256.",
			Note: note + " At Figure 8's 25.78 Gb/s a lane.",
			Judge: claims.Shape("the second row above the first", "ns", func(m claims.Measurement) bool {
				return m.Rows[1].Exact.Cmp(m.Rows[0].Exact) > 0
			}),
			Expect:  claims.Holds,
			Measure: byFrameSize(),
		},
		{
			ID: "rifl/latency/peers", Source: paper + "Fig. 8(d)", Printed: "RIFL256, RIFL512, Aurora, CMAC, Interlaken",
			Text: "By latency the order is RIFL256, RIFL512, Aurora, CMAC, Interlaken.", Expect: claims.NotModelled,
			Reason: "The peers are closed cores, of which the paper itself says that it does not know what forms their " +
				"latency. Their framing is public, and rifl/fig8/ranking goes by it; no latency follows from it.",
		},
		{
			ID: "rifl/latency/length", Source: paper + "§2.B", Printed: "circuit + cable",
			Text: "Latency grows with the cable and with nothing else: a frame cycle for each that the line is longer, " +
				"rounded up.",
			Note: note,
			Judge: claims.Shape(
				"ceil((10 + 3R + D) / R) frame cycles at every length",
				"cycles",
				func(m claims.Measurement) bool {
					for i, length := range lengths {
						for k, f := range []int{256, 512} {
							words := float64(f / 64)
							line := (rifl.Default().Transceivers + rifl.NsPerMetre*length) / with(frameBits(f)).FrameNs() * words
							want := new(big.Rat).SetFloat64(math.Ceil((10 + 3*words + math.Floor(line)) / words)) // D in whole cycles
							if r := m.Rows[k*len(lengths)+i]; r.Exact == nil || r.Exact.Cmp(want) != 0 {
								return false
							}
						}
					}
					return true
				},
			),
			Expect:  claims.Holds,
			Measure: byLength(),
		},
		{ID: "rifl/eq4/cable", Source: paper + "Eq. 4", Printed: "L / C", Text: "A metre of cable adds L / C.",
			Expect: claims.Given, Reason: "The delay of a metre is a parameter, 3.34 ns as in the published core's sizing " +
				"rule; the line is made as long as it says."},
		{
			ID: "rifl/eq2/round-trip", Source: paper + "Eq. 2, 3", Printed: "2 x (circuit + cable)",
			Text: "The round trip is twice circuits and cable.", Expect: claims.Given,
			Reason: "Config.RoundTrip, from which S follows, is this equation with the published core's 80 ns of circuits.",
		},
	}
}
