package study

import (
	"fmt"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/designs/drmt"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/workload/journey"
)

// switchFollower follows packets through a dRMT machine by its ports. A packet's way begins at the edge that takes it
// into its processor, from where its latency counts (§5). If it is alone in the machine, its keys and results are its
// own, and seen too.
type switchFollower struct {
	s     *drmt.Switch
	to    *journey.Recorder
	alone bool

	number    uint64 // of the packet that entered last
	processor int    // which has it
	entering  drmt.Tag
	leaving   []uint64 // packets at the processors' outputs, in their order
	left      uint32
}

// followPackets adds a follower to a machine before it runs, if anybody asks for journeys.
func followPackets(run *experiment.Run, s *drmt.Switch, program string, packets int) {
	if run != nil && run.Journeys != nil {
		run.Journeys.Describe(
			fmt.Sprintf("dRMT: packets of %s on %d processors", program, len(s.Processors)), s.Clock.Freq().Period(),
		)
		s.Sim.Observe(&switchFollower{s: s, to: run.Journeys, alone: packets == 1})
	}
}

// Observe looks at one edge.
func (f *switchFollower) Observe(rtl.Edges) {
	now := f.s.Clock.Time()
	if t := f.entering; t.Valid {
		f.number, f.processor = uint64(t.Number), int(t.Processor)
		f.to.Begin(uint64(t.Number), fmt.Sprintf("packet %d", t.Number), now)
	}
	f.entering = f.s.Ingress.Tag.Get()
	for left := f.s.Egress.Left.Get(); f.left < left && len(f.leaving) > 0; f.left++ {
		f.to.Reach(f.leaving[0], "egress", "", now)
		f.to.End(f.leaving[0])
		f.leaving = f.leaving[1:]
	}
	if f.alone {
		f.inside(now)
	}
	for i, p := range f.s.Processors {
		if t := p.OutTag.Get(); t.Valid {
			what := "match and action"
			if f.alone {
				what = "to the output"
			}
			f.to.Reach(uint64(t.Number), fmt.Sprintf("processor %d", i), what, now)
			f.leaving = append(f.leaving, uint64(t.Number))
		}
	}
}

// inside looks at the ports of the processor that has the only packet.
func (f *switchFollower) inside(now clock.Time) {
	key, result := false, false
	for l := range drmt.Segments {
		key = key || f.s.Processors[f.processor].Key[l].Get().Valid
		result = result || f.s.Results.Out[f.processor*drmt.Segments+l].Get().Valid
	}
	if result {
		f.to.Reach(f.number, "crossbars and memory", "key to result", now)
	}
	if key {
		f.to.Reach(f.number, fmt.Sprintf("processor %d", f.processor), "to the next key", now)
	}
}

// pipelineFollower follows packets through RMT's stages. A packet that is recirculated passes them again.
type pipelineFollower struct {
	p  *drmt.Pipeline
	to *journey.Recorder

	entering drmt.StageTag
	leaving  []uint64
	left     uint32
}

// followStages adds a follower to a pipeline before it runs, if anybody asks for journeys.
func followStages(run *experiment.Run, p *drmt.Pipeline, program string) {
	if run != nil && run.Journeys != nil {
		run.Journeys.Describe(
			fmt.Sprintf("RMT: packets of %s through %d stages", program, len(p.Stages)), p.Clock.Freq().Period(),
		)
		p.Sim.Observe(&pipelineFollower{p: p, to: run.Journeys})
	}
}

// Observe looks at one edge.
func (f *pipelineFollower) Observe(rtl.Edges) {
	now := f.p.Clock.Time()
	if t := f.entering; t.Tag.Valid && t.Pass == 0 {
		f.to.Begin(uint64(t.Tag.Number), fmt.Sprintf("packet %d", t.Tag.Number), now)
	}
	f.entering = f.p.Ingress.OutTag.Get()
	for left := f.p.Egress.Left.Get(); f.left < left && len(f.leaving) > 0; f.left++ {
		f.to.Reach(f.leaving[0], "egress", "", now)
		f.to.End(f.leaving[0])
		f.leaving = f.leaving[1:]
	}
	for i, s := range f.p.Stages {
		t := s.OutTag.Get()
		if !t.Tag.Valid {
			continue
		}
		f.to.Reach(uint64(t.Tag.Number), fmt.Sprintf("stage %d", i), "", now)
		if i == len(f.p.Stages)-1 && int(t.Pass)+1 == f.p.Passes {
			f.leaving = append(f.leaving, uint64(t.Tag.Number))
		}
	}
}
