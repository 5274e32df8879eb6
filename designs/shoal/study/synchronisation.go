package study

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/experiment/plots"

	"github.com/goldwire/goldwire/designs/shoal"
)

// synchronisationParams are the parameters of the time synchronisation (§3.4, §6.1).
type synchronisationParams struct {
	Rules    []string  `flag:"rule" each:"Rule" choices:"follow,dtp" help:"nodes follow a time master, or whoever is ahead, as in DTP"`
	PPM      []float64 `flag:"ppm" each:"PPM" min:"0" max:"1000" help:"largest offset of a node's own clock; 0: all have the distributed one"`
	Interval []int     `flag:"interval" each:"Interval" min:"1" max:"100000" help:"epochs from one correction of the counters to the next"`
	Guard    []int     `flag:"guard" each:"Guard" min:"0" max:"64" help:"cycles of the guard band"`
	SynchronisationPoint
}

// SynchronisationPoint is one run.
type SynchronisationPoint struct {
	PPM      float64    `flag:"-"`
	Clocks   string     `flag:"clocks" choices:"around,below" help:"the nodes' clocks lie on both sides of the switches' clock, or all below it"`
	Rule     string     `flag:"-"`
	Alpha    int        `flag:"alpha" min:"0" max:"16" help:"cycles that are taken off both ways together before they are halved; DTP takes 3"`
	Interval int        `flag:"-"`
	Guard    int        `flag:"-"`
	Wires    clock.Time `flag:"wires" min:"0ns" max:"1us" help:"a node's wire is longer than 10 ns by up to this"`
	Slots    int        `flag:"slots" min:"100" max:"10000000" help:"slots that are run after the start"`
}

// synchronisationResult is the outcome.
type synchronisationResult struct {
	Cycles    int64   // most that two counters differed by at one instant
	Exact     float64 // the same in cycles, with the share of a cycle since each clock's last edge; looked at once a slot
	Start     uint64  // cycles from power-on to the first cell
	Aligned   shoal.Alignment
	Wanted    int    // guard band in cycles that the observed edges need
	Frames    uint64 // sent, dummies too
	Intact    uint64
	Damaged   uint64 // frames that came with a wrong FCS or header, or from a wrong node
	Cut       uint64 // frames of which no start came
	FirstLost uint64 // cycles from the first cell to the first loss, 0 for none
	Account   shoal.SyncAccount
}

// synchronisedRun is what a run knows whose nodes have to find a common time first.
type synchronisedRun struct {
	rack  *shoal.Prototype
	sent  bool // they have it, and the cells have been handed to them
	cycle int  // since then
}

