package study

import (
	"fmt"

	"github.com/goldwire/goldwire/claims"
)

// table3 is Table III: the mean throughput of large flows in Gb/s under SPFC and under the others.
var table3 = []struct {
	id, name, control, sizes string
	spfc                     string
	others                   [4]string // of table3Schemes
	fabric                   [2]string // with 8 pods, two seeds of 4 ms: under SPFC and DT, and under ST
}{
	{"w1-dcqcn", "W1", "dcqcn", "websearch", "33.92", [4]string{"26.28", "26.49", "27.44", "26.80"},
		[2]string{"35.21", "34.68"}},
	{"w1-timely", "W1", "timely", "websearch", "26.63", [4]string{"22.63", "22.81", "23.01", "22.85"},
		[2]string{"42.87", "42.74"}},
	{"w2-dcqcn", "W2", "dcqcn", "fbhadoop", "27.65", [4]string{"18.61", "19.91", "21.35", "12.50"},
		[2]string{"27.69", "27.66"}},
	{"w2-timely", "W2", "timely", "fbhadoop", "23.69", [4]string{"13.14", "13.99", "14.19", "10.66"},
		[2]string{"33.12", "31.10"}},
}

var table3Schemes = [4]string{"dt1", "dt2", "dt4", "st"}

// fullUplinks is the load at which the uplinks of a rack in one pod have as much to carry as in the paper's fabric of
// 8 pods at load 0.5: 48 of 63 destinations are in other racks there, 496 of 511 here.
const fullUplinks = printedLoad * (496. / 511) / (48. / 63)

// emptier is why large flows have more throughput here than printed.
const emptier = "A rack's uplinks of 800 Gb/s have 610 to carry in one pod and 776 in 8, and with as much on them " +
	"(the last row) a large flow has less. The network alone does it: but under ST no switch pauses here, and all " +
	"others have this figure."

// table3Claims are the claims of Table III: SPFC against each other scheme, and all cells.
func table3Claims() []claims.Claim {
	var cs []claims.Claim
	for _, row := range table3 {
		cell := func(scheme, printed string) claims.Claim {
			v, fabric := number(printed), row.fabric[0]
			if scheme == "st" {
				fabric = row.fabric[1]
			}
			return claims.Claim{ID: "spfc/table3/" + row.id + "/cell/" + scheme, Source: paper + "Table III",
				Printed: printed + " Gb/s",
				Text:    fmt.Sprintf("Large flows of %s with %s have that throughput under %s.", row.name, row.control, scheme),
				Note: fmt.Sprintf("One pod at load 0.5, %d seeds of 2 ms, where the paper has 8 pods, which gave %s Gb/s on "+
					"26 November 2026: fabric --load 0.5 --lasts 4ms --runs 2. The interval counts.", cellSeeds, fabric),
				Judge: around(v, 0.005, "Gb/s"), Measure: table3Cell(row.control, row.sizes, scheme),
				Expect: claims.Deviates, Reason: emptier, Recorded: claims.Shape(
					"more than printed, and less with fuller uplinks", "Gb/s", func(m claims.Measurement) bool {
						return len(m.Rows) == 3 && m.Rows[0].Value > v && m.Rows[2].Value < 0.95*m.Value
					})}
		}
		cs = append(cs, cell("spfc", row.spfc))
		for i, scheme := range table3Schemes {
			other := row.others[i]
			more := fmt.Sprintf("%.1f", 100*(number(row.spfc)/number(other)-1))
			c := claims.Claim{ID: "spfc/table3/" + row.id + "/" + scheme, Source: paper + "Table III",
				Printed: row.spfc + " / " + other + " Gb/s",
				Text: fmt.Sprintf("With %s and %s large flows have %s %% more throughput than under %s.", row.name, row.control,
					more, scheme),
				Note:  "One pod, three seeds of 2 ms, where the paper has 8 pods. The interval over seeds counts.",
				Judge: around(number(more), 0.05, "%"),
				Measure: compared(comparison{figure: "table3", against: scheme, class: largeFlows, get: rateOf, gain: true},
					row.control, row.sizes, printedLoad)}
			cs = append(cs, unlike(c, scheme), cell(scheme, other))
		}
	}
	return cs
}

// table3Cell measures a cell, and as a third row the same with as much on the uplinks as in 8 pods.
func table3Cell(control, sizes, scheme string) claims.Measure {
	at := func(load float64, seeds int) []claims.Sample[ComparePoint] {
		return claims.Samples(comparePoint("table3", control, sizes, scheme, load), seeds)
	}
	return meansOfTwo("Gb/s", meanRate, at(printedLoad, cellSeeds), at(fullUplinks, comparedSeeds),
		fmt.Sprintf("at load %.3f", fullUplinks))
}
