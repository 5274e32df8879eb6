package study

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/experiment/plots"
	"github.com/goldwire/goldwire/internal/enum"
	"github.com/goldwire/goldwire/peers/packetnet"
	"github.com/goldwire/goldwire/workload"
	measures "github.com/goldwire/goldwire/workload/measure"

	"github.com/goldwire/goldwire/designs/shoal"
)

// Of the packet-switched network and the torus (§7.3).
const (
	peerGbps     = 50  // a node's link of the packet-switched network
	torusGbps    = 100 // all six links of a node of the torus
	peerFrame    = 1500
	windowFrames = 35  // DCTCP's and DCQCN's window, NDP's first one
	queueFrames  = 100 // DCTCP's and DCQCN's
	ndpQueue     = 12
	torusSide    = 8
)

// What §7.3 leaves open.
const (
	// markFrames is where DCTCP's switches begin to mark: 65 frames (Alizadeh et al., SIGCOMM 2010, §4).
	markFrames = 65
	// minTimeout is DCTCP's least retransmission timeout: 200 µs (Vasudevan et al., SIGCOMM 2009), more than queues of 100
	// frames on three hops can add to a round trip.
	minTimeout = 200_000_000
)

// networkShoal is the name of the rack itself among the networks.
const networkShoal = "shoal"

// networks are the networks of the experiment peers.
func networks() []string {
	names := []string{networkShoal}
	for _, s := range []packetnet.Scheme{packetnet.OutputQueued, packetnet.DCTCP, packetnet.DCQCN, packetnet.NDP,
		packetnet.R2C2} {
		names = append(names, s.String())
	}
	return names
}

// NetworkParams are the rack, its peers, and both sides' delays.
type NetworkParams struct {
	shoal.FabricParams
	Ports  int        `flag:"ports" min:"2" max:"128" help:"of the packet switches of the Clos"`
	Link   clock.Time `flag:"link" min:"0ps" max:"10us" help:"delay of each link of the peers; the rack's is --flight"`
	Switch clock.Time `flag:"switch" min:"0ps" max:"10us" help:"delay of each switch of the peers, beside storing a frame"`
}

// defaultNetwork is §7.3's: neither side has any delay but the bytes' on links.
func defaultNetwork() NetworkParams {
	return NetworkParams{FabricParams: fabricOf(512, 4), Ports: 64}
}

// peer returns the configuration of a packet-switched network or a torus.
func (p *NetworkParams) peer(s packetnet.Scheme, seed uint64) packetnet.Config {
	c := packetnet.DefaultConfig(s)
	c.Nodes, c.RateGbps, c.Seed = p.Nodes, peerGbps, seed
	c.HostDelay, c.LinkDelay, c.SwitchDelay = 0, picoseconds(p.Link), picoseconds(p.Switch)
	c.WriteHeaderBytes = 0 // a flow is its bytes
	c.MTU = peerFrame
	frame, payload := c.FrameHeader+c.MTU, c.MTU-c.TransportHeader
	switch s {
	case packetnet.DCTCP:
		c.PerMessage, c.InitialWindow, c.MaxWindow = true, windowFrames*payload, queueFrames*payload
		c.MarkBytes, c.BufferBytes, c.MinTimeout = markFrames*frame, queueFrames*frame, minTimeout
	case packetnet.DCQCN:
		// A pause takes effect when at most two frames have come after the frame that passed the threshold.
		c.MaxWindow, c.PauseBytes, c.ResumeBytes = windowFrames*payload, (queueFrames-3)*frame, (queueFrames-5)*frame
	case packetnet.NDP:
		c.FirstPackets, c.QueuePackets = windowFrames, ndpQueue
	case packetnet.R2C2:
		c.RateGbps, c.Side = torusGbps, torusSide
		for c.Side > 2 && c.Side*c.Side*c.Side > p.Nodes {
			c.Side--
		}
	}
	if s == packetnet.DCTCP || s == packetnet.DCQCN || s == packetnet.NDP {
		c.Topology, c.Ports, c.Spray = packetnet.Clos, p.Ports, s == packetnet.NDP
	}
	return c
}

func picoseconds(t clock.Time) int64 {
	f, _ := t.In(clock.Picosecond).Float64()
	return int64(f)
}

