package rifl

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/goldwire/goldwire/blocks"
)

// FrameLinkConfig describes a [FrameLink].
type FrameLinkConfig struct {
	Config
	Delay int        // frames from a transmitter's decision to the far end's verdict; 0: as [Link] has it
	Sync  int        // frames from a verdict to the transmitter beside it, 1 for the same cycle; 0: as Link has it
	BER   [2]float64 // on the way from end 0 to end 1, and back
	Seed  uint64
	Skip  bool // pass clean stretches at once; only while no user pauses

	// Ends, if not nil, has the profile of each end in place of Config's.
	Ends *[2]Profile

	// Offer and Stall say whether the user of an end has something to send, and whether it takes nothing, in a cycle. Nil is
	// always and never.
	Offer, Stall [2]func(cycle uint64) bool
	// Watch, if not nil, sees what each end sends, by lane. Not with Skip.
	Watch func(cycle uint64, end, lane int, e Emission)
}

// Damage is what the wire does to the frames of one direction and lane that arrive from one cycle to before another.
type Damage struct {
	From, To uint64
	End      int // the receiving end
	Lane     int // -1 for all
	Kind     DamageKind
}

// DamageKind says how.
type DamageKind uint8

// The kinds.
const (
	Pulled DamageKind = iota // the cable is out: the line is all 0
	Noise                    // every bit is random
)

// FrameLink is two endpoints joined by a wire, stepped a frame at a time, all lanes in step. It has the same parts as [Link]
// and moves frames by name: which user frame it was, which ID and key it had. The bits of an error go through the real
// scrambler and the real code: both are linear, so verdicts depend on the error and on the IDs alone.
type FrameLink struct {
	cfg   FrameLinkConfig
	ends  [2]frameEnd
	cycle uint64
	rng   *rand.Rand

	// places in the rings, of this cycle: a skip does not turn them
	wireAt, flagAt int

	damage []Damage
	errors []uint64 // scratch: the error of a frame
}

// parcel is the payload of a data frame.
type parcel struct {
	seq    uint64 // of the user's frames, from 1; 0: none
	at     uint64 // the cycle in which it was taken
	format uint8
}

// spoilt is a payload that was changed on the way and delivered.
const spoilt = math.MaxUint64

type flight struct {
	parcel
	data bool
	key  uint16
	id   uint16
}

type frameEnd struct {
	lanes     []frameLane
	next      uint64 // sequence number of the user's next frame
	due       uint64 // of the next to arrive
	delivered uint64
	wrong     uint64 // frames delivered out of order, twice or spoilt
	late      Histogram
}

// frameLane is one lane of one end.
type frameLane struct {
	ctl  Controller
	sent []parcel // the retransmission buffer, by ID

	wire  []flight // towards this lane, a ring
	loss  *blocks.Lossy
	state uint64 // of the descrambler, errors only

	align  Alignment
	alive  Liveness
	offset int // of the aligner, in bits; 0 is right
	ver    Verifier
	pause  Monitor
	retr   Monitor
	remote bool
	calm   bool    // the next data frame, unharmed and in order, changes nothing but the verifier's IDs
	flags  []Flags // on their way to the controller, a ring
	flow   FlowBuffer
	queue  *blocks.FIFO[parcel]

	counts [numStates]uint64 // frames sent in each state
	passes uint64
}

