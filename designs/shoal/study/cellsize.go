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

// cellSizeParams are the parameters of Figure 9.
type cellSizeParams struct {
	Bytes []int `flag:"cell" each:"Bytes" min:"16" max:"16384" unit:"bytes" help:"of a cell, multiples of 8"`
	CellSizePoint
}

// CellSizePoint is one cell size under one reading of Equation 2.
type CellSizePoint struct {
	Bytes    int            `flag:"-"`
	Schedule string         `flag:"schedule" choices:"cyclic,half-epoch" help:"of the eight nodes"`
	Epochs   int            `flag:"epochs" min:"10" max:"100000" help:"epochs that are counted, after 100 to settle"`
	Equation shoal.Equation `flag:"-"`
}

// cellSizeResult is the throughput of a full permutation.
type cellSizeResult struct {
	Slot, Flight int     // cycles, slots
	Throughput   float64 // share of a destination's slots
}

// cellSizeRun is what a run knows.
type cellSizeRun struct {
	rack   *shoal.Rack
	bits   *shoal.Prototype // in place of it
	epochs int              // run so far
	before uint64           // cells that had arrived after the first of them
}

// settling is how many epochs flows get to come to their rate.
const settling = 100

// step goes on by an epoch. Arrived tells how many cells have.
func (x *cellSizeRun) step(
	ctx context.Context, run *experiment.Run, q CellSizePoint, epoch func() error, arrived func() uint64,
) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if x.epochs == settling {
		x.before = arrived()
	}
	if err := epoch(); err != nil {
		return err
	}
	x.epochs++
	run.Progress(uint64(x.epochs), uint64(settling+q.Epochs))
	return run.Between()
}

func runCellSize(ctx context.Context, run *experiment.Run, q CellSizePoint) (cellSizeResult, error) {
	f := shoal.FabricParams{Nodes: 8, Channels: 1, Schedule: q.Schedule, Equation: q.Equation}
	s, err := f.Built()
	if err != nil {
		return cellSizeResult{}, err
	}
	p, err := shoal.NewPrototype(shoal.PrototypeConfig{Schedule: s, CellBytes: q.Bytes}) // for its flight; it does not run
	if err != nil {
		return cellSizeResult{}, err
	}
	r, err := shoal.NewRack(shoal.RackConfig{Schedule: s, Flight: p.Flight(), Options: f.Options()})
	if err != nil {
		return cellSizeResult{}, err
	}
	to := derangement(rand.New(rand.NewPCG(run.Seed, 9)), 8)
	if run.Waves != nil { // which only clocks have
		return runCellSizeBits(ctx, run, q, s, f.Options(), to)
	}
	x := &cellSizeRun{rack: r}
	if err := run.Simulate(experiment.Simulation{Cycle: r.Slot, Roots: []any{x}}); err != nil {
		return cellSizeResult{}, err
	}
	if x.epochs == 0 {
		for i, j := range to {
			if err := r.Offer(uint64(i), i, j, 1<<31); err != nil {
				return cellSizeResult{}, err
			}
		}
	}
	for x.epochs < settling+q.Epochs {
		if err := x.step(ctx, run, q, func() error { return r.Run(ctx, uint64(r.Epoch())) }, r.ArrivedCells); err != nil {
			return cellSizeResult{}, err
		}
	}
	res := cellSizeResult{Slot: p.Slot, Flight: p.Flight()}
	res.Throughput = float64(r.ArrivedCells()-x.before) / float64(8*q.Epochs*r.Epoch())
	return res, r.Conservation()
}

// bitCells bounds the cells that each node holds for a run on clocks: the default epochs' bytes, at 64 bytes 1 MB.
const bitCells = 1 << 14

