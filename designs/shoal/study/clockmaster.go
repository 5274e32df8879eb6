package study

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/experiment/plots"

	"github.com/goldwire/goldwire/designs/shoal"
)

// clockMasterParams are the parameters of a clock master that fails (§3.5).
type clockMasterParams struct {
	Lost []string  `flag:"lost" each:"Lost" choices:"time,clock" help:"the node that all take their time from stops, or the distributed clock does"`
	PPM  []float64 `flag:"ppm" each:"PPM" min:"0" max:"1000" help:"largest offset of the clocks of nodes, and of switches once the distributed one has stopped"`
	ClockMasterPoint
}

// ClockMasterPoint is one run.
type ClockMasterPoint struct {
	Lost  string  `flag:"-"`
	PPM   float64 `flag:"-"`
	Guard int     `flag:"guard" min:"0" max:"64" help:"cycles of the guard band"`
	Cells int     `flag:"cells" min:"1" max:"1000" help:"of each of the 56 flows"`
	Slots int     `flag:"slots" min:"100" max:"10000000" help:"slots that are run after the start at most"`
}

// clockMasterResult is its outcome. Cycles count from the failure.
type clockMasterResult struct {
	Detected  uint64 // until the first node took another master
	TakenOver uint64 // until the last one had
	Masters   []int  // that the living nodes have in the end
	Precision int64  // most that two living nodes' counters differed by after it, in cycles
	FirstLost uint64 // until the first frame between living nodes was lost; 0: none was
	Damaged   uint64
	Complete  uint64 // until the last flow between living nodes was complete; 0: not all were
	Flows     int    // complete, of 42 between living nodes or of 56
	Missing   int    // cells between living nodes that never arrived
	Account   shoal.SyncAccount
}

// Losses of clockMasterParams.Lost.
const (
	loseTime  = "time"
	loseClock = "clock"
)

// A node that fails does so in this slot after the start, while all flows are under way.
const masterFails = 40

// masterRun is what a run knows.
type masterRun struct {
	synchronisedRun
	first  int    // node that lives
	failed uint64 // the cycle of the failure, 0 before it
}

func runClockMaster(ctx context.Context, run *experiment.Run, q ClockMasterPoint) (clockMasterResult, error) {
	var res clockMasterResult
	s, err := shoal.Cyclic(8, 1)
	if err != nil {
		return res, err
	}
	cfg := shoal.PrototypeConfig{
		Schedule: s, PPM: ownClocks(8, q.PPM, "around"), Sync: &shoal.Sync{Guard: q.Guard, Lead: shoal.LeadOf(q.Guard)},
	}
	if q.Lost == loseClock {
		// A clock has one frequency, so the oscillators that take over when the distributed clock stops run from the
		// beginning. The nodes have come to a common time by the first slot, from which all is counted.
		cfg.SwitchPPM = []float64{q.PPM, -q.PPM, q.PPM / 2, -q.PPM / 2, -q.PPM, q.PPM}
	}
	p, err := shoal.NewPrototype(cfg)
	if err != nil {
		return res, err
	}
	x := &masterRun{synchronisedRun: synchronisedRun{rack: p}}
	if err := run.Simulate(experiment.Simulation{Sim: p.Sim, Clock: p.Clock, Roots: []any{x, &res}}); err != nil {
		return res, err
	}
	if !x.sent {
		if err := p.Synchronise(ctx); err != nil {
			return res, err
		}
		if err := sendAll(p, rand.New(rand.NewPCG(run.Seed, 35)), q.Cells); err != nil {
			return res, err
		}
		x.sent = true
		if err := run.Touched(); err != nil {
			return res, err
		}
	}
	if x.failed == 0 {
		x.failed = p.Start
		if q.Lost == loseTime {
			if err := p.Run(masterFails); err != nil {
				return res, err
			}
			p.Stop(0)
			x.first, x.failed = 1, p.Clock.Cycle()
		}
		if err := run.Touched(); err != nil {
			return res, err
		}
	}
	first := x.first
	living := 8 - first
	for cycles := q.Slots * p.Slot; x.cycle < cycles; {
		if err := p.Clock.Run(1); err != nil {
			return res, err
		}
		now := p.Clock.Cycle() - x.failed
		whole, _ := p.Spread(false)
		res.Precision = max(res.Precision, whole)
		if res.TakenOver == 0 && q.Lost == loseTime {
			moved := 0
			for _, port := range p.Ports[first:] {
				moved += min(len(port.Takeovers), 1)
			}
			if moved > 0 && res.Detected == 0 {
				res.Detected = now
			}
			if moved == living {
				res.TakenOver = now
			}
		}
		if x.cycle++; x.cycle%p.Slot != 1 {
			continue
		}
		if err := ctx.Err(); err != nil {
			return res, err
		}
		run.Progress(uint64(x.cycle), uint64(cycles))
		if res.FirstLost == 0 && p.LostFrames(first) > 0 {
			res.FirstLost = now
		}
		if res.Complete == 0 && completeFlows(p, first) == living*(living-1) {
			res.Complete = now
		}
		if err := run.Between(); err != nil {
			return res, err
		}
	}
	res.Flows = completeFlows(p, first)
	res.Missing = missingCells(p, first, q.Cells)
	for _, port := range p.Ports[first:] {
		res.Masters = append(res.Masters, int(port.Master))
	}
	if res.Account, err = p.Account(); err != nil {
		return res, err
	}
	res.Damaged = p.Damaged(first)
	return res, nil
}

