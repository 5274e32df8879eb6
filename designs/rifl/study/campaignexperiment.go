package study

import (
	"context"
	"fmt"
	"io"

	"github.com/goldwire/goldwire/experiment"
)

// campaignParams are the flags of the campaign.
type campaignParams struct {
	Scenarios int    `flag:"scenarios" min:"1" max:"10000" help:"runs, over the ten lines in turn" json:"scenarios"`
	Traces    string `flag:"out" file:"out" help:"write what both transmitters see and do in every frame cycle (CSV)" json:"-"`
	Flips     string `flag:"flips" file:"out" help:"write the bits that flip (CSV)" json:"-"`
}

type campaignPoint struct {
	D         int        `json:"d"`
	Scenarios []scenario `json:"scenarios"`
}

type campaignResult struct {
	D     int `json:"d"`
	Runs  int `json:"runs"`
	Flips int `json:"flips"`
	Wrong int `json:"wrong"` // runs in which a user got a wrong byte
}

// campaign flips random bits on both ways of links of the core's profile and records what their transmitters do.
var campaign = experiment.Define(experiment.Spec[campaignParams, campaignPoint, campaignResult]{
	Name: "campaign", Checkpoints: true, Short: "Random flipped bits, with traces to compare with the published core",
	Long: "Links of one lane, 256 bits a frame, S = 6, both users sending without a pause, over lines of 18 to 23, 40, " +
		"50, 51 and 52 transceiver cycles. Up to six bits flip each way within 400 frames, anywhere in frames. With " +
		"--out and --flips the traces of both ends and the flips go to files, so that anyone who has the core can run " +
		"the same. A user that gets a wrong byte up to D = 51 is a failure.",
	Examples: []string{"campaign --out traces.csv --flips flips.csv"},
	Defaults: campaignParams{Scenarios: 100},
	Points: func(p *campaignParams, seed uint64) ([]experiment.Point[campaignPoint], error) {
		points := make([]campaignPoint, len(campaignDelays))
		for i, d := range campaignDelays {
			points[i].D = d
		}
		for k, s := range scenarios(p.Scenarios, seed) {
			q := &points[k%len(points)]
			q.Scenarios = append(q.Scenarios, s)
		}
		return experiment.Each(seed, points...), nil
	},
	Run: runCampaign,
	Report: func(p *campaignParams, done []experiment.Result[campaignPoint, campaignResult]) (*experiment.Report, error) {
		r := &experiment.Report{}
		var list []scenario
		for _, d := range done {
			r.Linef(
				"D = %d: %d runs, %d bits flipped, %d runs with a wrong byte at a user", d.Value.D, d.Value.Runs,
				d.Value.Flips, d.Value.Wrong,
			)
			if d.Value.D <= 51 && d.Value.Wrong > 0 {
				r.Failf("D = %d: users got wrong bytes in %d runs", d.Value.D, d.Value.Wrong)
			}
			list = append(list, d.Point.Scenarios...)
		}
		if p.Traces != "" {
			r.File(p.Traces, func(w io.Writer) error {
				if err := writeTraceHeader(w); err != nil {
					return err
				}
				for k, s := range list {
					if _, err := s.WriteTrace(w, k); err != nil {
						return fmt.Errorf("scenario %d: %w", k, err)
					}
				}
				return nil
			})
		}
		if p.Flips != "" {
			r.File(p.Flips, func(w io.Writer) error { return writeFlips(w, list) })
		}
		return r, nil
	},
})

func runCampaign(ctx context.Context, run *experiment.Run, q campaignPoint) (campaignResult, error) {
	r := campaignResult{D: q.D, Runs: len(q.Scenarios)}
	for k, s := range q.Scenarios {
		if run.Passed() {
			continue
		}
		l, err := s.link()
		if err != nil {
			return r, err
		}
		frame := l.Ends[0].Frame
		if err := run.Simulate(experiment.Simulation{Sim: l.Sim, Clock: frame, Faulty: func() bool { return l.Err() != nil },
			Roots: []any{l, &r}}); err != nil {
			return r, err
		}
		const together = 500 // frames until the context is looked at
		for left := s.frames() - frame.Cycle(); left > 0; left = s.frames() - frame.Cycle() {
			if err := ctx.Err(); err != nil {
				return r, err
			}
			if err := frame.Run(min(left, together)); err != nil {
				return r, err
			}
			if err := run.Between(); err != nil {
				return r, err
			}
		}
		r.Flips += len(s.Flips)
		if l.Err() != nil {
			r.Wrong++
		}
		run.Progress(uint64(k+1), uint64(len(q.Scenarios)))
	}
	return r, nil
}
