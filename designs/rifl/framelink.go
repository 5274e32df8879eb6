package rifl

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/workload/measure"
)

// FrameLinkConfig describes a [FrameLink].
type FrameLinkConfig struct {
	Config
	BER  [2]float64 // on the way from end 0 to end 1, and back, from the end of Settle on
	Seed uint64
	Skip bool // pass clean stretches at once; only while no user pauses

	// ErrorsAtStart lets bit errors come from the first bit on. In the core's profile they can lose the users' first
	// frames: see [controller].
	ErrorsAtStart bool

	// Ends, if not nil, has the profile of each end in place of Config's.
	Ends *[2]Profile

	// Packets is the least and the greatest payload in bytes of the packets that users send, uniformly drawn; 0 for none.
	// They change only the statistics: a packet's latency is the time from the handshake of its first flit to the
	// handshake of its last, less the cycles that its other flits take.
	Packets [2]int

	// Offer and Stall say whether the user of an end has something to send, and whether it takes nothing, in a cycle. Nil
	// is always and never.
	Offer, Stall [2]func(cycle uint64) bool
	// Watch, if not nil, is called with each frame that an end sends, by lane. Not with Skip.
	Watch func(cycle uint64, end, lane int, e Emission)
}

// Damage is damage on the wire to the frames of one direction and lane that are judged from one cycle to before
// another.
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

// FrameLink is two endpoints joined by a wire, stepped a frame at a time, all lanes in step. It has the same parts as
// [Link] but moves names instead of bytes: the number of the user's frame, its ID and its key. The bits of an error go
// through the real scrambler and the real code: both are linear, so verdicts depend on the error and on the IDs alone.
// Each effect of a frame comes in the same frame cycle as in Link.
//
// Where a receiver is misaligned, its words are drawn noise, not the line's words.
type FrameLink struct {
	Config FrameLinkConfig
	lags   lags
	Ends   [2]frameEnd
	cycle  uint64
	rng    *rand.Rand

	// places in the rings, of this cycle: a skip does not turn them
	wireAt, flagAt, dueAt int

	damage []Damage
	errors []uint64 // scratch: the error of a frame
}

// parcel is the payload of a data frame.
type parcel struct {
	seq uint64 // of the user's frames, from 1; 0: nothing; or one of the following
	at  uint64 // the cycle in which it was taken
}

const (
	spoilt  = math.MaxUint64 - iota // a payload that was changed on the way and delivered
	pauses                          // no payload: the notification that the sender's user has stalled
	resumes                         // that it goes on
)

// ofUser tells whether it is a frame of the user as it was sent.
func (p parcel) ofUser() bool { return p.seq != 0 && p.seq < resumes }

type flight struct {
	parcel
	data bool
	key  uint16
	id   uint16
}

type frameEnd struct {
	Lanes     []*frameLane
	next      uint64 // sequence number of the user's next frame
	due       uint64 // of the next to arrive
	delivered uint64
	wrong     uint64   // frames delivered out of order, twice or spoilt
	shown     []parcel // the output converter's register: a frame of each lane, in their order
	shows     bool     // it has them
	late      measure.Histogram
	packets   packets
}