// runCellSizeBits measures the same on the bit-level rack, for a waveform. The two racks do the same in every slot, so
// the result is the same.
func runCellSizeBits(
	ctx context.Context, run *experiment.Run, q CellSizePoint, s *shoal.Schedule, o shoal.Options, to []int,
) (cellSizeResult, error) {
	p, err := shoal.NewPrototype(shoal.PrototypeConfig{Schedule: s, CellBytes: q.Bytes, Options: o})
	if err != nil {
		return cellSizeResult{}, err
	}
	epoch := s.Epoch()
	cells := (settling + q.Epochs) * epoch // more than a flow can send
	if cells > bitCells {
		return cellSizeResult{}, fmt.Errorf(
			"a waveform of %d epochs, want --epochs of at most %d", q.Epochs, bitCells/epoch-settling,
		)
	}
	x := &cellSizeRun{bits: p}
	if err := run.Simulate(experiment.Simulation{Sim: p.Sim, Clock: p.Clock, Roots: []any{x}}); err != nil {
		return cellSizeResult{}, err
	}
	if x.epochs == 0 {
		if err := p.Clock.Run(p.Start); err != nil {
			return cellSizeResult{}, err
		}
		for i, nic := range p.NICs {
			if err := nic.Send(to[i], make([]uint64, cells*(q.Bytes/8-1))); err != nil {
				return cellSizeResult{}, err
			}
		}
	}
	res := cellSizeResult{Slot: p.Slot, Flight: p.Flight()}
	for x.epochs < settling+q.Epochs {
		if err := x.step(ctx, run, q, func() error { return p.Run(uint64(epoch)) }, p.ArrivedCells); err != nil {
			return res, err
		}
	}
	res.Throughput = float64(p.ArrivedCells()-x.before) / float64(8*q.Epochs*epoch)
	return res, nil
}

// derangement is a random permutation that leaves nobody in place.
func derangement(rng *rand.Rand, n int) []int {
	for {
		p, fixed := rng.Perm(n), false
		for i, j := range p {
			fixed = fixed || i == j
		}
		if !fixed {
			return p
		}
	}
}

// cellSizeEquations are the readings of Equation 2 that Figure 9 compares.
func cellSizeEquations() []shoal.Equation {
	return []shoal.Equation{shoal.ByDrains, shoal.ByCounters, shoal.ByEpochs}
}

// cellSize measures the throughput of the prototype by the size of its cells.
var cellSize = experiment.Define(experiment.Spec[cellSizeParams, CellSizePoint, cellSizeResult]{
	Name: "cell-size", Waves: true, Checkpoints: true, Short: "Throughput of the prototype against the size of its cells",
	Source: "Shoal Figure 9",
	Long: "All eight nodes send an endless flow to another one. The smaller the cells, the more epochs their flight " +
		"takes, and no subflow sends before it has feedback. Slot by slot, with the flight of the bit-level prototype; " +
		"three readings of Equation 2. With --vcd the first point runs bit by bit, to the same result.",
	Examples: []string{"cell-size --cell 64 --epochs 10 --vcd cells.vcd"},
	Defaults: cellSizeParams{[]int{64, 128, 256, 512, 1024, 2048, 4096}, CellSizePoint{Schedule: "cyclic", Epochs: 2000}},
	Check: func(p *cellSizeParams) error {
		for _, b := range p.Bytes {
			if b%8 != 0 {
				return fmt.Errorf("--cell %d, want multiples of 8", b)
			}
		}
		return nil
	},
	Points: func(p *cellSizeParams, seed uint64) ([]experiment.Point[CellSizePoint], error) {
		var qs []CellSizePoint
		for _, p.Equation = range cellSizeEquations() {
			qs = append(qs, experiment.Grid[CellSizePoint](p)...)
		}
		return experiment.Each(seed, qs...), nil
	},
	Run: runCellSize,
	Report: func(p *cellSizeParams, done []experiment.Result[CellSizePoint, cellSizeResult]) (*experiment.Report, error) {
		r := &experiment.Report{}
		t := &experiment.Table{
			Name: "sizes",
			Columns: experiment.Columns(
				"Equation 2", "", "Cell bytes", "", "Slot cycles", "", "Flight slots", "", "Throughput", "%.4f",
			),
		}
		curves := []plots.Series{
			{Name: "exact drains"}, {Name: "epoch counters", Dashed: true}, {Name: "whole epochs", Dashed: true},
		}
		for _, d := range done {
			k := slices.Index(cellSizeEquations(), d.Point.Equation)
			t.Row(d.Point.Equation, d.Point.Bytes, d.Value.Slot, d.Value.Flight, d.Value.Throughput)
			curves[k].X, curves[k].Y = append(curves[k].X, float64(d.Point.Bytes)), append(curves[k].Y, d.Value.Throughput)
		}
		r.Table(t)
		r.Chart(
			experiment.Chart{
				Lines: &plots.Chart{
					Title: "Throughput of a full permutation of 8 nodes", X: "bytes a cell", Y: "share of slots", LogX: true,
					Series: curves,
				},
			},
		)
		return r, nil
	},
})
