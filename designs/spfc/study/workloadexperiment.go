package study

import (
	"context"
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/experiment/plots"
	"github.com/goldwire/goldwire/workload"

	"github.com/goldwire/goldwire/designs/spfc"
)

// workloadParams are the parameters of §VII-C.
type workloadParams struct {
	spfc.Settings
	Schemes []string   `flag:"scheme" help:"buffer managers: dt1, dt2, dt4, st, spfc, pinned"`
	Load    float64    `flag:"load" min:"0.01" max:"1" help:"of H0's line"`
	Burst   []float64  `flag:"burst" min:"0" max:"1" help:"of the congested receiver's line, by all bursts"`
	Runs    int        `flag:"runs" min:"1" max:"1000" help:"independent runs"`
	Lasts   clock.Time `flag:"lasts" min:"100us" max:"10s" help:"arrivals of flows"`
	Free    bool       `flag:"uncontrolled" help:"the bursts have no congestion control"`
	Equal   bool       `flag:"equal" help:"the flows of a burst have one size"`
	Sizes   string     `flag:"sizes" help:"a published distribution: websearch, fbhadoop"`
}

// workloadPoint is one run of §VII-C.
type workloadPoint struct {
	spfc.Settings
	Scheme string    `json:"scheme"`
	Load   float64   `json:"load"`
	Burst  float64   `json:"burst"`
	Lasts  spfc.Time `json:"lasts_ps"`
	Free   bool      `json:"uncontrolled"`
	Sizes  string    `json:"sizes"`
	Equal  bool      `json:"equal"`
}

// workloadResult holds a run's PAUSEs and completion times.
type workloadResult struct {
	Flows        int         `json:"flows"`
	Pauses       int64       `json:"pauses"`        // of P0
	AllPauses    int64       `json:"all_pauses"`    // of all ports
	VictimQueues int64       `json:"victim_queues"` // sum of P0's queue at its PAUSEs, bytes
	BurstQueues  int64       `json:"burst_queues"`  // of the others at theirs
	Paused       float64     `json:"paused"`        // share of the run in which H0 was
	H0           [4]classFCT `json:"h0"`
	Bursts       [4]classFCT `json:"bursts"`
	All          [4]classFCT `json:"all"`
}

// workloadFlows are the flows of §VII-C: H0's own arrivals to both receivers in turn, drawn; H1 to H29 all start a
// flow to R2 at each arrival of one process, so that they burst together, each of a size of its own unless Equal. They
// have congestion control unless Free; a short flow ends before it sees any.
func workloadFlows(q *workloadPoint, seed uint64) ([]spfc.Flow, error) {
	table, err := workload.ParseSizes(q.Sizes)
	if err != nil {
		return nil, err
	}
	var flows []spfc.Flow
	a := newArrivals(table, q.Load, spfc.Gbps100, seed, 0)
	for {
		at, bytes := a.next()
		if at >= q.Lasts {
			break
		}
		flows = append(flows, spfc.Flow{From: 0, To: spfc.BurstSenders + a.sizes.IntN(2), Bytes: bytes, Start: at,
			Control: q.CongestionControl()})
	}
	control := q.CongestionControl()
	if q.Free {
		control = spfc.Uncontrolled
	}
	if q.Burst > 0 {
		b := newArrivals(table, q.Burst/(spfc.BurstSenders-1), spfc.Gbps100, seed, 1)
		for {
			at, bytes := b.next()
			if at >= q.Lasts {
				break
			}
			for h := 1; h < spfc.BurstSenders; h++ {
				flows = append(flows, spfc.Flow{From: h, To: spfc.BurstSenders + 1, Bytes: bytes, Start: at, Control: control})
				if next := int64(table.Draw(b.sizes)); !q.Equal {
					bytes = next
				}
			}
		}
	}
	sortFlows(flows)
	if len(flows) == 0 {
		return nil, fmt.Errorf("no flow starts within %d us", q.Lasts/spfc.Microsecond)
	}
	return flows, nil
}

// pausedShare is a paused time as a share of a run, which lasts for twice the time of arrivals.
func (q *workloadPoint) pausedShare(paused spfc.Time) float64 {
	return float64(paused) / float64(2*q.Lasts)
}

func runWorkload(ctx context.Context, run *experiment.Run, q workloadPoint) (workloadResult, error) {
	var r workloadResult
	sc, err := q.Build(spfc.SingleSwitch(spfc.BurstSenders, 9*spfc.Microsecond, spfc.Gbps100, 16_000_000), q.Scheme,
		run.Seed)
	if err != nil {
		return r, err
	}
	if sc.Flows, err = workloadFlows(&q, run.Seed); err != nil {
		return r, err
	}
	f, err := spfc.NewFabric(&sc)
	if err != nil {
		return r, err
	}
	// as long again for the flows that came last
	if err := runInParts(ctx, run, f, 2*q.Lasts); err != nil {
		return r, err
	}
	m := f.Switches[0].Manager()
	for port := range spfc.BurstSenders {
		if p := m.PausesOf(port); port == 0 {
			r.Pauses, r.VictimQueues = p.Pauses, p.Queues
		} else {
			r.BurstQueues += p.Queues
		}
	}
	r.Paused = q.pausedShare(f.Net.Counts(0, 0).PausedTime[spfc.DataPriority])
	r.Flows, r.AllPauses = len(sc.Flows), m.Counts.Pauses
	r.H0 = slowdowns(f, func(i int) bool { return sc.Flows[i].From == 0 })
	r.Bursts = slowdowns(f, func(i int) bool { return sc.Flows[i].From != 0 })
	r.All = slowdowns(f, func(int) bool { return true })
	return r, nil
}

