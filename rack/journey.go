package rack

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/experiment/plots"
	"github.com/goldwire/goldwire/peers/packetnet"
	"github.com/goldwire/goldwire/workload"
	"github.com/goldwire/goldwire/workload/journey"

	"github.com/goldwire/goldwire/designs/edm"
	edmstudy "github.com/goldwire/goldwire/designs/edm/study"
	"github.com/goldwire/goldwire/designs/shoal"
	shoalstudy "github.com/goldwire/goldwire/designs/shoal/study"
)

// journeyParams are the flags of the experiment journey.
type journeyParams struct {
	journeyPoint
	Fabrics []string `flag:"fabrics" each:"Fabric" help:"fabrics, or all"`
}

// journeyPoint is one message alone in one fabric.
type journeyPoint struct {
	Fabric string `flag:"-" json:"fabric"`
	Links
	Type  workload.MessageType `flag:"type" choices:"read,write" help:"what is sent" json:"type"`
	Bytes int                  `flag:"bytes" min:"1" max:"61440" unit:"bytes" help:"of the message" json:"bytes"`
}

// Parts of a lone message's time.
const (
	partNodes  = "nodes"  // stack, or EDM's pipelines, of both nodes
	partPCS    = "PCS"    // of all ports; an Ethernet's stack and switch include it
	partSwitch = "switch" // forwarding
	partCable  = "cable"  // with its transceivers
	partWait   = "wait"   // for a circuit; under ird and fastpass for a grant
	partBytes  = "bytes"  // the message on its lines
)

var parts = []string{partNodes, partPCS, partSwitch, partCable, partWait, partBytes}

// stage is a piece of a message's way, in picoseconds.
type stage struct {
	Part string `json:"part"`
	What string `json:"what,omitempty"`
	Time int64  `json:"ps"`
}

// journeyResult is a lone message's way. The stages are in order and add up to its time.
type journeyResult struct {
	Total  int64   `json:"total_ps"`
	Stages []stage `json:"stages"`
}

// of adds up a part.
func (r *journeyResult) of(part string) (ps int64) {
	for _, s := range r.Stages {
		if s.Part == part {
			ps += s.Time
		}
	}
	return ps
}

// journeys is the experiment.
var journeys = experiment.Define(experiment.Spec[journeyParams, journeyPoint, *journeyResult]{
	Name: "journey", Journeys: true, Short: "Where the time of one message goes, in every fabric",
	Long: `Send one message from node 0 to node 1 of each fabric, alone, and print where its time goes. EDM's way is seen
block by block at clock edges, Shoal's cell by cell; an Ethernet's is its fixed delays, and the rest of the time for
the bytes and, where there are grants, the wait for them. --journeys draws the ways beside each other.

` + listFabrics(),
	Examples: []string{
		"journey", "journey --type read --bytes 64 --fabrics edm,dctcp,cxl --journeys ways.svg", "journey --metres 100",
	},
	Defaults: journeyParams{
		journeyPoint: journeyPoint{Links: defaultLinks(), Type: workload.Write, Bytes: 1000},
		Fabrics:      []string{"edm", "shoal", "spfc", "dctcp", "ird", "fastpass", "cxl"},
	},
	Check: func(p *journeyParams) (err error) {
		if p.Fabrics, err = checkFabrics(p.Fabrics); err == nil && !p.Line.plain() {
			err = errors.New("--line, --ber: want pcs without errors, which a journey follows box by box")
		}
		return err
	},
	Run: runJourney,
	Report: func(p *journeyParams, done []experiment.Result[journeyPoint, *journeyResult]) (*experiment.Report, error) {
		r := &experiment.Report{}
		r.Linef("A %v of %d bytes, %g m at %d Gb/s, alone: nanoseconds\n", p.Type, p.Bytes, p.Metres, p.Gbps)
		t := &experiment.Table{Name: "parts", Columns: experiment.Columns("Fabric", "")}
		chart := &plots.BarChart{Title: "Where the time of a lone message goes", X: "fabric", Y: "ns"}
		for _, part := range parts {
			t.Columns = append(t.Columns, experiment.Column{Name: part, Format: "%.2f"})
			chart.Series = append(chart.Series, plots.BarSeries{Name: part})
		}
		t.Columns = append(t.Columns, experiment.Columns("Total", "%.2f")...)
		for _, d := range done {
			row := []any{d.Point.Fabric}
			for i, part := range parts {
				ns := float64(d.Value.of(part)) / 1000
				row = append(row, ns)
				chart.Series[i].Values = append(chart.Series[i].Values, ns)
			}
			t.Row(append(row, float64(d.Value.Total)/1000)...)
			chart.Groups = append(chart.Groups, d.Point.Fabric)
		}
		r.Table(t)
		r.Chart(experiment.Chart{Name: "parts", Bars: chart})
		return r, nil
	},
})

