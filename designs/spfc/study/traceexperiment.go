package study

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/workload"

	"github.com/goldwire/goldwire/designs/spfc"
)

// traceParams are the flags of the experiment trace.
type traceParams struct {
	TracePoint
	Out string `flag:"out" file:"out" help:"write the flows with their finish and latency to this CSV file"`
}

// TracePoint is a file of flows and a network.
type TracePoint struct {
	Trace    string `arg:"FILE" file:"in" required:"true" help:"the flows, CSV: id, type (write), source, destination, bytes, start_ns" json:"trace"`
	Topology string `flag:"topology" choices:"switch,testbed,pod,deadlock,clos" help:"Figure 3a (32 hosts), Figure 12 (9), one pod (64), Figure 17a (64), 8 pods (512)" json:"topology"`
	Scheme   string `flag:"scheme" help:"buffer manager: dt1, dt2, dt4, st, spfc, pinned" json:"scheme"`
	spfc.Settings
	Lasts clock.Time `flag:"limit" min:"1us" max:"10s" help:"the run ends then at the latest" json:"limit"`
}

// traceResult is what became of the flows.
type traceResult struct {
	Flows    int         `json:"flows"`
	Finished int         `json:"finished"`
	Pauses   int64       `json:"pauses"`
	FCT      [4]ClassFCT `json:"fct"`
	Deadlock string      `json:"deadlock,omitempty"`

	results []workload.Result
}

func topologyNamed(name string) *spfc.Topology {
	switch name {
	case "testbed":
		return spfc.Testbed()
	case "pod":
		return spfc.Clos(1)
	case "deadlock":
		return spfc.DeadlockPod()
	case "clos":
		return spfc.Clos(8)
	}
	return figure3aWith(16_000_000)
}

// traceFlows are the messages of a trace, which must be writes, by start.
func traceFlows(messages []workload.Message, control spfc.Control) ([]spfc.Flow, error) {
	slices.SortStableFunc(messages, func(a, b workload.Message) int { return int(min(max(a.Start-b.Start, -1), 1)) })
	flows := make([]spfc.Flow, len(messages))
	for i, m := range messages {
		if m.Type != workload.Write {
			return nil, fmt.Errorf("message %d is a %v, want a write: a flow goes one way", m.ID, m.Type)
		}
		flows[i] = spfc.Flow{From: m.Source, To: m.Dest, Bytes: int64(m.Bytes), Start: spfc.Time(m.Start), Control: control}
	}
	return flows, nil
}

// flowsCost estimates the number of packets that flows send, no more than hosts can in the time, and the bytes of
// memory they take.
func flowsCost(flows []spfc.Flow, hosts int, lasts clock.Time) (packets, memory float64) {
	const flowMemory, hostMemory = 400, 1e6
	for i := range flows {
		packets += float64(flows[i].Bytes)/spfc.PayloadBytes + 1
	}
	seconds, _ := lasts.In(clock.MustTime("1s")).Float64()
	const gbps = 100 // of the fastest links
	can := float64(hosts) * seconds * gbps * 1e9 / (8 * spfc.PacketBytes)
	return min(packets, can), flowMemory*float64(len(flows)) + hostMemory*float64(hosts)
}

func runTrace(ctx context.Context, run *experiment.Run, q TracePoint) (traceResult, error) {
	var r traceResult
	top := topologyNamed(q.Topology)
	messages, err := workload.ReadMessagesFile(q.Trace, top.Hosts)
	if err != nil {
		return r, err
	}
	sc, err := q.Build(top, q.Scheme, run.Seed)
	if err != nil {
		return r, err
	}
	if sc.Flows, err = traceFlows(messages, q.CongestionControl()); err != nil {
		return r, fmt.Errorf("%s: %w", q.Trace, err)
	}
	if err := run.Expect(flowsCost(sc.Flows, top.Hosts, q.Lasts)); err != nil {
		return r, fmt.Errorf("%s: %w", q.Trace, err)
	}
	f, err := spfc.NewFabric(&sc)
	if err != nil {
		return r, fmt.Errorf("%s: %w", q.Trace, err)
	}
	f.Follow(run.Journeys)
	limit, err := spfc.Picoseconds(q.Lasts)
	if err != nil {
		return r, err
	}
	var at spfc.Time
	if err := run.Simulate(simulation(f, &at, &r)); err != nil {
		return r, err
	}
	for f.Traffic.Unfinished > 0 && at < limit && r.Deadlock == "" {
		at = min(at+100*spfc.Microsecond, limit)
		if err := f.Net.Run(ctx, at); err != nil {
			return r, err
		}
		if d := f.Deadlocked(); d != nil {
			r.Deadlock = d.String()
		}
		run.Progress(uint64(len(messages)-f.Traffic.Unfinished), uint64(len(messages)))
		if err := run.Between(); err != nil {
			return r, err
		}
	}
	for i, m := range messages {
		x := workload.Result{Message: m}
		if at := f.Traffic.Flows[i].Finish; at >= 0 {
			x.Finished, x.Finish = true, int64(at)
			r.Finished++
		}
		r.results = append(r.results, x)
	}
	for _, s := range f.Switches {
		r.Pauses += s.Manager().Counts.Pauses
	}
	r.Flows, r.FCT = len(messages), slowdowns(f, func(int) bool { return true })
	return r, f.Check()
}

// Trace sends the flows of a file.
var Trace = experiment.Define(experiment.Spec[traceParams, TracePoint, traceResult]{
	Name: "trace", Journeys: true, Checkpoints: true, Short: "Send the flows of a CSV file",
	Long: "Send the flows of a trace, columns id, type (write), source, destination, bytes and start_ns, and write when each finished. The exit\n" +
		"code is 1 if one does not finish, or if the network is deadlocked.",
	Examples: []string{"trace flows.csv --topology pod --out results.csv"},
	Defaults: traceParams{TracePoint: TracePoint{Topology: "switch", Scheme: "spfc", Settings: spfc.DefaultSettings(),
		Lasts: clock.MustTime("1s")}},
	Check: func(p *traceParams) error { return p.Check(p.Scheme) },
	Points: func(p *traceParams, seed uint64) ([]experiment.Point[TracePoint], error) {
		return experiment.One(p.TracePoint, seed), nil
	},
	Run: runTrace,
	Report: func(p *traceParams, done []experiment.Result[TracePoint, traceResult]) (*experiment.Report, error) {
		x, r := done[0].Value, &experiment.Report{}
		t := &experiment.Table{Name: "flows", Columns: experiment.Columns("Size", "", "Flows", "", "Finished", "",
			"Mean slowdown", "%.3f", "95 %", "%.3f", "99 %", "%.3f", "Gb/s", "%.2f")}
		for c, class := range sizeClasses {
			if v := x.FCT[c]; v.Flows > 0 {
				t.Row(class.Name, v.Flows, v.Finished, v.Mean, v.P95, v.P99, v.Gbps)
			}
		}
		r.Table(t)
		r.Linef("%d of %d flows finished, %d PAUSEs.", x.Finished, x.Flows, x.Pauses)
		r.File(p.Out, func(w io.Writer) error { return workload.WriteResults(w, x.results) })
		if x.Deadlock != "" {
			r.Failf("deadlock: %s", x.Deadlock)
		}
		if x.Finished < x.Flows {
			r.Failf("%d flows did not finish", x.Flows-x.Finished)
		}
		return r, nil
	},
})
