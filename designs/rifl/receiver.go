package rifl

import "github.com/goldwire/goldwire/rtl"

// Receiver is the rest of the RX domain (Fig. 6): verification code validator, descrambler and control event monitor,
// side by side. The words of data frames go on to the clock crossing as they come; the last one says whether the frame
// is the expected one. Latency 1 cycle, for the monitors' flags one more.
//
// While the link is not up nothing is verified; a frame counts if the link was up at its first word. The monitors hear
// everything while the receiver is aligned.
type Receiver struct {
	In      rtl.In[LineWord]
	Aligned rtl.In[bool]
	Up      rtl.In[bool]
	Ready   rtl.In[bool] // of the clock crossing

	Out  rtl.Out[RxWord]
	Push rtl.Out[bool] // the word is of a data frame

	PauseRequest rtl.Out[bool]
	Retransmit   rtl.Out[bool]
	Missing      rtl.Out[bool] // the verifier's error
	FrameID      rtl.Out[uint16]
	Threshold    rtl.Out[uint16]
	Overflow     rtl.Out[uint32] // words for which the clock crossing had no room: the frame is lost

	words   int
	s       int
	at      int // of the word to come in its frame
	ver     verifier
	heard   monitor
	crc     uint16
	state   uint64 `bits:"33"`
	judged  bool   // the link was up at the frame's first word
	data    bool   // this is a data frame
	dropped uint32
}

// newReceiver returns a receiver for frames of the given number of words and IDs of s bits.
func newReceiver(words, s int) *Receiver { return &Receiver{words: words, s: s} }

// Reset starts with the link down.
func (r *Receiver) Reset() {
	r.at, r.ver, r.heard = 0, NewVerifier(r.s), monitor{}
	r.crc, r.state, r.judged, r.data, r.dropped = 0, 0, false, false, 0
	r.Out.Set(RxWord{})
	r.Push.Set(false)
	r.PauseRequest.Set(false)
	r.Retransmit.Set(false)
	r.Missing.Set(false)
	r.FrameID.Set(r.ver.FrameID)
	r.Threshold.Set(r.ver.Threshold)
	r.Overflow.Set(0)
}

// Tick takes a word.
func (r *Receiver) Tick() {
	if r.Push.Get() && !r.Ready.Get() {
		r.dropped++
		r.Overflow.Set(r.dropped)
	}
	if r.Out.Get().First || !r.Aligned.Get() {
		r.listen(r.Out.Get())
	}
	w := r.In.Get()
	if w.First {
		r.at, r.crc = 0, 0
		r.judged = r.Up.Get()
		r.data = w.Data>>synShift == SynData
		r.Push.Set(r.data && r.judged)
	}
	at := WordPlace{r.at == 0, r.at == r.words-1}
	plain, state := descrambleWord(w.Data, at, r.state)
	r.state = state
	covered := w.Data
	if at.Last {
		covered &^= codeMask
	}
	crc := crcWord(after(r.crc, covered))
	if !at.Last {
		r.at, r.crc = r.at+1, crc
		r.Out.Set(RxWord{plain, w.First, false, false})
		return
	}
	good := false
	if r.judged {
		good = r.ver.Verify(crc^uint16(w.Data&codeMask), r.data)
		r.Missing.Set(r.ver.Error)
		r.FrameID.Set(r.ver.FrameID)
		r.Threshold.Set(r.ver.Threshold)
	}
	r.at, r.crc = 0, 0 // a frame during which the aligner slides into another word has one word more
	r.Out.Set(RxWord{plain &^ codeMask, w.First, true, good})
}

// listen is the control event monitor: it looks at the first word of a frame as it leaves the descrambler.
func (r *Receiver) listen(w RxWord) {
	if r.Aligned.Get() {
		r.heard.frame(uint8(w.Data>>synShift), uint16(w.Data>>keyShift))
	} else {
		r.heard = monitor{}
	}
	r.PauseRequest.Set(r.heard.pauses())
	r.Retransmit.Set(r.heard.retransmits())
}
