package study

import (
	"context"
	"fmt"

	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/experiment/plots"

	"github.com/goldwire/goldwire/designs/rifl"
)

// limitsParams are what the flags of the experiment limits set.
type limitsParams struct {
	Profiles    []rifl.Profile `flag:"profile" each:"Profile" choices:"core,paper,safe" help:"whose rules the ends follow; several with commas"`
	IDs         []int          `flag:"ids" each:"IDs" min:"5" max:"9" help:"bits of the frame ID, S; several with commas"`
	limitsPoint `hide:"lanes,metres"`
}

// limitsPoint is one profile with one width of the frame ID.
type limitsPoint struct {
	linkParams
	BER    float64 `flag:"ber" min:"1e-09" max:"0.001" help:"bit error rate of both directions" json:"ber"`
	Runs   int     `flag:"runs" min:"1" max:"10000" help:"runs at each length" json:"runs"`
	Cycles uint64  `flag:"frames" min:"1000" max:"100000000" help:"frame cycles of a run" json:"frame_cycles"`
}

// limitsResult is the loop at which something gave.
type limitsResult struct {
	Ends   string   `json:"found"` // stale, stalled or nothing
	Loop   int      `json:"loop_frames"`
	Time   float64  `json:"loop_ns"`
	Metres *float64 `json:"metres"` // null: more than 500
	Wrong  uint64   `json:"wrong"`
	Of     uint64   `json:"of_delivered"`
	Sound  int      `json:"longest_sound_loop"` // 0: none

	Unexpected bool `json:"stale_though_sound"`
}

// limits looks for the round trips at which a frame ID is not wide enough (§4.C).
var limits = experiment.Define(experiment.Spec[limitsParams, limitsPoint, limitsResult]{
	Name: "limits", Checkpoints: true, Short: "The round trip at which stale frames are taken for new ones",
	Source: "§4.C",
	Long: `Lengthen the line of a link under full load with bit errors in both directions, frame by frame, until a user
gets a frame that is stale, or until the link brings nothing any more. The loop is counted from a frame leaving to the
first frame sent in the knowledge of the far end's verdict. Beside what the simulation finds stands the longest loop
that the analysis calls sound.

The exit code is 1 if a frame is wrong where the analysis says that none can be.`,
	Examples: []string{"limits", "limits --ids 8 --profile core,paper --runs 30 --json"},
	Defaults: limitsParams{IDs: []int{6, 7}, Profiles: []rifl.Profile{rifl.Core, rifl.Paper, rifl.Safe},
		limitsPoint: limitsPoint{linkOf(rifl.Default()), 2e-5, 12, 20_000}},
	Fit:    (*limitsPoint).check,
	Run:    runLimits,
	Report: reportLimits,
})

// withDelay returns the configuration with the longest line whose verdict takes a number of frames, and the cable that
// does it with the transceivers given.
func withDelay(c rifl.Config, delay int) (at rifl.Config, metres float64) {
	at = c
	for at.LineCycles = 1; at.FrameDelay() <= delay; at.LineCycles++ {
	}
	at.LineCycles = max(1, at.LineCycles-1)
	for c.Length = 0; c.FrameDelay() < delay; c.Length++ {
	}
	return at, c.Length
}

// runLimits lengthens the line by frames until something gives.
func runLimits(ctx context.Context, run *experiment.Run, q limitsPoint) (limitsResult, error) {
	r := limitsResult{Ends: "nothing"}
	cfg, err := q.config()
	if err != nil {
		return r, err
	}
	least, _ := withDelay(cfg, 0)
	first := least.FrameDelay()
	for d := first; ; d++ {
		at, _ := withDelay(cfg, d)
		if at.Sound() != nil {
			break
		}
		r.Sound = at.Loop()
	}
	for d := first; r.Ends == "nothing" && d <= 1<<cfg.IDBits; d++ { // to a loop of twice the ID space
		at, metres := withDelay(cfg, d)
		x, err := q.simulate(ctx, run, at)
		if err != nil {
			return r, err
		}
		if x == nil {
			continue
		}
		run.Progress(uint64(d-first), uint64(1<<cfg.IDBits-first+1))
		r.Loop, r.Time, r.Wrong, r.Of = at.Loop(), float64(at.Loop())*at.FrameNs(), x.wrong, x.delivered
		if r.Metres = &metres; metres > 500 {
			r.Metres = nil
		}
		if !x.moving {
			r.Ends = "stalled"
		}
		if x.wrong > 0 {
			r.Ends = "stale"
			r.Unexpected = r.Loop <= r.Sound
		}
	}
	return r, nil
}

