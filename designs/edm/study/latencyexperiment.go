package study

import (
	"context"
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/experiment/plots"
	"github.com/goldwire/goldwire/workload"
	"github.com/goldwire/goldwire/workload/journey"

	"github.com/goldwire/goldwire/designs/edm"
)

// latencyPoint is one access step by step, or the same of 64 bytes in some networks with clocks in random phases.
type latencyPoint struct {
	Type       workload.MessageType `flag:"type" choices:"read,write,cas" help:"what is sent" json:"type"`
	Bytes      int                  `flag:"bytes" min:"1" max:"61440" unit:"bytes" help:"bytes to read or write" json:"bytes"`
	DRAM       clock.Time           `flag:"dram" min:"0ns" max:"20us" help:"latency of the DRAM" json:"dram"`
	Metres     float64              `flag:"metres" min:"0" max:"100000" unit:"m" help:"cable of each of the two links, 5 ns a metre, beside 38 ns of transceivers" json:"metres"`
	EqualWires bool                 `flag:"equal-wires" help:"four wires of 48 ns, instead of two that close the loop in whole cycles" json:"equal_wires"`
	// 0: step by step
	Phases int `flag:"phases" min:"0" max:"10000" help:"networks with clocks in random phases" json:"phases"`
}

// latencyResult is the way of the first block, and when the last byte is there; or the first block's latencies over the
// phases.
type latencyResult struct {
	Steps    []latencyStep      `json:"steps,omitempty"`
	Places   map[string]float64 `json:"places_ns,omitempty"`
	Stack    float64            `json:"stack_ns,omitempty"`
	Total    float64            `json:"total_ns,omitempty"`
	LastByte float64            `json:"last_byte_ns,omitempty"`
	Phases   *latencyPhases     `json:"random_phases,omitempty"`

	access
	times []clock.Time
}

type latencyStep struct {
	Place  string  `json:"place"`
	Step   string  `json:"step"`
	From   float64 `json:"from_ns"`
	Time   float64 `json:"ns"`
	Cycles float64 `json:"cycles"`
}

type latencyPhases struct {
	Networks int       `json:"networks"`
	Least    float64   `json:"least_ns"`
	Mean     float64   `json:"mean_ns"`
	Most     float64   `json:"most_ns"`
	Each     []float64 `json:"each_ns"`
}

// alignedAccess is a cell of Table 1: 64 bytes, clocks and wires as in aligned.
func alignedAccess(t workload.MessageType) latencyPoint {
	return latencyPoint{Type: t, Bytes: 64, Metres: edm.TableMetres, DRAM: clock.MustTime("0ns")}
}

// latency is Table 1 and Figure 5.
var latency = experiment.Define(experiment.Spec[latencyPoint, latencyPoint, latencyResult]{
	Name: "latency", Waves: true, Journeys: true,
	Short: "One access in an idle network, step by step", Source: "Table 1, Figure 5",
	Long: `Send one read, write or compare-and-swap through an idle network of two nodes at 25 Gb/s and show where its
first block spends its time: every step from the message queue to the delivery, between observed clock edges, with no
gap (Table 1, Figure 5). Then what Table 1 leaves out: the last byte, DRAM, and clocks in random phases.`,
	Examples: []string{
		"latency", "latency --type write --bytes 256 --dram 45ns", "latency --metres 25", "latency --type cas --json",
	},
	Defaults: latencyPoint{Bytes: 64, Metres: edm.TableMetres, DRAM: clock.MustTime("0ns"), Phases: 100},
	Points: func(p *latencyPoint, seed uint64) ([]experiment.Point[latencyPoint], error) {
		stepped, phases := *p, alignedAccess(p.Type)
		stepped.Phases, phases.Phases, phases.Metres = 0, p.Phases, p.Metres
		points := experiment.Each(seed, stepped, phases)
		if p.Phases == 0 {
			points = points[:1]
		}
		return points, nil
	},
	Run:    runLatency,
	Report: reportLatency,
})

func nanosecondsOf(t clock.Time) float64 {
	f, _ := t.In(clock.Nanosecond).Float64()
	return f
}