func runJourney(ctx context.Context, run *experiment.Run, q journeyPoint) (*journeyResult, error) {
	f, err := named(q.Fabric)
	if err != nil {
		return nil, err
	}
	if err := q.forward(ctx); err != nil {
		return nil, err
	}
	m := workload.Message{Type: q.Type, Source: 0, Dest: 1, Bytes: q.Bytes}
	r := &journeyResult{}
	switch f.Fidelity {
	case byCycle:
		r.Stages, r.Total, err = q.edmWay(ctx, m)
	case bySlot:
		r.Stages, r.Total, err = q.shoalWay(ctx, run, m)
	default:
		r.Stages, r.Total, err = q.packetWay(ctx, f, m)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", q.Fabric, err)
	}
	run.Journeys.Describe("One message through every fabric", clock.Block25G.Period())
	way, at := journey.Journey{Name: q.Fabric}, int64(0)
	for _, s := range r.Stages {
		from, to := clock.Picosecond.Times(at), clock.Picosecond.Times(at+s.Time)
		way.Stages = append(way.Stages, journey.Stage{Place: s.Part, What: s.What, From: from, To: to})
		at += s.Time
	}
	if at != r.Total {
		return nil, fmt.Errorf("%s: the stages take %d ps, the message %d", q.Fabric, at, r.Total)
	}
	run.Journeys.Add(way)
	return r, nil
}

// edmWay follows the first block; the others come after it.
func (l Links) edmWay(ctx context.Context, m workload.Message) (way []stage, total int64, err error) {
	l.Nodes = 2
	c := l.config(1)
	x, err := edm.Run(ctx, c, []workload.Message{m}, edm.Options{Limit: ranOut})
	if err != nil {
		return nil, 0, err
	}
	total = x.Messages[0].Latency()
	c.Memory, c.Local = max(1024, (m.Bytes+15)&^7), max(1024, (m.Bytes+15)&^7)
	steps, err := edmstudy.Follow(ctx, c, m.Type, m.Bytes)
	if err != nil {
		return nil, 0, err
	}
	places := map[string]string{
		edmstudy.ComputeNode: partNodes, edmstudy.MemoryNode: partNodes, edmstudy.Switch: partSwitch,
		edmstudy.PCS: partPCS, edmstudy.Wires: partCable,
	}
	rest := total
	for _, s := range steps {
		ps := picoseconds(s.Time())
		way = append(way, stage{places[s.Place], s.What, ps})
		rest -= ps
	}
	return append(way, stage{partBytes, "further blocks, and the application's queues", rest}), total, nil
}

