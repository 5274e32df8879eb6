package rack

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/designs/shoal"
	"github.com/goldwire/goldwire/designs/spfc"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/workload"
	"github.com/goldwire/goldwire/workload/measure"
)

// params are what the flags of the experiment compare set.
type params struct {
	point
	Fabrics []string   `flag:"fabrics" each:"Fabric" help:"fabrics to compare, or all: see the list above"`
	Loads   []float64  `flag:"loads" each:"Load" min:"0.001" max:"2" help:"payload as a share of the busiest link's rate"`
	Runs    int        `flag:"runs" min:"1" max:"1000" help:"runs of each point, each with the next seed"`
	Limit   clock.Time `flag:"p99-limit" min:"0ns" max:"1s" help:"find the load at which p99 passes this; 0: do not"`
	Out     string     `flag:"out" file:"out" help:"write the last point's messages with their times as CSV"`
}

// point is one fabric at one load.
type point struct {
	Fabric string  `flag:"-" json:"fabric"`
	Load   float64 `flag:"-" json:"load"`
	Longer bool    `flag:"longer" help:"double --messages up to 16 times while a run is too short or not steady" json:"longer"`
	Links
	Workload
}

// result is what the messages saw.
type result struct {
	Messages int     `json:"messages"`
	Finished int     `json:"finished"`
	Bytes    int64   `json:"bytes"`    // of the messages that finished, each once
	Offered  float64 `json:"offered"`  // drawn payload as a share of the busiest links' rate, without the first quarter
	Arrived  float64 `json:"arrived"`  // the same of the payload that arrived
	Mean     float64 `json:"mean_ns"`  // of the messages that count, see [counted]
	P99      float64 `json:"p99_ns"`   //
	Slowdown float64 `json:"slowdown"` // mean of time over the lone message's time
	Span     float64 `json:"span_ns"`  // from the first quarter's end to the last start
	Gbps     float64 `json:"gbps"`     // payload of all nodes, from the first start to the last finish
	Work     float64 `json:"work"`     // time of messages on links over the time of their payload on two links

	Classes []measure.SizeClass `json:"classes"`
	Carried measure.Carried     `json:"carried"`

	Queue  int64  `json:"queue_bytes"`
	Pauses uint64 `json:"pauses"`
	Drops  uint64 `json:"drops"`
	Marks  uint64 `json:"marks"`
	Spoilt uint64 `json:"spoilt,omitempty"` // frames with a bit error, which their receivers dropped
	Passes uint64 `json:"passes,omitempty"` // retransmissions of RIFL links

	results []workload.Result
}

// bounds are the greatest sizes of the classes.
var bounds = []int{128, 1024, 10_000, 100_000, 1_000_000}

// className names a class of sizes.
func className(c measure.SizeClass) string {
	if c.Most == 0 {
		return fmt.Sprintf("over %s", size(c.Above))
	}
	return fmt.Sprintf("to %s", size(c.Most))
}

func size(bytes int) string {
	switch {
	case bytes >= 1_000_000:
		return fmt.Sprintf("%d MB", bytes/1_000_000)
	case bytes >= 10_000:
		return fmt.Sprintf("%d kB", bytes/1000)
	}
	return fmt.Sprintf("%d B", bytes)
}

// longEnough is how many 99th percentiles the arrivals that count must last. In a shorter run queues have hardly begun
// to fill when it ends, and its 99th percentile grows with the number of messages.
const longEnough = 10

// short tells whether too few messages were sent to say how long they take under load. A burst is never short.
func (r *result) short() bool { return r.Span > 0 && r.Span < longEnough*r.P99 }

// enough returns about how many messages make a run long enough.
func (r *result) enough() int {
	n := float64(r.Messages) * longEnough * r.P99 / r.Span
	unit := math.Pow(10, math.Floor(math.Log10(n)))
	return int(math.Ceil(n/unit) * unit)
}

// counted returns the messages whose times count. In the first quarter of the arrivals queues fill, so its messages
// do not. All messages of a burst count.
func counted(results []workload.Result) (kept []workload.Result, span float64) {
	first, last := int64(math.MaxInt64), int64(0)
	for _, r := range results {
		first, last = min(first, r.Start), max(last, r.Start)
	}
	warm := first + (last-first)/4
	for _, r := range results {
		if r.Start >= warm {
			kept = append(kept, r)
		}
	}
	return kept, float64(last-warm) / 1000
}

