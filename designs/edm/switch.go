package edm

import (
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/rtl"
)

// Switching is a switch.
type Switching struct {
	Ports     []*Port
	Scheduler *Scheduler
	Grants    *Grants
	Crossbar  *Crossbar

	name     string       // "" for the first: stands before the names of scopes
	up, down []clock.Time // delays of its links
	off      *failStop    // nil without Config.FailStop
	Dead     bool         // a plan kills it or stops it: the monitor expects nothing of it
}

// Port is a port of the switch.
type Port struct {
	LinkEnd
	Identify Identify
	Forward  *blocks.AsyncFIFO[pcs.Block]
}

func (n *Network) addSwitch(f *Switching) error {
	cfg, nodes := n.Config, n.Config.Nodes
	scheduler, err := NewScheduler(
		SchedulerConfig{
			Ports: nodes, Active: cfg.Active, Chunk: cfg.Chunk, Policy: cfg.Policy, Release: cfg.Release, Busy: n.Busy,
		},
	)
	if err != nil {
		return err
	}
	f.Scheduler = scheduler
	f.Grants = &Grants{Types: DefaultTypes, Active: cfg.Active, Body: make([]rtl.In[pcs.Block], nodes),
		Grant: make([]rtl.In[Grant], nodes), Control: make([]rtl.Out[pcs.Block], nodes)}
	trip := n.cycles(slices.MaxFunc(cfg.Up, clock.Time.Cmp)) + n.cycles(
		slices.MaxFunc(cfg.Down, clock.Time.Cmp),
	) + n.dram() + 40*cfg.Lanes
	f.Crossbar = &Crossbar{
		Types: DefaultTypes, Depth: 64 + trip/requestBlocks, In: make([]rtl.In[pcs.Block], nodes),
		Valid: make([]rtl.In[bool], nodes), Grant: make([]rtl.In[Grant], nodes), Out: make([]rtl.Wire[pcs.Block], nodes),
	}
	s := n.Sim.Scope(f.name + "switch").On(n.Clock)
	s.Add("grants", f.Grants)
	s.Add("crossbar", f.Crossbar)
	if cfg.FailStop {
		f.off = &failStop{Down: make([]rtl.Async[bool], nodes)}
		s.Add("fail_stop", f.off)
	}
	for i := range nodes {
		f.Ports = append(
			f.Ports,
			&Port{Identify: Identify{Types: DefaultTypes, Port: i}, Forward: blocks.NewAsyncFIFO[pcs.Block](crossingDepth)},
		)
	}
	if cfg.SchedulerRatio == 1 {
		s.Add("scheduler", scheduler)
		for i, p := range f.Ports {
			stretch(s, fmt.Sprintf("notify_%d", i), cfg.stages(7), &p.Identify.Notify, &scheduler.Notify[i])
			rtl.Connect(&scheduler.Grant[i], &f.Grants.Grant[i], &f.Crossbar.Grant[i])
		}
		return nil
	}
	fast := n.Sim.Scope(f.name + "switch").On(n.SchedulerClock)
	in := &notifyCrossing{
		In: make([]rtl.Async[Notification], nodes), Out: make([]rtl.Out[Notification], nodes), ratio: cfg.SchedulerRatio,
	}
	hold := &grantHold{In: make([]rtl.In[Grant], nodes), Out: make([]rtl.Out[Grant], nodes), ratio: cfg.SchedulerRatio}
	out := &grantSample{In: make([]rtl.Async[Grant], nodes), Out: make([]rtl.Out[Grant], nodes)}
	fast.Add("notify_crossing", in)
	fast.Add("scheduler", scheduler)
	fast.Add("grant_hold", hold)
	s.Add("grant_sample", out)
	for i, p := range f.Ports {
		stretch(s, fmt.Sprintf("notify_%d", i), cfg.stages(7), &p.Identify.Notify, &in.In[i])
		rtl.Connect(&in.Out[i], &scheduler.Notify[i])
		rtl.Connect(&scheduler.Grant[i], &hold.In[i])
		rtl.Connect(&hold.Out[i], &out.In[i])
		rtl.Connect(&out.Out[i], &f.Grants.Grant[i], &f.Crossbar.Grant[i])
	}
	return nil
}
