package cosim

// splitmix is the generator of the harness that runs under Verilator. Both simulators draw the same pauses from the
// same seed, so that one shows the difference of the other.
type splitmix struct{ state uint64 }

func (s *splitmix) next() uint64 {
	s.state += 0x9e3779b97f4a7c15
	z := s.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// chance is true with probability p.
func (s *splitmix) chance(p float64) bool { return s.next()>>11 < uint64(p*(1<<53)) }

// pace drives the streams' inputs from cycle to cycle. Where they move at clocks of their own, these rise in any order,
// some at the same time: for 64 steps each rises in all, half, a quarter or an eighth of them. What a clock's registers
// drive changes only after it has risen.
type pace struct {
	row    []uint64 // of the inputs
	clocks []int    // among the inputs
	rarely uint32   // two bits of each clock: it rises in one of 1, 2, 4 or 8 steps
	steps  int
	takes  []bool   // of streams out
	fresh  []bool   // of each stream: its clock has risen
	took   []uint32 // of each stream: see transfers in the harness
}

func newPace(streams []shellStream, clocks []int, row []uint64) *pace {
	n := len(streams)
	p := &pace{row: row, clocks: clocks, takes: make([]bool, n), fresh: make([]bool, n), took: make([]uint32, n)}
	for k := range p.fresh {
		p.fresh[k] = true
	}
	return p
}

// rises tells whether a stream may move at the end of this step.
func (p *pace) rises(x shellStream) bool { return x.Clock < 0 || p.row[x.Clock] == 1 }

// tick draws which clocks rise at the end of a step: at least one.
func (p *pace) tick(noise *splitmix) {
	if len(p.clocks) == 0 {
		return
	}
	if p.steps++; p.steps%64 == 1 {
		p.rarely = uint32(noise.next())
	}
	for any := false; !any; {
		draw := noise.next()
		for _, c := range p.clocks {
			p.row[c] = 0
			if draw>>(c*3%60)&(1<<(p.rarely>>(c*2%30)&3)-1) == 0 {
				p.row[c], any = 1, true
			}
		}
	}
}
