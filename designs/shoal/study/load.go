package study

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/experiment/plots"
	"github.com/goldwire/goldwire/workload"
	measures "github.com/goldwire/goldwire/workload/measure"

	"github.com/goldwire/goldwire/designs/shoal"
)

// loadGbps is R in the load L = F / (R N tau) of §7.3. The paper does not say which bandwidth it is; this is the 50
// Gb/s of the packet switched network's nodes, since Shoal's 100 Gb/s are there to carry every cell twice.
const loadGbps = 50

// loadParams are the parameters of Figures 15 to 17.
type loadParams struct {
	LoadPoint
	Loads  []float64 `flag:"load" each:"Load" min:"0.01" max:"2" help:"mean size / (50 Gb/s, or what --line-rate says, x nodes x mean time between flows)"`
	Failed []float64 `flag:"failed" each:"Failed" min:"0" max:"0.9" help:"share of the nodes that have failed before the start"`
	Parts  int       `flag:"parts" min:"1" max:"10000" help:"runs into which each is divided, with seeds of their own; an interrupted command reports those that are done"`
}

// LoadPoint is one load with one share of failed nodes.
type LoadPoint struct {
	Fabric shoal.FabricParams
	Load   float64 `flag:"-" knob:"true"` // of the flows that start from now on
	Flows  int     `flag:"flows" min:"100" max:"10000000" help:"flows that complete before a run ends"`
	Sizes  string  `flag:"sizes" help:"sizes of flows: a published distribution, pareto, pareto:MOST or fixed:BYTES"`
	Failed float64 `flag:"-"`
	Cell   int     `flag:"cell" min:"0" max:"16384" unit:"bytes" help:"of a cell, 8 of them its header; 0: 64" json:",omitempty"`
	Rate   float64 `flag:"line-rate" min:"0" max:"10000" unit:"Gb/s" help:"of a channel: a slot is the time of a cell and a guard band of 2.75 ns, and a load is of half the rate of a node's channels; 0: a slot is 23.25 ns, and a load is of 50 Gb/s" json:",omitempty"`
	State  string  `flag:"state" help:"file of finished parts: those in it are not run again, others are added as they finish; files of several machines may be put one after the other" json:",omitempty"`
}

// cell is the point's cell and slot.
func (q *LoadPoint) cell() CellParams {
	c := defaultCell()
	if q.Cell > 0 {
		c.Cell = q.Cell
	}
	c.Rate = q.Rate
	return c
}

// gbps is the rate that a load of 1 is of, for a node.
func (q *LoadPoint) gbps() float64 {
	if q.Rate > 0 {
		return q.Rate * float64(q.Fabric.Channels) / 2
	}
	return loadGbps
}

// loadResult is what the flows saw.
type loadResult struct {
	Slots       uint64
	Short       int     // flows of at most 100 KB
	ShortMean   float64 // completion, ns
	Short99     float64
	Short999    float64
	Long        int     // flows of at least 1 MB
	LongGbps    float64 // mean goodput
	Offered     float64 // load that was drawn, sizes cut by the run's length not considered
	Arrived     float64 // load of the flows that were complete
	Carried     measures.Carried
	MaxQueue    int     // cells in one queue
	MaxQueued   int     // cells in all queues of a node
	MaxReorder  int     // most bytes that a cell came ahead of its place
	FailedSlots float64 // share of connections
	Lost        uint64

	Histogram []int // of short flows, by the bounds of histogramBounds
	ShortSum  float64
	LongSum   float64
}

// Bounds of short and long flows (§7.3).
const (
	shortBytes = 100_000
	longBytes  = 1_000_000
)

// loadRun is what a run knows.
type loadRun struct {
	rack             *shoal.Rack
	slot             float64 // ns
	gbps             float64 // of a node
	cell             int     // bytes
	rng              *rand.Rand
	first            uint64  // slot of the first flow
	next             float64 // of the next flow; 0: the run has not begun
	bytes            []int   // by flow
	short            []float64
	longSum, offered float64
	arrived          float64     // bytes of complete flows
	samples          []carriedAt // every carriedSlots
	done             int
	res              loadResult
}

