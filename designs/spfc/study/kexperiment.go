package study

import (
	"github.com/goldwire/goldwire/experiment"

	"github.com/goldwire/goldwire/designs/spfc"
)

// kParams are the parameters of Figure 11.
type kParams struct {
	spfc.Settings
	Bursts  []int `flag:"n" min:"1" max:"29" help:"hosts that send bursts"`
	Congest []int `flag:"congested" min:"1" max:"100" help:"long flows of H0 to the congested receiver, beside one to the other: 3 and 7 make epsilon 0.75 and 0.875"`
	Ks      []int `flag:"ks" min:"1" max:"1000" help:"values of K, in place of --k"`
	Runs    int   `flag:"runs" min:"2" max:"100" help:"begins of the bursts, spread over one TC"`
}

// kTest is Figure 11: PAUSEs and throughput of the victim's port for several K, beside DT.
var kTest = experiment.Define(experiment.Spec[kParams, sweepPoint, sweepResult]{
	Name: "k", Checkpoints: true, Short: "How K decides PAUSEs and throughput", Source: "SPFC §VII-A, Figure 11",
	Long:     "H0 has one long flow to R1 and 3 or 7 to R2, hosts H1 to HN send bursts to R2 for 11 ms.",
	Examples: []string{"k --n 2,24 --ks 3,5,9", "k --arbitration fair --timers paper --tc 320us"},
	Defaults: kParams{Settings: spfc.DefaultSettings(), Bursts: []int{2, 4, 8, 16, 24, 29}, Congest: []int{3, 7},
		Ks: []int{3, 5, 7, 9}, Runs: 3},
	Check: func(p *kParams) error { return p.Check() },
	Points: func(p *kParams, seed uint64) ([]experiment.Point[sweepPoint], error) {
		var qs []sweepPoint
		for _, e := range p.Congest {
			for _, n := range p.Bursts {
				q := BurstPoint{Settings: p.Settings, Bursts: n, Scheme: "dt2", Lasts: 11 * spfc.Millisecond,
					Far: 9 * spfc.Microsecond, Congest: e}
				qs = append(qs, sweepPoint{q, p.Runs})
				q.Scheme = "spfc"
				for _, k := range p.Ks {
					q.K = k
					qs = append(qs, sweepPoint{q, p.Runs})
				}
			}
		}
		return experiment.Each(seed, qs...), nil
	},
	Run: runSweep,
	Report: func(_ *kParams, done []experiment.Result[sweepPoint, sweepResult]) (*experiment.Report, error) {
		r := &experiment.Report{}
		t := &experiment.Table{Name: "k", Columns: experiment.Columns("epsilon", "%.3f", "N", "", "Scheme", "", "K", "",
			"PAUSEs of P0", "%.1f", "±", "%.1f", "F1 Gb/s", "%.2f", "±", "%.2f")}
		for _, d := range done {
			q, v := d.Point, d.Value
			t.Row(float64(q.Congest)/float64(q.Congest+1), q.Bursts, q.Scheme, q.K, v.Pauses.Mean, v.Pauses.Half,
				v.F1.Mean, v.F1.Half)
		}
		r.Table(t)
		return r, nil
	},
})
