package study

import (
	"context"
	"fmt"
	"io"
	"math"

	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/internal/plural"
	"github.com/goldwire/goldwire/workload"

	"github.com/goldwire/goldwire/designs/shoal"
)

// traceParams are the parameters of a run of a file's flows.
type traceParams struct {
	TracePoint
	Out string `flag:"out" file:"out" help:"write the flows with their finish to this CSV file"`
}

// TracePoint is a file of flows and a rack.
type TracePoint struct {
	Trace string `arg:"FILE" file:"in" required:"true" help:"the flows, CSV: id, type, source, destination, bytes, start_ns"`
	shoal.FabricParams
	CellParams
	FaultParams
	Cells string `flag:"cells" file:"out" json:",omitempty" help:"write each cell on each line, dummies apart, to this CSV file"`
	Limit int    `flag:"slots" min:"1" max:"1000000000" help:"slots after the last start in which the flows must complete"`
}

// traceResult is what became of the flows.
type traceResult struct {
	Flows, Complete int
	Slots           uint64
	Mean, Most      float64 // ns
	Ended           bool    // by --slots

	results []workload.Result
	log     *cellLog
}

func runTrace(ctx context.Context, run *experiment.Run, q TracePoint) (traceResult, error) {
	flows, err := workload.ReadMessagesFile(q.Trace, q.Nodes)
	if err != nil {
		return traceResult{}, err
	}
	last := int64(0)
	for _, m := range flows {
		last = max(last, m.Start)
	}
	if q.Cell == 0 {
		q.CellParams = defaultCell()
	}
	slot := q.CellParams.picoseconds()
	after := int64(q.Limit) * slot
	n := &Network{
		Fabric: q.FabricParams, Cell: q.CellParams, Faults: &q.FaultParams, Limit: min(last, math.MaxInt64-after) + after,
		Keep: run, file: q.Trace + ": ",
	}
	if q.Cells != "" {
		n.log = &cellLog{}
	}
	results, err := n.Run(ctx, flows)
	if err != nil {
		return traceResult{}, err
	}
	res := traceResult{Flows: len(flows), Ended: n.ended, results: results, log: n.log}
	for _, x := range results {
		if !x.Finished {
			continue
		}
		res.Complete++
		ns := float64(x.Latency()) / 1e3
		res.Mean += ns
		res.Most = max(res.Most, ns)
		res.Slots = max(res.Slots, uint64(x.Finish/slot))
	}
	if res.Complete > 0 {
		res.Mean /= float64(res.Complete)
	}
	return res, nil
}

// Trace sends the flows of a file.
var Trace = experiment.Define(experiment.Spec[traceParams, TracePoint, traceResult]{
	Name: "trace", Checkpoints: true, Short: "Send the flows of a CSV file",
	Long: "Send the messages of a trace, columns id, type (read, write), source, destination, bytes and start_ns, over " +
		"the slot-accurate rack, and write when each was complete. A write is a flow. A read is a cell with the address, " +
		"and a flow back when it has arrived. A flow's first cell leaves in the first slot that begins no earlier than " +
		"its start. Slots in which nothing is under way are passed over. Flows that lose cells to a failure do not end: " +
		"the rack has no transport above it (§3.5). The run ends when nothing can move any more, and says how many are " +
		"left.",
	Examples: []string{
		"trace flows.csv --nodes 16 --channels 1 --out results.csv",
		"trace flows.csv --nodes 8 --channels 1 --slot 76.8ns --flight 21 --cells cells.csv",
		"trace flows.csv --nodes 32 --channels 1 --fail-leaves 2 --fail-at 1000 --corrupt 0.001",
	},
	Defaults: traceParams{
		TracePoint: TracePoint{FabricParams: fabricOf(512, 4), CellParams: defaultCell(), Limit: 10_000_000},
	},
	Run: runTrace,
	Report: func(p *traceParams, done []experiment.Result[TracePoint, traceResult]) (*experiment.Report, error) {
		v := done[0].Value
		r := &experiment.Report{}
		r.Linef(
			"%d of %d flows complete after %d slots of %v ns", v.Complete, v.Flows, v.Slots,
			float64(p.CellParams.picoseconds())/1e3,
		)
		t := &experiment.Table{
			Name: "flows", Columns: experiment.Columns("Complete", "", "Mean ns", "%.2f", "Most ns", "%.2f"),
		}
		t.Row(v.Complete, v.Mean, v.Most)
		r.Table(t)
		if v.log != nil {
			r.File(p.Cells, v.log.write)
		}
		r.File(p.Out, func(w io.Writer) error { return workload.WriteResults(w, v.results) })
		if v.Complete < v.Flows {
			why := "nothing can move any more"
			if v.Ended {
				why = fmt.Sprintf("the run ended at --slots %d after the last start", p.Limit)
			}
			r.Failf("%s not complete: %s", plural.Of(v.Flows-v.Complete, "flow"), why)
		}
		return r, nil
	},
})