// sendAll hands each node some cells for each other one.
func sendAll(p *shoal.Prototype, rng *rand.Rand, cells int) error {
	for i := range p.NICs {
		for j := range p.NICs {
			if i == j {
				continue
			}
			if err := p.SendRandom(rng, i, j, cells); err != nil {
				return err
			}
		}
	}
	return nil
}

// completeFlows counts the flows between nodes from the first one on of which every word has arrived as it was sent.
func completeFlows(p *shoal.Prototype, first int) (flows int) {
	for i := first; i < len(p.NICs); i++ {
		for j := first; j < len(p.NICs); j++ {
			if i != j && slices.Equal(p.NICs[i].Host[j], p.NICs[j].Arrived[i]) {
				flows++
			}
		}
	}
	return flows
}

// missingCells counts the cells between nodes from the first one on that have not arrived.
func missingCells(p *shoal.Prototype, first, cells int) int {
	living := len(p.NICs) - first
	missing := living * (living - 1) * cells
	for _, nic := range p.NICs[first:] {
		came := make([]bool, len(p.NICs)*cells)
		for _, d := range nic.Deliver {
			at := d.From*cells + int(d.Sequence)
			if d.From >= first && !came[at] {
				came[at] = true
				missing--
			}
		}
	}
	return missing
}

// clockMaster lets the time master or the distributed clock fail.
var clockMaster = experiment.Define(experiment.Spec[clockMasterParams, ClockMasterPoint, clockMasterResult]{
	Name: "clock-master", Waves: true, Checkpoints: true,
	Short: "The time master or the distributed clock of the bit-level prototype fails", Source: "Shoal §3.5",
	Long: "All eight nodes send to each other. Either node 0, from which the others take the time, falls silent: each " +
		"node notices within an epoch that its message is missing, and the lowest of those still heard takes over. Or " +
		"the distributed clock stops: nodes and switches run on by oscillators of their own (hold-over), nodes go on to " +
		"follow the master, and the switches' slots drift until frames are lost.",
	Examples: []string{
		"clock-master --lost time --ppm 0,100", "clock-master --lost clock --ppm 10,20,40 --guard 4 --slots 20000",
	},
	Defaults: clockMasterParams{
		Lost: []string{loseTime}, PPM: []float64{0}, ClockMasterPoint: ClockMasterPoint{Guard: 2, Cells: 10, Slots: 2000},
	},
	Run: runClockMaster,
	Report: func(p *clockMasterParams, done []experiment.Result[ClockMasterPoint, clockMasterResult]) (*experiment.Report,
		error) {
		r := &experiment.Report{}
		t := &experiment.Table{
			Name: "masters",
			Columns: experiment.Columns(
				"Lost", "", "ppm", "", "Detected", "", "Taken over", "", "Masters", "", "Precision cycles", "",
				"First lost", "", "Damaged", "", "Flows", "", "Complete", "", "Missing", "", "Cells", "", "Delivered", "",
				"Twice", "", "Discarded", "", "Waiting", "", "On lines", "",
			),
		}
		held := plots.Series{Name: "first frame lost"}
		for _, d := range done {
			v, q, a := d.Value, d.Point, d.Value.Account
			masters := slices.Compact(slices.Sorted(slices.Values(v.Masters)))
			t.Row(
				q.Lost, q.PPM, v.Detected, v.TakenOver, fmt.Sprint(masters), v.Precision, v.FirstLost, v.Damaged, v.Flows,
				v.Complete, v.Missing, a.Copies, a.Delivered, a.Duplicate, a.Lost, a.Waiting, a.OnLines,
			)
			if len(masters) != 1 && v.FirstLost == 0 {
				r.Failf("%s lost, %v ppm: the nodes have %d masters", q.Lost, q.PPM, len(masters))
			}
			if v.FirstLost > 0 {
				held.X, held.Y = append(held.X, q.PPM), append(held.Y, float64(v.FirstLost)*shoal.CycleUs)
			}
		}
		r.Table(t)
		r.Linef(
			"Cycles of 6.4 ns count from the failure; 0 where nothing of the kind was seen. Cells are those taken from hosts, " +
				"taken back, or sent again.",
		)
		if len(held.X) > 1 {
			r.Chart(
				experiment.Chart{
					Lines: &plots.Chart{
						Title: "Hold-over until the first frame is lost", X: "ppm", Y: "µs", Series: []plots.Series{held},
					},
				},
			)
		}
		return r, nil
	},
})
