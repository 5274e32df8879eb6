package rifl

// Monitor believes in a request when it has come often enough (§4.B), without looking at codes. It is one key's.
type Monitor struct {
	Key  uint16
	Flag bool

	count uint8 // control frames in a row with the key
	quiet uint8 // idle or data frames in a row
}

const (
	requestsToBelieve = 8
	quietToForget     = 16
)

// Control takes a control frame.
func (m *Monitor) Control(key uint16) {
	if key == m.Key {
		m.quiet = 0
		if m.count < requestsToBelieve {
			m.count++
		}
		m.Flag = m.count == requestsToBelieve
		return
	}
	m.Flag, m.count = false, 0
	if key == KeyIdle {
		m.rest()
	} else {
		m.quiet = 0
	}
}

// Data takes a data frame.
func (m *Monitor) Data() {
	if m.quiet == quietToForget {
		m.Flag, m.count = false, 0
	}
	m.rest()
}

func (m *Monitor) rest() {
	if m.quiet < quietToForget {
		m.quiet++
	}
}

// atRest tells whether a data frame changes nothing.
func (m *Monitor) atRest() bool { return !m.Flag && m.count == 0 && m.quiet == quietToForget }

// Clear forgets everything: frames are not where they should be, and nothing is heard. If a request outlived the loss of
// alignment, a cable that is pulled just as the request is taken back would leave it standing, another pass would follow, and
// its stale frames would be taken for new ones. Neither the paper nor what is known of the core says; this is the choice that
// loses nothing.
func (m *Monitor) Clear() { m.Flag, m.count, m.quiet = false, 0, 0 }