// NewFrameLink returns a link that is about to start.
func NewFrameLink(cfg FrameLinkConfig) (*FrameLink, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	if cfg.Delay == 0 {
		cfg.Delay = cfg.FrameDelay()
	}
	if cfg.Sync == 0 {
		cfg.Sync = flagDelay
	}
	if cfg.Delay < 1 || cfg.Sync < 1 {
		return nil, fmt.Errorf("delays of %d and %d frames, want at least 1", cfg.Delay, cfg.Sync)
	}
	if cfg.Watch != nil && cfg.Skip {
		return nil, fmt.Errorf("Watch sees every frame: clean stretches cannot be skipped")
	}
	for d, f := range []func(uint64) bool{cfg.Offer[0], cfg.Offer[1], cfg.Stall[0], cfg.Stall[1]} {
		if f != nil && cfg.Skip {
			return nil, fmt.Errorf("a user of end %d pauses: clean stretches cannot be skipped", d%2)
		}
	}
	l := &FrameLink{cfg: cfg, rng: rand.New(rand.NewPCG(cfg.Seed, 77)), errors: make([]uint64, cfg.Words())}
	for e := range l.ends {
		end := &l.ends[e]
		end.next, end.due = 1, 1
		p := cfg.Profile
		if cfg.Ends != nil {
			p = cfg.Ends[e]
		}
		end.lanes = make([]frameLane, cfg.Lanes)
		for k := range end.lanes {
			loss, err := blocks.NewLossy(cfg.BER[1-e], cfg.Seed<<8+uint64(2*k+e))
			if err != nil {
				return nil, err
			}
			end.lanes[k] = frameLane{
				ctl: NewController(p, cfg.S()), sent: make([]parcel, 1<<cfg.S()),
				wire: make([]flight, cfg.Delay), loss: loss,
				align: NewAlignment(p), ver: NewVerifier(cfg.S()),
				pause: Monitor{Key: KeyPause}, retr: Monitor{Key: KeyRetrans},
				flags: make([]Flags, cfg.Sync), flow: NewFlowBuffer(p, cfg.S()),
			}
			lane := &end.lanes[k]
			lane.queue = blocks.NewFIFO[parcel](lane.flow.Depth())
			for i := range lane.wire {
				lane.wire[i].key = KeyPause
			}
		}
	}
	return l, nil
}

// Damage plans damage. It is looked at in order: the first that fits counts.
func (l *FrameLink) Damage(d ...Damage) { l.damage = append(l.damage, d...) }

// Flip plans flips of bits that arrive at an end, counted from the first bit of the lane's run.
func (l *FrameLink) Flip(end, lane int, bits ...uint64) error {
	return l.ends[end].lanes[lane].loss.SetFlips(bits)
}

// Cycle returns the frame cycles so far.
func (l *FrameLink) Cycle() uint64 { return l.cycle }

// Step is a frame cycle of both ends: what arrives is judged, then a frame leaves.
func (l *FrameLink) Step() {
	for e := range l.ends {
		for k := range l.ends[e].lanes {
			l.receive(e, k)
		}
		l.deliver(e)
	}
	for e := range l.ends {
		l.send(e)
	}
	if l.wireAt++; l.wireAt == l.cfg.Delay {
		l.wireAt = 0
	}
	l.flagAt = l.nextFlag()
	l.cycle++
}

// nextFlag is the place that was written Sync-1 cycles ago, and is next.
func (l *FrameLink) nextFlag() int {
	if next := l.flagAt + 1; next < l.cfg.Sync {
		return next
	}
	return 0
}

// receive takes the frame that arrives at a lane. Most are like the one before.
func (l *FrameLink) receive(e, k int) {
	lane := &l.ends[e].lanes[k]
	f := &lane.wire[l.wireAt]
	hit := l.corrupt(e, k, lane)
	if hit || !lane.calm || !f.data || f.id != lane.ver.FrameID {
		l.judge(lane, *f, hit)
		return
	}
	if lane.ver.Verify(f.id, true) {
		lane.take(&f.parcel)
	}
	lane.flags[l.flagAt] = Flags{Up: true, RemotePaused: lane.remote}
}