// Workload is §VII-C: web-search flows beside synchronous bursts.
var Workload = experiment.Define(experiment.Spec[workloadParams, workloadPoint, workloadResult]{
	Name: "workload", Checkpoints: true, Short: "Web-search flows beside bursts: PAUSEs and completion times",
	Source: "SPFC §VII-C, Figures 13, 14",
	Long: "H0 sends flows of a published distribution to both receivers, H1 to H29 start flows to R2 together. Loads " +
		"are of a line of 100 Gb/s. A slowdown is a flow's completion over that in an idle network; what has not " +
		"finished after twice the time of arrivals counts until then.",
	Examples: []string{"workload --runs 5", "workload --cc timely",
		"workload --burst 0.1,0.2,0.3,0.4 --scheme dt1,st,spfc"},
	Defaults: workloadParams{Settings: workloadSettings(), Schemes: []string{"dt1", "st", "spfc"}, Load: 0.4,
		Burst: []float64{0.2}, Runs: 5,
		Lasts: clock.MustTime("50ms"), Sizes: "websearch"},
	Check: func(p *workloadParams) error {
		return p.CheckFlows(p.Sizes, p.Schemes...)
	},
	Points: func(p *workloadParams, seed uint64) ([]experiment.Point[workloadPoint], error) {
		lasts, err := spfc.Picoseconds(p.Lasts)
		if err != nil {
			return nil, fmt.Errorf("--lasts: %w", err)
		}
		var points []experiment.Point[workloadPoint]
		for _, b := range p.Burst {
			for _, s := range p.Schemes {
				q := workloadPoint{p.Settings, s, p.Load, b, lasts, p.Free, p.Sizes, p.Equal}
				points = append(points, repeat(q, p.Runs, seed)...)
			}
		}
		return points, nil
	},
	Run: runWorkload, Report: reportWorkload,
})

// workloadSettings have the alpha of §VII-C for SPFC.
func workloadSettings() spfc.Settings {
	s := spfc.DefaultSettings()
	s.Alpha = 1
	return s
}

func reportWorkload(p *workloadParams,
	done []experiment.Result[workloadPoint, workloadResult]) (*experiment.Report, error) {
	r := &experiment.Report{}
	t := &experiment.Table{
		Name: "pauses",
		Columns: experiment.Columns(
			"Scheme", "", "Burst", "", "Runs", "", "PAUSEs of P0", "%.1f", "±", "%.1f", "PAUSEs of all", "%.1f", "±",
			"%.1f", "H0 paused", "%.3f", "Burst ports' queue at PAUSE KB", "%.1f", "P0's sum over theirs", "%.3f",
		),
	}
	fct := &experiment.Table{Name: "slowdown", Columns: experiment.Columns("Scheme", "", "Burst", "", "Hosts", "",
		"Size", "", "Flows", "%.0f", "Mean", "%.2f", "±", "%.2f", "95 %", "%.2f", "±", "%.2f")}
	var queue []plots.Series
	for of := range byPoint(done) {
		q := of[0].Point
		var burst, victim, pauses int64
		for _, d := range of {
			burst, victim, pauses = burst+d.Value.BurstQueues, victim+d.Value.VictimQueues,
				pauses+d.Value.AllPauses-d.Value.Pauses
		}
		p0, all := over(of, func(v workloadResult) float64 { return float64(v.Pauses) }),
			over(of, func(v workloadResult) float64 { return float64(v.AllPauses) })
		mean := float64(burst) / float64(max(pauses, 1)) / 1000
		ratio := any("") // of nothing, if no burst port has paused
		if burst > 0 {
			ratio = float64(victim) / float64(burst)
		}
		t.Row(q.Scheme, q.Burst, len(of), p0.Mean, p0.Half, all.Mean, all.Half,
			over(of, func(v workloadResult) float64 { return v.Paused }).Mean, mean, ratio)
		queue = addPoint(queue, q.Scheme, q.Burst, over(of, func(v workloadResult) float64 {
			return float64(v.BurstQueues) / float64(max(v.AllPauses-v.Pauses, 1)) / 1000
		}))
		for _, hosts := range []struct {
			name string
			of   func(workloadResult) [4]classFCT
		}{{"H0", func(v workloadResult) [4]classFCT { return v.H0 }},
			{"H1-H29", func(v workloadResult) [4]classFCT { return v.Bursts }},
			{"all", func(v workloadResult) [4]classFCT { return v.All }}} {
			for c, class := range sizeClasses {
				n := over(of, func(v workloadResult) float64 { return float64(hosts.of(v)[c].Flows) })
				m, p95 := over(of, func(v workloadResult) float64 { return hosts.of(v)[c].Mean }),
					over(of, func(v workloadResult) float64 { return hosts.of(v)[c].P95 })
				fct.Row(q.Scheme, q.Burst, hosts.name, class.Name, n.Mean, m.Mean, m.Half, p95.Mean, p95.Half)
			}
		}
	}
	r.Table(t)
	r.Table(fct)
	if slices.Contains(p.Schemes, "spfc") && p.Runs > 1 {
		r.Table(workloadStatements(done))
	}
	if len(p.Burst) > 1 {
		r.Chart(experiment.Chart{Name: "queue", Lines: &plots.Chart{Title: "Queue of burst ports at PAUSE (Figure 14a)",
			X: "load of bursts", Y: "KB", Series: queue}})
	}
	return r, nil
}
