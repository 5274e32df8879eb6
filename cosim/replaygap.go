package cosim

import (
	"fmt"
	"math/bits"

	"github.com/goldwire/goldwire/rtl"
)

// Behind a gap of the file ($dumpoff to $dumpon) nothing is known of the RTL's state until it is reset:
//
//	clk    ▁▔▁▔▁▔▁ … ? … ▁▔▁▔▁▔▁▔
//	state   a  b  c      ?  ?  ?
//
// So several models take the cycles after a gap, each from another past: reset, or some cycles of the unit's own
// stimulus. Once all outputs have been the same in all of them for a while, they do not depend on the past, and are
// compared again as long as that is so. A pipeline is compared again soon, a counter not before its reset.

// pastCycles are how long the pasts are; they are odd, so that periodic state differs.
var pastCycles = []int{61, 113, 257, 509, 1021}

// mostPasts bounds how many gaps get models with other pasts. Behind more of them, comparison waits for a reset.
const mostPasts = 64

// lose forgets the state, as a gap has begun.
func (p *replayer) lose() {
	p.level = 'x'
	p.lost, p.model, p.pasts, p.alike = true, nil, nil, 0
	p.past, p.rows = p.past[:0], 0
}

// noteGaps looks for gaps that began before a time. It tells whether one stands at that time.
func (p *replayer) noteGaps(time uint64) (within bool) {
	gaps := p.in.Gaps()
	for p.gap < len(gaps) && gaps[p.gap].From < time {
		p.gap++
		p.lose()
	}
	return p.gap > 0 && gaps[p.gap-1].In(time)
}

// otherPasts builds the models of possible pasts in a gap. Without them the comparison waits for a reset.
func (p *replayer) otherPasts() bool {
	p.before = make([]uint64, len(p.outputs))
	if p.flow != nil || p.gap > mostPasts {
		return false
	}
	for i, cycles := range pastCycles {
		var m *model
		err := caught(func() (err error) {
			m, err = p.afterPast(uint64(i+1), cycles)
			return err
		})
		if err != nil {
			p.pasts = nil
			return false
		}
		p.pasts = append(p.pasts, m)
	}
	return true
}

// afterPast returns a model that has run on the unit's own stimulus, and takes the sampled rows from then on.
func (p *replayer) afterPast(seed uint64, cycles int) (*model, error) {
	drivers, err := p.unit.Simulate(rtl.Config{}, seed)
	if err != nil {
		return nil, err
	}
	own, k := rowsDriven(drivers), 0
	m := &model{row: make([]uint64, len(p.fields)), inputs: p.inputs, outputs: p.outputs}
	m.in, err = p.unit.SimulateFrom(rtl.Config{}, func(row []uint64) bool {
		if k++; k <= cycles {
			return own(row)
		}
		copy(row, p.row)
		return true
	})
	for range cycles {
		if err == nil {
			err = m.next()
		}
	}
	return m, err
}

// Outputs are taken not to depend on the past when they have been the same in all models for a few cycles in which many
// of their bits have moved, or for many cycles, if they move little.
const (
	settledCycles = 8
	settledMoves  = 64 // bits
	settledAnyway = 256
)

// settled runs the models with other pasts for a cycle, and tells whether the outputs do not depend on the past.
func (p *replayer) settled() (bool, error) {
	same := true
	for _, m := range p.pasts {
		if err := m.next(); err != nil {
			return false, err
		}
		for o, c := range p.outputs {
			same = same && (m.row[c]^p.model.row[c])&p.mask[o] == 0
		}
	}
	moves := 0
	for o, c := range p.outputs {
		moves += bits.OnesCount64((p.model.row[c] ^ p.before[o]) & p.mask[o])
		p.before[o] = p.model.row[c]
	}
	if !same {
		p.alike, p.moves = 0, 0
		p.unsure++
		return false, nil
	}
	if p.alike++; p.alike > 1 {
		p.moves += moves
	}
	if p.alike >= settledCycles && p.moves >= settledMoves || p.alike >= settledAnyway {
		return true, nil
	}
	p.unsure++
	return false, nil
}

// notes says what of the file was not compared.
func (p *replayer) notes() []string {
	notes := p.in.Notes()
	if p.unsure > 0 {
		notes = append(
			notes,
			fmt.Sprintf(
				"%s: %d cycles after a gap are not compared, as outputs may depend on what came in it; a reset ends that",
				p.replay.Path, p.unsure,
			),
		)
	}
	return notes
}