// fabric returns a network by name. Its runs end when all messages of at most until bytes have arrived; 0: when all
// have.
func (p *NetworkParams) fabric(name string, until int, run *experiment.Run) (measures.Fabric, error) {
	if name == networkShoal {
		return &Network{Fabric: p.FabricParams, Limit: runLimit, Until: until, Keep: run}, nil
	}
	s, err := packetnet.ParseScheme(name)
	if err != nil {
		return nil, err
	}
	c := p.peer(s, run.Seed)
	c.Limit, c.Until = runLimit, until
	return &packetnet.Fabric{Config: c, Keep: run}, nil
}

// runLimit ends a run that does not end: a second of the network's time.
const runLimit = 1_000_000_000_000

// peersParams are the parameters of Figure 15.
type peersParams struct {
	PeersPoint
	Loads    []float64 `flag:"load" each:"Load" min:"0.01" max:"2" help:"mean size / (50 Gb/s x nodes x mean time between flows)"`
	Networks []string  `flag:"networks" each:"Network" help:"networks that carry the same flows: shoal, output-queued, dctcp, dcqcn, ndp, r2c2, or all"`
}

// PeersPoint is one network at one load.
type PeersPoint struct {
	NetworkParams
	Network string  `flag:"-"`
	Load    float64 `flag:"-"`
	Flows   int     `flag:"flows" min:"10" max:"10000000" help:"flows at each load"`
	Sizes   string  `flag:"sizes" help:"sizes of flows: a published distribution, pareto, pareto:MOST or fixed:BYTES"`
	Await   awaited `flag:"await" help:"flows whose arrival a run waits for: all, or short ones, which Figure 15a is of"`
}

// awaited is which flows a run waits for. With Pareto's sizes a few flows are so long that they take most of a run,
// each alone in its network.
type awaited uint8

const (
	awaitAll awaited = iota
	awaitShort
)

var awaiteds = enum.Texts{"all", "short"}

func (a awaited) String() string { return enum.String(a, awaiteds) }

// MarshalText writes the flows' name.
func (a awaited) MarshalText() ([]byte, error) { return enum.Marshal(a, awaiteds) }

// UnmarshalText reads it.
func (a *awaited) UnmarshalText(text []byte) error { return enum.Unmarshal(a, text, awaiteds) }

// bytes is the size of the longest flow that a run waits for; 0: any.
func (a awaited) bytes() int {
	if a == awaitShort {
		return shortBytes
	}
	return 0
}

// completions are completion times in nanoseconds, from a flow's start to the arrival of its last byte.
type completions struct {
	Flows                   int
	Mean, Median, P99, P999 float64
}

// peersResult is what the flows saw.
type peersResult struct {
	Unfinished int         // flows that were waited for and did not arrive
	Left       int         // longer flows that had not arrived at the run's end; they are in none of the figures
	Short      completions // of at most 100 KB
	All        completions
	Long       int     // of at least 1 MB
	LongGbps   float64 // their mean goodput
	Gbps       float64 // that a node received while flows came, on average
	Drawn      float64 // load that the drawn sizes and times make
	Carried    measures.Carried
	MaxQueue   int // cells in one queue of the rack; bytes in one of the peers
	Drops      uint64
	Trims      uint64
	Pauses     uint64
}

// completionsOf summarises latencies of messages in nanoseconds.
func completionsOf(ns []float64) completions {
	c := completions{Flows: len(ns)}
	if len(ns) == 0 {
		return c
	}
	slices.Sort(ns)
	for _, x := range ns {
		c.Mean += x / float64(len(ns))
	}
	c.Median, c.P99, c.P999 = measures.Quantile(ns, 0.5), measures.Quantile(ns, 0.99), measures.Quantile(ns, 0.999)
	return c
}

