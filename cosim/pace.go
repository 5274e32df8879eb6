package cosim

import (
	"math/rand/v2"
	"slices"
)

// pace drives the streams' inputs from cycle to cycle. Where they move at clocks of their own, these rise in any order,
// some at the same time: for 64 steps each rises in all, half, a quarter or an eighth of them. What a clock's registers
// drive changes only after it has risen.
type pace struct {
	row    []uint64 // of the inputs
	clocks []int    // among the inputs
	rarely []int    // of each clock: it rises in one of as many steps
	steps  int
	takes  []bool // of streams out
	fresh  []bool // of each stream: its clock has risen
}

func newPace(streams []shellStream, row []uint64) *pace {
	p := &pace{row: row, takes: make([]bool, len(streams)), fresh: make([]bool, len(streams))}
	for k, x := range streams {
		p.fresh[k] = true
		if x.Clock >= 0 && !slices.Contains(p.clocks, x.Clock) {
			p.clocks = append(p.clocks, x.Clock)
		}
	}
	p.rarely = make([]int, len(p.clocks))
	return p
}

// rises tells whether a stream may move at the end of this step.
func (p *pace) rises(x shellStream) bool { return x.Clock < 0 || p.row[x.Clock] == 1 }

// tick draws which clocks rise at the end of a step: at least one.
func (p *pace) tick(rng *rand.Rand) {
	if len(p.clocks) == 0 {
		return
	}
	if p.steps++; p.steps%64 == 1 {
		for k := range p.rarely {
			p.rarely[k] = 1 << rng.IntN(4)
		}
	}
	for any := false; !any; {
		for k, c := range p.clocks {
			p.row[c] = 0
			if rng.IntN(p.rarely[k]) == 0 {
				p.row[c], any = 1, true
			}
		}
	}
}
