package rifl

// Alignment looks at the SYN of each frame and decides whether frames begin where the receiver thinks (§5.B). It sees only
// whether the SYN was legal.
type Alignment struct {
	Aligned bool

	illegal int    // in a window that lose alignment
	legal   uint8  // in a row while searching
	window  uint32 // the last 17 SYNs, illegal ones as 1
}

const (
	alignWindow = 17
	alignLegal  = 16
)

// NewAlignment returns one that is searching.
func NewAlignment(p Profile) Alignment { return Alignment{illegal: p.rules().illegal} }

// Frame takes the SYN of a frame and tells whether to slide by one bit.
func (a *Alignment) Frame(legal bool) (slide bool) {
	if !a.Aligned {
		if !legal {
			a.legal = 0
			return true
		}
		if a.legal++; a.legal == alignLegal {
			a.Aligned, a.legal, a.window = true, 0, 0
		}
		return false
	}
	a.window = a.window << 1 & (1<<alignWindow - 1)
	if legal {
		return false
	}
	a.window |= 1
	if ones(a.window) >= a.illegal {
		a.Aligned = false
		return true
	}
	return false
}

func ones(w uint32) (n int) {
	for ; w != 0; w &= w - 1 {
		n++
	}
	return n
}

// Liveness says whether the link is up: a counter that rises with each aligned frame and leaks with each other one, so that a
// short search does not take the link down.
type Liveness struct {
	Up bool

	level uint8
}

const livenessFull = 15

// Frame takes whether the receiver was aligned.
func (l *Liveness) Frame(aligned bool) {
	switch {
	case aligned && l.level < livenessFull:
		l.level++
	case !aligned && l.level > 0:
		l.level--
	}
	switch l.level {
	case livenessFull:
		l.Up = true
	case 0:
		l.Up = false
	}
}
