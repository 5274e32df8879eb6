package study

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/experiment/plots"
	"github.com/goldwire/goldwire/peers/packetnet"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/workload"
	"github.com/goldwire/goldwire/workload/measure"

	"github.com/goldwire/goldwire/designs/edm"
)

// trafficParams are the messages of a point of Figure 8.
type trafficParams struct {
	Messages int              `flag:"messages" min:"1" max:"2000000" help:"messages at each load" json:"messages"`
	Sizes    string           `flag:"sizes" help:"size of a message's data: fixed:64, or a published distribution" json:"sizes"`
	Reads    float64          `flag:"reads" min:"0" max:"1" help:"share of reads among the messages" json:"reads"`
	Atomics  float64          `flag:"atomics" min:"0" max:"1" help:"share of compare-and-swaps; what is neither is a write" json:"atomics"`
	LoadOf   loadKind         `flag:"load-of" choices:"line,payload" help:"what a load is the share of the busiest links' time of: all that the network sends, or the data alone" json:"load_of"`
	Pattern  workload.Pattern `flag:"pattern" choices:"all-to-all,permutation,incast" help:"who sends to whom" json:"pattern"`
	Shared   bool             `flag:"shared" help:"every node asks and answers; otherwise the first half asks and the second answers" json:"shared"`
}

// loadParams are what the flags of the experiment load set.
type loadParams struct {
	loadPoint
	Loads     []float64 `flag:"loads" each:"Offered" min:"0.01" max:"2" help:"loads"`
	Baselines []string  `flag:"baselines" help:"schemes to compare with, or all"`
	Out       string    `flag:"out" file:"out" help:"write the messages of EDM's last load with their times to this CSV file"`
}

// loadPoint is one scheme at one load.
type loadPoint struct {
	Scheme  string  `flag:"-" json:"scheme"`
	Offered float64 `flag:"-" json:"load" knob:"true"`
	fabricParams
	trafficParams
}

// edmScheme is the name of EDM itself among the schemes.
const edmScheme = "EDM"

// load is Figures 8a and 8b.
var load = experiment.Define(experiment.Spec[loadParams, loadPoint, *Point]{
	Name: "load", Waves: true, Checkpoints: true,
	Short: "Latency against load (Figures 8a and 8b)", Source: "§4.3, Figure 8",
	Long: `Offer reads and writes to a network at several loads, check its invariants in every cycle, and print latencies
beside those of lone messages. Load is the share of the busiest links' time that the messages need. Of the line it
counts all that the network itself sends for them: requests, notifications, grants, acknowledgements, framing. Of the
payload it counts their data. --load-of says which of them --loads are; the table has both, of every scheme in its own
framing and between the same nodes. Beside them stand the payload that the messages drawn make and the payload that
arrives. A load at which more and more messages wait is "not steady". Sizes: fixed:64, or a published distribution
(hadoop, spark, sparksql, graphlab, memcached, …). The claims of Figure 8 leave out the first quarter of a run, in
which queues fill, and run 200,000 messages a load; the ratios of this table are over all messages. Baselines: ` +
		strings.Join(schemeNames(), ", ") + `.

A fault is an invariant that is violated. The exit code is 1 then, and if a load is not steady.`,
	Examples: []string{"load --plot fig8a.svg", "load --loads 0.5,0.9 --baselines cxl,dctcp,ird",
		"load --sizes hadoop --loads 0.5 --messages 2000 --nodes 48", "load --pattern incast --nodes 9 --loads 0.8 --json"},
	Defaults: loadParams{
		Loads: []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9},
		loadPoint: loadPoint{fabricParams: defaultFabric(144),
			trafficParams: trafficParams{Messages: 100_000, Sizes: "fixed:64", Reads: 0.5}},
	},
	Points: loadPoints,
	Run:    runLoad,
	Report: reportLoad,
})

func schemeNames() []string {
	var names []string
	for _, s := range packetnet.Schemes() {
		names = append(names, s.String())
	}
	return names
}