// summarise judges what became of flows.
func summarise(f measures.Fabric, results []workload.Result, nodes, until int) peersResult {
	var res peersResult
	var short, all []float64
	bytes, arrived, last := 0.0, 0.0, int64(0)
	for _, r := range results {
		last = max(last, r.Start)
		bytes += float64(r.Bytes)
	}
	for _, r := range results {
		switch {
		case r.Finished:
		case until > 0 && r.Bytes > until:
			res.Left++
			continue
		default:
			res.Unfinished++
			continue
		}
		ns := float64(r.Latency()) / 1000
		all = append(all, ns)
		if r.Bytes <= shortBytes {
			short = append(short, ns)
		}
		if r.Bytes >= longBytes {
			res.Long++
			res.LongGbps += float64(r.Bytes) * 8 / ns
		}
		if r.Finish <= last {
			arrived += float64(r.Bytes)
		}
	}
	res.Short, res.All = completionsOf(short), completionsOf(all)
	if res.Long > 0 {
		res.LongGbps /= float64(res.Long)
	}
	if last > 0 {
		span := float64(nodes) * float64(last) / 1000
		res.Gbps, res.Drawn = arrived*8/span, bytes*8/span/loadGbps
	}
	res.Carried = measures.NewCarried(results)
	switch f := f.(type) {
	case *Network:
		res.MaxQueue = f.MaxQueue
	case *packetnet.Fabric:
		res.MaxQueue, res.Drops, res.Trims, res.Pauses = int(f.Last.MaxQueue), f.Last.Drops, f.Last.Trims, f.Last.Pauses
	}
	return res
}

func runPeers(ctx context.Context, run *experiment.Run, q PeersPoint) (peersResult, error) {
	sizes, err := workload.ParseSizes(q.Sizes)
	if err != nil {
		return peersResult{}, err
	}
	if err := run.Expect(flowsCost(sizes, q.Flows, q.Nodes, q.Load)); err != nil {
		return peersResult{}, err
	}
	flows, err := workload.GenerateFlows(workload.FlowConfig{Nodes: q.Nodes, Sizes: sizes, Flows: q.Flows, Seed: run.Seed,
		Interval: sizes.Mean() * 8000 / (q.Load * loadGbps)})
	if err != nil {
		return peersResult{}, err
	}
	return carry(ctx, run, &q.NetworkParams, q.Network, flows, q.Await.bytes())
}

// carry sends flows through a network until all up to a size in bytes have arrived; 0: of any size.
func carry(
	ctx context.Context, run *experiment.Run, p *NetworkParams, network string, flows []workload.Flow, until int,
) (peersResult, error) {
	messages := make([]workload.Message, len(flows))
	for i, f := range flows {
		messages[i] = f.Message()
		messages[i].Bytes = min(f.Bytes, shoal.PayloadBytes<<24) // of Pareto's, one in 300,000 is larger
	}
	f, err := p.fabric(network, until, run)
	if err != nil {
		return peersResult{}, err
	}
	results, err := f.Run(ctx, messages)
	if err != nil {
		return peersResult{}, err
	}
	return summarise(f, results, p.Nodes, until), nil
}

// networkNames checks a list of networks, of which all is one.
func networkNames(names []string) ([]string, error) {
	known := networks()
	if slices.Equal(names, []string{"all"}) {
		return known, nil
	}
	for _, n := range names {
		if !slices.Contains(known, n) {
			return nil, fmt.Errorf("--networks: %q, want all or some of %s", n, strings.Join(known, ", "))
		}
	}
	return names, nil
}

// check finds networks that cannot join the nodes.
func (p *NetworkParams) check(names []string) error {
	known, err := networkNames(names)
	if err != nil {
		return err
	}
	for _, n := range known {
		if n == networkShoal {
			continue
		}
		s, err := packetnet.ParseScheme(n)
		if err != nil {
			return err
		}
		if _, err := p.peer(s, 0).Switches(); err != nil {
			return err
		}
	}
	return nil
}

