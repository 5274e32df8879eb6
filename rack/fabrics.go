package rack

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/peers/packetnet"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/workload"

	"github.com/goldwire/goldwire/designs/edm"
	edmstudy "github.com/goldwire/goldwire/designs/edm/study"
	"github.com/goldwire/goldwire/designs/shoal"
	shoalstudy "github.com/goldwire/goldwire/designs/shoal/study"
	"github.com/goldwire/goldwire/designs/spfc"
	spfcstudy "github.com/goldwire/goldwire/designs/spfc/study"
)

// Links are what all fabrics have in common: nodes, the rate of their links, and the delays on the way.
type Links struct {
	Nodes   int        `flag:"nodes" min:"3" max:"256" help:"nodes; each asks and answers" json:"nodes"`
	Gbps    int        `flag:"gbps" choices:"25,100" unit:"Gb/s" help:"rate of the links" json:"gbps"`
	Metres  float64    `flag:"metres" min:"0" max:"10000" unit:"m" help:"cable of each link, 5 ns a metre" json:"metres"`
	Host    clock.Time `flag:"host" min:"0ns" max:"100us" help:"stack, MAC and PCS of an Ethernet node" json:"host"`
	Switch  clock.Time `flag:"switch" min:"0ns" max:"100us" help:"forwarding of an Ethernet switch" json:"switch"`
	Program string     `flag:"program" choices:"none,acl_tunnel,classifier,l2l3,rewriter" help:"on dRMT" json:"program"`
	Buffer  int        `flag:"buffer" min:"0" max:"1024" unit:"MB" help:"of dt, st, spfc; 0: 0.5 MB a node" json:"buffer"`
	Cc      string     `flag:"cc" choices:"dcqcn,timely" help:"congestion control under dt, st and spfc" json:"cc"`
	Cell    int        `flag:"cell" min:"16" max:"16384" unit:"bytes" help:"of Shoal, 8 of them its header" json:"cell"`
	Guard   clock.Time `flag:"guard" min:"0ns" max:"1ms" help:"of Shoal: from a cell's end to the next slot" json:"guard"`
	spfc.Knobs
	Line
}

// defaultLinks have the delays of EDM's Table 1: RoCEv2's stack, and a switch that forwards in 400 ns.
func defaultLinks() Links {
	c := packetnet.DefaultConfig(packetnet.DCTCP)
	return Links{
		Nodes: 64, Gbps: 100, Metres: edm.TableMetres, Program: noProgram, Host: clock.Picosecond.Times(c.HostDelay),
		Switch: clock.Picosecond.Times(c.SwitchDelay), Cc: "dcqcn",
		Cell: shoal.CellBytes, Guard: slotGuard, Line: Line{Kind: plainPCS},
	}
}

// slotGuard makes §7.1's slot of 23.25 ns of a cell's 20.48 ns at 25 Gb/s.
var slotGuard = clock.MustTime("2.77ns")

// fidelity says how closely a fabric's model follows hardware.
type fidelity string

// Fidelities.
const (
	byCycle  fidelity = "registers, by cycle"
	bySlot   fidelity = "cells, by slot"
	byBuffer fidelity = "packets; exact buffer"
	byPacket fidelity = "packets"
)

// fabric is a network that the comparison knows.
type fabric struct {
	Name     string
	Fidelity fidelity
	About    string // one line
	run      func(ctx context.Context, run *experiment.Run, l Links, messages []workload.Message) (carried, error)
}

// carried is what became of messages in one fabric.
type carried struct {
	results []workload.Result
	queue   int64 // the most bytes that waited in one switch or, under Shoal, in one node; -1: not counted
	pauses  uint64
	drops   uint64
	marks   uint64
	spoilt  uint64 // frames with a bit error
	passes  uint64 // retransmissions of RIFL links
	// line is the time for which messages took links, all links together, in bytes that fit into it.
	line float64
}

// ranOut is when a run ends in which messages do not finish: so long after the last one's start.
const ranOut = 100_000_000_000 // ps: 100 ms