// NewFrameLink returns a link that is about to start.
func NewFrameLink(cfg FrameLinkConfig) (*FrameLink, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	if p := cfg.Packets; p != [2]int{} && (p[0] < 1 || p[1] < p[0] || p[1] > 1<<20) {
		return nil, fmt.Errorf("packets of %d to %d bytes, want 1 to %d, the least first", p[0], p[1], 1<<20)
	}
	if cfg.Watch != nil && cfg.Skip {
		return nil, fmt.Errorf("Watch sees every frame: clean stretches cannot be skipped")
	}
	for d, f := range []func(uint64) bool{cfg.Offer[0], cfg.Offer[1], cfg.Stall[0], cfg.Stall[1]} {
		if f != nil && cfg.Skip {
			return nil, fmt.Errorf("a user of end %d pauses: clean stretches cannot be skipped", d%2)
		}
	}
	l := &FrameLink{
		Config: cfg, lags: cfg.lags(), rng: rand.New(rand.NewPCG(cfg.Seed, 77)), errors: make([]uint64, cfg.Words()),
	}
	for e := range l.Ends {
		end := &l.Ends[e]
		end.next, end.due = 1, 1
		end.packets = newPackets(cfg.Packets, cfg.Lanes*cfg.PayloadBytes(), cfg.Seed<<1+uint64(e))
		p := cfg.Profile
		if cfg.Ends != nil {
			p = cfg.Ends[e]
		}
		end.Lanes, end.shown = make([]*frameLane, cfg.Lanes), make([]parcel, cfg.Lanes)
		for k := range end.Lanes {
			loss, err := blocks.NewLossy(cfg.BER[1-e], cfg.Seed<<8+uint64(2*k+e))
			if err != nil {
				return nil, err
			}
			if !cfg.ErrorsAtStart {
				loss.StartAt(cfg.Settle() * uint64(cfg.FrameBits))
			}
			end.Lanes[k] = newFrameLane(cfg.Config, p, l.lags, loss)
		}
	}
	return l, nil
}

// Damage plans damage. It is looked at in order: the first that fits counts.
func (l *FrameLink) Damage(d ...Damage) { l.damage = append(l.damage, d...) }

// Flip plans flips of bits that arrive at an end, counted from the first bit of the lane's run.
func (l *FrameLink) Flip(end, lane int, bits ...uint64) error {
	return l.Ends[end].Lanes[lane].Loss.SetFlips(bits)
}

// Cycle returns the frame cycles so far.
func (l *FrameLink) Cycle() uint64 { return l.cycle }

// Step is a frame cycle of both ends: arrived frames are judged, a frame leaves that depends only on values before
// this edge, users take the frames at their side, and the flow-control buffers take the arrived frames.
func (l *FrameLink) Step() {
	a, b := &l.Ends[0], &l.Ends[1]
	l.receive(a, 0)
	l.receive(b, 1)
	l.send(a, b, 0)
	l.send(b, a, 1)
	l.deliver(a, 0)
	l.deliver(b, 1)
	l.wireAt = turn(l.wireAt, l.lags.arrive)
	l.flagAt = turn(l.flagAt, l.lags.most-l.lags.arrive+1)
	l.dueAt = turn(l.dueAt, l.lags.data-l.lags.arrive+1)
	l.cycle++
}

// turn moves a place in a ring on.
func turn(at, size int) int {
	if at++; at < size {
		return at
	}
	return 0
}

// deliver lets the user of an end take a frame of each lane, shows the next if all lanes have one, and fills the
// buffers.
func (l *FrameLink) deliver(end *frameEnd, e int) {
	ready := true
	for _, lane := range end.Lanes {
		n := lane.flow.Len
		ready = ready && n > 0
		lane.level.Judge(n)
	}
	if stall := l.Config.Stall[e]; end.shows && (stall == nil || !stall(l.cycle)) {
		end.packets.flit(l.cycle, end.shown[0].at)
		end.delivered += uint64(len(end.shown))
		for k := range end.shown {
			p := &end.shown[k]
			if p.seq != end.due {
				end.wrong++
			}
			end.due++
			end.late.Add(l.cycle-p.at, 1)
		}
		end.shows = false
	}
	if ready && !end.shows {
		end.shows = true
		for k, lane := range end.Lanes {
			lane.pop(&end.shown[k])
		}
	}
	for _, lane := range end.Lanes {
		lane.take(&lane.due[l.dueAt])
	}
}