// limitsRun is what the runs at one length have shown.
type limitsRun struct {
	link             *rifl.FrameLink
	before           uint64 // frames delivered in the first half
	wrong, delivered uint64
	moving           bool // some brought frames in the second half
}

// simulate runs links with other errors each. It returns nil if the checkpoint that the run goes on from was written at
// another length.
func (q *limitsPoint) simulate(ctx context.Context, run *experiment.Run, cfg rifl.Config) (*limitsRun, error) {
	x, passed := &limitsRun{}, 0
	for k := range q.Runs {
		if run.Passed() {
			passed++
			continue
		}
		l, err := rifl.NewFrameLink(
			rifl.FrameLinkConfig{Config: cfg, BER: [2]float64{q.BER, q.BER}, Seed: run.Seed<<16 + uint64(k)},
		)
		if err != nil {
			return nil, err
		}
		x.link = l
		if err := run.Simulate(experiment.Simulation{Cycle: l.Cycle, Roots: []any{x}}); err != nil {
			return nil, err
		}
		for _, until := range []uint64{q.Cycles / 2, q.Cycles} {
			if l.Cycle() >= until {
				continue
			}
			err := runTo(ctx, l, until, func() error {
				if l.Cycle() == q.Cycles/2 {
					x.before = l.Report(0).Delivered + l.Report(1).Delivered
				}
				return run.Between()
			})
			if err != nil {
				return nil, err
			}
		}
		a, b := l.Report(0), l.Report(1)
		x.wrong += a.Wrong + b.Wrong
		x.delivered += a.Delivered + b.Delivered
		x.moving = x.moving || a.Delivered+b.Delivered > x.before
	}
	if passed == q.Runs {
		return nil, nil
	}
	return x, nil
}

func reportLimits(p *limitsParams, done []experiment.Result[limitsPoint, limitsResult]) (*experiment.Report, error) {
	r := &experiment.Report{}
	r.Linef(
		"%d bits a frame at %g Gb/s, BER %g both ways, %d runs of %d frames at each length, seed %d\n", p.Frame, p.Rate,
		p.BER, p.Runs, p.Cycles, done[0].Seed,
	)
	t := &experiment.Table{
		Name: "limits",
		Columns: experiment.Columns(
			"Profile", "", "S", "", "Found", "", "At a loop of", "", "ns", "%.1f", "Cable, m", "", "Wrong", "",
			"Longest sound loop", "",
		),
	}
	bars := &plots.BarChart{
		Title: "RIFL: loops in frames", X: "profile and S", Y: "frames",
		Series: []plots.BarSeries{{Name: "something gives"}, {Name: "longest sound, by analysis"}},
	}
	for _, d := range done {
		l := d.Value
		found := map[string]string{"stale": "stale frames", "stalled": "nothing arrives", "nothing": "nothing wrong"}[l.Ends]
		cable := "> 500"
		if l.Metres != nil {
			cable = fmt.Sprintf("%g", *l.Metres)
		}
		sound := "none"
		if l.Sound > 0 {
			sound = fmt.Sprint(l.Sound)
		}
		t.Row(d.Point.Profile, d.Point.IDs, found, l.Loop, l.Time, cable, fmt.Sprintf("%d of %d", l.Wrong, l.Of), sound)
		bars.Groups = append(bars.Groups, fmt.Sprintf("%s %d", d.Point.Profile, d.Point.IDs))
		bars.Series[0].Values, bars.Series[1].Values = append(bars.Series[0].Values, float64(l.Loop)),
			append(bars.Series[1].Values, float64(l.Sound))
		if l.Unexpected {
			r.Failf(
				"%s profile, S = %d: frames were wrong in a loop that the analysis calls sound", d.Point.Profile,
				d.Point.IDs,
			)
		}
	}
	r.Table(t)
	r.Linef("\nCable: the whole metres that make such a loop with %g ns of transceivers.", p.Transceivers)
	r.Chart(experiment.Chart{Name: "limits", Bars: bars})
	return r, nil
}
