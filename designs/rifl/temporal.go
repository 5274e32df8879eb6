package rifl

import (
	"encoding/binary"
	"fmt"

	"github.com/goldwire/goldwire/rtl"
)

// slotsPerLane is how many segments wait between the user's clock and the frame clock: as long as the news takes that
// one was taken, the other is there.
const slotsPerLane = 2

// TemporalFramer is a [Framer] on a user clock that is faster than the frame clock by the number of groups: flits go
// to the groups of lanes in turn, temporal channel bonding, and their segments to the lanes of the group, spatial
// channel bonding (§5.A). A flit is taken when all lanes of its group have a slot. Latency 1 cycle to the slot.
type TemporalFramer struct {
	Data    []rtl.In[uint64]
	Control rtl.In[BeatControl]
	Ready   rtl.Wire[bool] `comb:"Control"`

	Slot  []rtl.Out[uint64]  // of lane k, slot s, word w: [(k*slotsPerLane+s)*R + w]
	Count []rtl.Out[uint8]   // of lane k: segments written
	Taken []rtl.Async[uint8] // segments read: LaneSlot.Taken

	width, words, payload, groups, perGroup int

	q     packer
	group int
	count []uint8
	free  []bool // a lane: it has a slot
	frame []uint64
}

// Input is the stream of the user's beats.
func (f *TemporalFramer) Input() rtl.Consumer[BeatControl] {
	return rtl.Consumer[BeatControl]{Beat: &f.Control, Words: f.Data, Ready: &f.Ready}
}

// newTemporalFramer returns a framer whose lanes are split evenly into groups. Width is the bytes of a beat; words is
// the 64-bit words of a lane's frame.
func newTemporalFramer(width, lanes, groups, words int) (*TemporalFramer, error) {
	if err := checkWidth(width); err != nil {
		return nil, err
	}
	if groups < 1 || lanes%groups != 0 {
		return nil, fmt.Errorf("%d lanes in %d groups, want groups of equal size", lanes, groups)
	}
	payload := 8*words - 2
	flit := lanes / groups * payload
	return &TemporalFramer{
		width: width, words: words, payload: payload, groups: groups, perGroup: lanes / groups,
		Data: make([]rtl.In[uint64], (width+7)/8), Slot: make([]rtl.Out[uint64], lanes*slotsPerLane*words),
		Count: make([]rtl.Out[uint8], lanes), Taken: make([]rtl.Async[uint8], lanes),
		q: newPacker(width, flit, packerFlits), count: make([]uint8, lanes), free: make([]bool, lanes),
		frame: make([]uint64, words),
	}, nil
}

// plan returns the actions of this cycle: the input beat c and its n bytes, the size of the flit sent, whether the
// flit ends its packet, and whether the beat is taken and a flit sent.
func (f *TemporalFramer) plan() (c BeatControl, n, size int, last, taken, sent bool) {
	c = f.Control.Get()
	n = beatBytes(c, f.width)
	size, last, needs, absorbs := f.q.plan(n, c)
	sent = size > 0
	for _, free := range f.free[f.group*f.perGroup:][:f.perGroup] {
		sent = sent && free
	}
	empty := c.Valid && size == 0 // a packet without bytes needs no slot
	return c, n, size, last, absorbs || needs && (sent || empty), sent
}

// Comb says whether the beat is taken.
func (f *TemporalFramer) Comb() {
	_, _, _, _, taken, _ := f.plan()
	f.Ready.Set(taken)
}

// Tick writes a flit into its group's slots.
func (f *TemporalFramer) Tick() {
	c, n, size, last, taken, sent := f.plan()
	taken = taken && c.Valid
	if taken { // bytes of a beat leave only with the cycle that takes it
		room := f.q.room()
		for i := range f.Data {
			binary.LittleEndian.PutUint64(room[8*i:], f.Data[i].Get())
		}
	}
	if sent {
		for k := range f.perGroup {
			from, to := min(k*f.payload, size), min((k+1)*f.payload, size)
			if to == from {
				break
			}
			lane := (f.group+1)*f.perGroup - 1 - k // the highest lane of the group has the first segment
			Encode(f.frame, f.q.held()[from:to], last && to == size)
			slot := (lane*slotsPerLane + int(f.count[lane])%slotsPerLane) * f.words
			for i, w := range f.frame {
				f.Slot[slot+i].Set(w)
			}
			f.count[lane]++
			f.Count[lane].Set(f.count[lane])
		}
		f.group = (f.group + 1) % f.groups
	}
	if !taken {
		n, c.Last = 0, false
	}
	if !sent {
		size = 0
	}
	f.q.step(f.q.after(n, c.Last, size))
	for lane := range f.free {
		f.free[lane] = f.count[lane]-f.Taken[lane].Get() < slotsPerLane
	}
}

// laneSlot is the frame clock's side of a lane's slots. Latency 1 cycle, up to a frame cycle more for the edge.
type laneSlot struct {
	Slot  []rtl.Async[uint64]
	Count rtl.Async[uint8]
	Taken rtl.Out[uint8]

	Segment []rtl.Out[uint64]
	Valid   rtl.Out[bool]
	Ready   rtl.In[bool] // Transmitter.Ready

	taken uint8
}

// newLaneSlot returns the slots of a lane. Words is the 64-bit words of a frame.
func newLaneSlot(words int) *laneSlot {
	return &laneSlot{Slot: make([]rtl.Async[uint64], slotsPerLane*words), Segment: make([]rtl.Out[uint64], words)}
}

// Tick takes the next segment when the last one is gone.
func (s *laneSlot) Tick() {
	if s.Valid.Get() && !s.Ready.Get() {
		return
	}
	if s.Count.Get() == s.taken {
		s.Valid.Set(false)
		return
	}
	at := int(s.taken) % slotsPerLane * len(s.Segment)
	for i := range s.Segment {
		s.Segment[i].Set(s.Slot[at+i].Get())
	}
	s.taken++
	s.Taken.Set(s.taken)
	s.Valid.Set(true)
}