func loadPoints(p *loadParams, seed uint64) ([]experiment.Point[loadPoint], error) {
	if _, err := workload.ParseSizes(p.Sizes); err != nil {
		return nil, fmt.Errorf("--sizes: %w", err)
	}
	if len(p.Loads) == 0 {
		return nil, fmt.Errorf("--loads: want at least one")
	}
	schemes := p.Baselines
	if slices.Equal(schemes, []string{"all"}) {
		schemes = schemeNames()
	}
	for _, name := range schemes {
		if _, err := packetnet.ParseScheme(name); err != nil {
			return nil, fmt.Errorf("--baselines: %w", err)
		}
	}
	if len(schemes) > 0 && p.Gbps != 100 {
		return nil, fmt.Errorf("--baselines: want --gbps 100, their latencies are those of §4.3")
	}
	var points []loadPoint
	if p.Reads+p.Atomics > 1 {
		return nil, fmt.Errorf("--reads %g and --atomics %g: want at most 1 together", p.Reads, p.Atomics)
	}
	for _, s := range slices.Concat([]string{edmScheme}, schemes) {
		p.Scheme = s
		points = append(points, experiment.Grid[loadPoint](p)...)
	}
	return experiment.Each(seed, points...), nil
}

func runLoad(ctx context.Context, run *experiment.Run, q loadPoint) (*Point, error) {
	sizes, err := workload.ParseSizes(q.Sizes)
	if err != nil {
		return nil, err
	}
	l := Load{
		Offered: q.Offered, Of: q.LoadOf, Messages: q.Messages, Swaps: q.Atomics, Shared: q.Shared, Pattern: q.Pattern,
		Sizes: sizes, Reads: q.Reads, Seed: run.Seed,
	}
	cost := loadCost(&q, l)
	if err := run.Expect(cost.cycles, cost.memory); err != nil {
		return nil, err
	}
	if q.Scheme != edmScheme {
		s, err := packetnet.ParseScheme(q.Scheme)
		if err != nil {
			return nil, err
		}
		c := packetnet.DefaultConfig(s)
		c.Nodes, c.Seed = q.Nodes, run.Seed
		c.LinkDelay += int64(math.Round((q.Metres - edm.TableMetres) * 5000))
		return runPeer(ctx, run, c, l)
	}
	alone, err := aloneIn(ctx, q.fabricParams, measure.Spread(sizes, run.Seed))
	if err != nil {
		return nil, err
	}
	// all of it through one link, and a millisecond
	limit := int64(min(float64(q.Messages)*sizes.Mean()*80+1e9, math.MaxInt64/4))
	o := Watched(run)
	o.Limit, o.Offered = limit, q.Offered
	return runPoint(ctx, q.config(run.Seed, run.Workers), l, alone, o)
}

func reportLoad(p *loadParams, done []experiment.Result[loadPoint, *Point]) (*experiment.Report, error) {
	r := &experiment.Report{}
	r.Linef(
		"%d nodes at %d Gb/s, %s, %s, %g %% reads, %d messages a load, seed %d\n", p.Nodes, p.Gbps, p.Pattern, p.Sizes,
		100*p.Reads, p.Messages, done[0].Seed,
	)
	t := &experiment.Table{
		Name: "load",
		Columns: experiment.Columns(
			"Scheme", "", "Line", "%.3f", "Payload", "%.3f", "Drawn", "%.3f", "Arrived", "%.3f", "Finished", "", "Read ns",
			"%.1f", "p99", "%.1f", "Ratio", "%.3f", "Write ns", "%.1f", "p99", "%.1f", "Ratio", "%.3f",
		),
	}
	if p.Atomics > 0 {
		t.Columns = append(t.Columns, experiment.Columns("Swap ns", "%.1f", "p99", "%.1f", "Ratio", "%.3f")...)
	}
	t.Columns = append(t.Columns, experiment.Columns("Waits", "", "Simulated µs", "%.1f")...)
	for _, d := range done {
		x := d.Value
		row := []any{x.Scheme, x.Line, x.Payload, x.Drawn, x.Arrived, fmt.Sprintf("%d of %d", x.Finished, x.Messages)}
		kinds := []measure.Latency{x.Read, x.Write}
		if p.Atomics > 0 {
			kinds = append(kinds, x.Swap)
		}
		for _, l := range kinds {
			if l.Messages == 0 {
				row = append(row, "", "", "")
				continue
			}
			row = append(row, l.Mean, l.P99, l.Ratio)
		}
		waits := ""
		if x.Scheme == edmScheme {
			waits = fmt.Sprintf("%d data, %d control", x.MostData, x.MostControl)
			if d.Point.Offered == p.Loads[len(p.Loads)-1] {
				r.File(p.Out, func(w io.Writer) error { return workload.WriteResults(w, x.Results) })
			}
		}
		if x.Marks+x.Drops+x.Pauses > 0 {
			waits = fmt.Sprintf("%d marks, %d drops, %d pauses", x.Marks, x.Drops, x.Pauses)
		}
		t.Row(append(row, waits, x.Simulated)...)
		if x.Violations > 0 {
			r.Failf("load %g: %d violations, the first: %s", x.Offered, x.Violations, x.First[0])
		}
	}
	r.Table(t)
	r.Linef(
		"\nLoad of the line and of the payload that were asked for. Drawn: of the payload, of the messages that were " +
			"drawn; Arrived: of those that arrived, both without\n" +
			"the first quarter of the arrivals. Ratio: mean of latency over that of a lone message, over the whole run. " +
			"Waits: blocks that waited in the switch at most;\n" +
			"of a peer the frames that its switches marked and dropped, and the pauses that they asked for, if there were any.",
	)
	for _, d := range done {
		if x := d.Value; !x.Carried.Steady() {
			queue := ""
			if x.MostRequests > 0 {
				queue = fmt.Sprintf(
					" Up to %d requests wait in a host's message queue for a place among its --active messages to a node.",
					x.MostRequests,
				)
			}
			r.Failf(
				"not steady: %s at load %g. %.3f of the payload arrives where %.3f is offered; %s.%s Latencies grow with "+
					"--messages.",
				x.Scheme, x.Offered, x.Arrived, x.Drawn, x.Carried.Growth(), queue,
			)
		}
	}
	r.Chart(
		loadChart(
			p,
			"ratio",
			"Latency over that of a lone message",
			"mean over that of a lone message",
			done,
			func(l measure.Latency) float64 { return l.Ratio },
			// what §4.3.1 says of Figure 8a
			plots.Mark{At: 1.2, Label: "paper, reads: at most 1.2"},
			plots.Mark{At: 1.3, Label: "paper, writes: at most 1.3"},
		),
	)
	r.Chart(
		loadChart(p, "latency", "Latency", "mean latency (ns)", done, func(l measure.Latency) float64 { return l.Mean }),
	)
	return r, nil
}