// peers is Figure 15: the same flows through the rack, packet-switched networks and a torus.
var peers = experiment.Define(experiment.Spec[peersParams, PeersPoint, peersResult]{
	Name: "peers", Checkpoints: true, Short: "The same flows through the rack, packet-switched networks and a torus",
	Source: "Shoal Figures 15a, 15b",
	Long: "Flows arrive as a Poisson process between random nodes, and each network carries the same ones until all " +
		"have arrived. The rack has links of 100 Gb/s, the packet-switched networks of 50 Gb/s (DCTCP, DCQCN and NDP on " +
		"a folded Clos; output-queued is one ideal switch), the nodes of the torus (r2c2) six that have 100 Gb/s " +
		"together. packetnet/README.md says what of each is simplified. Short flows have at most 100 KB, long ones at " +
		"least 1 MB. Drawn and arrived is what the flows drawn had for a node, and what it received of flows that were " +
		"complete, until the last flow came. A load is for the mean size; lines say where the flows drawn make another, " +
		"and where queues grow.",
	Examples: []string{
		"peers --flows 100000", "peers --nodes 64 --ports 16 --load 0.5 --flows 2000 --networks shoal,ndp",
		"peers --link 10ns --switch 320ns --flight 42",
	},
	Defaults: peersParams{PeersPoint: PeersPoint{NetworkParams: defaultNetwork(), Flows: 10_000, Sizes: "pareto"},
		Networks: []string{"all"}, Loads: []float64{0.2, 0.5, 0.8, 1}},
	Check: func(p *peersParams) error {
		if _, err := workload.ParseSizes(p.Sizes); err != nil {
			return err
		}
		return p.check(p.Networks)
	},
	Points: func(p *peersParams, seed uint64) ([]experiment.Point[PeersPoint], error) {
		all, err := *p, error(nil)
		all.Networks, err = networkNames(p.Networks)
		return experiment.Each(seed, experiment.Grid[PeersPoint](&all)...), err
	},
	Run: runPeers,
	Report: func(p *peersParams, done []experiment.Result[PeersPoint, peersResult]) (*experiment.Report, error) {
		r := &experiment.Report{}
		t := &experiment.Table{
			Name: "peers", Columns: append(experiment.Columns("Load", "", "Drawn", "%.3f"), resultColumns()...),
		}
		for _, d := range done {
			t.Row(append([]any{d.Point.Load, d.Value.Drawn}, resultRow(d.Point.Network, &d.Value)...)...)
		}
		r.Table(t)
		drawn := drawnLoads{}
		for _, d := range done {
			drawn.say(r, d.Point.Load, d.Value.Drawn, d.Point.Sizes)
			saySteady(r, fmt.Sprintf("%s at load %g", d.Point.Network, d.Point.Load), d.Value.Carried)
			if d.Value.Left > 0 {
				r.Linef(
					"%s at load %g: %d flows of more than 100 KB had not arrived when the last shorter one had. They are in no "+
						"column, so that the times of all flows are too short.", d.Point.Network, d.Point.Load, d.Value.Left,
				)
			}
		}
		for _, c := range []struct {
			file, title, y string
			log            bool
			of             func(peersResult) float64
		}{
			{"fct-mean", "Completion of short flows, mean", "µs", true,
				func(v peersResult) float64 { return v.Short.Mean / 1e3 }},
			{"fct-tail", "Completion of short flows, 99.9 %", "µs", true,
				func(v peersResult) float64 { return v.Short.P999 / 1e3 }},
			{"goodput", "Mean goodput of long flows", "Gb/s", false, func(v peersResult) float64 { return v.LongGbps }},
		} {
			chart := &plots.Chart{Title: c.title, X: "load", Y: c.y, LogY: c.log}
			for _, d := range done {
				name := d.Point.Network
				i := slices.IndexFunc(chart.Series, func(s plots.Series) bool { return s.Name == name })
				if i < 0 {
					i = len(chart.Series)
					chart.Series = append(chart.Series, plots.Series{Name: name, Dashed: name != networkShoal})
				}
				chart.Series[i].X, chart.Series[i].Y = append(chart.Series[i].X, d.Point.Load),
					append(chart.Series[i].Y, c.of(d.Value))
			}
			r.Chart(experiment.Chart{Name: c.file, Lines: chart})
		}
		return r, nil
	},
})

// resultColumns and resultRow show a network's result.
func resultColumns() []experiment.Column {
	return experiment.Columns(
		"Network", "", "Short", "", "Mean µs", "%.2f", "Median", "%.2f", "99 %", "%.2f", "99.9 %", "%.2f", "All, mean µs",
		"%.2f", "99 %", "%.2f", "Long", "", "Goodput Gb/s", "%.2f", "Drawn Gb/s", "%.2f", "Arrived Gb/s", "%.2f",
		"Not arrived", "", "Most queued", "", "Drops", "", "Trims", "", "Pauses", "",
	)
}

func resultRow(network string, v *peersResult) []any {
	unit := "bytes"
	if network == networkShoal {
		unit = "cells"
	}
	return []any{
		network, v.Short.Flows, v.Short.Mean / 1e3, v.Short.Median / 1e3, v.Short.P99 / 1e3, v.Short.P999 / 1e3,
		v.All.Mean / 1e3, v.All.P99 / 1e3, v.Long, v.LongGbps, v.Drawn * loadGbps, v.Gbps, v.Unfinished,
		fmt.Sprintf("%d %s", v.MaxQueue, unit), v.Drops, v.Trims, v.Pauses,
	}
}
