package study

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/experiment/plots"

	"github.com/goldwire/goldwire/designs/shoal"
)

// incastParams are the parameters of Figure 13.
type incastParams struct {
	IncastPoint
	Senders []int `flag:"senders" each:"Senders" min:"1" max:"1023" help:"nodes that send to the same one at the same time"`
}

// IncastPoint is one incast.
type IncastPoint struct {
	Fabric  shoal.FabricParams
	Senders int `flag:"-"`
	Bytes   int `flag:"bytes" min:"1" max:"100000000" unit:"bytes" help:"each sender's flow"`
}

// incastResult has the flows' completion times.
type incastResult struct {
	Slots    []uint64 // by sender
	Cells    int      // of a flow
	MaxQueue int
	Ideal    uint64 // slots in which the destination receives all cells if none of its slots is empty
}

// cellsOf returns how many cells a packet needs.
func cellsOf(bytes int) int { return (bytes + shoal.PayloadBytes - 1) / shoal.PayloadBytes }

func runIncast(ctx context.Context, run *experiment.Run, q IncastPoint) (incastResult, error) {
	r, err := q.Fabric.NewRack()
	if err != nil {
		return incastResult{}, err
	}
	rng := rand.New(rand.NewPCG(run.Seed, uint64(q.Senders)))
	nodes := rng.Perm(q.Fabric.Nodes)[:q.Senders+1]
	cells := cellsOf(q.Bytes)
	for i, from := range nodes[1:] {
		if err := r.Offer(uint64(i), from, nodes[0], uint32(cells)); err != nil {
			return incastResult{}, err
		}
	}
	res := incastResult{Slots: make([]uint64, q.Senders), Cells: cells}
	res.Ideal = uint64((cells*q.Senders + q.Fabric.Channels - 1) / q.Fabric.Channels)
	limit := 100*res.Ideal + 100*uint64(r.Epoch()+q.Fabric.Flight)
	if err := run.Simulate(experiment.Simulation{Cycle: r.Slot, Roots: []any{r, &res}}); err != nil {
		return res, err
	}
	for r.Pending() > 0 {
		if r.Slot()%256 == 0 {
			if err := run.Between(); err != nil {
				return res, err
			}
		}
		if r.Slot() > limit {
			return res, fmt.Errorf("%d of %d flows are not complete after %d slots", r.Pending(), q.Senders, limit)
		}
		if err := r.Run(ctx, 1); err != nil {
			return res, err
		}
		for _, d := range r.Done() {
			res.Slots[d.ID] = d.Slots()
		}
	}
	res.MaxQueue = longestQueue(r)
	return res, r.Conservation()
}

// Slowest and Mean are of the flows' completion times in slots.
func (r incastResult) Slowest() (slowest uint64) {
	for _, s := range r.Slots {
		slowest = max(slowest, s)
	}
	return slowest
}

// Mean is the mean completion time in slots.
func (r incastResult) Mean() float64 {
	sum := uint64(0)
	for _, s := range r.Slots {
		sum += s
	}
	return float64(sum) / float64(len(r.Slots))
}

// Incast measures the completion of flows that all go to one node.
var Incast = experiment.Define(experiment.Spec[incastParams, IncastPoint, incastResult]{
	Name: "incast", Checkpoints: true, Short: "Completion times of flows that all go to one node",
	Source: "Shoal Figure 13",
	Long: "Nodes send a flow each to the same node at the same time. The ideal is the destination's slots filled " +
		"without a gap.",
	Examples: []string{"incast --nodes 64 --channels 1 --senders 63 --bytes 7000"},
	Defaults: incastParams{IncastPoint{Fabric: fabricOf(512, 4), Bytes: 130_000}, []int{1, 10, 50, 100, 200}},
	Fit: func(q *IncastPoint) error {
		if q.Senders >= q.Fabric.Nodes {
			return fmt.Errorf("--senders %d of %d nodes", q.Senders, q.Fabric.Nodes)
		}
		return nil
	},
	Run: runIncast,
	Report: func(p *incastParams, done []experiment.Result[IncastPoint, incastResult]) (*experiment.Report, error) {
		r := &experiment.Report{}
		t := &experiment.Table{
			Name: "incast",
			Columns: experiment.Columns("Senders", "", "Slowest slots", "", "Mean slots", "%.1f", "Ideal slots", "",
				"Slowest µs", "%.2f", "Longest queue", ""),
		}
		slowest, mean := plots.Series{Name: "slowest"}, plots.Series{Name: "mean", Dashed: true}
		for _, d := range done {
			v := d.Value
			us := shoal.SlotNanoseconds * 1e-3
			t.Row(d.Point.Senders, v.Slowest(), v.Mean(), v.Ideal, float64(v.Slowest())*us, v.MaxQueue)
			slowest.X, slowest.Y = append(slowest.X, float64(d.Point.Senders)), append(slowest.Y, float64(v.Slowest())*us)
			mean.X, mean.Y = append(mean.X, float64(d.Point.Senders)), append(mean.Y, v.Mean()*us)
		}
		r.Table(t)
		r.Linef("A slot is %v ns (§7.1).", shoal.SlotNanoseconds)
		r.Chart(
			experiment.Chart{
				Lines: &plots.Chart{Title: "Completion under incast", X: "senders", Y: "µs", Series: []plots.Series{slowest, mean}},
			},
		)
		return r, nil
	},
})