// loadChart draws a figure of latency against load, EDM's reads and writes apart.
func loadChart(
	p *loadParams, name, title, y string, done []experiment.Result[loadPoint, *Point], of func(measure.Latency) float64,
	paper ...plots.Mark,
) experiment.Chart {
	chart := &plots.Chart{Title: title + " against load", X: "load of the busiest links", Y: y, HLines: paper}
	if p.LoadOf == payloadLoad {
		chart.X = "payload on the busiest links"
	}
	index := map[string]int{}
	least, most := of(done[0].Value.All), 0.0
	add := func(name string, x float64, l measure.Latency, dashed bool) {
		if l.Messages == 0 {
			return
		}
		i, ok := index[name]
		if !ok {
			i = len(chart.Series)
			index[name] = i
			chart.Series = append(chart.Series, plots.Series{Name: name, Dashed: dashed})
		}
		s := &chart.Series[i]
		s.X, s.Y = append(s.X, x), append(s.Y, of(l))
		least, most = min(least, of(l)), max(most, of(l))
	}
	for _, d := range done {
		if x := d.Value; x.Scheme == edmScheme {
			add("EDM read", x.Offered, x.Read, false)
			add("EDM write", x.Offered, x.Write, false)
			add("EDM compare-and-swap", x.Offered, x.Swap, false)
		} else {
			add(x.Scheme, x.Offered, x.All, true)
		}
	}
	chart.LogY = most > 5*least
	return experiment.Chart{Name: name, Lines: chart}
}

// lonePoint asks how long messages of some sizes take in an idle network.
type lonePoint struct {
	Fabric fabricParams
	Sizes  []int
}

// lone measures messages in an idle network for the other experiments, which share its results.
var lone = experiment.Inner(
	"lone",
	"Lone messages of some sizes",
	func(ctx context.Context, _ *experiment.Run, q lonePoint) (*measure.Lone, error) {
		return loneMessages(ctx, q.Fabric.config(0, 1), q.Sizes)
	},
)

// aloneIn returns how long a lone message of any size takes in such a network, in nanoseconds: measured at the sizes,
// or linear between them.
func aloneIn(ctx context.Context, f fabricParams, sizes []int) (func(workload.MessageType, int) float64, error) {
	f.Nodes, f.Mode = 2, rtl.Fast
	l, err := lone.Measure(ctx, lonePoint{f, slices.Compact(slices.Sorted(slices.Values(sizes)))}, 0)
	if err != nil {
		return nil, err
	}
	return l.Time, nil
}
