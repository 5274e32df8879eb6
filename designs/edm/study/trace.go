package study

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/workload"
	"github.com/goldwire/goldwire/workload/measure"

	"github.com/goldwire/goldwire/designs/edm"
)

// traceParams are what the flags of the experiment trace set.
type traceParams struct {
	tracePoint
	Out string `flag:"out" file:"out" help:"write the messages with their finish and latency to this CSV file"`
}

// tracePoint is a file of messages and a network.
type tracePoint struct {
	Trace string `arg:"FILE" file:"in" required:"true" help:"the messages, CSV: id, type, source, destination, bytes, start_ns" json:"trace"`
	fabricParams
}

// traceResult is what became of the messages.
type traceResult struct {
	Messages   int                        `json:"messages"`
	Finished   int                        `json:"finished"`
	Cycles     uint64                     `json:"cycles"`
	Types      map[string]measure.Latency `json:"types"`
	Violations int                        `json:"violations"`
	First      []string                   `json:"first_violations,omitempty"`

	results []workload.Result
}

// trace sends the messages of a file.
var trace = experiment.Define(experiment.Spec[traceParams, tracePoint, traceResult]{
	Name: "trace", Waves: true, Checkpoints: true,
	Short: "Send the messages of a CSV file",
	Long: `Send the messages of a trace, columns id, type (read, write, cas), source, destination, bytes and start_ns,
and write when each finished. A fault is an invariant that is violated. The exit code is 1 if there is one, or if a
message does not finish.`,
	Examples: []string{"trace messages.csv --nodes 16 --out results.csv"},
	Defaults: traceParams{tracePoint: tracePoint{fabricParams: defaultFabric(16)}},
	Run:      runTrace,
	Report:   reportTrace,
})

func runTrace(ctx context.Context, run *experiment.Run, q tracePoint) (traceResult, error) {
	var none traceResult
	messages, err := workload.ReadMessagesFile(q.Trace, q.Nodes)
	if err != nil {
		return none, err
	}
	cost := messagesCost(messages, q.Nodes, float64(q.Gbps))
	if err := run.Expect(cost.cycles, cost.memory); err != nil {
		return none, fmt.Errorf("%s: %w", q.Trace, err)
	}
	var sizes []int
	for _, m := range messages {
		sizes = append(sizes, m.Bytes)
	}
	slices.Sort(sizes)
	if sizes = slices.Compact(sizes); len(sizes) > 12 {
		sizes = []int{sizes[0], sizes[len(sizes)/4], sizes[len(sizes)/2], sizes[len(sizes)*3/4], sizes[len(sizes)-1]}
	}
	alone, err := aloneIn(ctx, q.fabricParams, sizes)
	if err != nil {
		return none, err
	}
	o := Watched(run)
	o.Limit = int64(min(cost.bytes*640+1e9, math.MaxInt64/4))
	x, err := edm.Run(ctx, q.config(run.Seed, run.Workers), messages, o)
	if err != nil {
		return none, fmt.Errorf("%s: %w", q.Trace, err)
	}
	r := traceResult{
		Messages: len(messages), Cycles: x.Cycles, Types: map[string]measure.Latency{}, Violations: x.Monitor.Count,
		First: x.Monitor.Violations, results: x.Messages,
	}
	for _, m := range x.Messages {
		if m.Finished {
			r.Finished++
		}
	}
	for _, t := range traceTypes {
		if s := measure.LatencyOf(x.Messages, t, alone); s.Messages > 0 {
			r.Types[t.String()] = s
		}
	}
	return r, nil
}

// traceTypes are the types of messages by their names.
var traceTypes = []workload.MessageType{workload.CompareSwap, workload.Read, workload.Write}

func reportTrace(p *traceParams, done []experiment.Result[tracePoint, traceResult]) (*experiment.Report, error) {
	x := done[0].Value
	r := &experiment.Report{}
	r.Linef("%d of %d messages finished in %d cycles, %d violations\n", x.Finished, x.Messages, x.Cycles, x.Violations)
	t := &experiment.Table{
		Name: "types",
		Columns: experiment.Columns(
			"Type", "", "Messages", "", "Mean ns", "%.1f", "Median", "%.1f", "p99", "%.1f", "Most", "%.1f",
			"Over a lone one", "%.3f",
		),
	}
	for _, name := range traceTypes {
		if s, ok := x.Types[name.String()]; ok {
			t.Row(name.String(), s.Messages, s.Mean, s.Median, s.P99, s.Most, s.Ratio)
		}
	}
	r.Table(t)
	r.File(p.Out, func(w io.Writer) error { return workload.WriteResults(w, x.results) })
	for _, v := range x.First[:min(3, len(x.First))] {
		r.Failf("%s", v)
	}
	if x.Finished < x.Messages {
		r.Failf("%d messages did not finish", x.Messages-x.Finished)
	}
	return r, nil
}
