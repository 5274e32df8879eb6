package study

import (
	"slices"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/rtl"

	"github.com/goldwire/goldwire/designs/edm"
)

// Experiments returns what can be measured on EDM's fabric and scheduler, in the order of the paper's evaluation.
func Experiments() []experiment.Experiment {
	return []experiment.Experiment{latency, keyValueStore, load, trace, interference, faults, matching}
}

// fabricParams are the common flags of experiments with many nodes.
type fabricParams struct {
	Nodes      int         `flag:"nodes" min:"2" max:"512" help:"nodes around the switch" json:"nodes"`
	Gbps       int         `flag:"gbps" choices:"25,100" unit:"Gb/s" help:"rate of the links: 25 or 100 Gb/s" json:"gbps"`
	Metres     float64     `flag:"metres" min:"0" max:"100000" unit:"m" help:"cable of each link, 5 ns a metre, beside 38 ns of transceivers" json:"metres"`
	Chunk      int         `flag:"chunk" min:"8" max:"65528" unit:"bytes" help:"most bytes of a grant, a multiple of 8" json:"chunk"`
	Active     int         `flag:"active" min:"1" max:"128" help:"X: messages that a host may have under way to another" json:"active"`
	Apart      bool        `flag:"active-apart" help:"--active reads and as many writes, instead of that many together" json:"active_apart"`
	Queue      int         `flag:"queue" min:"1" max:"65536" help:"requests that a host's message queue holds" json:"queue"`
	Policy     edm.Policy  `flag:"policy" choices:"srpt,fcfs" help:"order of messages of different nodes" json:"policy"`
	Release    edm.Release `flag:"release" choices:"port,slot" help:"when ports are free again: each after its chunk, or those of a matching together" json:"release"`
	Slack      int         `flag:"slack" min:"-1" max:"64" unit:"blocks" help:"how much longer than its chunk a circuit lasts; 0 for 2, or 8 with atomic operations; -1 for none" json:"slack"`
	DRAM       clock.Time  `flag:"dram" min:"0ns" max:"100us" help:"latency of the memory nodes' DRAM" json:"dram"`
	NoEqualise bool        `flag:"no-equalise" help:"keep the circuits of reads longer instead of holding the data of writes back" json:"no_equalise"`
	Mode       rtl.Mode    `flag:"mode" choices:"fast,strict,parallel" help:"the same bits, another speed" json:"mode"`
}

// defaultFabric is the network of §4.3 with other numbers of nodes.
func defaultFabric(nodes int) fabricParams {
	return fabricParams{
		Nodes: nodes, Gbps: 100, Metres: edm.TableMetres, Chunk: 256, Active: 3, Queue: 8192, DRAM: clock.MustTime("0ns"),
	}
}

// config returns the network.
func (f fabricParams) config(seed uint64, workers int) edm.Config {
	links := slices.Repeat([]clock.Time{edm.CableDelay(f.Metres)}, f.Nodes)
	return edm.Config{
		Nodes: f.Nodes, Up: links, Down: links, Chunk: f.Chunk, Active: f.Active, ActiveApart: f.Apart, Queue: f.Queue,
		Equalise: !f.NoEqualise, DRAM: f.DRAM, Lanes: f.Gbps / laneGbps, Policy: f.Policy, Release: f.Release,
		Slack: f.Slack, Sim: rtl.Config{Seed: seed, Workers: workers, Mode: f.Mode},
	}
}

// laneGbps is the rate of a lane in Gb/s.
const laneGbps = 25
