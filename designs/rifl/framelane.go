package rifl

import "github.com/goldwire/goldwire/blocks"

// frameLane is one lane of one end.
type frameLane struct {
	ctl  controller
	sent []parcel // the retransmission buffer, by ID

	wire  []flight // towards this lane, a ring
	Loss  *blocks.Lossy
	state uint64 // of the descrambler, errors only

	align  alignment
	live   liveness
	offset int // of the aligner, in bits; 0 is right
	ver    verifier
	heard  monitor
	calm   bool // the next data frame, unharmed and in order, changes nothing but IDs and the aligner's window
	rest   int  // frames in a row of which that held, up to the size of the ring of flags

	flags []txFlags // on their way to the controller, a ring
	known txFlags   // of this cycle
	due   []parcel
	level FlowLevel
	flow  FlowBuffer
	queue []parcel // what the buffer holds, a ring
	head  int
	// remote tells whether the far end's user is stalled.
	remote bool

	counts [NumStates]uint64 // frames sent in each state
	passes uint64
}

func newFrameLane(cfg Config, p Profile, lag lags, loss *blocks.Lossy) *frameLane {
	lane := &frameLane{
		ctl: newController(p, cfg.S()), sent: make([]parcel, 1<<cfg.S()),
		wire: make([]flight, lag.arrive), Loss: loss,
		align: newAlignment(p), live: newLiveness(cfg.upBit()), ver: NewVerifier(cfg.S()),
		flags: make([]txFlags, lag.most-lag.arrive+1), due: make([]parcel, lag.data-lag.arrive+1),
	}
	lane.flow.Depth, lane.level = FlowSize(p, cfg.S())
	lane.queue = make([]parcel, lane.flow.Depth)
	for i := range lane.wire {
		lane.wire[i].key = KeyPause
	}
	return lane
}

// pop takes a frame out of the flow-control buffer.
func (lane *frameLane) pop(p *parcel) {
	*p = lane.queue[lane.head]
	lane.head = turn(lane.head, len(lane.queue))
	lane.flow.Pop()
}

// take delivers a payload to the flow-control buffer or to the flow control monitor.
func (lane *frameLane) take(p *parcel) {
	switch p.seq {
	case 0:
	case pauses:
		lane.remote = true
	case resumes:
		lane.remote = false
	default:
		at := lane.head + lane.flow.Len
		if at >= len(lane.queue) {
			at -= len(lane.queue)
		}
		if lane.flow.Push() {
			lane.queue[at] = *p
		}
	}
}

// place returns a place in a ring, a lag after this cycle's. A ring has room for its longest lag.
func (l *FrameLink) place(at, lag, size int) int {
	if at += lag - l.lags.arrive; at >= size {
		at -= size
	}
	return at
}

// receive judges the frames that arrive at an end. Most are like the ones before.
func (l *FrameLink) receive(end *frameEnd, e int) {
	at := l.place(l.dueAt, l.lags.data, l.lags.data-l.lags.arrive+1)
	for k, lane := range end.Lanes {
		f, due := &lane.wire[l.wireAt], &lane.due[at]
		hit := l.Corrupt(e, k, lane)
		if l.cycle < l.lags.first {
			continue
		}
		if hit || !lane.calm || !f.data || f.id != lane.ver.FrameID {
			lane.rest = 0
			l.judge(lane, *f, hit, due)
			continue
		}
		lane.align.look(true)
		if lane.ver.Verify(f.id, true) {
			*due = f.parcel
		} else {
			*due = parcel{}
		}
		if lane.rest < len(lane.flags) {
			lane.rest++
			l.tell(lane, true)
		}
	}
}

