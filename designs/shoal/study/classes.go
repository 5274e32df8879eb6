package study

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/experiment/plots"
	measures "github.com/goldwire/goldwire/workload/measure"

	"github.com/goldwire/goldwire/designs/shoal"
)

// classesParams are the parameters of traffic classes (Appendix C).
type classesParams struct {
	ClassesPoint
	Limit []int `flag:"limit" each:"Limit" min:"0" max:"2044" help:"cells of other nodes that a queue has room for; 0: no limit"`
}

// ClassesPoint is one run.
type ClassesPoint struct {
	Nodes   int `flag:"nodes" min:"4" max:"256" help:"nodes of the rack"`
	Urgent  int `flag:"urgent" min:"1" max:"100000" help:"short flows, of the first class, between random nodes"`
	Cells   int `flag:"cells" min:"1" max:"1000" help:"of a short flow"`
	Senders int `flag:"senders" min:"1" max:"255" help:"nodes that send an endless flow of the last class to node 0"`
	Limit   int `flag:"-"`
	Classes int `flag:"-"` // 0: without the endless flows; 1: they are of the same class; 2: of another
}

// classesResult has the short flows' times, and the drops.
type classesResult struct {
	Mean, Tail float64 // completion of the short flows in slots, of all and of 99 %
	MaxFirst   int     // most cells of the first class in one queue
	Bound      float64 // the longest queue of the first class against the limit by its destination's incast in that slot
	Incast     int     // most short flows to one node at a time
	Slots      uint64
	Background uint64                   // cells of the endless flows that arrived
	Dropped    [shoal.MaxClasses]uint64 // at full queues, by class
	Again      uint64                   // cells taken back, to be sent again
}

// classesRun is what a run knows.
type classesRun struct {
	rack    *shoal.Rack
	rng     *rand.Rand
	times   []float64 // that short flows took, in slots
	settled bool      // the endless flows have come to their rate, from the slot first on
	first   uint64
	next    uint64 // slot of the next short flow
	offered int    // short flows
}

func runClasses(ctx context.Context, run *experiment.Run, q ClassesPoint) (classesResult, error) {
	var res classesResult
	s, err := shoal.Cyclic(q.Nodes, 1)
	if err != nil {
		return res, err
	}
	r, err := shoal.NewRack(
		shoal.RackConfig{Schedule: s, Options: shoal.Options{Classes: max(q.Classes, 1), Limit: q.Limit}},
	)
	if err != nil {
		return res, err
	}
	x := &classesRun{rack: r, rng: rand.New(rand.NewPCG(run.Seed, 42))}
	if err := run.Simulate(experiment.Simulation{Cycle: r.Slot, Roots: []any{x, &res}}); err != nil {
		return res, err
	}
	if !x.settled {
		if q.Classes > 0 {
			const endless = 1 << 31
			for i := 1; i <= q.Senders; i++ {
				if err := r.OfferClass(endless, i, 0, q.Classes-1, endless); err != nil {
					return res, err
				}
			}
		}
		if err := r.Run(ctx, 20*uint64(r.Epoch())); err != nil {
			return res, err
		}
		x.settled, x.first, x.next = true, r.Slot(), r.Slot()
	}
	rng := x.rng
	for len(x.times) < q.Urgent {
		if err := run.Between(); err != nil {
			return res, err
		}
		if r.Slot() >= x.next && x.offered < q.Urgent {
			from, to := 1+rng.IntN(q.Nodes-1), 1+rng.IntN(q.Nodes-1)
			for to == from {
				to = 1 + rng.IntN(q.Nodes-1)
			}
			if x.offered%4 == 0 { // to where the endless flows go, from another node: packets of a pair and class stay in order
				from, to = q.Senders+1+rng.IntN(q.Nodes-1-q.Senders), 0
			}
			if err := r.Offer(uint64(x.offered), from, to, uint32(q.Cells)); err != nil {
				return res, err
			}
			x.offered++
			x.next += uint64(1 + rng.IntN(r.Epoch()))
		}
		if r.Slot() > x.first+uint64(q.Urgent)*uint64(r.Epoch())*uint64(1000*q.Cells) {
			return res, fmt.Errorf("%d of %d short flows are complete after %d slots", len(x.times), q.Urgent, r.Slot())
		}
		if err := r.Run(ctx, 1); err != nil {
			return res, err
		}
		for _, d := range r.Done() {
			x.times = append(x.times, float64(d.Slots()))
		}
		for i := range r.Inboxes {
			res.Incast = max(res.Incast, int(r.Incast[i]))
		}
		for i := range r.Links.Queues[:r.Times.Rows*q.Nodes] {
			l := &r.Links.Queues[i].Level
			res.MaxFirst = max(res.MaxFirst, int(l.Length))
			to := r.Times.Schedule.To(i/q.Nodes, i%q.Nodes)
			res.Bound = max(res.Bound, float64(l.Length)/float64(1+r.Incast[to]))
		}
		run.Progress(uint64(len(x.times)), uint64(q.Urgent))
	}
	times := x.times
	slices.Sort(times)
	for _, t := range times {
		res.Mean += t / float64(len(times))
	}
	res.Tail, res.Slots = measures.Quantile(times, 0.99), r.Slot()
	res.Background = r.ArrivedCells() - uint64(q.Urgent*q.Cells)
	for i := range r.Nodes {
		c := &r.Nodes[i].Counts
		for k, n := range c.Tail {
			res.Dropped[k] += n
		}
		res.Again += c.Returned
	}
	return res, r.Conservation()
}

