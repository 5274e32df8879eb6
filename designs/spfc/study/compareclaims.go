package study

import (
	"context"
	"fmt"

	"github.com/goldwire/goldwire/claims"

	"github.com/goldwire/goldwire/designs/spfc"
)

// The sample of `goldwire verify`; the experiment compare has a larger one.
const (
	comparedSeeds = 3
	comparedLasts = 500 * spfc.Microsecond
)

// compared measures a statement's difference in one pod at a load.
func compared(c comparison, control, sizes string, load float64) measured {
	return func(ctx context.Context, run *claims.Run) (claims.Measurement, error) {
		var of [2][]FabricResult
		var pauses [2]int64
		for i, scheme := range []string{"spfc", c.against} {
			q := ComparePoint{FabricPoint{spfc.DefaultSettings(), 1, c.figure == "fig18", scheme, load, comparedLasts,
				sizes, 32}, c.figure}
			q.Control = control
			for k := range uint64(comparedSeeds) {
				r, err := Compare.Measure(ctx, q, run.Seed+k)
				if err != nil {
					return claims.Measurement{}, err
				}
				of[i] = append(of[i], r)
				pauses[i] += r.Pauses
			}
		}
		d, ok := c.difference(of[0], of[1])
		if !ok {
			return claims.Measurement{}, fmt.Errorf("fewer than two of %d seeds have such flows", comparedSeeds)
		}
		return intervalOf(d, "%", fmt.Sprintf("one pod, flows for %g us; %d PAUSEs, %d under %s",
			spfc.Microseconds(comparedLasts), pauses[0], pauses[1], c.against)), nil
	}
}

// compareClaims are the claims of Table III and Figure 18, and the claim of Figure 15 at a low load.
func compareClaims() []claims.Claim {
	const same = "At load 0.5 hardly a port of a switch of 32 MB comes near its threshold. Without a PAUSE the buffer manager decides nothing, and all schemes give the same bits. `goldwire run spfc compare` has more seeds and loads."
	var cs []claims.Claim
	for _, c := range []struct {
		id, name, control, sizes, against string
		printed, more                     string // both throughputs; by how many per cent the first is larger, recomputed
	}{
		{"w1-dcqcn", "W1", "dcqcn", "websearch", "dt2", "33.92 / 26.49 Gb/s", "28.0"},
		{"w1-dcqcn", "W1", "dcqcn", "websearch", "st", "33.92 / 26.80 Gb/s", "26.6"},
		{"w1-timely", "W1", "timely", "websearch", "dt2", "26.63 / 22.81 Gb/s", "16.7"},
		{"w1-timely", "W1", "timely", "websearch", "st", "26.63 / 22.85 Gb/s", "16.5"},
		{"w2-dcqcn", "W2", "dcqcn", "fbhadoop", "dt2", "27.65 / 19.91 Gb/s", "38.9"},
		{"w2-dcqcn", "W2", "dcqcn", "fbhadoop", "st", "27.65 / 12.50 Gb/s", "121.2"},
		{"w2-timely", "W2", "timely", "fbhadoop", "dt2", "23.69 / 13.99 Gb/s", "69.3"},
		{"w2-timely", "W2", "timely", "fbhadoop", "st", "23.69 / 10.66 Gb/s", "122.2"},
	} {
		cs = append(
			cs,
			claims.Claim{ID: "spfc/table3/" + c.id + "/" + c.against, Source: paper + "Table III", Printed: c.printed,
				Text: fmt.Sprintf("With %s and %s large flows have %s %% more throughput than under %s.", c.name,
					c.control, c.more, c.against),
				Judge: claims.Within(c.more, "10", "%"), Expect: claims.Deviates,
				Recorded: claims.Within("0", "2", "%"), Reason: same,
				Measure: compared(
					comparison{figure: "table3", against: c.against, class: largeFlows, get: rateOf, gain: true}, c.control,
					c.sizes, printedLoad,
				)},
		)
	}
	cs = append(
		cs,
		claims.Claim{
			ID:      "spfc/fig15/low-load",
			Source:  paper + "§VII-D, Fig. 15",
			Printed: "not much difference",
			Text:    "At low load the schemes do not differ for large flows.",
			Note:    "At load 0.3, against DT.",
			Judge:   claims.Within("0", fmt.Sprint(alikeWithin), "%"),
			Expect:  claims.Holds,
			Measure: compared(
				comparison{figure: "fig15", against: "dt2", class: largeFlows, get: meanOf}, "dcqcn", "websearch", 0.3,
			),
		},
	)
	for _, control := range []string{"dcqcn", "timely"} {
		for _, c := range []struct {
			what, printed, text string
			class               int
			get                 func(ClassFCT) float64
		}{
			{"small", "up to 45.9 %", "small flows: lower 95th percentile", smallFlows, p95Of},
			{"large", "up to 53.3 %", "large flows: lower mean slowdown", largeFlows, meanOf},
		} {
			cs = append(
				cs,
				claims.Claim{ID: "spfc/fig18/" + control + "/" + c.what, Source: paper + "§VII-D, Fig. 18", Printed: c.printed,
					Text:  fmt.Sprintf("In the pod with failed links, W2 and %s, %s than under ST.", control, c.text),
					Judge: above(0, "%"), Expect: claims.Deviates, Recorded: claims.Within("0", "2", "%"), Reason: same,
					Measure: compared(
						comparison{figure: "fig18", against: "st", class: c.class, get: c.get}, control, "fbhadoop",
						printedLoad,
					)},
			)
		}
	}
	return cs
}
