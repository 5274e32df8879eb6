package shoal

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/plots"
)

// CellSizeParams are those of Figure 9.
type CellSizeParams struct {
	Bytes    []int  `flag:"cell" min:"16" max:"16384" unit:"bytes" help:"of a cell, multiples of 8"`
	Schedule string `flag:"schedule" choices:"cyclic,half-epoch" help:"of the eight nodes"`
	Epochs   int    `flag:"epochs" min:"10" max:"100000" help:"epochs that are counted, after 100 to settle"`
}

// CellSizePoint is one cell size under one reading of Equation 2.
type CellSizePoint struct {
	Bytes       int
	Schedule    string
	Epochs      int
	WholeEpochs bool
}

// CellSizeResult is the throughput of a full permutation.
type CellSizeResult struct {
	Slot, Flight int     // cycles, slots
	Throughput   float64 // share of a destination's slots
}

func runCellSize(ctx context.Context, run *experiment.Run, q CellSizePoint) (CellSizeResult, error) {
	f := FabricParams{Nodes: 8, Channels: 1, Schedule: q.Schedule}
	s, err := f.schedule()
	if err != nil {
		return CellSizeResult{}, err
	}
	p, err := NewPrototype(PrototypeConfig{Schedule: s, CellBytes: q.Bytes}) // for its flight; it does not run
	if err != nil {
		return CellSizeResult{}, err
	}
	r, err := NewRack(RackConfig{Schedule: s, Flight: p.Flight(), Options: Options{WholeEpochs: q.WholeEpochs}})
	if err != nil {
		return CellSizeResult{}, err
	}
	to := derangement(rand.New(rand.NewPCG(run.Seed, 9)), 8)
	if run.Waves != nil { // which only clocks have
		return runCellSizeBits(ctx, run, q, s, to)
	}
	for i, j := range to {
		if err := r.Offer(uint64(i), i, j, 1<<31); err != nil {
			return CellSizeResult{}, err
		}
	}
	if err := r.Run(ctx, uint64(100*r.Epoch())); err != nil {
		return CellSizeResult{}, err
	}
	before := r.arrivedCells()
	if err := r.Run(ctx, uint64(q.Epochs*r.Epoch())); err != nil {
		return CellSizeResult{}, err
	}
	res := CellSizeResult{Slot: p.Slot, Flight: p.Flight()}
	res.Throughput = float64(r.arrivedCells()-before) / float64(8*q.Epochs*r.Epoch())
	return res, r.Conservation()
}

// bitCells bounds the cells that each node holds for a run on clocks: those of the default epochs, at 64 bytes 1 MB.
const bitCells = 1 << 14

// runCellSizeBits measures the same on the bit-level rack, for a waveform. The two racks do the same in every slot, so the result
// is the same.
func runCellSizeBits(ctx context.Context, run *experiment.Run, q CellSizePoint, s *Schedule, to []int) (CellSizeResult, error) {
	p, err := NewPrototype(PrototypeConfig{Schedule: s, CellBytes: q.Bytes, Options: Options{WholeEpochs: q.WholeEpochs}})
	if err != nil {
		return CellSizeResult{}, err
	}
	if err := run.Watch(p.Sim, p.Clock, nil); err != nil {
		return CellSizeResult{}, err
	}
	if err := p.Clock.Run(p.Start); err != nil {
		return CellSizeResult{}, err
	}
	epoch := s.Epoch()
	cells := (100 + q.Epochs) * epoch // more than a flow can send
	if cells > bitCells {
		return CellSizeResult{}, fmt.Errorf("a waveform of %d epochs, want --epochs of at most %d", q.Epochs, bitCells/epoch-100)
	}
	for i, nic := range p.nics {
		if err := nic.Send(to[i], make([]uint64, cells*(q.Bytes/8-1))); err != nil {
			return CellSizeResult{}, err
		}
	}
	res, before := CellSizeResult{Slot: p.Slot, Flight: p.Flight()}, uint64(0)
	for e := range 100 + q.Epochs {
		if err := ctx.Err(); err != nil {
			return res, err
		}
		if e == 100 {
			before = p.arrivedCells()
		}
		if err := p.Run(uint64(epoch)); err != nil {
			return res, err
		}
		run.Progress(uint64(e), uint64(100+q.Epochs))
	}
	res.Throughput = float64(p.arrivedCells()-before) / float64(8*q.Epochs*epoch)
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

// arrivedCells counts the cells that have reached their destinations.
func (r *Rack) arrivedCells() (cells uint64) {
	for i := range r.nodes {
		n := &r.nodes[i]
		cells += n.Counts.Delivered
	}
	return cells
}

// CellSize measures the throughput of the prototype by the size of its cells.
var CellSize = experiment.Define(experiment.Spec[CellSizeParams, CellSizePoint, CellSizeResult]{
	Name: "cell-size", Waves: true, Short: "Throughput of the prototype against the size of its cells", Source: "Shoal Figure 9",
	Long: "All eight nodes send an endless flow to another one. The smaller the cells, the more epochs their flight takes, and no\n" +
		"subflow sends before it has feedback. Slot by slot, with the flight of the bit-level prototype; both readings of Equation 2.\n" +
		"With --vcd the first point runs bit by bit, to the same result.",
	Examples: []string{"cell-size --cell 64 --epochs 10 --vcd cells.vcd"},
	Defaults: CellSizeParams{Bytes: []int{64, 128, 256, 512, 1024, 2048, 4096}, Schedule: "cyclic", Epochs: 2000},
	Check: func(p *CellSizeParams) error {
		for _, b := range p.Bytes {
			if b%8 != 0 {
				return fmt.Errorf("--cell %d, want multiples of 8", b)
			}
		}
		return nil
	},
	Points: func(p *CellSizeParams, seed uint64) ([]experiment.Point[CellSizePoint], error) {
		var qs []CellSizePoint
		for _, whole := range []bool{false, true} {
			for _, b := range p.Bytes {
				qs = append(qs, CellSizePoint{b, p.Schedule, p.Epochs, whole})
			}
		}
		return experiment.Each(seed, qs...), nil
	},
	Run: runCellSize,
	Report: func(p *CellSizeParams, done []experiment.Result[CellSizePoint, CellSizeResult]) (*experiment.Report, error) {
		r := &experiment.Report{}
		t := &experiment.Table{Name: "sizes", Columns: experiment.Columns("Equation 2", "", "Cell bytes", "", "Slot cycles", "", "Flight slots", "", "Throughput", "%.4f")}
		curves := []plots.Series{{Name: "exact drains"}, {Name: "whole epochs", Dashed: true}}
		for _, d := range done {
			k, name := 0, "drains"
			if d.Point.WholeEpochs {
				k, name = 1, "epochs"
			}
			t.Row(name, d.Point.Bytes, d.Value.Slot, d.Value.Flight, d.Value.Throughput)
			curves[k].X, curves[k].Y = append(curves[k].X, float64(d.Point.Bytes)), append(curves[k].Y, d.Value.Throughput)
		}
		r.Table(t)
		r.Chart(experiment.Chart{Lines: &plots.Chart{Title: "Throughput of a full permutation of 8 nodes", X: "bytes a cell", Y: "share of slots", LogX: true,
			Series: curves}})
		return r, nil
	},
})