// judge makes a point's result of its messages.
func judge(c carried, gbps float64, alone func(workload.MessageType, int) float64) (*result, error) {
	r := &result{
		Messages: len(c.results), Carried: measure.NewCarried(c.results), Queue: c.queue, Pauses: c.pauses,
		Drops: c.drops, Marks: c.marks, Spoilt: c.spoilt, Passes: c.passes, results: c.results,
	}
	first, end := int64(math.MaxInt64), int64(0)
	for _, x := range c.results {
		first = min(first, x.Start)
		if !x.Finished {
			continue
		}
		if x.Latency() <= 0 {
			return nil, fmt.Errorf("message %d finished %d ps after its start", x.ID, x.Latency())
		}
		r.Finished++
		r.Bytes += int64(x.Bytes)
		end = max(end, x.Finish)
	}
	if end > first {
		r.Gbps = float64(r.Bytes) * 8000 / float64(end-first)
	}
	if r.Bytes > 0 {
		r.Work = c.line / float64(2*r.Bytes)
	}
	kept, span := counted(c.results)
	r.Span = span
	all := measure.NewLatency(kept, nil, alone)
	r.Mean, r.P99, r.Slowdown = all.Mean, all.P99, all.Ratio
	r.Classes = slices.DeleteFunc(
		measure.BySize(kept, bounds, alone), func(c measure.SizeClass) bool { return c.Messages == 0 },
	)
	r.Offered, r.Arrived = r.Carried.Offered/gbps, r.Carried.Arrived/gbps
	return r, nil
}

// mostLonger is how many times as long as asked for a run becomes at the most, see [point.Longer].
const mostLonger = 16

// runCompare sends the workload through one fabric at one load, and a longer one where that is asked for.
func runCompare(ctx context.Context, run *experiment.Run, q point) (*result, error) {
	f, err := named(q.Fabric)
	if err != nil {
		return nil, err
	}
	if err := q.forward(ctx); err != nil {
		return nil, err
	}
	for times := 1; ; times, q.Messages = 2*times, 2*q.Messages {
		last := !q.Longer || q.Load == 0 || 2*times > mostLonger
		if !last && run.Passed() { // it is known that the run is too short
			continue
		}
		r, err := runOnce(ctx, run, f, q)
		if err != nil || last || r.Carried.Steady() && !r.short() {
			return r, err
		}
	}
}

// runOnce sends q.Messages messages through one fabric at one load.
func runOnce(ctx context.Context, run *experiment.Run, f fabric, q point) (*result, error) {
	messages, err := q.list(q.Links, q.Load, run.Seed)
	if err != nil {
		return nil, err
	}
	alone, err := aloneIn(ctx, q.Fabric, q.Links, messages)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", q.Fabric, err)
	}
	c, err := f.run(ctx, run, q.Links, messages)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", q.Fabric, err)
	}
	// all nodes together offer this if the busiest links' payload takes all of their time
	whole := float64(q.Nodes * q.Gbps)
	if q.Load > 0 {
		if t, err := q.traffic(q.Nodes, run.Seed); err == nil {
			mean := t.Busiest(func(_ workload.MessageType, bytes int) measure.Demand {
				return measure.Demand{SourceUp: float64(bytes)}
			})
			whole = float64(len(t.Asking())) * mean * 8000 / interval(t, 1, q.Gbps)
		}
	}
	return judge(c, whole, alone)
}