// fabrics returns all fabrics, in the order of tables.
func fabrics() []fabric {
	all := []fabric{
		{"edm", byCycle, "EDM: memory traffic in the PHY, scheduled by the switch", runEDM},
		{"shoal", bySlot, "Shoal: circuits that change every slot, two hops a cell", runShoal},
		ethernet("dt", "dt2", "lossless Ethernet, dynamic thresholds with alpha 2"),
		ethernet("st", "st", "lossless Ethernet, static thresholds"),
		ethernet("spfc", "spfc", "lossless Ethernet, SPFC's buffer manager"),
	}
	for _, p := range []struct {
		scheme packetnet.Scheme
		about  string
	}{
		{packetnet.IRD, "receivers that grant, without a fault of their own"},
		{packetnet.DCTCP, "windows at the senders, marks and drops"},
		{packetnet.PFabric, "shortest message first at the switch"},
		{packetnet.PFC, "a lossless switch that pauses senders"}, {packetnet.CXL, "flits with credits hop by hop"},
		{packetnet.Fastpass, "a central server grants every transfer"},
		{packetnet.DCQCN, "rates at the senders, random marks, pauses"},
		{packetnet.NDP, "a switch that trims, receivers that pull"},
		{packetnet.OutputQueued, "an ideal switch: queues without end"},
	} {
		all = append(all, packets(p.scheme, p.about))
	}
	return all
}

// Names returns the fabrics' names.
func Names() []string {
	var names []string
	for _, f := range fabrics() {
		names = append(names, f.Name)
	}
	return names
}

// named finds a fabric.
func named(name string) (fabric, error) {
	all := fabrics()
	if i := slices.IndexFunc(all, func(f fabric) bool { return f.Name == name }); i >= 0 {
		return all[i], nil
	}
	return fabric{}, fmt.Errorf("fabric %s, want some of %s, or all", experiment.Quote(name), strings.Join(Names(), ", "))
}

func picoseconds(t clock.Time) int64 {
	f, _ := t.In(clock.Picosecond).Float64()
	return int64(math.Round(f))
}

func nanoseconds(t clock.Time) float64 {
	ns, _ := t.In(clock.Nanosecond).Float64()
	return ns
}

// cable is the delay of a link in picoseconds.
func (l Links) cable() int64 { return picoseconds(edm.CableDelay(l.Metres)) }

// lastStart is the latest start of a message.
func lastStart(messages []workload.Message) (last int64) {
	for _, m := range messages {
		last = max(last, m.Start)
	}
	return last
}

// laneGbps is the rate of one of EDM's lanes, and of one of Shoal's channels.
const laneGbps = 25

// blockBytes is the payload of a 66-bit block of data.
const blockBytes = 8

// config is EDM of §4.3 with these links.
func (l Links) config(seed uint64) edm.Config {
	wires := slices.Repeat([]clock.Time{edm.CableDelay(l.Metres)}, l.Nodes)
	return edm.Config{
		Nodes: l.Nodes, Lanes: l.Gbps / laneGbps, Queue: 8192, Equalise: true, Up: wires, Down: wires,
		Sim: rtl.Config{Seed: seed, Workers: 1},
	}
}

// edmCost estimates EDM's cycles and bytes of memory for messages: the time of their arrivals and of all bytes to one
// node, and the run's end.
func edmCost(l Links, messages []workload.Message) (cycles, memory float64) {
	into := make([]float64, l.Nodes)
	for _, m := range messages {
		into[m.Source] += float64(m.Bytes)
		into[m.Dest] += float64(m.Bytes)
	}
	ps := edm.BlockPicoseconds * laneGbps / float64(l.Gbps)
	cycles = float64(lastStart(messages))/ps + slices.Max(into)/blockBytes + 10_000
	return cycles, 400*float64(len(messages)) + 1e6*float64(l.Nodes)
}

func runEDM(ctx context.Context, run *experiment.Run, l Links, messages []workload.Message) (carried, error) {
	if err := run.Expect(edmCost(l, messages)); err != nil {
		return carried{}, err
	}
	o := edmstudy.Watched(run)
	o.Limit = ranOut
	x, err := edm.Run(ctx, l.config(run.Seed), messages, o)
	if err != nil {
		return carried{}, err
	}
	if x.Monitor.Count > 0 {
		return carried{}, fmt.Errorf("edm: %d violations, the first: %s", x.Monitor.Count, x.Monitor.Violations[0])
	}
	blocks := x.Up.Control + x.Up.Data + x.Down.Control + x.Down.Data
	return carried{
		results: x.Messages, queue: blockBytes * int64(x.Monitor.MostData+x.Monitor.MostControl),
		line: blockBytes * float64(blocks),
	}, nil
}

// rack is Shoal's §7.1 with these links. A cell passes two cables, to the circuit switch and from it.
func (l Links) rack(run *experiment.Run) (*shoalstudy.Network, int64) {
	slot := int64(l.Cell)*8000/laneGbps + picoseconds(l.Guard)
	n := &shoalstudy.Network{
		Fabric: shoal.FabricParams{Nodes: l.Nodes, Channels: l.Gbps / laneGbps, Schedule: "cyclic", Pair: shoal.PairTurns},
		Cell:   shoalstudy.CellParams{Cell: l.Cell, Slot: clock.Picosecond.Times(slot)},
		Keep:   run,
	}
	n.Fabric.Flight = int((2*l.cable() + slot - 1) / slot)
	return n, slot
}

