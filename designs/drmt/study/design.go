package study

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/design/bench"
	"github.com/goldwire/goldwire/designs/drmt"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/rtl"
)

// Design is dRMT as the command has it: the hardware's units, and the claims and experiments about it.
func Design() design.Design {
	return design.Design{
		Name: "drmt", Title: "Disaggregated programmable switching: processors, memory clusters, crossbars",
		Paper:       "Chole et al., SIGCOMM 2017",
		Units:       drmt.Units(),
		Experiments: []experiment.Experiment{RunExperiment, throughput, scheduleExperiment, randomExperiment, area},
		Claims: slices.Concat(
			hardwareClaims(), processorClaims(), crossbarClaims(), scheduleClaims(), ownGraphClaims(), areaClaims(),
			layoutClaims(),
		),
		Borrowed: []design.Borrowed{graphs},
		Bench:    []bench.Measure{{Name: "drmt", Run: sixteenProcessors}},
	}
}

const (
	benchProcessors = 16
	benchWarm       = 2000
	benchCycles     = 20_000
)

// looped sends a few packets over and over and looks at nothing, so that only the machine is timed.
type looped struct {
	packets [][]byte
	at      int
}

func (l *looped) Next() ([]byte, uint16, bool) {
	if l.at++; l.at == len(l.packets) {
		l.at = 0
	}
	return l.packets[l.at], 1, true
}

func (l *looped) Take(drmt.Leaving) {}

// sixteenProcessors times a machine of 16 processors that takes a packet in every cycle.
func sixteenProcessors(ctx context.Context) ([]bench.Line, error) {
	p, err := ProgramParams{ProgramSource: ProgramSource{Program: "l2l3"}, Fill: 24}.load(1)
	if err != nil {
		return nil, err
	}
	_, c, err := Build(ctx, p, 1, benchProcessors, 1)
	if err != nil {
		return nil, err
	}
	l := &looped{}
	t := NewTraffic(p.P4, p.Entries, 64, 1)
	for x, _, ok := t.Next(); ok; x, _, ok = t.Next() {
		l.packets = append(l.packets, append([]byte(nil), x...))
	}
	var before, built runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	s, err := drmt.NewSwitch(
		drmt.Config{
			Processors: benchProcessors, Image: c.Image, Parser: c.Parser, Deparser: c.Deparser, Source: l, Sink: l,
			Sim: rtl.Config{},
		},
	)
	if err != nil {
		return nil, err
	}
	if err := s.Clock.Run(benchWarm); err != nil {
		return nil, err
	}
	runtime.GC()
	runtime.ReadMemStats(&built)
	times, err := bench.Timed(ctx, func() error { return s.Clock.Run(benchCycles) })
	if err != nil {
		return nil, err
	}
	allocated, err := bench.Allocations(func() error { return s.Clock.Run(benchCycles) })
	if err != nil {
		return nil, err
	}
	return []bench.Line{
		bench.Figure(
			"dRMT, 16 processors, a packet a cycle",
			times[0].CPU.Rate(benchCycles),
			"packets a second",
			fmt.Sprintf(
				"l2l3, every bit; %.1f µs a cycle; %.1f MB of machine", times[0].CPU.Median()/benchCycles*1e6,
				float64(int64(built.HeapAlloc)-int64(before.HeapAlloc))/1e6,
			),
		),
		bench.AtMost(fmt.Sprintf("dRMT: allocations in %d cycles", benchCycles), 0, bench.Once(float64(allocated)), "", ""),
	}, nil
}
