package spfc

import (
	"encoding/binary"
	"fmt"

	"github.com/goldwire/goldwire/rtl"
)

// FrameBeat is a beat of a MAC's bus of 64 bytes, without its data.
type FrameBeat struct {
	Valid bool
	First bool
	Last  bool
	Bytes uint8 `bits:"7"` // of the frame in this beat, FCS included
}

// PFCReceiver finds PFC frames among the frames that a MAC receives and times the pauses of 8 priorities (802.3 Annex
// 31D), clocked per quantum of 512 bit times, that is per beat. Latency 1 cycle: a priority is closed for as many
// cycles as its quanta, the one after the frame first. A caller adds a reaction time by delaying the beats.
type PFCReceiver struct {
	Beat  rtl.In[FrameBeat]
	Word  [frameWords]rtl.In[uint64]
	Open  rtl.Out[uint8] // bit n: priority n may start a packet
	Got   rtl.Out[bool]  // a PFC frame came
	Wrong rtl.Out[bool]  // a frame of 64 bytes came with a wrong FCS

	absent uint8              // priorities without a timer
	timers [Priorities]uint16 `bits:"16"`
	bytes  [PFCFrameBytes]byte
}

// NewPFCReceiver returns a receiver for the lowest 1 to 8 priorities: others have no timer and are always open. The
// zero value has all.
func NewPFCReceiver(priorities int) (*PFCReceiver, error) {
	if priorities < 1 || priorities > Priorities {
		return nil, fmt.Errorf("PFC receiver of %d priorities, want 1 to %d", priorities, Priorities)
	}
	return &PFCReceiver{absent: 0xff << priorities & 0xff}, nil
}

// Reset opens all.
func (r *PFCReceiver) Reset() {
	r.timers = [Priorities]uint16{}
	r.Open.Set(0xff)
	r.Got.Set(false)
	r.Wrong.Set(false)
}

// Tick is one quantum.
func (r *PFCReceiver) Tick() {
	b := r.Beat.Get()
	var f PFCFrame
	got, wrong := false, false
	if b.Valid && b.First && b.Last && b.Bytes == PFCFrameBytes {
		for i := range r.Word {
			binary.LittleEndian.PutUint64(r.bytes[8*i:], r.Word[i].Get())
		}
		verdict := f.read(&r.bytes)
		got, wrong = verdict == pfcGood, verdict == pfcWrongFCS
	}
	if !got {
		f.Enable = 0
	}
	f.Enable &^= r.absent
	r.Open.Set(countQuanta(&r.timers, &f))
	r.Got.Set(got)
	r.Wrong.Set(wrong)
}

// countQuanta is one quantum of a transmitter's timers: timers of the classes that a frame enables are loaded, the
// others count down. It returns the open priorities.
func countQuanta(timers *[Priorities]uint16, f *PFCFrame) (open uint8) {
	for prio := range timers {
		t := &timers[prio]
		switch {
		case f.Enable>>prio&1 != 0:
			*t = f.Quanta[prio]
		case *t > 0:
			*t--
		}
		if *t == 0 {
			open |= 1 << prio
		}
	}
	return open
}