func runSynchronisation(
	ctx context.Context, run *experiment.Run, q SynchronisationPoint,
) (synchronisationResult, error) {
	var res synchronisationResult
	s, err := shoal.Cyclic(8, 1)
	if err != nil {
		return res, err
	}
	rng := rand.New(rand.NewPCG(run.Seed, 33))
	cfg := shoal.PrototypeConfig{
		Schedule: s,
		Sync: &shoal.Sync{
			Guard: q.Guard, Lead: shoal.LeadOf(q.Guard), Max: q.Rule == "dtp", Alpha: q.Alpha, Interval: q.Interval,
		},
	}
	cfg.PPM = ownClocks(8, q.PPM, q.Clocks)
	if q.Wires.Cmp(clock.Time{}) > 0 {
		for range 8 {
			cfg.Wires = append(
				cfg.Wires,
				clock.Nanosecond.Times(10).
					Add(clock.Seconds(new(big.Rat).Mul(q.Wires.Seconds(), big.NewRat(rng.Int64N(101), 100)))),
			)
		}
	}
	p, err := shoal.NewPrototype(cfg)
	if err != nil {
		return res, err
	}
	lost := func() bool { return p.LostFrames(0) > 0 }
	x := &synchronisedRun{rack: p}
	if err := run.Simulate(experiment.Simulation{Sim: p.Sim, Clock: p.Clock, Faulty: lost,
		Roots: []any{x, &res}}); err != nil {
		return res, err
	}
	if !x.sent {
		if err := p.Synchronise(ctx); err != nil {
			return res, err
		}
		res.Start = p.Start
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
	for cycles := q.Slots * p.Slot; x.cycle < cycles; {
		if err := p.Clock.Run(1); err != nil {
			return res, err
		}
		slot := x.cycle%p.Slot == 0
		whole, fine := p.Spread(slot)
		res.Cycles = max(res.Cycles, whole)
		res.Aligned.Look(p)
		if res.FirstLost == 0 && lost() {
			res.FirstLost = p.Clock.Cycle() - p.Start
		}
		if x.cycle++; slot {
			res.Exact = max(res.Exact, fine)
			if err := ctx.Err(); err != nil {
				return res, err
			}
			run.Progress(uint64(x.cycle), uint64(cycles))
			if err := run.Between(); err != nil {
				return res, err
			}
		}
	}
	res.Wanted = res.Aligned.Wanted()
	if res.Account, err = p.Account(); err != nil {
		return res, err
	}
	for _, n := range p.NICs {
		res.Frames += n.Frames
		res.Intact += n.Intact - n.Misrouted
	}
	res.Damaged = p.Damaged(0)
	res.Cut = res.Frames - res.Intact - res.Damaged
	for _, n := range p.NICs {
		if res.Damaged+res.Cut == 0 && n.Node.Broken != "" {
			return res, fmt.Errorf("node %d: %s", n.Node.ID, n.Node.Broken)
		}
	}
	return res, nil
}

// ownClocks spreads the nodes' clocks evenly. Node 0 has the distributed clock.
func ownClocks(nodes int, ppm float64, clocks string) []float64 {
	own := make([]float64, nodes)
	for i := 1; i < nodes && ppm > 0; i++ {
		share := float64(i-1) / float64(nodes-2) // 0 to 1
		if clocks == "below" {
			own[i] = -ppm * (share + 1) / 2
		} else {
			own[i] = ppm * (2*share - 1)
		}
	}
	return own
}

// synchronisation measures how well the nodes agree on the time, and what that means for cells.
var synchronisation = experiment.Define(
	experiment.Spec[synchronisationParams, SynchronisationPoint, synchronisationResult]{
		Name: "synchronisation", Waves: true, Checkpoints: true,
		Short:  "Time synchronisation of the bit-level prototype, alignment of slots and guard band",
		Source: "Shoal §3.4, §6.1",
		Long: "Eight nodes with clocks and wires of their own find a common time by messages in place of idle blocks, as " +
			"in DTP, and start their slots so that cells meet at the switches. Counters are compared at the same exact " +
			"instant, cells with the slots of their leaf when their first word enters it. From what is observed follows the " +
			"guard band that is needed; with less, cells are lost.",
		Examples: []string{
			"synchronisation --ppm 0,100 --guard 1,2", "synchronisation --rule dtp --clocks below --alpha 3 --guard 4",
			"synchronisation --ppm 100 --interval 400 --guard 1,2,3,4 --slots 12000",
		},
		Defaults: synchronisationParams{
			PPM: []float64{0, 10, 100}, Rules: []string{"follow"}, Interval: []int{1}, Guard: []int{1},
			SynchronisationPoint: SynchronisationPoint{Clocks: "around", Slots: 2000},
		},
		Run: runSynchronisation,
		Report: func(p *synchronisationParams,
			done []experiment.Result[SynchronisationPoint, synchronisationResult]) (*experiment.Report, error) {
			r := &experiment.Report{}
			t := &experiment.Table{
				Name: "synchronisation",
				Columns: experiment.Columns(
					"Rule", "", "ppm", "", "Interval", "", "Guard", "", "Precision cycles", "", "exact ns", "%.3f", "Early",
					"", "Late", "", "Guard wanted", "", "Frames", "", "Damaged", "", "Cut", "", "First after cycles", "",
				),
			}
			precision, lost := plots.Series{Name: "precision"}, plots.Series{Name: "lost"}
			for _, d := range done {
				v, q := d.Value, d.Point
				t.Row(
					q.Rule, q.PPM, q.Interval, q.Guard, v.Cycles, v.Exact*shoal.CycleNs, v.Aligned.Early, v.Aligned.Late,
					v.Wanted, v.Frames, v.Damaged, v.Cut, v.FirstLost,
				)
				precision.X, precision.Y = append(precision.X, q.PPM), append(precision.Y, v.Exact*shoal.CycleNs)
				lost.X, lost.Y = append(lost.X, float64(q.Guard)), append(lost.Y, float64(v.Damaged+v.Cut)/float64(v.Frames))
			}
			r.Table(t)
			if len(p.PPM) > 1 {
				r.Chart(
					experiment.Chart{
						Name: "precision",
						Lines: &plots.Chart{
							Title: "Precision against the clocks' offset", X: "ppm", Y: "ns",
							Series: []plots.Series{precision},
						},
					},
				)
			}
			if len(p.Guard) > 1 {
				r.Chart(
					experiment.Chart{
						Name: "guard",
						Lines: &plots.Chart{
							Title: "Frames lost against the guard band", X: "cycles", Y: "share of frames",
							Series: []plots.Series{lost},
						},
					},
				)
			}
			return r, nil
		},
	},
)