// shoalWay follows the last cell of each direction.
func (l Links) shoalWay(
	ctx context.Context, run *experiment.Run, m workload.Message,
) (way []stage, total int64, err error) {
	n, slot := l.rack(&experiment.Run{Seed: run.Seed})
	n.Limit, n.Follow = ranOut, true
	results, err := n.Run(ctx, []workload.Message{m})
	if err != nil {
		return nil, 0, err
	}
	total = results[0].Latency()
	flight := int64(n.Fabric.Flight) * slot
	at := int64(0)
	leg := func(from, to int) {
		for _, h := range lastCell(n.Hops, from, to, uint64(at/slot), uint64(total/slot), uint64(n.Fabric.Flight)) {
			what := fmt.Sprintf("node %d to node %d", h.From, h.To)
			if wait := int64(h.Slot)*slot - at; wait > 0 {
				way = append(way, stage{partWait, fmt.Sprintf("at node %d for its circuit", h.From), wait})
			}
			way = append(way, stage{partBytes, what, slot}, stage{partCable, what, flight})
			at = int64(h.Slot+1)*slot + flight
		}
	}
	if m.Type == workload.Read {
		requested := *n
		requested.Hops = nil
		request := workload.Message{Type: workload.Write, Source: m.Source, Dest: m.Dest, Bytes: requestBytes}
		if _, err := requested.Run(ctx, []workload.Message{request}); err != nil {
			return nil, 0, err
		}
		all := n.Hops
		n.Hops = requested.Hops
		leg(m.Source, m.Dest)
		n.Hops = all
		leg(m.Dest, m.Source)
	} else {
		leg(m.Source, m.Dest)
	}
	return way, total, nil
}

// requestBytes is the payload of a read's request, one cell.
const requestBytes = min(8, shoal.PayloadBytes)

// lastCell returns the one or two hops of the cell that comes last from a node to another, between two slots.
func lastCell(hops []shoalstudy.Hop, from, to int, after, before, flight uint64) []shoalstudy.Hop {
	last := -1
	for i, h := range hops {
		if h.To == to && h.Slot >= after && h.Slot+flight < before {
			last = i
		}
	}
	if last < 0 {
		return nil
	}
	if hops[last].From == from {
		return []shoalstudy.Hop{hops[last]}
	}
	for i := last; i >= 0; i-- {
		h := hops[i]
		if h.From == from && h.To == hops[last].From && h.Slot+flight < hops[last].Slot {
			return []shoalstudy.Hop{h, hops[last]}
		}
	}
	return nil
}

// packetWay has an Ethernet's fixed delays and the rest.
func (l Links) packetWay(ctx context.Context, f fabric, m workload.Message) (way []stage, total int64, err error) {
	x, err := f.run(ctx, &experiment.Run{Seed: 1}, l, []workload.Message{m})
	if err != nil {
		return nil, 0, err
	}
	total = x.results[0].Latency()
	host, forwarding := picoseconds(l.Host), picoseconds(l.Switch)
	if f.Name == packetnet.CXL.String() {
		c := l.peer(packetnet.CXL, 1)
		host, forwarding = c.HostDelay, c.SwitchDelay
	}
	directions := []string{"data"}
	if m.Type == workload.Read {
		directions = []string{"request", "data"}
	}
	for _, d := range directions {
		way = append(way, stage{partNodes, d + " leaves", host}, stage{partCable, d + " to the switch", l.cable()},
			stage{partSwitch, d, forwarding}, stage{partCable, d + " from the switch", l.cable()},
			stage{partNodes, d + " arrives", host})
	}
	rest := total
	for _, s := range way {
		rest -= s.Time
	}
	if f.Name == packetnet.IRD.String() || f.Name == packetnet.Fastpass.String() {
		plain, err := named(packetnet.OutputQueued.String())
		if err != nil {
			return nil, 0, err
		}
		y, err := plain.run(ctx, &experiment.Run{Seed: 1}, l, []workload.Message{m})
		if err != nil {
			return nil, 0, err
		}
		wait := total - y.results[0].Latency()
		way = append([]stage{{partWait, "for a grant", wait}}, way...)
		rest -= wait
	}
	way = append(way, stage{partBytes, "frames on both lines", rest})
	return slices.DeleteFunc(way, func(s stage) bool { return s.Time == 0 }), total, nil
}
