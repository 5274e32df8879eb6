package cosim

import (
	"encoding/binary"
	"slices"

	"github.com/goldwire/goldwire/rtl/layout"
)

// step is a cycle of RTL with streams, since its reset: its inputs and outputs before the edge, and the ready of each
// stream.
type step struct {
	cycle            uint64
	in, out, unknown []uint64
	ready            []bool
}

const (
	ringRows = 256 // cycles that are kept
	quiet    = 32  // cycles without a transfer, after which no cycle is noted until the next one
)

// note has the program write its cycles down from now on, or stops it.
func (p *process) note(on bool) {
	if p.noting = on; on {
		clear(p.ring)
	}
}

// steps returns the latest cycles that were noted, the last one last.
func (p *process) steps(in, out layout.Rows) []step {
	var list []step
	size := 8 + p.in + p.out + p.streams
	for k := range len(p.ring) / size {
		row := p.ring[k*size:][:size]
		number := binary.NativeEndian.Uint64(row)
		if number == 0 {
			continue
		}
		s := step{cycle: number - 1, in: in.Row(row[8:], 0), out: out.Row(row[8+p.in:], 0), ready: make([]bool, p.streams)}
		for i, b := range row[8+p.in+p.out:] {
			s.ready[i] = b&1 == 1
		}
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b step) int { return int(int64(a.cycle - b.cycle)) })
	return list
}

func (p *interpreter) note(on bool) { p.noting, p.noted = on, nil }

func (p *interpreter) steps(_, _ layout.Rows) []step { return p.noted[max(0, len(p.noted)-ringRows):] }

// keep notes a cycle. Words are the readies of the streams as vvp writes them, which counts of streams in.
func (p *interpreter) keep(row, out, unknown []uint64, takes []bool, words []string) {
	if len(p.noted) == 4*ringRows {
		p.noted = slices.Delete(p.noted, 0, 3*ringRows)
	}
	s := step{cycle: p.cycle, in: slices.Clone(row), out: slices.Clone(out), unknown: slices.Clone(unknown)}
	for k, x := range p.streams {
		s.ready = append(s.ready, x.Input && words[k] == "1" || !x.Input && takes[k])
	}
	p.noted = append(p.noted, s)
}

// clocks are the unit's clocks among the inputs.
func (p *interpreter) clocks() (list []int) {
	for i, f := range p.held {
		if f.Clock {
			list = append(list, i)
		}
	}
	return list
}
