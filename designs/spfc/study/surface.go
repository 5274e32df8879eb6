package study

import (
	"context"

	"github.com/goldwire/goldwire/experiment"

	"github.com/goldwire/goldwire/designs/spfc"
)

// surfaceParams are the axes of Figure 9.
type surfaceParams struct {
	Bursts  []int `flag:"n" min:"1" max:"29" help:"burst ports"`
	Congest []int `flag:"congested" min:"1" max:"100" help:"flows of H0 to the congested receiver beside one to the other: epsilon is n/(n+1)"`
	K       int   `flag:"k" min:"1" max:"1000" help:"K of the circuit"`
}

// surfacePoint is one place of the surface.
type surfacePoint struct {
	Bursts  int `json:"n"`
	Congest int `json:"congested"`
	K       int `json:"k"`
}

// surfaceResult has rates in shares of the line.
type surfaceResult struct {
	Victim      float64 `json:"victim"` // R_depart of port 0 (Eq. 6)
	Burst       float64 `json:"burst"`  // the greatest of the burst ports (Eq. 5)
	VictimState bool    `json:"victim_state"`
	BurstStates int     `json:"burst_states"` // burst ports in the victim state
	Pauses      int64   `json:"pauses"`
}

// model is Figure 9's two surfaces: K must lie between them (Eq. 8).
func (q *surfacePoint) model() (low, high float64) {
	n, e := float64(q.Bursts), float64(q.Congest)/float64(q.Congest+1)
	return (n + 1) / ((1-e)*(n+1) + 1), n + 1
}

// surfaceWindow is the time over which rates are measured: five windows of the circuit, after two.
const surfaceWindow = 400 * spfc.Microsecond

// runSurface is the flow model's case: nobody changes the rate, the buffer is larger than anything, an egress serves
// its ingress ports fairly.
func runSurface(ctx context.Context, run *experiment.Run, q surfacePoint) (surfaceResult, error) {
	var r surfaceResult
	s := spfc.DefaultSettings()
	s.Arbitration, s.Headroom, s.K = "fair", "apart", q.K
	b := BurstPoint{Settings: s, Bursts: q.Bursts, Congest: q.Congest, Scheme: "spfc", Lasts: 2 * spfc.Millisecond,
		Far: 9 * spfc.Microsecond, Heedless: true}
	top := figure3aWith(1 << 39)
	sc, err := s.Build(top, "spfc", run.Seed)
	if err != nil {
		return r, err
	}
	sc.Reserve, sc.ECN, sc.Flows = 0, 0, b.flows()
	f, err := spfc.NewFabric(&sc)
	if err != nil {
		return r, err
	}
	from := quiet + 160*spfc.Microsecond + 10*spfc.Microsecond
	if err := f.Run(ctx, from); err != nil {
		return r, err
	}
	left := func() []int64 { // bytes that have gone from each ingress port, as receivers see them
		bytes := make([]int64, spfc.BurstSenders)
		for i := range f.Traffic.Flows {
			fl := &f.Traffic.Flows[i]
			bytes[fl.From] += fl.LineBytes(fl.Received)
		}
		return bytes
	}
	before := left()
	if err := f.Run(ctx, from+surfaceWindow); err != nil {
		return r, err
	}
	now := left()
	m := f.Switches[0].Manager()
	for port := range q.Bursts + 1 {
		rate := float64(now[port]-before[port]) / float64(surfaceWindow/spfc.Gbps100)
		c, _ := m.Circuit(from+surfaceWindow, port)
		switch {
		case port == 0:
			r.Victim, r.VictimState = rate, c.Victim
		default:
			r.Burst = max(r.Burst, rate)
			if c.Victim {
				r.BurstStates++
			}
		}
	}
	r.Pauses = m.Counts.Pauses
	return r, nil
}

func figure3aWith(memory int64) *spfc.Topology {
	return spfc.SingleSwitch(spfc.BurstSenders, 9*spfc.Microsecond, spfc.Gbps100, memory)
}

// surface is Figure 9: between which rates K must tell apart, by the flow model and by the circuit in a switch.
var surface = experiment.Define(experiment.Spec[surfaceParams, surfacePoint, surfaceResult]{
	Name: "surface", Short: "Departure rates of victim and burst ports, and what the circuit makes of them",
	Source: "SPFC §IV-C, Figures 8, 9, Equations 5 to 8",
	Long: "Nobody has congestion control and the buffer holds all, as in the flow model. K works if it lies between the " +
		"two surfaces: then port 0 is a victim and no burst port is.",
	Examples: []string{"surface --n 4,9,24 --congested 1,3,7"},
	Defaults: surfaceParams{Bursts: []int{1, 2, 3, 4, 5, 8, 16, 29}, Congest: []int{1, 3, 7}, K: 5},
	Points: func(p *surfaceParams, seed uint64) ([]experiment.Point[surfacePoint], error) {
		var qs []surfacePoint
		for _, e := range p.Congest {
			for _, n := range p.Bursts {
				qs = append(qs, surfacePoint{n, e, p.K})
			}
		}
		return experiment.Each(seed, qs...), nil
	},
	Run: runSurface,
	Report: func(p *surfaceParams, done []experiment.Result[surfacePoint, surfaceResult]) (*experiment.Report, error) {
		r := &experiment.Report{}
		t := &experiment.Table{
			Name: "surface",
			Columns: experiment.Columns(
				"epsilon", "%.3f", "N", "", "K above", "%.3f", "1/rate of P0", "%.3f", "K below", "%.0f",
				"1/rate of bursts", "%.3f", "P0 is victim", "", "Burst ports that are", "", "As the model", "",
			),
		}
		for _, d := range done {
			q, v := d.Point, d.Value
			low, high := q.model()
			k := float64(q.K)
			as := v.VictimState == (k > low) && (v.BurstStates == 0) == (k < high)
			t.Row(float64(q.Congest)/float64(q.Congest+1), q.Bursts, low, 1/v.Victim, high, 1/v.Burst,
				v.VictimState, v.BurstStates, as)
			if v.Pauses > 0 {
				r.Failf("N = %d: %d PAUSEs in a buffer that holds all", q.Bursts, v.Pauses)
			}
		}
		r.Table(t)
		r.Linef("K = %d. A port whose rate is C/K to within a packet a window may fall on either side.", p.K)
		return r, nil
	},
})