func runLoad(ctx context.Context, run *experiment.Run, q LoadPoint) (loadResult, error) {
	sizes, err := workload.ParseSizes(q.Sizes)
	if err != nil {
		return loadResult{}, err
	}
	s, err := q.Fabric.Built()
	if err != nil {
		return loadResult{}, err
	}
	n := q.Fabric.Nodes
	rng := rand.New(rand.NewPCG(run.Seed, 73))
	order := rng.Perm(n)
	dead := order[:int(q.Failed*float64(n))]
	alive := order[len(dead):]
	if len(alive) < 2 {
		return loadResult{}, fmt.Errorf("%d of %d nodes have not failed", len(alive), n)
	}
	if err := run.Expect(flowsCost(sizes, q.Flows, len(alive), q.Load*q.gbps()/loadGbps)); err != nil {
		return loadResult{}, err
	}
	cfg := shoal.RackConfig{Schedule: s, Flight: q.Fabric.Flight, Options: q.Fabric.Options()}
	if len(dead) > 0 {
		cfg.Failures = &shoal.Failures{Nodes: dead}
	}
	r, err := shoal.NewRack(cfg)
	if err != nil {
		return loadResult{}, err
	}
	cell := q.cell()
	x := &loadRun{rack: r, rng: rng, slot: float64(cell.picoseconds()) / 1000, gbps: q.gbps(), cell: cell.Cell}
	drawn := func() error { return nil } // each flow is drawn when it starts, at the point's load
	if err := run.Simulate(experiment.Simulation{Cycle: r.Slot, Roots: []any{x}, Knobs: drawn}); err != nil {
		return loadResult{}, err
	}
	res := &x.res
	if x.next == 0 {
		if err := r.Run(ctx, 3*uint64(r.Epoch()+q.Fabric.Flight)); err != nil { // failures are seen, and told
			return loadResult{}, err
		}
		x.next, x.first = float64(r.Slot()), r.Slot()
		x.samples = []carriedAt{{}}
	}
	interval := x.slotsBetween(sizes.Mean(), q.Load, len(alive))
	payload := cell.Cell - shoal.HeaderBytes
	for x.done < q.Flows {
		for ; x.next <= float64(r.Slot()); x.next += rng.ExpFloat64() * interval {
			size := min(sizes.Draw(rng), payload<<24)
			from, to := alive[rng.IntN(len(alive))], alive[rng.IntN(len(alive))]
			for to == from {
				to = alive[rng.IntN(len(alive))]
			}
			if err := r.Offer(uint64(len(x.bytes)), from, to, uint32((size+payload-1)/payload)); err != nil {
				return *res, err
			}
			x.bytes = append(x.bytes, size)
			x.offered += float64(size)
		}
		if err := r.Run(ctx, 1); err != nil {
			return *res, err
		}
		for _, d := range r.Done() {
			x.complete(&d)
		}
		if (r.Slot()-x.first)%carriedSlots == 0 {
			x.samples = append(x.samples, carriedAt{x.offered, x.arrived, len(x.bytes), r.Pending()})
		}
		if r.Slot()%256 == 0 {
			run.Progress(uint64(x.done), uint64(q.Flows))
			if err := run.Between(); err != nil {
				return *res, err
			}
		}
	}
	counts := make([]*shoal.Counts, len(alive))
	for k, i := range alive {
		counts[k] = &r.Node(i).Counts
	}
	x.summarise(r.Slot()-x.first, counts)
	res.FailedSlots = r.FailedSlots()
	return *res, r.Conservation()
}

// slotsBetween is the mean time between the starts of two flows in slots, if flows of a mean size in bytes are to load
// a number of nodes.
func (x *loadRun) slotsBetween(meanSize, load float64, nodes int) float64 {
	return meanSize * 8 / (load * x.gbps * float64(nodes)) / x.slot
}

// complete takes account of a flow that is complete. Goodput is of the flow's bytes, without headers and without the
// padding of the last cell.
func (x *loadRun) complete(d *shoal.Completion) {
	ns := float64(d.Slots()) * x.slot
	switch size := x.bytes[d.ID]; {
	case size <= shortBytes:
		x.short = append(x.short, ns)
	case size >= longBytes:
		x.res.Long++
		x.longSum += float64(size) * 8 / ns
	}
	x.arrived += float64(x.bytes[d.ID])
	x.done++
}

// summarise makes the result of a run of some slots, from its samples and its living nodes' counts.
func (x *loadRun) summarise(slots uint64, counts []*shoal.Counts) {
	res := &x.res
	res.Slots = slots
	short := x.short
	slices.Sort(short)
	res.Short = len(short)
	res.Histogram = make([]int, histogramBins)
	for _, x := range short {
		res.ShortSum += x
		res.Histogram[histogramBin(x)]++
	}
	if len(short) > 0 {
		res.ShortMean = res.ShortSum / float64(len(short))
		res.Short99, res.Short999 = measures.Quantile(short, 0.99), measures.Quantile(short, 0.999)
	}
	res.LongSum = x.longSum
	if res.Long > 0 {
		res.LongGbps = x.longSum / float64(res.Long)
	}
	share := 8 / (x.gbps * float64(len(counts)) * float64(res.Slots) * x.slot)
	res.Offered, res.Arrived = x.offered*share, x.arrived*share
	res.Carried = carried(x.samples, x.slot)
	for _, c := range counts {
		res.MaxQueue, res.MaxQueued = max(res.MaxQueue, int(c.MaxQueue)), max(res.MaxQueued, int(c.MaxQueued))
		res.MaxReorder = max(res.MaxReorder, int(c.Ahead)*x.cell)
		res.Lost += c.Lost
	}
}

