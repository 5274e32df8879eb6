package study

import (
	"math"

	"github.com/goldwire/goldwire/experiment"
)

// workloadComparison is a statement of §VII-C about SPFC and another buffer manager: by how much less it has of
// something.
type workloadComparison struct {
	text     string
	controls [2]float64 // printed with DCQCN, with TIMELY; 0: a sign
	against  string
	get      func(workloadResult) float64
}

// workloadComparisons are the comparisons of Figure 13.
func workloadComparisons() []workloadComparison {
	pauses := func(v workloadResult) float64 { return float64(v.AllPauses) }
	mean := func(class int) func(workloadResult) float64 {
		return func(v workloadResult) float64 { return v.H0[class].Mean }
	}
	tail := func(class int) func(workloadResult) float64 {
		return func(v workloadResult) float64 { return v.All[class].P95 }
	}
	var all []workloadComparison
	for i, s := range []string{"dt1", "st"} {
		all = append(all,
			workloadComparison{text: "fewer PAUSEs", controls: [2][2]float64{{31.6, 36.5}, {69.0, 49.7}}[i],
				against: s, get: pauses},
			workloadComparison{text: "H0, above 1 MB: lower mean slowdown",
				controls: [2][2]float64{{57.9, 39.4}, {83.5, 70.9}}[i], against: s, get: mean(largeFlows)},
			workloadComparison{text: "H0, 10 to 100 KB: lower mean slowdown", against: s, get: mean(1)},
			workloadComparison{text: "H0, 100 KB to 1 MB: lower mean slowdown", against: s, get: mean(2)},
			workloadComparison{text: "all hosts, above 1 MB: lower 95th percentile", against: s, get: tail(largeFlows)})
	}
	return all
}

// workloadStatements sets what the paper says of Figure 13 beside the differences, seed by seed.
func workloadStatements(done []experiment.Result[workloadPoint, workloadResult]) *experiment.Table {
	t := &experiment.Table{
		Name: "statements",
		Columns: experiment.Columns("SPFC, as Figure 13 has it", "", "Control", "", "Burst", "", "Against", "",
			"Printed %", "", "Measured %", "%.2f", "±", "%.2f", "Runs", "", "Verdict", ""),
	}
	runs := map[workloadPoint][]workloadResult{}
	for of := range byPoint(done) {
		for _, d := range of {
			runs[d.Point] = append(runs[d.Point], d.Value)
		}
	}
	for _, c := range workloadComparisons() {
		for of := range byPoint(done) {
			q := of[0].Point
			with := q
			with.Scheme = "spfc"
			if q.Scheme != c.against || len(runs[with]) != len(of) { // a run was interrupted
				continue
			}
			e := expectation{printed: c.controls[0]}
			if q.Control == "timely" {
				e.printed = c.controls[1]
			}
			var a, b []float64
			for k, x := range runs[with] {
				a, b = append(a, c.get(x)), append(b, c.get(of[k].Value))
			}
			d, ok := paired(a, b, false)
			if !ok {
				t.Row(c.text, q.Control, q.Burst, q.Scheme, e.String(), math.NaN(), math.NaN(), 0, "too few runs that have any")
				continue
			}
			t.Row(c.text, q.Control, q.Burst, q.Scheme, e.String(), d.Mean, d.Half, d.Runs, e.verdict(d))
		}
	}
	return t
}
