package rifl

// State is the state of the transmitter (Fig. 4).
type State uint8

// The states, by priority.
const (
	Init State = iota
	SendPause
	Pause
	Retrans
	SendRetrans
	Normal
	NumStates
)

func (s State) String() string {
	return [...]string{"INIT", "SEND_PAUSE", "PAUSE", "RETRANS", "SEND_RETRANS", "NORMAL"}[s]
}

// txFlags are what a transmitter decides by, each frame cycle anew.
type txFlags struct {
	Up           bool // the receivers of all lanes of our group are up
	Pause        bool // pause requests are coming in
	Retrans      bool // re-transmit requests are coming in
	Error        bool // our receiver misses a frame
	RemotePaused bool // the far end's flow-control buffer is filling
	LocalFull    bool // ours is
	Compensate   bool // the clock compensation wants a frame without data
	Offer        bool // the user has something
}

// Source says where the payload of a data frame comes from.
type Source uint8

// The sources.
const (
	FromNothing Source = iota // an invalid frame, or a control frame
	FromUser
	FromBuffer // a retransmission: the entry of the same ID
	FromFlow   // a flow-control notification
)

// Emission is the frame of a cycle. A data frame takes its ID; a control frame carries the ID of the next data frame.
type Emission struct {
	State  State
	Data   bool
	Key    uint16 // of a control frame
	Source Source
	Format uint8 // of an invalid frame or a notification
	ID     uint16
}

// controller is the state machine of the transmitter (§4.A, §4.C), without the data: it names each frame by its ID,
// and the retransmission buffer has one entry per ID.
//
// A user may send after 2^S frames of NORMAL. The core counts the idles after an error of its own among them, which
// take no ID: if an error hits the first frames after the start, a user's frame can have one of the IDs 0 to 15, which
// no receiver delivers. The other profiles count frames that take an ID.
type controller struct {
	rules rules
	mask  uint16
	tail  int

	state  State
	id     uint16
	init   int // frames of INIT still to send
	start  int // frames of NORMAL until the user may send
	pass   int // frames of a retransmission sent; 0 if none is under way
	resume int // idles still to send after an error of our own
	full   bool
	sent   int // data frames so far, up to the number of IDs
}

// newController returns a controller for IDs of s bits, in its initial state.
func newController(p Profile, s int) controller {
	ids := 1 << s
	r := p.rules()
	return controller{rules: r, mask: uint16(ids - 1), tail: r.tail(ids), init: ids, start: ids}
}

// next returns the state of this cycle: the highest priority wins.
func (c *controller) next(f *txFlags) State {
	switch {
	case c.init > 0:
		return Init
	case !f.Up:
		return SendPause
	case f.Pause:
		return Pause
	case f.Retrans || c.pass > 0:
		return Retrans
	case f.Error:
		return SendRetrans
	}
	return Normal
}

// duty is what NORMAL sends.
type duty uint8

const (
	dutyIdle duty = iota
	dutyFlow
	dutyInvalid
	dutyUser
)

// normal returns what a NORMAL cycle is for.
func (c *controller) normal(f *txFlags) duty {
	switch {
	case f.Compensate:
		return dutyIdle
	case f.LocalFull != c.full:
		return dutyFlow
	case c.resume > 0:
		return dutyIdle
	case f.RemotePaused && c.rules.pausedIdle:
		return dutyIdle
	case f.RemotePaused || c.start > 0:
		return dutyInvalid
	}
	return dutyUser
}

// Accepts tells whether the user's beat is taken in this cycle, if there is one: whether the cycle is one of NORMAL,
// and that for the user.
func (c *controller) Accepts(f *txFlags) bool {
	return f.Up && !f.Pause && !f.Retrans && !f.Error && !f.Compensate && !f.RemotePaused && c.open(f.LocalFull)
}

// open tells whether a cycle of which the flags say nothing but that the link is up, and whether our buffer is full,
// is the user's.
func (c *controller) open(localFull bool) bool {
	return c.init|c.start|c.pass|c.resume == 0 && localFull == c.full
}

// streams tells whether a cycle of which the flags say nothing but that the link is up, and whether our buffer is
// full, is the user's and like the one before: Step does nothing but take the next ID.
func (c *controller) streams(localFull bool) bool {
	return c.state == Normal && c.open(localFull)
}

// stream is Step in such a cycle, with a frame of the user. It returns the frame's ID.
func (c *controller) stream() uint16 {
	id := c.id
	c.id = (id + 1) & c.mask
	return id
}

// user is Step in a cycle of which Accepts says that it is the user's. It returns the ID of the data frame.
func (c *controller) user() (id uint16) {
	c.state, id = Normal, c.id
	c.id = (id + 1) & c.mask
	if c.sent <= int(c.mask) {
		c.sent++
	}
	return id
}

// Step is a frame cycle.
func (c *controller) Step(f *txFlags) Emission {
	c.state = c.next(f)
	e := Emission{State: c.state, Key: KeyIdle, ID: c.id}
	switch c.state {
	case Init:
		e.Key = KeyPause
		c.init--
	case SendPause:
		e.Key = KeyPause
	case Retrans:
		c.retransmit(f, &e)
	case SendRetrans:
		e.Key = KeyRetrans
	case Normal:
		switch c.normal(f) {
		case dutyFlow:
			e.Data, e.Source, e.Format = true, FromFlow, FormatResume
			if f.LocalFull {
				e.Format = FormatPause
			}
			c.full = f.LocalFull
		case dutyInvalid:
			e.Data = true
		case dutyUser:
			e.Data = true
			if f.Offer {
				e.Source = FromUser
			}
		}
		if !f.Compensate && !f.RemotePaused && e.Source != FromFlow && (e.Data || c.rules.startIdles) {
			c.start = max(c.start-1, 0)
		}
		c.resume = max(c.resume-1, 0)
	}
	if f.Error && c.rules.resume { // in any state; it counts in NORMAL only
		c.resume = int(c.mask) + 1
	}
	if e.Data {
		c.id = (c.id + 1) & c.mask
		if c.state != Retrans && c.sent <= int(c.mask) {
			c.sent++
		}
	}
	return e
}

// retransmit is a cycle of a pass: retransmitted frames, oldest first, alternate with control frames; a tail of control
// frames gives the far end time to take its request back (§4.C).
func (c *controller) retransmit(f *txFlags, e *Emission) {
	ids := int(c.mask) + 1
	if c.pass < 2*ids && c.pass%2 == 0 {
		if c.pass/2 < c.rules.skip && c.sent == ids {
			// Skip the oldest IDs, so that the first retransmitted frame is not the successor of the last one sent. Not before
			// 2^S frames were sent: the receiver may be waiting for exactly that one.
			c.id = (c.id + 1) & c.mask
		} else {
			e.Data, e.Source = true, FromBuffer
		}
	}
	if !e.Data && f.Error {
		e.Key = KeyRetrans
	}
	if c.pass++; c.pass == 2*ids+c.tail {
		c.pass = 0
	}
}
