package study

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/experiment/plots"
	"github.com/goldwire/goldwire/workload"

	"github.com/goldwire/goldwire/designs/shoal"
)

// DetourParams are the parameters of Figure 14.
type DetourParams struct {
	shoal.FabricParams
	Bytes    int     `flag:"bytes" min:"1" max:"10000000" unit:"bytes" help:"each flow from the last node to node 0"`
	Flows    int     `flag:"flows" min:"1" max:"100000" help:"flows from the last node to node 0"`
	Interval int     `flag:"interval" min:"1" max:"1000000" unit:"slots" help:"between their starts"`
	Load     float64 `flag:"load" min:"0" max:"2" help:"of the other nodes among themselves, as of load"`
	Sizes    string  `flag:"sizes" help:"sizes of the other nodes' flows"`
}

// detourPoint is one choice of the optimisations of §3.3.3.
type detourPoint struct {
	DetourParams
	Optimisations string // both, ready queues, 2^age, none
}

// detourResult is what the flows from the last node to node 0 saw.
type detourResult struct {
	Completions completions
	Times       []float64 // of all flows, ascending, in ns
	MaxQueue    int       // cells for node 0 that waited at any other node
}

// detourRun is what a run knows.
type detourRun struct {
	rack *shoal.Rack
	rng  *rand.Rand
	ns   []float64 // of flows from the last node that are complete
	sent int       // of these
	next float64   // slot of the next flow of the others
	id   uint64    // and its number
	res  detourResult
}

func runDetour(ctx context.Context, run *experiment.Run, q detourPoint) (detourResult, error) {
	sizes, err := workload.ParseSizes(q.Sizes)
	if err != nil {
		return detourResult{}, err
	}
	s, err := q.Built()
	if err != nil {
		return detourResult{}, err
	}
	opt := q.Options()
	opt.NoReady, opt.NoAge = q.Optimisations == "2^age" ||
		q.Optimisations == "none", q.Optimisations == "ready queues" ||
		q.Optimisations == "none"
	r, err := shoal.NewRack(shoal.RackConfig{Schedule: s, Flight: q.Flight, Options: opt})
	if err != nil {
		return detourResult{}, err
	}
	n := q.Nodes
	rng := rand.New(rand.NewPCG(run.Seed, 14))
	cells := uint32(cellsOf(q.Bytes))
	pause := func() float64 { // slots from one flow of the others to the next
		return rng.ExpFloat64() * sizes.Mean() * 8 / (q.Load * loadGbps * float64(n-2)) / shoal.SlotNanoseconds
	}
	const warm = 5_000 // slots of other traffic alone
	x := &detourRun{rack: r, rng: rng, id: uint64(q.Flows)}
	if err := run.Simulate(experiment.Simulation{Cycle: r.Slot, Roots: []any{x}}); err != nil {
		return detourResult{}, err
	}
	res := &x.res
	for len(x.ns) < q.Flows {
		if r.Slot()%256 == 0 {
			if err := run.Between(); err != nil {
				return *res, err
			}
		}
		now := r.Slot()
		if now > warm+uint64(q.Flows)*uint64(q.Interval)+10_000_000 {
			return *res, fmt.Errorf("%d of %d flows are complete after %d slots", len(x.ns), q.Flows, now)
		}
		for ; q.Load > 0 && x.next <= float64(now); x.next += pause() {
			from, to := 1+rng.IntN(n-2), 1+rng.IntN(n-3)
			if to >= from {
				to++
			}
			if err := r.Offer(x.id, from, to, uint32(cellsOf(min(sizes.Draw(rng), shoal.PayloadBytes<<24)))); err != nil {
				return *res, err
			}
			x.id++
		}
		if x.sent < q.Flows && now >= warm+uint64(x.sent*q.Interval) {
			if err := r.Offer(uint64(x.sent), n-1, 0, cells); err != nil {
				return *res, err
			}
			x.sent++
		}
		if err := r.Run(ctx, 1); err != nil {
			return *res, err
		}
		for _, d := range r.Done() {
			if d.ID < uint64(q.Flows) {
				x.ns = append(x.ns, float64(d.Slots())*shoal.SlotNanoseconds)
				run.Progress(uint64(len(x.ns)), uint64(q.Flows))
			}
		}
		res.MaxQueue = max(res.MaxQueue, mostWaiting(r))
	}
	res.Completions, res.Times = completionsOf(x.ns), x.ns
	return *res, r.Conservation()
}

// mostWaiting is the most cells for node 0 that wait at any node but the last one.
func mostWaiting(r *shoal.Rack) (most int) {
	for j := 1; j < len(r.Nodes)-1; j++ {
		most = max(most, waitingAt(r.Node(j), 0))
	}
	return most
}

// waitingAt is the number of cells in a node's queue for another.
func waitingAt(n *shoal.Node, dest int) int {
	return int(n.Link(n.RowTo(dest)).Level.Length)
}

// Detour is Figure 14: what the optimisations of §3.3.3 do for flows whose way is shared by others.
var Detour = experiment.Define(experiment.Spec[DetourParams, detourPoint, detourResult]{
	Name: "detour", Checkpoints: true,
	Short: "Short flows between two nodes, with and without the optimisations against detours", Source: "Shoal Figure 14",
	Long: "The last node sends flows of 20 KB to node 0 at regular intervals, all other nodes have random traffic among " +
		"themselves. How much, the paper does not say.",
	Examples: []string{"detour --nodes 64 --channels 1 --flows 50"},
	Defaults: DetourParams{
		FabricParams: shoal.FabricParams{Nodes: 512, Channels: 4, Schedule: "cyclic", Pair: shoal.PairTurns},
		Bytes:        20_000, Flows: 100, Interval: 500, Load: 1, Sizes: "pareto:10000000",
	},
	Check: func(p *DetourParams) error {
		if p.Nodes < 4 {
			return fmt.Errorf("--nodes %d, want at least 4", p.Nodes)
		}
		_, err := workload.ParseSizes(p.Sizes)
		return err
	},
	Points: func(p *DetourParams, seed uint64) ([]experiment.Point[detourPoint], error) {
		var qs []detourPoint
		for _, name := range []string{"both", "ready queues", "2^age", "none"} {
			qs = append(qs, detourPoint{*p, name})
		}
		return experiment.Each(seed, qs...), nil
	},
	Run: runDetour,
	Report: func(p *DetourParams, done []experiment.Result[detourPoint, detourResult]) (*experiment.Report, error) {
		r := &experiment.Report{}
		t := &experiment.Table{
			Name: "detour",
			Columns: experiment.Columns(
				"Optimisations", "", "Flows", "", "Mean µs", "%.2f", "Median", "%.2f", "99 %", "%.2f", "99.9 %", "%.2f",
				"Longest queue for node 0", "",
			),
		}
		chart := &plots.Chart{Title: "Completion of flows between two nodes", X: "µs", Y: "share of the flows", LogX: true}
		for _, d := range done {
			c := d.Value.Completions
			t.Row(d.Point.Optimisations, c.Flows, c.Mean/1e3, c.Median/1e3, c.P99/1e3, c.P999/1e3, d.Value.MaxQueue)
			curve := plots.Series{Name: d.Point.Optimisations, Dashed: d.Point.Optimisations != "both"}
			for i, ns := range d.Value.Times {
				curve.X, curve.Y = append(curve.X, ns/1e3), append(curve.Y, float64(i+1)/float64(c.Flows))
			}
			chart.Series = append(chart.Series, curve)
		}
		r.Table(t)
		r.Chart(experiment.Chart{Lines: chart})
		return r, nil
	},
})