func runShoal(ctx context.Context, run *experiment.Run, l Links, messages []workload.Message) (carried, error) {
	n, slot := l.rack(run)
	n.Limit = lastStart(messages) + ranOut
	results, err := n.Run(ctx, messages)
	// a cell takes a slot of the sender's link to the circuit switch, and one of the link from there
	line := 2 * float64(n.CellsOut) * float64(slot) * laneGbps / 8000
	return carried{results: results, queue: int64(n.MaxQueued * l.Cell), line: line}, err
}

// ethernet is one switch with a buffer manager of SPFC's evaluation. The model's links have one delay: the
// cable's, the stack's and half of the switch's.
func ethernet(name, manager, about string) fabric {
	return fabric{
		name,
		byBuffer,
		about,
		func(ctx context.Context, run *experiment.Run, l Links, messages []workload.Message) (carried, error) {
			delay := l.cable() + picoseconds(l.Host) + picoseconds(l.Switch)/2
			buffer := int64(l.Buffer) * 1_000_000
			if buffer == 0 {
				buffer = int64(l.Nodes) * 500_000
			}
			settings := spfc.DefaultSettings()
			settings.Control, settings.Knobs = l.Cc, l.Knobs
			n := &spfcstudy.Network{
				Topology: spfc.Star(l.Nodes, spfc.Time(delay), spfc.Time(8000/l.Gbps), buffer), Scheme: manager,
				Settings: settings, Limit: spfc.Time(lastStart(messages) + ranOut), Keep: run,
			}
			results, err := n.Run(ctx, messages)
			if err != nil {
				return carried{}, err
			}
			if n.Deadlock != "" {
				return carried{}, fmt.Errorf("%s: deadlock: %s", name, n.Deadlock)
			}
			return carried{
				results: results, queue: n.MostStored(), pauses: uint64(n.Pauses()), marks: n.Marks(),
				line: float64(n.LineBytes()),
			}, nil
		},
	}
}

// packets is a scheme of package packetnet around one switch.
func packets(s packetnet.Scheme, about string) fabric {
	return fabric{
		s.String(),
		byPacket,
		about,
		func(ctx context.Context, run *experiment.Run, l Links, messages []workload.Message) (carried, error) {
			f := &packetnet.Fabric{Config: l.peer(s, run.Seed), Keep: run}
			f.Config.Limit = lastStart(messages) + ranOut
			if err := run.Expect(packetCost(l, messages)); err != nil {
				return carried{}, err
			}
			var lanes *riflLine
			if l.Kind == riflLanes {
				var err error
				if lanes, err = newRIFLLine(l, run.Seed); err != nil {
					return carried{}, err
				}
				f.Config.Line = lanes
			} else if l.BER > 0 {
				f.Config.Spoils = newNoise(l, run.Seed).spoils
			}
			results, err := f.Run(ctx, messages)
			if err != nil {
				return carried{}, err
			}
			c := f.Last.Counters
			x := carried{
				results: results, queue: c.MaxQueue, pauses: c.Pauses, drops: c.Drops, marks: c.Marks, spoilt: c.Spoilt,
				line: float64(c.LineBytes),
			}
			if lanes != nil {
				x.line = lanes.busy() * float64(l.Gbps) / 8000
				x.passes, err = lanes.passes()
			}
			return x, err
		},
	}
}

// packetCost estimates the packets of messages.
func packetCost(l Links, messages []workload.Message) (packets, memory float64) {
	const payload = 1456
	for _, m := range messages {
		packets += 1 + float64(m.Bytes)/payload
	}
	return packets, 400*float64(len(messages)) + 1e5*float64(l.Nodes)
}

// peer is a scheme of EDM's §4.3, or of Shoal's §7.3, around one switch.
func (l Links) peer(s packetnet.Scheme, seed uint64) packetnet.Config {
	c := packetnet.DefaultConfig(s)
	c.Nodes, c.RateGbps, c.Seed, c.LinkDelay = l.Nodes, l.Gbps, seed, l.cable()
	if s != packetnet.CXL { // which has no stack, and 100 ns in the switch
		c.HostDelay, c.SwitchDelay = picoseconds(l.Host), picoseconds(l.Switch)
	}
	return c
}
