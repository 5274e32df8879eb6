package rifl

// monitor hears the requests of the far end (§4.B). It sees the first word of each frame as it leaves the descrambler,
// so it does not wait for the code: "to prevent a frame that carries errors from being recognized as a control frame",
// a request counts when it has come eight times with no other control frame between. Data frames may stand between.
//
// The paper says when a request rises. That it falls with another control frame, or with a data frame once 16 frames
// in a row were idle or data, is the published core's.
type monitor struct {
	pause, retrans uint8 // control frames with the key, up to 8
	regular        uint8 // idle or data frames in a row, up to 16
}

const (
	requestsToBelieve = 8
	quietToForget     = 16
)

// frame takes a frame by its SYN and the 16 bits in a key's place. These are compared whatever the SYN is. Go's
// compiler just inlines it in this form.
func (m *monitor) frame(syn uint8, key uint16) {
	switch {
	case syn == synControl:
		m.pause = tally(m.pause, key == KeyPause)
		m.retrans = tally(m.retrans, key == KeyRetrans)
	case m.regular == quietToForget:
		m.pause, m.retrans = 0, 0
	}
	switch {
	case key != KeyIdle && syn != SynData:
		m.regular = 0
	case m.regular < quietToForget:
		m.regular++
	}
}

// tally counts the same, and forgets with the first other.
func tally(n uint8, same bool) uint8 {
	if same {
		return min(n+1, requestsToBelieve)
	}
	return 0
}

// pauses tells whether pause requests are coming in, retransmits whether re-transmit requests are.
func (m *monitor) pauses() bool      { return m.pause == requestsToBelieve }
func (m *monitor) retransmits() bool { return m.retrans == requestsToBelieve }

// atRest tells whether a data frame changes nothing.
func (m *monitor) atRest() bool { return *m == monitor{regular: quietToForget} }
