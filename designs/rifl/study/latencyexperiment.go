package study

import (
	"context"
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/experiment/plots"
	"github.com/goldwire/goldwire/workload/journey"

	"github.com/goldwire/goldwire/designs/rifl"
)

// latencyParams are what the flags of the experiment latency set.
type latencyParams struct {
	Frames []int     `flag:"frame" each:"Frame" choices:"128,256,512,1024,2048" unit:"bits" help:"bits a frame: 128, 256, 512, 1024 or 2048; several with commas"`
	Metres []float64 `flag:"metres" each:"Metres" min:"0" max:"500" unit:"m" help:"lengths of the cable; several with commas"`
	Stages float64   `flag:"stages" min:"0" max:"500" unit:"m" help:"length at which the stages are shown, with the first size of a frame"`
	latencyPoint
}

// latencyPoint is one beat through one link; Breakdown marks the one whose stages are shown.
type latencyPoint struct {
	linkParams `hide:"ids"`
	Breakdown  bool `flag:"-" json:"breakdown"`
}

// latencyResult is how long the beat took, and where.
type latencyResult struct {
	IDs    int            `json:"id_bits"`
	Cycles float64        `json:"frame_cycles"`
	Time   float64        `json:"ns"`
	Stages []latencyStage `json:"stages"`

	total  clock.Time
	stages []journey.Stage
}

type latencyStage struct {
	Name   string  `json:"stage"`
	From   float64 `json:"from_ns"`
	Time   float64 `json:"ns"`
	Words  float64 `json:"word_cycles"`
	Cycles float64 `json:"frame_cycles"`
}

// latency is the latency of Fig. 8(d), from handshake to handshake.
var latency = experiment.Define(experiment.Spec[latencyParams, latencyPoint, latencyResult]{
	Name: "latency", Journeys: true, Short: "From handshake to handshake by length of the cable, stage by stage",
	Source: "§6.B, Fig. 8(d)",
	Long: `Send one beat through an idle link without errors, clock edge by clock edge, and count from the edge at which
the framer takes it to the edge at which the far user takes it. Then where it goes, for one length: every stage
between two observed edges, with no gap.`,
	Examples: []string{
		"latency", "latency --metres 1,50,500 --frame 128,256 --rate 56 --plot latency.svg",
		"latency --stages 100 --json",
	},
	Defaults: latencyParams{Metres: []float64{1, 3, 10, 30, 100}, Frames: []int{256, 512}, Stages: 10,
		latencyPoint: latencyPoint{linkParams: linkOf(rifl.Default())}},
	Points: func(p *latencyParams, seed uint64) ([]experiment.Point[latencyPoint], error) {
		if len(p.Metres) == 0 || len(p.Frames) == 0 {
			return nil, fmt.Errorf("--metres, --frame: want at least one number each")
		}
		slices.Sort(p.Metres)
		staged := p.latencyPoint
		staged.Frame, staged.Metres, staged.Breakdown = p.Frames[0], p.Stages, true
		return experiment.Each(seed, append(experiment.Grid[latencyPoint](p), staged)...), nil
	},
	Fit: (*latencyPoint).check,
	Run: func(_ context.Context, run *experiment.Run, q latencyPoint) (r latencyResult, err error) {
		cfg, err := q.config()
		if err != nil {
			return r, err
		}
		if r.total, r.stages, err = beatWay(rifl.LinkConfig{Config: cfg}); err != nil {
			return r, err
		}
		if !q.Breakdown { // the breakdown is of one more length, --stages
			run.Journeys.Describe("RIFL: a beat from handshake to handshake", cfg.LaneRate.Times(1, 64).Period())
			run.Journeys.Add(journey.Journey{Name: fmt.Sprintf("%d bits, %g m", q.Frame, q.Metres), Stages: r.stages})
		}
		word := cfg.LaneRate.Times(1, 64)
		in := func(t, unit clock.Time) float64 { f, _ := t.In(unit).Float64(); return f }
		frame := word.Times(1, int64(cfg.Words())).Period()
		r.IDs, r.Cycles, r.Time = cfg.S(), in(r.total, frame), nanosecondsOf(r.total)
		var from clock.Time
		for _, s := range r.stages {
			r.Stages = append(
				r.Stages,
				latencyStage{
					s.Place, nanosecondsOf(from), nanosecondsOf(s.Time()), in(s.Time(), word.Period()), in(s.Time(), frame),
				},
			)
			from = from.Add(s.Time())
		}
		if from.Cmp(r.total) != 0 {
			return r, fmt.Errorf("the stages take %v, the beat %v", from, r.total)
		}
		return r, nil
	},
	Report: reportLatency,
})

