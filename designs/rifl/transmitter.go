package rifl

import (
	"fmt"

	"github.com/goldwire/goldwire/rtl"
)

// Transmitter is the TX controller with its retransmission buffer (§5.B), on the frame clock: a frame leaves in every
// cycle, unscrambled and without its code. Latency 1 cycle from a segment at the input to its frame.
//
// Ready says in advance whether the segment at the input is taken at this edge; without one an invalid frame leaves.
// This is no stream of valid and ready ([rtl.ConnectStream]): a flit goes to all lanes of a group or waits, so Valid
// follows from every lane's Ready, in the same cycle.
type Transmitter struct {
	Segment []rtl.In[uint64] // an encoded data frame, see [encode]
	Valid   rtl.In[bool]
	Ready   rtl.Wire[bool] `comb:"Up,PauseRequest,Retransmit,Missing,RemotePaused,LocalFull,Compensate"`

	Up           []rtl.In[bool] // of every lane of the group
	PauseRequest rtl.In[bool]
	Retransmit   rtl.In[bool]
	Missing      rtl.In[bool] // our own receiver has an error
	RemotePaused rtl.In[bool]
	LocalFull    rtl.In[bool]
	Compensate   rtl.In[bool] // send no data in this cycle

	Frame []rtl.Out[uint64]
	ID    rtl.Out[TransmitID]
	State rtl.Out[TransmitState]

	profile Profile
	s       int
	ctl     controller
	buffer  []uint64 // R words an entry: SYN, meta and payload of the data frame with that ID
	control []uint64
}

// TransmitID is a frame ID.
type TransmitID struct {
	Value uint16 `bits:"12"`
}

// TransmitState is the state of the transmitter (Fig. 4) and the kind of frame that it sends in this cycle.
type TransmitState struct {
	Value uint8  `bits:"3"`
	Data  bool   // a data frame
	Again bool   // a retransmitted one
	Pass  uint16 `bits:"14"` // frames of a retransmission sent before this one
}

// newTransmitter returns a transmitter for frames of the given number of words, IDs of s bits and a group of the given
// number of lanes.
func newTransmitter(p Profile, words, s, group int) (*Transmitter, error) {
	if words < 2 || s < 5 || s > maxIDBits || group < 1 {
		return nil, fmt.Errorf(
			"transmitter of %d words a frame, %d bits of ID and a group of %d lanes, want at least 2, 5 to %d, and at least 1",
			words, s, group, maxIDBits,
		)
	}
	return &Transmitter{
		profile: p, s: s, Up: make([]rtl.In[bool], group), Segment: make([]rtl.In[uint64], words),
		Frame: make([]rtl.Out[uint64], words),
	}, nil
}

// Reset fills the buffer with invalid frames.
func (t *Transmitter) Reset() {
	words := len(t.Frame)
	t.ctl = newController(t.profile, t.s)
	t.control = make([]uint64, words)
	t.buffer = make([]uint64, words<<t.s)
	for i := range 1 << t.s {
		invalidFrame(t.buffer[i*words:(i+1)*words], FormatInvalid)
	}
	controlFrame(t.control, KeyPause)
	for i, w := range t.control {
		t.Frame[i].Set(w)
	}
	t.ID.Set(TransmitID{})
	t.State.Set(TransmitState{Value: uint8(Init)})
}

// up tells whether all lanes of the group are up.
func (t *Transmitter) up() bool {
	up := true
	for i := range t.Up {
		up = t.Up[i].Get() && up
	}
	return up
}

func (t *Transmitter) flags() txFlags {
	return txFlags{
		Up: t.up(), Pause: t.PauseRequest.Get(), Retrans: t.Retransmit.Get(), Error: t.Missing.Get(),
		RemotePaused: t.RemotePaused.Get(), LocalFull: t.LocalFull.Get(), Compensate: t.Compensate.Get(),
	}
}

// Comb says whether this cycle is the user's: see [controller.Accepts].
func (t *Transmitter) Comb() {
	t.Ready.Set(
		t.up() && !t.PauseRequest.Get() && !t.Retransmit.Get() && !t.Missing.Get() && !t.Compensate.Get() &&
			!t.RemotePaused.Get() &&
			t.ctl.open(t.LocalFull.Get()),
	)
}

// Tick sends a frame.
func (t *Transmitter) Tick() {
	if !t.Ready.Get() {
		t.own()
		return
	}
	id := t.ctl.user()
	frame := t.entry(id)
	if t.Valid.Get() {
		for i := range t.Segment {
			w := t.Segment[i].Get()
			frame[i] = w
			t.Frame[i].Set(w)
		}
	} else {
		invalidFrame(frame, FormatInvalid)
		for i, w := range frame {
			t.Frame[i].Set(w)
		}
	}
	t.ID.Set(TransmitID{id})
	t.State.Set(TransmitState{Value: uint8(Normal), Data: true})
}

// own sends a frame in a cycle that is not the user's.
func (t *Transmitter) own() {
	f := t.flags()
	pass := uint16(t.ctl.pass)
	e := t.ctl.Step(&f)
	frame := t.entry(e.ID)
	switch {
	case !e.Data:
		frame = t.control
		controlFrame(frame, e.Key)
	case e.Source != FromBuffer:
		invalidFrame(frame, e.Format)
	}
	for i, w := range frame {
		t.Frame[i].Set(w)
	}
	t.ID.Set(TransmitID{e.ID})
	t.State.Set(TransmitState{uint8(e.State), e.Data, e.Source == FromBuffer, pass})
}

// entry is where the buffer has the data frame with an ID, which stays there until the ID comes again.
func (t *Transmitter) entry(id uint16) []uint64 {
	words := len(t.Frame)
	from := int(id) * words
	return t.buffer[from : from+words]
}