// Classes measures what traffic classes do for short flows.
var Classes = experiment.Define(experiment.Spec[classesParams, ClassesPoint, classesResult]{
	Name: "classes", Checkpoints: true,
	Short: "Traffic classes: short flows before endless ones, and tail drop of the latter", Source: "Shoal Appendix C",
	Long: "Short flows of the first class between random nodes, a quarter of them to node 0: alone, with endless flows " +
		"to node 0 of the same class, and with endless flows of a class behind theirs. With --limit a queue has room for " +
		"some cells; one that finds it full is dropped, and the last-cell-dropped bit of the next header lets its sender " +
		"send it again. Every cell is accounted for.",
	Examples: []string{"classes --nodes 32 --limit 0,4"},
	Defaults: classesParams{ClassesPoint{Nodes: 16, Urgent: 1000, Cells: 8, Senders: 12}, []int{0}},
	Check: func(p *classesParams) error {
		if p.Senders > p.Nodes-2 {
			return fmt.Errorf(
				"--senders %d of %d nodes, want at most %d: node 0 takes, and one more sends short flows to it", p.Senders,
				p.Nodes, p.Nodes-2,
			)
		}
		return nil
	},
	Points: func(p *classesParams, seed uint64) ([]experiment.Point[ClassesPoint], error) {
		var qs []ClassesPoint
		for _, q := range experiment.Grid[ClassesPoint](p) {
			for q.Classes = range 3 {
				qs = append(qs, q)
			}
		}
		return experiment.Each(seed, qs...), nil
	},
	Run: runClasses,
	Report: func(p *classesParams, done []experiment.Result[ClassesPoint, classesResult]) (*experiment.Report, error) {
		r := &experiment.Report{}
		t := &experiment.Table{
			Name: "classes",
			Columns: experiment.Columns(
				"Endless flows", "", "Limit", "", "Mean slots", "%.1f", "99 % slots", "%.0f", "First class's queue", "",
				"Incast", "", "Endless cells", "", "Dropped first", "", "Dropped last", "", "Taken back", "",
			),
		}
		chart := &plots.BarChart{
			Title: "Mean completion of short flows", X: "endless flows", Y: "slots",
			Groups: []string{"none", "same class", "last class"},
		}
		for _, d := range done {
			v, q := d.Value, d.Point
			name := chart.Groups[q.Classes]
			last := uint64(0)
			for _, n := range v.Dropped[1:] {
				last += n
			}
			t.Row(name, q.Limit, v.Mean, v.Tail, v.MaxFirst, v.Incast, v.Background, v.Dropped[0], last, v.Again)
			k := slices.Index(p.Limit, q.Limit)
			for len(chart.Series) <= k {
				chart.Series = append(
					chart.Series,
					plots.BarSeries{Name: fmt.Sprintf("room for %d", p.Limit[len(chart.Series)]), Values: make([]float64, 3)},
				)
			}
			chart.Series[k].Values[q.Classes] = v.Mean
		}
		r.Table(t)
		r.Chart(experiment.Chart{Bars: chart})
		return r, nil
	},
})