// judge takes any frame, with the error in the scratch if it is hit.
func (l *FrameLink) judge(lane *frameLane, f flight, hit bool) {
	syn, residue := uint8(SynControl), f.id
	if f.data {
		syn = SynData
	}
	if hit || lane.state != 0 || lane.offset != 0 {
		flips := l.errors
		if !hit {
			clear(flips)
		}
		syn ^= uint8(flips[0] >> synShift)
		residue ^= Residue(flips)
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
	legal := data || syn == SynControl
	if legal && data != f.data { // the other kind of frame: its content is as good as noise
		f.key, f.seq = 0xffff, spoilt
	}
	if lane.align.Frame(legal) {
		lane.offset = (lane.offset + 1) % l.cfg.FrameBits
	}
	lane.alive.Frame(lane.align.Aligned)
	switch {
	case !lane.alive.Up || !lane.align.Aligned:
		lane.pause.Clear()
		lane.retr.Clear()
	case data:
		lane.pause.Data()
		lane.retr.Data()
	case legal:
		lane.pause.Control(f.key)
		lane.retr.Control(f.key)
	}
	if lane.alive.Up && lane.ver.Verify(residue, data) {
		lane.take(&f.parcel)
	}
	lane.calm = lane.state == 0 && lane.offset == 0 && lane.align.Aligned && lane.align.window == 0 && lane.alive.level == livenessFull &&
		lane.pause.atRest() && lane.retr.atRest() && !lane.ver.Error
	lane.flags[l.flagAt] = Flags{Up: lane.alive.Up, Pause: lane.pause.Flag, Retrans: lane.retr.Flag,
		Error: lane.ver.Error, RemotePaused: lane.remote}
}

// take delivers a payload to the flow-control buffer.
func (lane *frameLane) take(p *parcel) {
	switch {
	case p.seq != 0:
		if lane.flow.Push() {
			lane.queue.Push(*p)
		}
	case p.format == FormatPause:
		lane.remote = true
	case p.format == FormatResume:
		lane.remote = false
	}
}

// corrupt fills the scratch with the error of the arriving frame and reports whether there is any.
func (l *FrameLink) corrupt(e, k int, lane *frameLane) bool {
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
	frame := uint64(l.cfg.FrameBits)
	if next, ok := lane.loss.NextError(); !ok || next >= lane.loss.Position()+frame {
		lane.loss.Skip(frame)
		return false
	}
	for w := range l.errors {
		l.errors[w] = lane.loss.Errors(64).Lo
	}
	return true
}

// deliver gives the user of an end one frame of each lane, if all have one.
func (l *FrameLink) deliver(e int) {
	end := &l.ends[e]
	if stall := l.cfg.Stall[e]; stall == nil || !stall(l.cycle) {
		ready := true
		for k := range end.lanes {
			ready = ready && end.lanes[k].flow.Len > 0
		}
		for k := range end.lanes {
			if !ready {
				break
			}
			lane := &end.lanes[k]
			p, _ := lane.queue.Pop()
			lane.flow.Pop()
			end.delivered++
			if p.seq != end.due {
				end.wrong++
			}
			end.due++
			end.late.Add(l.cycle-p.at, 1)
		}
	}
	for k := range end.lanes {
		end.lanes[k].flow.Judge()
	}
}

// send lets a frame leave on each lane. The user gives a frame to all lanes or to none.
func (l *FrameLink) send(e int) {
	end, far := &l.ends[e], &l.ends[1-e]
	slot := l.nextFlag()
	offer := l.cfg.Offer[e] == nil || l.cfg.Offer[e](l.cycle)
	streams := offer && l.cfg.Watch == nil
	for k := range end.lanes {
		lane := &end.lanes[k]
		if streams = streams && lane.ctl.streams(&lane.flags[slot], lane.flow.Full); streams {
			continue
		}
		f := lane.flags[slot]
		f.LocalFull = lane.flow.Full
		offer = offer && lane.ctl.Accepts(&f)
	}
	if streams {
		l.stream(end, far)
		return
	}
	for k := range end.lanes {
		lane := &end.lanes[k]
		f := lane.flags[slot]
		f.LocalFull, f.Offer = lane.flow.Full, offer
		before := lane.ctl.pass
		m := lane.ctl.Step(&f)
		if before == 0 && lane.ctl.pass > 0 {
			lane.passes++
		}
		lane.counts[m.State]++
		p := parcel{format: m.Format}
		switch m.Source {
		case FromUser:
			p = parcel{seq: end.next, at: l.cycle}
			end.next++
		case FromBuffer:
			p = lane.sent[m.ID]
		}
		if m.Data {
			lane.sent[m.ID] = p
		}
		far.lanes[k].wire[l.wireAt] = flight{parcel: p, data: m.Data, key: m.Key, id: m.ID}
		if l.cfg.Watch != nil {
			l.cfg.Watch(l.cycle, e, k, m)
		}
	}
}

// stream lets a frame of the user leave on each lane, all controllers being at rest.
func (l *FrameLink) stream(end, far *frameEnd) {
	for k := range end.lanes {
		lane := &end.lanes[k]
		id := lane.ctl.stream()
		lane.counts[Normal]++
		p := parcel{seq: end.next, at: l.cycle}
		end.next++
		lane.sent[id] = p
		far.lanes[k].wire[l.wireAt] = flight{parcel: p, data: true, key: KeyIdle, id: id}
	}
}

// lookForQuiet is how often it is worth looking whether a clean stretch has begun.
const lookForQuiet = 16

// Run steps so many cycles.
func (l *FrameLink) Run(cycles uint64) {
	until := l.cycle + cycles
	for l.cycle < until {
		if l.cfg.Skip && l.cycle%lookForQuiet == 0 && l.quiet() {
			l.skip(until - l.cycle)
			if l.cycle == until {
				return
			}
		}
		l.Step()
	}
}

// quiet tells whether nothing but user data is under way anywhere and nothing is left to do.
func (l *FrameLink) quiet() bool {
	for e := range l.ends {
		end := &l.ends[e]
		for k := range end.lanes {
			lane := &end.lanes[k]
			c := &lane.ctl
			if c.state != Normal || c.resume > 0 || c.start > 0 || c.pass > 0 || c.full || lane.flow.Len > 0 || lane.state != 0 ||
				!lane.alive.Up || lane.align.window != 0 || lane.alive.level != livenessFull || lane.ver.Error ||
				lane.pause.count > 0 || lane.retr.count > 0 || lane.pause.quiet < quietToForget || lane.retr.quiet < quietToForget {
				return false
			}
			for _, f := range lane.flags {
				if !f.Up || f.Error || f.Pause || f.Retrans || f.RemotePaused {
					return false
				}
			}
			for _, f := range lane.wire {
				if !f.data || f.seq == 0 {
					return false
				}
			}
			for _, p := range lane.sent {
				if p.seq == 0 {
					return false
				}
			}
		}
	}
	return true
}

// skip passes whole rounds of the ID space, at most so many frames, and stops before the frame with the next error.
func (l *FrameLink) skip(most uint64) {
	frame := uint64(l.cfg.FrameBits)
	clean := most
	for _, d := range l.damage {
		switch {
		case l.cycle >= d.To:
		case l.cycle >= d.From:
			return
		default:
			clean = min(clean, d.From-l.cycle)
		}
	}
	for e := range l.ends {
		for k := range l.ends[e].lanes {
			loss := l.ends[e].lanes[k].loss
			if next, ok := loss.NextError(); ok {
				clean = min(clean, (next-loss.Position())/frame)
			}
		}
	}
	n := clean >> l.cfg.S() << l.cfg.S()
	if n == 0 {
		return
	}
	lanes := uint64(l.cfg.Lanes)
	for e := range l.ends {
		end := &l.ends[e]
		for k := range end.lanes {
			lane := &end.lanes[k]
			lane.loss.Skip(n * frame)
			lane.counts[Normal] += n
			for i := range lane.sent {
				lane.sent[i].seq += n * lanes
				lane.sent[i].at += n
			}
			for i := range lane.wire {
				lane.wire[i].seq += n * lanes
				lane.wire[i].at += n
			}
		}
		end.next += n * lanes
		end.due += n * lanes
		end.delivered += n * lanes
		end.late.Add(uint64(l.cfg.Delay), n*lanes)
	}
	l.cycle += n
}

// FrameLinkReport is what happened to the users of one end: what it received.
type FrameLinkReport struct {
	Offered   uint64 // frames taken from the far user
	Delivered uint64
	Wrong     uint64 // delivered out of order, twice, or changed
	Overflow  uint64 // lost for want of room
	High      int    // the most frames that a flow-control buffer held
	Passes    uint64 // retransmissions that the far end made
	Latency   *Histogram
	Sent      [numStates]uint64 // frames that this end sent in each state, all lanes
}

// Lossless tells whether every frame came, once, in order and unchanged, but for those still on their way.
func (r *FrameLinkReport) Lossless() bool { return r.Wrong == 0 && r.Overflow == 0 }

// Report returns what happened at an end so far.
func (l *FrameLink) Report(e int) FrameLinkReport {
	end, far := &l.ends[e], &l.ends[1-e]
	r := FrameLinkReport{Offered: far.next - 1, Delivered: end.delivered, Wrong: end.wrong, Latency: &end.late}
	for k := range end.lanes {
		lane := &end.lanes[k]
		r.Overflow += lane.flow.Overflow
		r.High = max(r.High, lane.flow.High)
		r.Passes += far.lanes[k].passes
		for s, n := range lane.counts {
			r.Sent[s] += n
		}
	}
	return r
}
