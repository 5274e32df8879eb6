package study

import (
	"context"
	"math/rand/v2"

	"github.com/goldwire/goldwire/experiment"

	"github.com/goldwire/goldwire/designs/shoal"
)

// ownClockParams are the parameters of the counter-example to one distributed clock (§3.4).
type ownClockParams struct {
	PPM []float64 `flag:"ppm" each:"PPM" min:"-1000" max:"1000" help:"offset of one node's own clock; 0 is the distributed one"`
	OwnClockPoint
}

// OwnClockPoint is one offset.
type OwnClockPoint struct {
	PPM   float64 `flag:"-"`
	Slots int     `flag:"slots" min:"100" max:"10000000" help:"slots that are run"`
}

// ownClockResult is its outcome.
type ownClockResult struct {
	Cells       uint64 // that all nodes took in, dummies and slots without a cell among them
	Damaged     uint64 // frames and headers that were wrong, and cells in a wrong slot
	FirstDamage uint64 // cycles from the first slot, 0 for none
}

// ownClockRun is what a run knows.
type ownClockRun struct {
	rack *shoal.Prototype
	sent bool // the cells have been handed to the nodes
	slot int  // slots run so far, from the first of the schedule
}

func runOwnClock(ctx context.Context, run *experiment.Run, q OwnClockPoint) (ownClockResult, error) {
	var res ownClockResult
	s, err := shoal.Cyclic(8, 1)
	if err != nil {
		return res, err
	}
	const node = 3
	ppm := make([]float64, node+1)
	ppm[node] = q.PPM
	p, err := shoal.NewPrototype(shoal.PrototypeConfig{Schedule: s, PPM: ppm})
	if err != nil {
		return res, err
	}
	x := &ownClockRun{rack: p}
	broken := func() bool { return p.Damaged(0) > 0 }
	if err := run.Simulate(experiment.Simulation{Sim: p.Sim, Clock: p.Clock, Faulty: broken,
		Roots: []any{x, &res}}); err != nil {
		return res, err
	}
	if !x.sent {
		if err := p.Clock.Run(p.Start); err != nil {
			return res, err
		}
		rng := rand.New(rand.NewPCG(run.Seed, 34))
		for i := range p.NICs {
			if err := p.SendRandom(rng, i, (i+1)%8, 50); err != nil {
				return res, err
			}
		}
		x.sent = true
		if err := run.Touched(); err != nil {
			return res, err
		}
	}
	for x.slot < q.Slots {
		if err := ctx.Err(); err != nil {
			return res, err
		}
		if err := p.Run(1); err != nil {
			return res, err
		}
		res.Cells, res.Damaged = 0, p.Damaged(0)
		for _, nic := range p.NICs {
			res.Cells += nic.Taken
		}
		if res.Damaged > 0 && res.FirstDamage == 0 {
			res.FirstDamage = p.Clock.Cycle() - p.Start
		}
		if x.slot++; x.slot%64 == 0 {
			run.Progress(uint64(x.slot), uint64(q.Slots))
		}
		if err := run.Between(); err != nil {
			return res, err
		}
	}
	return res, nil
}

// ownClock gives one node a clock of its own.
var ownClock = experiment.Define(experiment.Spec[ownClockParams, OwnClockPoint, ownClockResult]{
	Name: "own-clock", Waves: true, Checkpoints: true, Short: "One node of the bit-level prototype on a clock of its own",
	Source: "Shoal §3.4",
	Long: "All nodes and switches share one distributed clock, but one node whose own is off by some parts in a " +
		"million. Its slots drift against the others', and the FIFOs between its clock and the distributed one run full " +
		"or empty. Counted is when the first cell is damaged.",
	Examples: []string{"own-clock --ppm 0,200 --slots 1000", "own-clock --ppm 400 --slots 100 --on-fault damage.vcd"},
	Defaults: ownClockParams{PPM: []float64{-400, -200, 0, 200, 400}, OwnClockPoint: OwnClockPoint{Slots: 4000}},
	Run:      runOwnClock,
	Report: func(p *ownClockParams, done []experiment.Result[OwnClockPoint, ownClockResult]) (*experiment.Report, error) {
		r := &experiment.Report{}
		t := &experiment.Table{
			Name: "clocks",
			Columns: experiment.Columns(
				"ppm", "", "Cells", "", "Damaged", "", "First after cycles", "", "Drift in cycles", "%.2f",
			),
		}
		for _, d := range done {
			t.Row(
				d.Point.PPM, d.Value.Cells, d.Value.Damaged, d.Value.FirstDamage,
				float64(d.Value.FirstDamage)*d.Point.PPM*1e-6,
			)
		}
		r.Table(t)
		return r, nil
	},
})
