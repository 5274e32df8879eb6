package edm

import (
	"fmt"
	"math/big"

	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
)

// Network is hosts around a switch, or around two that mirror each other.
type Network struct {
	Sim   *rtl.Sim
	Clock *rtl.Clock // of the switch's ports

	SchedulerClock *rtl.Clock // the same, or a multiple of it

	Hosts      []*Host
	*Switching              // the first switch
	Switches   []*Switching // one, or two with Config.Mirror

	Config Config

	clocks *blocks.Phases
	later  int // how many cycles later the data of a read comes after its grant than the data of a write
}

// NewNetwork builds a network.
func NewNetwork(cfg Config) (*Network, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	n := &Network{Config: cfg, Sim: rtl.New(cfg.Sim)}
	n.clocks = blocks.NewPhases(n.Sim, cfg.BlockClock())
	if !cfg.Equalise {
		n.later = cfg.Lanes + n.dram()
	}
	n.Clock = n.clockAt("switch", clock.Time{})
	n.SchedulerClock = n.Clock
	if cfg.SchedulerRatio > 1 {
		n.SchedulerClock = n.Sim.Clock("scheduler_clk", cfg.BlockClock().Times(int64(cfg.SchedulerRatio), 1))
	}
	n.Switches = []*Switching{{up: cfg.Up, down: cfg.Down}}
	if cfg.Mirror {
		n.Switches = append(n.Switches, &Switching{name: "mirror_", up: cfg.MirrorUp, down: cfg.MirrorDown})
	}
	n.Switching = n.Switches[0]
	for _, f := range n.Switches {
		if err := n.addSwitch(f); err != nil {
			return nil, err
		}
	}
	for i := range cfg.Nodes {
		h := n.addHost(i)
		for k, f := range n.Switches {
			if err := n.addLinks(f, i, h.Interfaces[k]); err != nil {
				return nil, err
			}
		}
		n.connect(i, h)
	}
	return n, n.Sim.Elaborate()
}

// clockAt returns the clock of blocks with a phase.
func (n *Network) clockAt(name string, phase clock.Time) *rtl.Clock {
	return n.clocks.At(phase, fmt.Sprintf("%s_clk", name))
}

// Busy is how long a chunk keeps its ports, in cycles of the scheduler: l/B with the framing of its blocks, and the
// slack. The data of a read comes later after its grant than a write's, by the stage that hands the request to the
// memory controller and by the DRAM: without Equalise the circuit of a read is kept for that time too, or the next
// one's data would meet it.
//
// At least as long as the longest request takes, which may be its grant.
func (n *Network) Busy(bytes int, read bool) int {
	k, later := WREQ, 0
	if read {
		k, later = RRES, n.later
	}
	return max(requestBlocks, MessageBlocks(k, bytes)+max(n.Config.Slack, 0)+later) * n.Config.SchedulerRatio
}

// dram is the DRAM's latency in cycles, rounded up.
func (n *Network) dram() int { return n.cycles(n.Config.DRAM) }

// cycles is a time in cycles, rounded up.
func (n *Network) cycles(t clock.Time) int {
	q := new(big.Rat).Quo(t.Seconds(), n.Config.BlockClock().Period().Seconds())
	whole, rest := new(big.Int).QuoRem(q.Num(), q.Denom(), new(big.Int))
	if rest.Sign() > 0 {
		whole.Add(whole, big.NewInt(1))
	}
	return int(whole.Int64())
}

// Pattern is what the data buffers hold: eight bytes at an address that tell where they are from (SplitMix64's
// finaliser).
func Pattern(address uint64) uint64 {
	x := address + 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Disabled reports whether a receiver has disabled its link.
func (n *Network) Disabled() bool {
	for k, f := range n.Switches {
		for i, p := range f.Ports {
			if p.Receiver.Down.Get() || n.Hosts[i].Interfaces[k].Receiver.Down.Get() {
				return true
			}
		}
	}
	return false
}