// send lets a frame leave on each lane. The user gives a frame to all lanes or to none.
func (l *FrameLink) send(end, far *frameEnd, e int) {
	offer := l.Config.Offer[e] == nil || l.Config.Offer[e](l.cycle)
	if offer && l.Config.Watch == nil && end.streams() {
		l.stream(end, far)
		return
	}
	up := true
	for k := range end.Lanes {
		up = up && end.Lanes[k].flags[l.flagAt].Up
	}
	for _, lane := range end.Lanes {
		lane.known = lane.flags[l.flagAt]
		lane.known.Up, lane.known.RemotePaused, lane.known.LocalFull = up, lane.remote, lane.level.Full
		offer = offer && lane.ctl.Accepts(&lane.known)
	}
	for k, lane := range end.Lanes {
		f := lane.known
		f.Offer = offer
		before := lane.ctl.pass
		m := lane.ctl.Step(&f)
		if before == 0 && lane.ctl.pass > 0 {
			lane.passes++
		}
		lane.counts[m.State]++
		p := parcel{seq: noticeOf(m.Format)}
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
		far.Lanes[k].wire[l.wireAt] = flight{parcel: p, data: m.Data, key: m.Key, id: m.ID}
		if l.Config.Watch != nil {
			l.Config.Watch(l.cycle, e, k, m)
		}
	}
}

// noticeOf returns the number that stands for a frame with nothing but a format code: a pause or a resume.
func noticeOf(format uint8) uint64 {
	switch format {
	case FormatPause:
		return pauses
	case FormatResume:
		return resumes
	}
	return 0
}

// streams tells whether all lanes send the user's frames and nothing asks for anything else. It is cheaper than to ask
// each controller for its next state, and mostly true. All flags on their way to a lane at rest say that its link is
// up, and nothing else.
func (end *frameEnd) streams() bool {
	for _, lane := range end.Lanes {
		if lane.rest < len(lane.flags) || lane.remote || !lane.ctl.streams(lane.level.Full) {
			return false
		}
	}
	return true
}

// stream lets a frame of the user leave on each lane, all controllers being at rest.
func (l *FrameLink) stream(end, far *frameEnd) {
	for k, lane := range end.Lanes {
		id := lane.ctl.stream()
		lane.counts[Normal]++
		p := parcel{seq: end.next, at: l.cycle}
		end.next++
		lane.sent[id] = p
		far.Lanes[k].wire[l.wireAt] = flight{parcel: p, data: true, key: KeyIdle, id: id}
	}
}

// FrameLinkReport counts the frames that the user of one end received.
type FrameLinkReport struct {
	Offered   uint64 // frames taken from the far user
	Delivered uint64
	Wrong     uint64             // delivered out of order, twice, or changed
	Overflow  uint64             // lost for want of room
	High      int                // the most frames that a flow-control buffer held
	Passes    uint64             // retransmissions that the far end made
	Latency   *measure.Histogram // of frames, in frame cycles from handshake to handshake
	Packets   *measure.Histogram // of packets, see [FrameLinkConfig].Packets
	Sent      [NumStates]uint64  // frames that this end sent in each state, all lanes
}

// Lossless tells whether every frame came, once, in order and unchanged, but for those still on their way.
func (r *FrameLinkReport) Lossless() bool { return r.Wrong == 0 && r.Overflow == 0 }

// ForgetLatencies drops the latencies measured so far. Frames that come before the link is up and its errors have
// settled have met too few of them. Counts of frames go on.
func (l *FrameLink) ForgetLatencies() {
	for e := range l.Ends {
		l.Ends[e].late, l.Ends[e].packets.late = measure.Histogram{}, measure.Histogram{}
	}
}

// Report returns the counts of an end so far.
func (l *FrameLink) Report(e int) FrameLinkReport {
	end, far := &l.Ends[e], &l.Ends[1-e]
	r := FrameLinkReport{
		Offered: far.next - 1, Delivered: end.delivered, Wrong: end.wrong, Latency: &end.late, Packets: &end.packets.late,
	}
	for k, lane := range end.Lanes {
		r.Overflow += lane.flow.Overflow
		r.High = max(r.High, lane.flow.high)
		r.Passes += far.Lanes[k].passes
		for s, n := range lane.counts {
			r.Sent[s] += n
		}
	}
	return r
}
