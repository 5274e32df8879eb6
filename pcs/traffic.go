package pcs

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/goldwire/goldwire/rtl"
)

// FrameSource sends frames, without FCS, back to back as beats. It is the application above a Framer.
type FrameSource struct {
	Ready rtl.In[bool]
	Out   rtl.Out[Beat]

	Frames [][]byte // none empty; a testbench may append between runs
	Repeat int      // how often the frames are sent; 0 for once. More than once, nothing may be appended

	frame, at int // the next beat: its frame and offset
}

// Total returns how many frames there are to send.
func (s *FrameSource) Total() int { return len(s.Frames) * max(1, s.Repeat) }

// FrameAt returns the i-th frame sent; the source repeats its frames in turn.
func (s *FrameSource) FrameAt(i int) []byte { return s.Frames[i%len(s.Frames)] }

// Output is the stream of frames.
func (s *FrameSource) Output() rtl.Producer[Beat] {
	return rtl.Producer[Beat]{Beat: &s.Out, Ready: &s.Ready}
}

// Sent returns how many frames have been offered to their end.
func (s *FrameSource) Sent() int { return s.frame }

// Done tells whether the last beat of the last frame was offered.
func (s *FrameSource) Done() bool { return s.frame == s.Total() }

// Reset has nothing to offer yet.
func (s *FrameSource) Reset() {
	s.frame, s.at = 0, 0
	s.Out.Set(Beat{})
}

// Tick offers the next beat when the last one was taken.
func (s *FrameSource) Tick() {
	if s.Out.Get().Valid && !s.Ready.Get() {
		return
	}
	s.Out.Set(s.next())
}

// next cuts the next beat from the frames; it is not valid once they have ended.
func (s *FrameSource) next() Beat {
	if s.Done() {
		return Beat{}
	}
	f := s.FrameAt(s.frame)
	b := Beat{Valid: true}
	if rest := f[s.at:]; len(rest) > 8 {
		b.Data, b.Keep = binary.LittleEndian.Uint64(rest), 0xff
		s.at += 8
	} else {
		for i, c := range rest {
			b.Data |= uint64(c) << (8 * i)
		}
		b.Keep, b.Last = keepMask(len(rest)), true
		s.frame, s.at = s.frame+1, 0
	}
	return b
}

// Frame is a frame that a FrameSink received.
type Frame struct {
	Bytes []byte
	Fault FrameFault
	Cycle uint64 // the sink's edges when the last beat came
}

// FrameSink collects the frames of a Deframer.
type FrameSink struct {
	In rtl.In[Beat]

	frames []Frame
	bytes  []byte
	cycle  uint64
}

// Tick takes a beat.
func (s *FrameSink) Tick() {
	s.cycle++
	b := s.In.Get()
	if !b.Valid {
		return
	}
	var word [8]byte
	binary.LittleEndian.PutUint64(word[:], b.Data)
	s.bytes = append(s.bytes, word[:bits.OnesCount8(b.Keep)]...)
	if b.Last {
		s.frames = append(s.frames, Frame{s.bytes, b.Fault, s.cycle})
		s.bytes = nil
	}
}

// Frames returns the frames received so far, without the ones dropped by Forget.
func (s *FrameSink) Frames() []Frame { return s.frames }

// Forget drops the first n frames received.
func (s *FrameSink) Forget(n int) { s.frames = slices.Delete(s.frames, 0, n) }
