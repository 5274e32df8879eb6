package rifl

import "github.com/goldwire/goldwire/rtl"

// Receiver is the rest of the RX domain (Fig. 6): verification code validator, descrambler, control event monitor and flow
// control monitor, side by side. Words of data frames go on to the clock crossing as they come; the last one says whether
// the frame counts. Latency 1 cycle.
type Receiver struct {
	In      rtl.In[Word]
	Aligned rtl.In[bool]
	Ready   rtl.In[bool] // of the clock crossing

	Out  rtl.Out[RxWord]
	Push rtl.Out[bool]

	Up           rtl.Out[bool]
	PauseRequest rtl.Out[bool]
	Retransmit   rtl.Out[bool]
	Missing      rtl.Out[bool] // the verifier's error
	RemotePaused rtl.Out[bool]
	Overflow     rtl.Out[uint32] // words for which the clock crossing had no room: the frame is lost

	s       int
	ver     Verifier
	alive   Liveness
	pause   Monitor
	retr    Monitor
	crc     uint16
	state   uint64 `bits:"33"`
	data    bool   // this is a data frame
	key     uint16
	meta    uint8
	paused  bool
	dropped uint32
}

// NewReceiver returns a receiver for IDs of s bits.
func NewReceiver(s int) *Receiver { return &Receiver{s: s} }

// Reset starts with the link down.
func (r *Receiver) Reset() {
	r.ver, r.alive = NewVerifier(r.s), Liveness{}
	r.pause, r.retr = Monitor{Key: KeyPause}, Monitor{Key: KeyRetrans}
	r.crc, r.state, r.data, r.key, r.meta, r.paused, r.dropped = 0, 0, false, 0, 0, false, 0
	r.Out.Set(RxWord{})
	r.Push.Set(false)
	r.Up.Set(false)
	r.PauseRequest.Set(false)
	r.Retransmit.Set(false)
	r.Missing.Set(false)
	r.RemotePaused.Set(false)
	r.Overflow.Set(0)
}

// Tick takes a word.
func (r *Receiver) Tick() {
	if r.Push.Get() && !r.Ready.Get() {
		r.dropped++
		r.Overflow.Set(r.dropped)
	}
	w := r.In.Get()
	if !w.Valid {
		r.Push.Set(false)
		return
	}
	checked, code := w.Data, uint16(0)
	if w.Last {
		checked, code = w.Data&^codeMask, uint16(w.Data&codeMask)
	}
	crc := uint64(r.crc)
	if w.First {
		crc = 0
	}
	r.crc = uint16(crc12.UpdateBits(crc, checked, 64))
	plain, state := descrambleWord(w.Data, place(w.First, w.Last), 3, r.state)
	r.state = state
	if w.First {
		syn := plain >> synShift
		r.data, r.key, r.meta = syn == SynData, uint16(plain>>keyShift), uint8(plain>>metaShift)&3
		if syn != SynData && syn != SynControl {
			r.key = 0 // no key at all
		}
	}
	deliver := false
	if w.Last {
		deliver = r.finish(r.crc^code, uint8(plain>>codeBits))
	}
	r.Out.Set(RxWord{plain, w.First, w.Last, deliver})
	r.Push.Set(r.data && r.alive.Up)
	r.Up.Set(r.alive.Up)
	r.PauseRequest.Set(r.pause.Flag)
	r.Retransmit.Set(r.retr.Flag)
	r.Missing.Set(r.ver.Error)
	r.RemotePaused.Set(r.paused)
}

// finish judges a frame.
func (r *Receiver) finish(residue uint16, format uint8) (deliver bool) {
	aligned := r.Aligned.Get()
	r.alive.Frame(aligned)
	switch {
	case !r.alive.Up || !aligned:
		r.pause.Clear()
		r.retr.Clear()
	case r.data:
		r.pause.Data()
		r.retr.Data()
	case r.key != 0:
		r.pause.Control(r.key)
		r.retr.Control(r.key)
	}
	if !r.alive.Up || !r.ver.Verify(residue, r.data) {
		return false
	}
	if r.meta == MetaNone {
		switch format {
		case FormatPause:
			r.paused = true
		case FormatResume:
			r.paused = false
		}
		return false
	}
	return true
}