func reportLatency(
	p *latencyParams, done []experiment.Result[latencyPoint, latencyResult],
) (*experiment.Report, error) {
	r := &experiment.Report{}
	r.Linef(
		"From handshake to handshake, frame cycles (ns); lanes of %g Gb/s: %d; transceivers %g ns\n", p.Rate, p.Lanes,
		p.Transceivers,
	)
	find := func(frame int, metres float64) *latencyResult {
		for i := range done {
			if q := done[i].Point; !q.Breakdown && q.Frame == frame && q.Metres == metres {
				return &done[i].Value
			}
		}
		return nil
	}
	t := &experiment.Table{Name: "latency", Columns: experiment.Columns("Metres", "")}
	chart := &plots.Chart{
		Title: fmt.Sprintf("RIFL: latency by length, %g Gb/s a lane", p.Rate), X: "cable (m)",
		Y: "handshake to handshake (ns)",
	}
	for _, f := range p.Frames {
		t.Columns = append(t.Columns, experiment.Column{Name: fmt.Sprintf("%d bits a frame", f)})
		s := plots.Series{Name: fmt.Sprintf("%d bits a frame", f)}
		for _, m := range p.Metres {
			if x := find(f, m); x != nil {
				s.X, s.Y = append(s.X, m), append(s.Y, x.Time)
			}
		}
		if len(s.X) > 0 {
			chart.Series = append(chart.Series, s)
		}
	}
	for _, m := range p.Metres {
		row := []any{m}
		for _, f := range p.Frames {
			cell := ""
			if x := find(f, m); x != nil {
				cell = fmt.Sprintf("%.4g (%.1f)", x.Cycles, x.Time)
			}
			row = append(row, cell)
		}
		t.Row(row...)
	}
	r.Table(t)
	for _, d := range done {
		q := d.Point
		cfg, err := q.config()
		if err != nil {
			return nil, err
		}
		if err := cfg.Sound(); err != nil && !q.Breakdown {
			r.Linef("%d bits a frame, %g m, S = %d: not sound: %v. %s", q.Frame, q.Metres, cfg.S(), err, advice(cfg))
		}
	}
	if len(chart.Series) > 0 {
		if p.Rate == 28 && slices.Contains(p.Frames, 256) { // the abstract's figure
			chart.Series = append(
				chart.Series,
				plots.Series{Name: "paper: 110 ns, 256 bits", X: []float64{10}, Y: []float64{110}, Dashed: true},
			)
		}
		r.Chart(experiment.Chart{Name: "latency", Lines: chart})
	}
	r.Linef(
		"\nA beat takes R x ceil((10 + 3R + D) / R) transceiver cycles, R = F/64, D those of transceivers and cable. The " +
			"paper does not say what its",
	)
	r.Linef(
		"transceivers take (--transceivers). Its 110 ns, 256 bits at 28 Gb/s over 10 m, are 48 cycles: from 19.2 to less " +
			"than 28.3 ns of them.",
	)
	for _, d := range done {
		if !d.Point.Breakdown {
			continue
		}
		r.Linef("\nThe way of a beat, %d bits a frame, %g m\n", d.Point.Frame, d.Point.Metres)
		t := &experiment.Table{
			Name: "stages",
			Columns: experiment.Columns(
				"At ns", "%.2f", "Stage", "", "Word cycles", "%.2f", "Frame cycles", "%.2f", "ns", "%.2f",
			),
		}
		words := 0.0
		for _, s := range d.Value.Stages {
			t.Row(s.From, s.Name, s.Words, s.Cycles, s.Time)
			words += s.Words
		}
		t.Row("", "all", words, d.Value.Cycles, d.Value.Time)
		r.Table(t)
	}
	return r, nil
}