// compare is the experiment.
var compare = experiment.Define(experiment.Spec[params, point, *result]{
	Name: "compare", Checkpoints: true, Short: "One workload through every fabric",
	Long: `Send the same messages through several fabrics whose links have one rate and one cable, at several loads, and
print completion times beside each other. A load is the payload's share of the busiest link's rate, in its direction;
headers, requests, grants and second hops come on top. Times are of the messages that start after the first quarter of
the arrivals. A slowdown is over the message alone in that fabric. With several runs figures have intervals of 95 %. A
fabric in which more and more messages wait does not carry the load: its row says "no" under Steady. A run whose
arrivals last less than ten 99th percentiles is "short". The exit code is 1 in both cases. With --longer, which
--p99-limit implies, such a run is done again with twice as many messages, up to 16 times --messages.

` + listFabrics(),
	Examples: []string{
		"compare",
		"compare --fabrics edm,shoal,spfc,dctcp --sizes fixed:4096 --reads 0.95 --loads 0.3,0.6",
		"compare --pattern collective --sizes fixed:16384 --nodes 16",
		"compare --trace messages.csv --nodes 16 --metres 50 --out times.csv",
		"compare --fabrics edm,dctcp --p99-limit 2us --loads 0.2,0.3,0.4,0.5 --runs 3",
		"compare --fabrics dctcp,pfc,ndp --line rifl --ber 1e-8 --metres 30",
	},
	Defaults: params{
		point:   point{Links: defaultLinks(), Workload: Workload{Sizes: "fixed:1024", Messages: 20_000}},
		Fabrics: []string{"edm", "shoal", "dt", "spfc", "dctcp", "dcqcn", "ndp", "pfabric", "cxl"},
		Loads:   []float64{0.1, 0.2, 0.3, 0.4, 0.5}, Runs: 1, Limit: clock.MustTime("0ns"),
	},
	Check:  check,
	Points: points,
	Run:    runCompare,
	Report: report,
})

// listFabrics is the part of the help that names all fabrics.
func listFabrics() string {
	var b strings.Builder
	b.WriteString("Fabrics:")
	for _, f := range fabrics() {
		fmt.Fprintf(&b, "\n  %-14s%s (%s)", f.Name, f.About, f.Fidelity)
	}
	return b.String()
}

// checkFabrics checks a list of names, of which "all" is one by itself.
func checkFabrics(names []string) ([]string, error) {
	if slices.Equal(names, []string{"all"}) {
		return Names(), nil
	}
	seen := map[string]bool{}
	for _, name := range names {
		if _, err := named(name); err != nil {
			return nil, fmt.Errorf("--fabrics: %w", err)
		}
		if seen[name] {
			return nil, fmt.Errorf("--fabrics: %s is there twice", name)
		}
		seen[name] = true
	}
	if len(names) == 0 {
		return nil, errors.New("--fabrics: want at least one")
	}
	return names, nil
}

func check(p *params) (err error) {
	if p.Fabrics, err = checkFabrics(p.Fabrics); err != nil {
		return err
	}
	if len(p.Loads) == 0 {
		return errors.New("--loads: want at least one")
	}
	if p.Limit.Cmp(clock.Time{}) > 0 {
		p.Longer = true // the load that is found does not depend on --messages
	}
	if p.Knobs != (spfc.Knobs{}) && !slices.ContainsFunc(p.Fabrics, buffered) {
		return errors.New("--ecn, --static, --dcqcn, --timely: want one of dt, st, spfc among --fabrics")
	}
	cells := p.Cell != shoal.CellBytes || p.Guard.Cmp(slotGuard) != 0
	if cells && !slices.Contains(p.Fabrics, "shoal") {
		return errors.New("--cell, --guard: want shoal among --fabrics")
	}
	settings := spfc.DefaultSettings()
	if settings.Knobs = p.Knobs; settings.Check() != nil {
		return settings.Check()
	}
	if err := p.Line.check(p.Fabrics, p.Metres); err != nil {
		return err
	}
	_, err = p.traffic(p.Nodes, 1)
	if err == nil && p.alone() && p.Limit.Cmp(clock.Time{}) > 0 {
		err = errors.New("--p99-limit: want messages that offer loads, no --trace and no burst")
	}
	if err == nil && p.Limit.Cmp(clock.Time{}) > 0 && !slices.IsSorted(p.Loads) {
		err = errors.New("--p99-limit: want --loads in ascending order")
	}
	return err
}

// buffered tells whether a fabric has one of SPFC's buffer managers.
func buffered(fabric string) bool { return fabric == "dt" || fabric == "st" || fabric == "spfc" }

func points(p *params, seed uint64) ([]experiment.Point[point], error) {
	all := *p
	if all.alone() {
		all.Loads = []float64{0} // one list, whatever the load
	}
	return experiment.Repeat(p.Runs, seed, 1, experiment.Grid[point](&all)...), nil
}
