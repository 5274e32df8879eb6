package study

import (
	"context"
	"fmt"
	"io"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/workload"

	"github.com/goldwire/goldwire/designs/spfc"
)

// traceParams are the flags of the experiment trace.
type traceParams struct {
	TracePoint
	Out string `flag:"out" file:"out" help:"write the flows with their finish and latency to this CSV file"`
	MMU string `flag:"events" file:"out" help:"write the events of all buffer managers with their answers to this CSV file, which mmu plays"`
	PFC string `flag:"pfc" file:"out" help:"write the PFC frames that switches send to this capture, pcapng with an interface for each port"`
}

// networkParams are a network and its buffer managers.
type networkParams struct {
	Topology string `flag:"topology" choices:"switch,testbed,pod,deadlock,clos" help:"Figure 3a (32 hosts), Figure 12 (9), one pod (64), Figure 17a (64), 8 pods (512)" json:"topology"`
	Links    string `flag:"links" file:"in" help:"a network of your own in place of --topology: CSV with the columns a, b, gbps, delay_ns, a row a link; H0, H1, ... are hosts, other names switches" json:"links,omitempty"`
	Buffer   int    `flag:"buffer" min:"0" max:"4096" unit:"MB" help:"memory of each switch; 0: the topology's, or half a megabyte a port under --links" json:"buffer,omitempty"`
	Scheme   string `flag:"scheme" help:"buffer manager: dt1, dt2, dt4, st, spfc, pinned" json:"scheme"`
	spfc.Settings
}

// TracePoint is a file of flows and a network.
type TracePoint struct {
	Trace string `arg:"FILE" file:"in" required:"true" help:"the flows, CSV: id, type (read, write), source, destination, bytes, start_ns" json:"trace"`
	networkParams
	Lasts clock.Time `flag:"limit" min:"1us" max:"10s" help:"the run ends then at the latest" json:"limit"`
}

// traceResult is what became of the flows.
type traceResult struct {
	Flows    int         `json:"flows"`
	Finished int         `json:"finished"`
	Pauses   int64       `json:"pauses"`
	FCT      [4]classFCT `json:"fct"`
	Deadlock string      `json:"deadlock,omitempty"`

	results []workload.Result
	pfc     *spfc.PFCCapture
	mmu     *spfc.MMURecord
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

// usualNetwork is Figure 3a's switch with SPFC.
func usualNetwork() networkParams {
	return networkParams{Topology: "switch", Scheme: "spfc", Settings: spfc.DefaultSettings()}
}

// network is a published topology, or one of a file, with the memory in each switch that the user says.
func (q *networkParams) network() (*spfc.Topology, error) {
	top := topologyNamed(q.Topology)
	if q.Links != "" {
		var err error
		if top, err = spfc.ReadTopologyFile(q.Links); err != nil {
			return nil, err
		}
	}
	if q.Buffer > 0 {
		top.Buffer = int64(q.Buffer) * 1_000_000
	}
	return top, nil
}

// flowsCost estimates the number of packets that flows send, no more than hosts can in the time, and the bytes of
// memory they take.
func flowsCost(flows []spfc.Flow, hosts int, lasts spfc.Time) (packets, memory float64) {
	const flowMemory, hostMemory = 400, 1e6
	for i := range flows {
		packets += float64(flows[i].Bytes)/spfc.PayloadBytes + 1
	}
	seconds := float64(lasts) / (1e6 * float64(spfc.Microsecond))
	const gbps = 100 // of the fastest links
	can := float64(hosts) * seconds * gbps * 1e9 / (8 * spfc.PacketBytes)
	return min(packets, can), flowMemory*float64(len(flows)) + hostMemory*float64(hosts)
}

func runTrace(ctx context.Context, run *experiment.Run, q TracePoint) (traceResult, error) {
	var r traceResult
	top, err := q.network()
	if err != nil {
		return r, err
	}
	messages, err := workload.ReadMessagesFile(q.Trace, top.Hosts)
	if err != nil {
		return r, err
	}
	limit, err := spfc.Picoseconds(q.Lasts)
	if err != nil {
		return r, err
	}
	n := Network{Topology: top, Scheme: q.Scheme, Settings: q.Settings, Limit: limit, Record: true, Keep: run}
	if r.results, err = n.Run(ctx, messages); err != nil {
		return r, fmt.Errorf("%s: %w", q.Trace, err)
	}
	for _, x := range r.results {
		if x.Finished {
			r.Finished++
		}
	}
	r.pfc, r.mmu = n.PFC, n.MMU
	r.Flows, r.Pauses, r.Deadlock = len(messages), n.Pauses(), n.Deadlock
	r.FCT = slowdowns(n.Fabric, n.carriesData)
	return r, nil
}

// Trace sends the flows of a file.
var Trace = experiment.Define(experiment.Spec[traceParams, TracePoint, traceResult]{
	Name: "trace", Journeys: true, Checkpoints: true, Short: "Send the flows of a CSV file",
	Long: "Send the messages of a trace, columns id, type (read, write), source, destination, bytes and start_ns, and " +
		"write when each finished. A write is a flow. A read is a packet with the address, and a flow back when it has " +
		"arrived. The exit code is 1 if a message does not finish, or if the network is deadlocked.",
	Examples: []string{
		"trace flows.csv --topology pod --out results.csv", "trace flows.csv --links rack.csv --buffer 32 --scheme dt2",
	},
	Defaults: traceParams{TracePoint: TracePoint{networkParams: usualNetwork(),
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
		if x.pfc.Missed > 0 && p.PFC != "" {
			r.Linef("%s has the first PFC frames, %d are missing.", p.PFC, x.pfc.Missed)
		}
		if x.mmu.Missed > 0 && p.MMU != "" {
			r.Linef("%s has the first events, %d are missing.", p.MMU, x.mmu.Missed)
		}
		r.File(p.MMU, func(w io.Writer) error { return spfc.WriteMMUEvents(w, x.mmu.Events) })
		r.File(p.PFC, x.pfc.Write)
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
