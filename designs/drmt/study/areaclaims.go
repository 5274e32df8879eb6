package study

import (
	"fmt"
	"math"

	"github.com/goldwire/goldwire/claims"
)

// areaClaims are Tables 4 to 7: the figures of the paper's synthesis are given, sums of them are reckoned again and
// compared with the printed sums.
func areaClaims() []claims.Claim {
	const synthesis = "A figure of the paper's synthesis at 16 nm and 1.2 GHz, which nothing here repeats: "
	var list []claims.Claim
	given := func(id, source, printed, text, parameter string) {
		list = append(
			list,
			claims.Claim{
				ID: id, Source: source, Printed: printed, Text: text, Expect: claims.Given, Reason: synthesis + parameter,
			},
		)
	}
	const table4 = "mm2 of gates of a 32 x 32 crossbar of eight segments, unit, segment and full."
	given("drmt/table4/one-to-one", "dRMT Table 4", "0.544, 0.561, 4.448", "Gates of a one-to-one crossbar.", table4)
	given("drmt/table4/one-to-many", "dRMT Table 4", "0.561, 0.576, 4.464", "Gates of a one-to-many crossbar.", table4)
	const table5 = "mm2 of a processor of RMT, dRMT at IPC 1, dRMT at IPC 2, as `goldwire run drmt area` takes them."
	for _, c := range []struct{ id, printed, text string }{
		{"match-key-configuration", "0.007, 0.004, 0.005", "Area of the match key configuration register."},
		{"match-key-crossbar", "0.098, 0.049, 0.071", "Area of the match key crossbar."},
		{"packet-header-vectors", "0.110, 0.326, 0.470", "Area of the packet header vectors."},
		{"scratch-pad", "N/A, 0.051, 0.051", "Area of the scratch pad."},
		{"action-input-selector", "0.486, 0.171, 0.315", "Area of the action input selector."},
		{"alus", "0.170, 0.071, 0.071", "Area of the ALUs."},
		{"action-output-selector", "N/A, 0.048, 0.048", "Area of the action output selector."},
		{"vliw-instruction-table", "0.372, 0.336, 0.336", "Area of the VLIW instruction table."},
	} {
		given("drmt/table5/"+c.id, "dRMT Table 5", c.printed, c.text, table5)
	}
	given(
		"drmt/table6/crossbar",
		"dRMT Table 6",
		"0.857, 1.254, 1.740",
		"Area of the crossbar with 32 memory clusters for 16, 24 and 32 processors, wires included.",
		"mm2, as `goldwire run drmt area` takes them.",
	)
	given(
		"drmt/table7/power",
		"dRMT Table 7",
		"0.88, 1.31, 1.75",
		"Power of the crossbar with 32 memory clusters for 16, 24 and 32 processors.",
		"W, as `goldwire run drmt area` takes them.",
	)
	return append(list, areaSums()...)
}

// reckoned is a claim about a sum of given figures. It is rounded to the ten thousandth, beyond which it has no digits.
func reckoned(id, source, printed, text string, judge claims.Judge, unit string, sum float64, how string) claims.Claim {
	return claims.Claim{
		ID: id, Source: source, Printed: printed,
		Text:  text,
		Judge: judge, Expect: claims.Holds,
		Note: "Recomputed from printed figures.",
		Measure: claims.Fixed(func() (m claims.Measurement, err error) {
			return claims.Measurement{Value: math.Round(1e4*sum) / 1e4, Unit: unit, Detail: how}, nil
		}),
	}
}

// areaSums are the totals of Tables 5 and 6 and what the text of §5.1 and §6 makes of them.
func areaSums() []claims.Claim {
	var list []claims.Claim
	columns := []string{"rmt", "ipc1", "ipc2"}
	for i, printed := range []string{"1.243", "1.056", "1.367"} {
		list = append(
			list,
			reckoned(
				"drmt/table5/total/"+columns[i], "dRMT Table 5", printed, "Area of a processor.",
				claims.Within(printed, "0.0005", "mm2"), "mm2", perProcessor(i), "the sum of the column",
			),
		)
	}
	for _, row := range []struct {
		processors int
		printed    [3]string
	}{
		{16, [3]string{"19.9", "17.7", "22.7"}}, {24, [3]string{"29.9", "26.6", "34.1"}},
		{32, [3]string{"39.8", "35.5", "45.5"}},
	} {
		for i, printed := range row.printed {
			sum, how := float64(row.processors)*perProcessor(i), fmt.Sprintf("%d times a processor", row.processors)
			if i > 0 {
				sum, how = sum+crossbarArea[row.processors], how+" and the crossbar"
			}
			c := reckoned(
				fmt.Sprintf("drmt/table6/%d/%s", row.processors, columns[i]), "dRMT Table 6", printed,
				fmt.Sprintf("Area of %d processors and their interconnect.", row.processors),
				claims.Within(printed, "0.05", "mm2"), "mm2", sum, how,
			)
			switch c.ID {
			case "drmt/table6/24/rmt":
				c.Expect, c.Recorded, c.Reason = claims.Deviates, claims.Within(
					"29.83", "0.005", "mm2",
				), "The unit figures are rounded: 1.2438 to 1.2453 mm2 a stage give all three printed areas, 1.243 does not."
			case "drmt/table6/16/ipc1":
				c.Expect, c.Recorded, c.Reason = claims.Deviates, claims.Within(
					"17.753", "0.005", "mm2",
				), "The unit figures are rounded: 1.0540 to 1.0558 mm2 a processor give all three printed areas, 1.056 does not."
			}
			list = append(list, c)
		}
	}
	return append(
		list,
		reckoned(
			"drmt/6/more-area", "dRMT §1, §6", "about 5 mm2",
			"32 processors of dRMT with their crossbar take about 5 mm2 more than 32 stages of RMT.",
			claims.Within("5", "1", "mm2"), "mm2", 32*(perProcessor(2)-perProcessor(0))+crossbarArea[32],
			"Table 6's last row at IPC 2, less RMT's",
		),
		reckoned(
			"drmt/6/alu-share", "dRMT §6", "42 %", "32 ALUs take 42 % of the area of RMT's 224.",
			claims.Within("42", "0.5", "%"), "%", 100*0.071/0.170, "Table 5's ALUs",
		),
		reckoned(
			"drmt/6/gates", "dRMT §6", "about a third", "About a third of the crossbar's area is gates.",
			claims.Within("33.3", "1", "%"), "%", 100*0.576/1.740,
			"Table 4's one-to-many segment crossbar over Table 6's for 32 processors",
		),
	)
}
