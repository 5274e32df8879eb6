package study

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/workload"

	"github.com/goldwire/goldwire/designs/edm"
)

// nodeReport is the outcome when a memory node dies under traffic from and to all the others.
type nodeReport struct {
	Nodes     int     `json:"nodes"`
	Runs      int     `json:"runs"`
	TimeoutNS float64 `json:"timeout_ns"`

	Reads  deadTraffic `json:"reads"` // at the dead node
	Writes deadTraffic `json:"writes"`

	// Between the others, from the death on: with it, and in runs of the same messages without it.
	Others      int     `json:"others"`
	Lost        int     `json:"others_lost"`
	Shifted     int     `json:"others_shifted"` // that came at another time
	BeforeNS    float64 `json:"others_mean_without_ns"`
	AfterNS     float64 `json:"others_mean_ns"`
	MostLaterNS float64 `json:"others_most_later_ns"`
	Waiting     int     `json:"waiting"` // most blocks that waited in the crossbar

	// Circuits that the switch, which does not know, still grants for data from the dead node and to it: as long as one
	// lasts the requester's port gets nothing else, or its data goes nowhere.
	CircuitsFrom   int     `json:"circuits_from"`
	CircuitsFromNS float64 `json:"circuits_from_ns"`
	CircuitsTo     int     `json:"circuits_to"`
	CircuitsToNS   float64 `json:"circuits_to_ns"`
}

// deadCircuits counts the circuits of a dead node.
type deadCircuits struct {
	n      *edm.Network
	dead   int
	death  uint64 // cycle
	report *nodeReport
}

// Observe looks at the grants.
func (d *deadCircuits) Observe(edges rtl.Edges) {
	clk := d.n.SchedulerClock
	if !edges.Has(clk) || d.n.Clock.Cycle() < d.death {
		return
	}
	for source := range d.n.Scheduler.Grant {
		g := d.n.Scheduler.Grant[source].Get()
		if !g.Valid {
			continue
		}
		ns := float64(d.n.Busy(int(g.Bytes), g.Read)*edm.BlockPicoseconds) / 1000
		switch {
		case source == d.dead:
			d.report.CircuitsFrom++
			d.report.CircuitsFromNS += ns
		case int(g.Dest) == d.dead:
			d.report.CircuitsTo++
			d.report.CircuitsToNS += ns
		}
	}
}

// deadTraffic is the outcome of requests to a node that dies.
type deadTraffic struct {
	Messages   int     `json:"messages"`
	Finished   int     `json:"finished"`
	Null       int     `json:"null"`
	Silent     int     `json:"silent"`       // writes, complete for their application, that have not arrived in whole
	Hung       int     `json:"hung"`         // never completed, or not even taken from the application
	MostNullNS float64 `json:"most_null_ns"` // longest from a read's start to its NULL response
}

func (d *deadTraffic) add(r workload.Result, t told) {
	d.Messages++
	switch {
	case t.null:
		d.Null++
		d.MostNullNS = max(d.MostNullNS, float64(t.at-r.Start)/1000)
	case r.Finished:
		d.Finished++
	case t.complete:
		d.Silent++
	default:
		d.Hung++
	}
}

// deadNode runs traffic between six nodes and lets the last, which only answers, die at a random time, in a number of
// runs.
func deadNode(ctx context.Context, runs int, seed uint64) (*nodeReport, error) {
	const nodes, dead, timeout = 6, 5, 2000
	r := &nodeReport{Nodes: nodes, TimeoutNS: timeout * edm.BlockPicoseconds / 1000.}
	rng := rand.New(rand.NewPCG(seed, 11))
	for range runs {
		traffic := slices.DeleteFunc(
			faultTraffic(rng.Uint64(), nodes, 300, 600, 40_000), func(m workload.Message) bool { return m.Source == dead },
		)
		for i := range traffic {
			traffic[i].ID = uint64(i)
		}
		cycle := edm.WarmUp + uint64(rng.Int64N((lastCycle(traffic)-edm.WarmUp)/2))
		cfg := edm.Config{Nodes: nodes, Memory: 8192, Timeout: period(timeout)}
		clean, err := runFaults(ctx, cfg, traffic, false, func(*edm.Network) error { return nil })
		if err != nil {
			return nil, err
		}
		f, err := runFaults(ctx, cfg, traffic, true, func(n *edm.Network) error {
			n.Sim.Observe(&deadCircuits{n, dead, cycle, r})
			return n.KillNode(dead, cycle)
		})
		if err != nil {
			return nil, err
		}
		r.add(f, clean, dead, int64(cycle-edm.WarmUp)*edm.BlockPicoseconds)
	}
	if done := float64(r.Others - r.Lost); done > 0 {
		r.BeforeNS /= done
		r.AfterNS /= done
	}
	return r, nil
}

func (r *nodeReport) add(f, clean *faultRun, dead int, death int64) {
	r.Runs++
	r.Waiting = max(r.Waiting, f.Monitor.MostMeeting)
	for i, m := range f.Messages {
		switch {
		case m.Dest == dead && m.Type == workload.Read:
			r.Reads.add(m, f.told[i])
		case m.Dest == dead:
			r.Writes.add(m, f.told[i])
		case m.Start < death && m.Finished:
		default:
			r.Others++
			if !m.Finished {
				r.Lost++
				break
			}
			before, after := clean.Messages[i].Latency(), m.Latency()
			r.BeforeNS += float64(before) / 1000
			r.AfterNS += float64(after) / 1000
			r.MostLaterNS = max(r.MostLaterNS, float64(after-before)/1000)
			if before != after {
				r.Shifted++
			}
		}
	}
}
