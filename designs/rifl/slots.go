package rifl

import (
	"fmt"
	"sort"
)

// Slots says when the payload frames of a link leave one end and when they come to the other, one of each lane at a
// time. A slot is the place of such a set of frames in the order sent. Without errors slot n leaves a frame cycle after
// slot n - 1; a pass of retransmissions moves all later slots on by its length. The link is a [FrameLink] that offers a
// frame in every cycle, so that the slots depend on the line's errors alone, and not on their payload.
//
//	error on the line            v
//	slots at the sender    0 1 2 3 4 5 6 - - - - - - 7 8
//	slots at the receiver    0 1 2 - - - - - - 3 4 5 6 7 8
//
// Cycles are counted from the one in which both ends are up.
type Slots struct {
	link       *FrameLink
	from       int
	start      uint64
	sent, came slotTimes
}

// slotTimes are the cycles of all slots in one place: from the slot of a jump on they follow each other, a cycle each.
type slotTimes struct {
	jumps       []slotJump
	sets, cycle uint64 // how many sets of frames had passed when the cycle began
}

type slotJump struct{ slot, cycle uint64 }

// NewSlots returns the slots of the way from one end of a link to the other. It has bit errors from the cycle on in
// which both ends are up.
func NewSlots(cfg FrameLinkConfig, from int) (*Slots, error) {
	cfg.Skip, cfg.ErrorsAtStart = true, false
	l, err := NewFrameLink(cfg)
	if err != nil {
		return nil, err
	}
	s := &Slots{link: l, from: from, start: cfg.Settle()}
	l.Run(s.start)
	sent, came := s.counts()
	s.sent = slotTimes{[]slotJump{{sent, l.cycle}}, sent, l.cycle}
	s.came = slotTimes{[]slotJump{{came, l.cycle}}, came, l.cycle}
	return s, nil
}

// counts are the sets of frames that left so far, and the sets that came.
func (s *Slots) counts() (sent, came uint64) {
	lanes := uint64(s.link.Config.Lanes)
	return (s.link.Ends[s.from].next - 1) / lanes, s.link.Ends[1-s.from].delivered / lanes
}

// lookAhead is how many cycles more than asked for are simulated, so that clean stretches can be skipped.
const lookAhead = 1 << 14

// extend simulates until after a cycle.
func (s *Slots) extend(after uint64) {
	l := s.link
	for l.cycle <= after {
		l.Advance(after+lookAhead, 1)
		sent, came := s.counts()
		s.sent.pass(sent, l.cycle)
		s.came.pass(came, l.cycle)
	}
}

// pass notes how many sets had passed when a cycle began. At most the last cycle before it was without one.
func (t *slotTimes) pass(sets, cycle uint64) {
	if cycle-t.cycle > sets-t.sets {
		if last := &t.jumps[len(t.jumps)-1]; last.slot == sets {
			last.cycle = cycle
		} else {
			t.jumps = append(t.jumps, slotJump{sets, cycle})
		}
	}
	t.sets, t.cycle = sets, cycle
}

// of returns a slot's cycle, which is right if it has been simulated.
func (t *slotTimes) of(slot uint64) uint64 {
	k := sort.Search(len(t.jumps), func(k int) bool { return t.jumps[k].slot > slot })
	j := t.jumps[max(k-1, 0)]
	return j.cycle + slot - j.slot
}

// Next returns the first slot that leaves in a cycle or later.
func (s *Slots) Next(cycle uint64) uint64 {
	cycle += s.start
	s.extend(cycle)
	jumps := s.sent.jumps
	k := sort.Search(len(jumps), func(k int) bool { return jumps[k].cycle > cycle })
	slot := jumps[k-1].slot + cycle - jumps[k-1].cycle
	if k < len(jumps) {
		slot = min(slot, jumps[k].slot)
	}
	return slot
}

// Sent returns the cycle in which a slot leaves its user, Came the cycle in which the far user takes it.
func (s *Slots) Sent(slot uint64) uint64 { return s.cycle(&s.sent, slot) }

// Came is explained with Sent.
func (s *Slots) Came(slot uint64) uint64 { return s.cycle(&s.came, slot) }

func (s *Slots) cycle(t *slotTimes, slot uint64) uint64 {
	for {
		c := t.of(slot)
		if c < s.link.cycle {
			return c - s.start
		}
		s.extend(c)
	}
}

// Bytes returns the payload of a slot.
func (s *Slots) Bytes() int { return s.link.Config.Lanes * s.link.Config.PayloadBytes() }

// Passes returns how many retransmissions there were so far.
func (s *Slots) Passes() uint64 { r := s.link.Report(1 - s.from); return r.Passes }

// Err reports frames that came twice, out of order or spoilt, or found no room: a configuration that is not sound.
func (s *Slots) Err() error {
	if r := s.link.Report(1 - s.from); !r.Lossless() {
		return fmt.Errorf("RIFL lost frames: %d came wrong, %d found no room, of %d", r.Wrong, r.Overflow, r.Delivered)
	}
	return nil
}
