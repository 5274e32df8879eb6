package spfc

import (
	"encoding/binary"
	"fmt"

	"github.com/goldwire/goldwire/rtl"
)

// frameWords is a PFC frame as words of the MAC's bus: it fills one of 512 bits.
const frameWords = PFCFrameBytes / 8

// PFCTiming is how a sender pauses.
type PFCTiming struct {
	Quanta  uint16 // 0 is taken for 1
	Refresh uint16 // quanta after which a PAUSE that stands is sent again; 0: never
}

// Decisions are a buffer manager's, a bit a priority. A priority resumed in the cycle in which it is paused is not
// paused.
type Decisions struct {
	Pause, Resume uint8
}

// PFCSender makes the PFC frames of a port (802.1Qbb, 802.3 Annex 31D), clocked per quantum of 512 bit times, that is
// per cell slot. Latency 1 cycle, while the line is ready. A frame carries every priority that changed since the last
// frame or is paused.
//
// Byte 0 of the frame, the first on the line, is bits 7:0 of word 0.
type PFCSender struct {
	Decisions rtl.In[Decisions]
	Timing    rtl.In[PFCTiming]
	Source    rtl.In[uint64] // bits 47:0: the port's address, its first byte in bits 47:40
	Ready     rtl.In[bool]   // no packet is on the line
	Word      [frameWords]rtl.Out[uint64]
	Valid     rtl.Out[bool]

	absent   uint8  // priorities that are not looked at
	standing uint8  `bits:"8"`  // paused
	untold   uint8  `bits:"8"`  // changed since the last frame
	refresh  uint16 `bits:"16"` // quanta until it is sent again
	bytes    [PFCFrameBytes]byte
}

// NewPFCSender returns a sender for the lowest 1 to 8 priorities: decisions on others are not looked at. The zero
// value has all.
func NewPFCSender(priorities int) (*PFCSender, error) {
	if priorities < 1 || priorities > Priorities {
		return nil, fmt.Errorf("PFC sender of %d priorities, want 1 to %d", priorities, Priorities)
	}
	return &PFCSender{absent: 0xff << priorities & 0xff}, nil
}

// Reset pauses nothing.
func (s *PFCSender) Reset() {
	s.standing, s.untold, s.refresh = 0, 0, 0
	for i := range s.Word {
		s.Word[i].Set(0)
	}
	s.Valid.Set(false)
}

// Tick sends a frame if there is something to tell.
func (s *PFCSender) Tick() {
	d := s.Decisions.Get()
	tellLater(&s.standing, &s.untold, Decisions{Pause: d.Pause &^ s.absent, Resume: d.Resume &^ s.absent})
	refreshLater(s.standing, &s.untold, &s.refresh)
	send := s.untold != 0 && s.Ready.Get()
	s.Valid.Set(send)
	if !send {
		for i := range s.Word {
			s.Word[i].Set(0)
		}
		return
	}
	f := tellNow(s.standing, &s.untold, &s.refresh, s.Timing.Get())
	var source [8]byte
	binary.BigEndian.PutUint64(source[:], s.Source.Get())
	b := f.AppendBytes(s.bytes[:0], [6]byte(source[2:]))
	for i := range s.Word {
		s.Word[i].Set(binary.LittleEndian.Uint64(b[8*i:]))
	}
}

// tellLater takes decisions in.
func tellLater(standing, untold *uint8, d Decisions) {
	*standing = (*standing | d.Pause) &^ d.Resume
	*untold |= d.Pause | d.Resume
}

// refreshLater counts one quantum of the time after which standing PAUSEs are sent again.
func refreshLater(standing uint8, untold *uint8, refresh *uint16) {
	if *refresh > 0 {
		if *refresh--; *refresh == 0 {
			*untold |= standing
		}
	}
}

// tellNow returns the frame with every priority that changed or is paused.
func tellNow(standing uint8, untold *uint8, refresh *uint16, t PFCTiming) PFCFrame {
	f := pfcFrame(*untold|standing, standing, t.Quanta)
	*untold, *refresh = 0, 0
	if standing != 0 {
		*refresh = t.Refresh
	}
	return f
}
