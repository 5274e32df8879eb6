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

// prototypeIncastParams are the parameters of Figure 10.
type prototypeIncastParams struct {
	Cells int `flag:"cells" min:"1" max:"1000" help:"of each of the seven flows"`
	Slot  int `flag:"slot" min:"0" max:"6" help:"slot of the epoch in which the flows start"`
}

// prototypeIncastResult has the completion of each flow, in cycles of 6.4 ns from the decision of the first slot to the
// last cell in the destination's memory.
type prototypeIncastResult struct {
	Cycles   []uint64 // by sender, from 1
	MaxQueue int      // longest queue for the destination
	Intact   bool     // every word arrived as it was sent
}

// prototypeIncastRun is what a run knows.
type prototypeIncastRun struct {
	rack    *shoal.Prototype
	got     []int // cells, by sender from 1
	read    int   // deliveries looked at
	missing int   // cells
}

func runPrototypeIncast(
	ctx context.Context, run *experiment.Run, q prototypeIncastParams,
) (prototypeIncastResult, error) {
	var res prototypeIncastResult
	s, err := shoal.Cyclic(8, 1)
	if err != nil {
		return res, err
	}
	p, err := shoal.NewPrototype(shoal.PrototypeConfig{Schedule: s})
	if err != nil {
		return res, err
	}
	x := &prototypeIncastRun{rack: p, got: make([]int, 7), missing: 7 * q.Cells}
	broken := func() bool { return p.Damaged(0) > 0 }
	if err := run.Simulate(experiment.Simulation{Sim: p.Sim, Clock: p.Clock, Faulty: broken,
		Roots: []any{x, &res}}); err != nil {
		return res, err
	}
	start := p.Start + uint64(q.Slot*p.Slot)
	const dest = 0
	if res.Cycles == nil {
		if err := p.Clock.Run(start); err != nil {
			return res, err
		}
		rng := rand.New(rand.NewPCG(run.Seed, 10))
		for from := 1; from < 8; from++ {
			data := make([]uint64, q.Cells*(shoal.CellBytes/8-1))
			for i := range data {
				data[i] = rng.Uint64()
			}
			if err := p.NICs[from].Send(dest, data); err != nil {
				return res, err
			}
		}
		res.Cycles = make([]uint64, 7)
		if err := run.Touched(); err != nil {
			return res, err
		}
	}
	for x.missing > 0 {
		if err := ctx.Err(); err != nil {
			return res, err
		}
		if p.Clock.Cycle() > start+uint64(100_000+q.Cells*7*p.Slot*8) {
			return res, fmt.Errorf("%d cells have not come", x.missing)
		}
		if err := p.Clock.Run(1); err != nil {
			return res, err
		}
		for ; x.read < len(p.NICs[dest].Deliver); x.read++ {
			d := p.NICs[dest].Deliver[x.read]
			x.missing--
			if x.got[d.From-1]++; x.got[d.From-1] == q.Cells {
				res.Cycles[d.From-1] = p.Clock.Cycle() - start
			}
		}
		if err := run.Between(); err != nil {
			return res, err
		}
	}
	res.Intact = true
	for from := 1; from < 8; from++ {
		res.Intact = res.Intact && slices.Equal(p.NICs[from].Host[dest], p.NICs[dest].Arrived[from])
	}
	for _, n := range p.NICs {
		res.MaxQueue = max(res.MaxQueue, int(n.Node.Counts.MaxQueue))
		if n.Damaged+n.Misrouted > 0 || n.Node.Broken != "" {
			return res, fmt.Errorf(
				"node %d: %d cells damaged, %d misrouted %s", n.Node.ID, n.Damaged, n.Misrouted, n.Node.Broken,
			)
		}
	}
	return res, nil
}

// prototypeIncast measures the 7:1 incast of the prototype.
var prototypeIncast = experiment.Define(
	experiment.Spec[prototypeIncastParams, prototypeIncastParams, prototypeIncastResult]{
		Name: "prototype-incast", Waves: true, Checkpoints: true, Short: "Seven flows to one node on the bit-level prototype",
		Source: "Shoal Figure 10",
		Long: "Seven nodes send seven cells each to the eighth at the same time. Every flow's completion is counted in " +
			"cycles.",
		Defaults: prototypeIncastParams{Cells: 7},
		Points: func(p *prototypeIncastParams, seed uint64) ([]experiment.Point[prototypeIncastParams], error) {
			return experiment.One(*p, seed), nil
		},
		Run: runPrototypeIncast,
		Report: func(p *prototypeIncastParams,
			done []experiment.Result[prototypeIncastParams, prototypeIncastResult]) (*experiment.Report, error) {
			r := &experiment.Report{}
			t := &experiment.Table{Name: "flows", Columns: experiment.Columns("Sender", "", "Cycles", "", "µs", "%.3f")}
			v := done[0].Value
			var us []float64
			for i, c := range v.Cycles {
				t.Row(i+1, c, float64(c)*shoal.CycleUs)
				us = append(us, float64(c)*shoal.CycleUs)
			}
			r.Table(t)
			r.Linef("Longest queue %d; the paper prints 6.05 µs for the fastest flow and 6.9 µs for the slowest.", v.MaxQueue)
			if !v.Intact {
				r.Failf("some words did not arrive as they were sent")
			}
			r.Chart(
				experiment.Chart{Lines: &plots.Chart{Title: "Completion of seven flows to one node", X: "µs", Y: "share of flows",
					Series: []plots.Series{plots.CDF("7:1 incast", us)}}},
			)
			return r, nil
		},
	},
)
