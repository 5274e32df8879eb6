package rifl

// alignment judges the SYN of each frame and decides whether frames begin where the receiver thinks (§5.B). It sees
// only whether a SYN was legal.
//
// Windows tumble: after every 17 looks, and whenever enough illegal SYNs have been counted, both counts start anew,
// and that look itself is not counted. So a decision is one look later than the SYN that brought it about.
type alignment struct {
	aligned bool

	loses   uint8 // illegal SYNs that lose alignment
	window  uint8 // looks of this window so far
	legal   uint8
	illegal uint8
}

const (
	alignWindow = 17
	alignLegal  = 16
)

// newAlignment returns one that is searching.
func newAlignment(p Profile) alignment { return alignment{loses: p.rules().illegal} }

// look takes the SYN of a frame and tells whether to slide by one bit.
func (a *alignment) look(legal bool) (slide bool) {
	slide = a.illegal >= a.loses
	switch {
	case slide:
		a.aligned = false
	case a.legal >= alignLegal:
		a.aligned = true
	}
	a.window++
	switch end := a.window == alignWindow; {
	case end || slide:
		a.legal, a.illegal = 0, 0
		if end {
			a.window = 0
		}
	case legal:
		a.legal++
	default:
		a.illegal++
	}
	return slide
}

// liveness says whether a link is up: a counter that rises by one in every transceiver cycle while the receiver is
// aligned, up to 2^bit, and falls by one in every other. Its top bit is the answer, one register later. So a link
// takes 2^bit cycles to come up and one unaligned cycle to go down.
type liveness struct {
	up bool

	level, full uint32
}

// newLiveness returns a counter at 0.
func newLiveness(bit int) liveness { return liveness{full: 1 << bit} }

// cycle is a transceiver cycle.
func (l *liveness) cycle(aligned bool) {
	l.up = l.level == l.full
	switch {
	case aligned:
		if !l.up {
			l.level++
		}
	case l.level > 0:
		l.level--
	}
}

// steady tells whether cycles while aligned change nothing.
func (l *liveness) steady() bool { return l.up && l.level == l.full }

// steady tells whether legal SYNs change nothing but the place in the window.
func (a *alignment) steady() bool { return a.aligned && a.illegal == 0 && a.legal == a.window }

// skip is n legal SYNs of a steady alignment.
func (a *alignment) skip(n uint64) {
	a.window = uint8((uint64(a.window) + n) % alignWindow)
	a.legal = a.window
}