func runLatency(ctx context.Context, run *experiment.Run, q latencyPoint) (r latencyResult, err error) {
	if q.Phases > 0 {
		r.times, err = phasesOver(ctx, q.Type, q.Phases, q.Metres, run.Seed)
		if err != nil {
			return r, err
		}
		r.Phases = &latencyPhases{Networks: q.Phases}
		for _, x := range r.times {
			r.Phases.Each = append(r.Phases.Each, nanosecondsOf(x))
			r.Phases.Mean += nanosecondsOf(x) / float64(len(r.times))
		}
		r.Phases.Least, r.Phases.Most = slices.Min(r.Phases.Each), slices.Max(r.Phases.Each)
		return r, nil
	}
	cfg := aligned()
	cfg.DRAM = q.DRAM
	if q.EqualWires {
		cfg.Down = nil
	}
	if err := cfg.Check(); err != nil {
		return r, err
	}
	more := edm.CableDelay(q.Metres).Sub(edm.WireDelay)
	for i := range cfg.Nodes {
		cfg.Up[i], cfg.Down[i] = cfg.Up[i].Add(more), cfg.Down[i].Add(more)
	}
	x, err := follow(
		ctx, cfg, q.Type, q.Bytes,
		func(w edm.Watched) error { return run.Watch(w.Network.Sim, w.Network.Clock, w.Violated) },
	)
	if err != nil {
		return r, err
	}
	r.access = *x
	r.LastByte = float64(r.last) / 1000
	run.Journeys.Describe(
		fmt.Sprintf("EDM: the first block of a %v of %d bytes in an idle network", q.Type, q.Bytes),
		clock.Block25G.Period(),
	)
	way := journey.Journey{Name: q.Type.String()}
	for _, s := range r.steps {
		way.Stages = append(way.Stages, journey.Stage{Place: s.Place, What: s.What, From: s.From, To: s.To})
	}
	run.Journeys.Add(way)
	period := nanosecondsOf(clock.Block25G.Period())
	r.Places = map[string]float64{}
	for _, s := range r.steps {
		ns := nanosecondsOf(s.Time())
		r.Steps = append(r.Steps, latencyStep{s.Place, s.What, nanosecondsOf(s.From.Sub(r.steps[0].From)), ns, ns / period})
		r.Places[s.Place] += ns
		r.Total += ns
		if s.Place != Wires {
			r.Stack += ns
		}
	}
	return r, nil
}

func reportLatency(p *latencyPoint, done []experiment.Result[latencyPoint, latencyResult]) (*experiment.Report, error) {
	r := &experiment.Report{}
	for _, d := range done {
		v := d.Value
		if x := v.Phases; x != nil {
			r.Linef("%d networks with clocks in random phases and wires of %g ns: %.2f to %.2f ns, %.2f on average (seed %d)",
				x.Networks, nanosecondsOf(edm.CableDelay(p.Metres)), x.Least, x.Most, x.Mean, d.Seed)
			chart := &plots.Chart{
				Title: "EDM: first block of a " + p.Type.String() + ", clocks in random phases", X: "latency (ns)",
				Y: "share of networks", Series: []plots.Series{plots.CDF(p.Type.String(), x.Each)},
			}
			if printed, ok := map[workload.MessageType]float64{workload.Read: 299.52, workload.Write: 296.96}[p.Type]; ok &&
				p.Metres == edm.TableMetres {
				chart.VLines = []plots.Mark{{At: printed, Label: fmt.Sprintf("Table 1: %.2f ns", printed)}}
			}
			r.Chart(experiment.Chart{Name: "phases", Lines: chart})
			continue
		}
		r.Linef("A %v of %d bytes from node 0 to node 1 at 25 Gb/s: the way of its first block\n", p.Type, p.Bytes)
		t := &experiment.Table{
			Name:    "steps",
			Columns: experiment.Columns("At ns", "%.2f", "Place", "", "Step", "", "Cycles", "%.4g", "ns", "%.2f"),
		}
		for _, s := range v.Steps {
			t.Row(s.From, s.Place, s.Step, s.Cycles, s.Time)
		}
		r.Table(t)
		r.Linef("")
		period := nanosecondsOf(clock.Block25G.Period())
		sum := func(what string, ns float64, note string) {
			r.Linef("%-13s %7.2f ns  %6.2f cycles%s", what, ns, ns/period, note)
		}
		for _, place := range []string{ComputeNode, Switch, MemoryNode, PCS, Wires} {
			sum(place, v.Places[place], "")
		}
		sum("stack", v.Stack, " without the wires")
		sum("total", v.Total, fmt.Sprintf(" of %.2f ns", period))
		r.Linef("\nto the last byte, from the application: %.2f ns", v.LastByte)
		if !p.EqualWires && p.Metres == edm.TableMetres {
			r.Linef("Wires from the switch are half a cycle longer and shorter, so that crossings of clocks take " +
				"whole cycles; --equal-wires makes them alike.")
		}
	}
	return r, nil
}
