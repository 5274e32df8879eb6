package study

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/goldwire/goldwire/designs/drmt"
	"github.com/goldwire/goldwire/designs/drmt/p4"
	"github.com/goldwire/goldwire/experiment"
)

// withoutHardware follows the reason why no hardware of the paper's size holds a program.
const withoutHardware = "; --machine interpreter runs the program without hardware"

// checkInterpreted refuses parameters that only hardware has.
func checkInterpreted(p *runParams) error {
	for _, x := range []struct {
		given      bool
		name, what string
	}{
		{p.IPC != 1, "--ipc", "a processor"},
		{p.Units != 0, "--processors", "hardware"},
		{p.Schedule != "", "--schedule", "dRMT"},
		{p.Strict, "--strict", "a simulation"},
	} {
		if x.given {
			return errors.New(x.name + " is a parameter of " + x.what + ": --machine interpreter has none")
		}
	}
	return nil
}

// interpret runs a program as simple_switch does, one packet after the other, without hardware. A packet comes in each
// cycle, which the program's timestamps and meters see.
func interpret(ctx context.Context, run *experiment.Run, p Program, q *runPoint, source Source) (RunResult, error) {
	if run.Waves != nil || run.Journeys != nil {
		return RunResult{}, errors.New("--machine interpreter has no cycles: want no waveform and no journeys of it")
	}
	in, err := p4.NewSwitch(p.P4, p.configuration())
	if err != nil {
		return RunResult{}, err
	}
	j := NewJudge(in, source, p.P4.Errors.None)
	var r RunResult
	for n := 0; n < q.Packets; n++ {
		if n%step == 0 {
			run.Progress(uint64(n), uint64(q.Packets))
			if err := ctx.Err(); err != nil {
				return r, err
			}
		}
		x, ok := j.arrival()
		if !ok {
			break
		}
		cycle := uint64(n)
		x.came = uint32(cycle / drmt.CyclesPerMicrosecond)
		out := j.run(&x)
		if out.Err != nil {
			return r, fmt.Errorf("packet %d: %w", n, out.Err)
		}
		if out.Dropped {
			j.Dropped++
		}
		r.Sent += uint64(len(out.Sent))
		if p.keep == nil {
			continue
		}
		x.data = bytes.Clone(x.data)
		p.keep.came = append(p.keep.came, x)
		for _, s := range out.Sent {
			p.keep.left = append(p.keep.left, packet{
				number: x.number, port: uint16(s.Port), time: nanoseconds(cycle), data: bytes.Clone(s.Packet),
			})
		}
	}
	r.Outcome = Outcome{Entered: j.Compared, Dropped: j.Dropped, Short: j.Short, Hits: j.Hits}
	return r, nil
}

// reportInterpreted is the table of a run without hardware.
func reportInterpreted(v *RunResult) *experiment.Table {
	t := &experiment.Table{Name: "program", Columns: experiment.Columns("", "", "Value", "")}
	t.Row("packets run by the interpreter, without hardware", v.Entered)
	t.Row("  dropped by the program", v.Dropped)
	t.Row("  cut short: the parser ended with an error", v.Short)
	t.Row("packets that left, with copies", v.Sent)
	t.Row("table hits", v.Hits)
	return t
}
