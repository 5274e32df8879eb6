package spfc

import (
	"context"
	"fmt"
	"strings"

	"github.com/goldwire/goldwire/claims"
)

// The sample of `goldwire verify`; the experiment compare has a larger one.
const (
	comparedSeeds = 3
	comparedLasts = 500 * Microsecond
)

// compared measures a statement's difference in one pod at a load.
func compared(c comparison, control, sizes string, load float64) measured {
	return func(ctx context.Context, run *claims.Run) (claims.Measurement, error) {
		var of [2][]FabricResult
		var pauses [2]int64
		for i, scheme := range []string{"spfc", c.against} {
			q := ComparePoint{FabricPoint{DefaultSettings(), 1, c.figure == "fig18", scheme, load, comparedLasts, sizes, 32}, c.figure}
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
		return intervalOf(d, "%", fmt.Sprintf("one pod, flows for %g us; %d PAUSEs, %d under %s", micros(comparedLasts), pauses[0], pauses[1], c.against)), nil
	}
}

// compareClaims are those of Table III and Figure 18, and that of Figure 15 at a low load.
func compareClaims() []claims.Claim {
	const same = "At load 0.5 hardly a port of a switch of 32 MB comes near its threshold. Without a PAUSE the buffer manager decides nothing, and all schemes give the same bits. `goldwire run spfc compare` has more seeds and loads."
	var cs []claims.Claim
	low := false
	for _, c := range comparisons() {
		switch {
		case c.figure == "table3" && (c.against == "dt2" || c.against == "st"):
			workload := map[string]string{"websearch": "w1", "fbhadoop": "w2"}[c.sizes]
			cs = append(cs, claims.Claim{ID: fmt.Sprintf("spfc/table3/%s-%s/%s", workload, c.control, c.against), Source: paper + "Table III", Printed: c.literal,
				Text:  fmt.Sprintf("With %s and %s large flows have %.1f %% more throughput than under %s.", strings.ToUpper(workload), c.control, c.printed, c.against),
				Judge: claims.Within(fmt.Sprintf("%.1f", c.printed), "10", "%"), Expect: claims.Deviates, Recorded: claims.Within("0", "2", "%"), Reason: same,
				Measure: compared(c, c.control, c.sizes, printedLoad)})
		case c.figure == "fig18" && c.upTo:
			what := map[int]string{smallFlows: "small", largeFlows: "large"}[c.class]
			cs = append(cs, claims.Claim{ID: fmt.Sprintf("spfc/fig18/%s/%s", c.control, what), Source: paper + "§VII-D, Fig. 18", Printed: fmt.Sprintf("up to %.1f %%", c.printed),
				Text:  fmt.Sprintf("In the pod with failed links, W2 and %s, %s than under ST.", c.control, c.text),
				Judge: above(0, "%"), Expect: claims.Deviates, Recorded: claims.Within("0", "2", "%"), Reason: same,
				Measure: compared(c, c.control, c.sizes, printedLoad)})
		case c.figure == "fig15" && c.alike && c.class == largeFlows && c.against == "dt2" && !low:
			low = true
			cs = append(cs, claims.Claim{ID: "spfc/fig15/low-load", Source: paper + "§VII-D, Fig. 15", Printed: "not much difference", Text: "At low load the schemes do not differ for large flows.",
				Note: "At load 0.3, against DT.", Judge: claims.Within("0", fmt.Sprint(alikeWithin), "%"), Expect: claims.Holds, Measure: compared(c, "dcqcn", "websearch", 0.3)})
		}
	}
	return cs
}
