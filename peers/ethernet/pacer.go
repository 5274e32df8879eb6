package ethernet

import "github.com/goldwire/goldwire/pcs"

// overhead is what a frame costs on the line beside its body: preamble, FCS and gap.
const overhead = pcs.PreambleBytes + pcs.FCSBytes + pcs.MinGapBytes

// pacer starts frames at the rate of the line, 8 bytes a cycle, so that the queue in front of a MAC stays short. The
// deficit idle count of the MAC keeps the same average.
type pacer struct {
	owed  int // bytes of line taken and not yet passed; down to -7, what the last cycle had to spare
	bytes int // of the frame so far
}

// tick is one cycle of the line.
func (p *pacer) tick() {
	if p.owed > 0 {
		p.owed -= 8
	}
}

// ready tells whether a frame may start.
func (p *pacer) ready() bool { return p.owed <= 0 }

// sent counts n bytes of a frame.
func (p *pacer) sent(n int, last bool) {
	p.owed += n
	p.bytes += n
	if last {
		p.owed += max(minBody-p.bytes, 0) + overhead
		p.bytes = 0
	}
}
