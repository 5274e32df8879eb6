package rack

import (
	"context"
	"fmt"

	"github.com/goldwire/goldwire/clock"

	"github.com/goldwire/goldwire/designs/drmt/p4"
	drmt "github.com/goldwire/goldwire/designs/drmt/study"
)

// noProgram says that no program forwards: a packet takes the time of --switch.
const noProgram = "none"

// processorGHz is the clock of dRMT's processors (§5).
var processorClock = clock.MustFreq("1.2GHz")

// portDelay is MAC and PCS of a packet switch's two ports, 7.68 ns each (EDM, Table 1).
var portDelay = clock.MustTime("30.72ns")

// forward puts the latency of the links' program in place of the switch's delay. A dRMT processor keeps a packet for
// the length of the program's schedule, whatever the packet; MAC and PCS of both ports come on top.
func (l *Links) forward(ctx context.Context) error {
	if l.Program == noProgram || l.Program == "" {
		return nil
	}
	program, err := p4.Load(l.Program)
	if err != nil {
		return fmt.Errorf("--program: %w", err)
	}
	const ipc, leastPeriod, seed = 1, 0, 1
	p := drmt.Program{Source: drmt.ProgramSource{Program: l.Program}, P4: program}
	s, _, err := drmt.Build(ctx, p, ipc, leastPeriod, seed)
	if err != nil {
		return fmt.Errorf("--program %s: %w", l.Program, err)
	}
	l.Switch, l.Program = processorClock.Period().Times(int64(s.Length())).Add(portDelay), noProgram
	return nil
}