// judge takes any frame, with the error in the scratch if it is hit.
func (l *FrameLink) judge(lane *frameLane, f flight, hit bool, due *parcel) {
	syn, residue := uint8(synControl), f.id
	if f.data {
		syn, f.key = SynData, payloadKey
	}
	if hit || lane.state != 0 || lane.offset != 0 {
		flips := l.errors
		if !hit {
			clear(flips)
		}
		syn ^= uint8(flips[0] >> synShift)
		residue ^= ResidueOf(flips)
		lane.state = DescrambleFrame(flips, lane.state)
		if lane.offset != 0 { // nothing but noise
			syn, residue = uint8(l.rng.Uint32()&3), uint16(l.rng.Uint32())&codeMask
		}
		if !f.data {
			f.key ^= uint16(flips[0] >> keyShift)
		}
		flips[0] &^= 3 << synShift
		flips[len(flips)-1] &^= codeMask
		hit = lane.offset != 0
		for _, w := range flips {
			hit = hit || w != 0
		}
		if hit && f.data {
			f.seq = spoilt
		}
	}
	data := syn == SynData
	legal := data || syn == synControl
	if legal && data != f.data { // the other kind of frame: its content is as good as noise
		f.key, f.seq = payloadKey, spoilt
	}

	judged, before := lane.live.up, lane.align.aligned
	if lane.align.look(legal) {
		lane.offset = (lane.offset + 1) % l.Config.FrameBits
	}
	up := lane.pass(l.Config.Words(), l.lags.upAfter, before)
	if lane.align.aligned {
		lane.heard.frame(syn, f.key)
	} else {
		lane.heard = monitor{}
	}
	*due = parcel{}
	if judged && lane.ver.Verify(residue, data) && data {
		*due = f.parcel
	}
	lane.calm = lane.state == 0 && lane.offset == 0 && lane.align.steady() && lane.live.steady() && lane.heard.atRest() &&
		!lane.ver.Error
	l.tell(lane, up)
}

// payloadKey stands for the first bits of a payload where a key is looked for: they are no key.
const payloadKey = 0xffff

// pass moves the counter of liveness on by a frame's cycles, the first with the alignment before the look at its SYN,
// and returns whether the link is up after some of them.
func (lane *frameLane) pass(words, after int, before bool) (up bool) {
	if before && lane.align.aligned && lane.live.steady() {
		return true
	}
	aligned := before
	for i := range words {
		lane.live.cycle(aligned)
		aligned = lane.align.aligned
		if i+1 == after {
			up = lane.live.up
		}
	}
	return up
}

// tell sends the flags on their ways.
func (l *FrameLink) tell(lane *frameLane, up bool) {
	size := len(lane.flags)
	lane.flags[l.place(l.flagAt, l.lags.up, size)].Up = up
	request := &lane.flags[l.place(l.flagAt, l.lags.request, size)]
	request.Pause, request.Retrans = lane.heard.pauses(), lane.heard.retransmits()
	lane.flags[l.place(l.flagAt, l.lags.verdict, size)].Error = lane.ver.Error
}

// Corrupt reports whether the arriving frame has an error, and fills the scratch with it.
func (l *FrameLink) Corrupt(e, k int, lane *frameLane) bool {
	if len(l.damage) == 0 && lane.Loss.Clean(uint64(l.Config.FrameBits)) {
		return false
	}
	return l.hit(e, k, lane)
}

func (l *FrameLink) hit(e, k int, lane *frameLane) bool {
	for i := range l.damage {
		d := &l.damage[i]
		if d.End != e || d.Lane >= 0 && d.Lane != k || l.cycle < d.From || l.cycle >= d.To {
			continue
		}
		for w := range l.errors {
			l.errors[w] = l.rng.Uint64()
		}
		if d.Kind == Pulled { // an error that makes any SYN illegal: the line is constant
			l.errors[0] = l.errors[0]&^(3<<synShift) | 1<<synShift
		}
		return true
	}
	if lane.Loss.Clean(uint64(l.Config.FrameBits)) {
		return false
	}
	for w := range l.errors {
		l.errors[w] = lane.Loss.Errors(64).Lo
	}
	return true
}