// Load measures completion times and goodput under a published workload.
var Load = experiment.Define(experiment.Spec[loadParams, LoadPoint, loadResult]{
	Name: "load", Checkpoints: true, Short: "Completion times, goodput and queues against load, and against failed nodes",
	Source: "Shoal Figures 15, 16, 17",
	Long: "Flows arrive as a Poisson process between random nodes. A run ends when a number of them are complete, as " +
		"the paper's do; short flows have at most 100 KB, long ones at least 1 MB. The load is of 50 Gb/s a node, unless " +
		"--line-rate says more. Drawn is the load of all flows that came, Arrived that of those that were complete; " +
		"lines say where the flows drawn make another load than the one asked for, and where queues grow.",
	Examples: []string{
		"load --nodes 64 --channels 1 --flows 2000 --load 0.3", "load --load 1 --failed 0,0.1,0.2,0.3,0.4,0.5",
		"load --nodes 64 --cell 256 --line-rate 100 --load 0.5 --flows 2000",
		"load --load 0.5 --flows 1000000 --parts 50 --state million.txt",
	},
	Defaults: loadParams{LoadPoint: LoadPoint{Fabric: fabricOf(512, 4), Flows: 10_000, Sizes: "pareto"},
		Loads: []float64{0.2, 0.5, 0.8, 1}, Failed: []float64{0}, Parts: 1},
	Check: func(p *loadParams) error {
		if p.Cell > 0 && p.Cell < 16 {
			return fmt.Errorf("--cell %d, want 0 or 16 to 16384 bytes", p.Cell)
		}
		_, err := workload.ParseSizes(p.Sizes)
		return err
	},
	Points: func(p *loadParams, seed uint64) ([]experiment.Point[LoadPoint], error) {
		part := *p
		part.Flows = max(100, p.Flows/p.Parts)
		return experiment.Repeat(p.Parts, seed, 1, experiment.Grid[LoadPoint](&part)...), nil
	},
	Run: runLoadKept,
	Report: func(p *loadParams, done []experiment.Result[LoadPoint, loadResult]) (*experiment.Report, error) {
		r := &experiment.Report{}
		t := &experiment.Table{
			Name: "load",
			Columns: experiment.Columns(
				"Load", "", "Failed", "", "Drawn", "%.3f", "Arrived", "%.3f", "Slots", "", "Short", "", "Mean µs", "%.2f",
				"99 % µs", "%.2f", "99.9 % µs", "%.2f", "Long", "", "Goodput Gb/s", "%.2f", "Queue", "", "Node's queues",
				"", "Reorder KB", "%.1f", "Lost", "",
			),
		}
		mean, tail := plots.Series{Name: "mean"}, plots.Series{Name: "99.9 %", Dashed: true}
		for _, d := range mergeLoads(done) {
			v, q := d.Value, d.Point
			t.Row(
				q.Load, q.Failed, v.Offered, v.Arrived, v.Slots, v.Short, v.ShortMean/1e3, v.Short99/1e3, v.Short999/1e3,
				v.Long, v.LongGbps, v.MaxQueue, v.MaxQueued, float64(v.MaxReorder)/1e3, v.Lost,
			)
			x := q.Load
			if len(p.Loads) == 1 {
				x = q.Failed
			}
			mean.X, mean.Y = append(mean.X, x), append(mean.Y, v.ShortMean/1e3)
			tail.X, tail.Y = append(tail.X, x), append(tail.Y, v.Short999/1e3)
		}
		r.Table(t)
		drawn := drawnLoads{}
		for _, d := range mergeLoads(done) {
			drawn.say(r, d.Point.Load, d.Value.Offered, d.Point.Sizes)
			saySteady(r, fmt.Sprintf("load %g, %g of the nodes failed", d.Point.Load, d.Point.Failed), d.Value.Carried)
		}
		axis := "load"
		if len(p.Loads) == 1 {
			axis = "share of failed nodes"
		}
		for _, c := range loadCharts(mergeLoads(done), axis, len(p.Loads) == 1) {
			r.Chart(c)
		}
		r.Chart(
			experiment.Chart{
				Lines: &plots.Chart{
					Title: "Completion of short flows", X: axis, Y: "µs", LogY: true, Series: []plots.Series{mean, tail},
				},
			},
		)
		return r, nil
	},
})
