package cosim

import (
	"fmt"
	"regexp"
	"strconv"
)

// shape is how the bits of a port are named. It is one of three: a vector (or a single bit), an array of shapes, a
// struct or union. The first element, or the left of a range, is most significant, in unpacked arrays too.
type shape struct {
	left, right int      // the range of a vector or an array
	of          *shape   // the element of an array
	members     []member // of a struct or union
	union       bool
	unpacked    bool // of an array
}

// member is a field of a packed struct.
type member struct {
	name  string
	shape *shape
}

func (s *shape) count() int { return max(s.left, s.right) - min(s.left, s.right) + 1 }

func (s *shape) width() int {
	switch {
	case s.of != nil:
		return s.count() * s.of.width()
	case s.members == nil:
		return s.count()
	}
	total := 0
	for _, m := range s.members {
		if s.union {
			total = max(total, m.shape.width())
		} else {
			total += m.shape.width()
		}
	}
	return total
}

// plain is a struct seen as a vector; all other shapes stay.
func (s *shape) plain() *shape {
	if s.members == nil {
		return s
	}
	return &shape{left: s.width() - 1}
}

// step is how far apart elements are: 1 in a vector.
func (s *shape) step() int {
	if s.of != nil {
		return s.of.width()
	}
	return 1
}

// place is where the element of an index begins, counted from the least significant bit.
func (s *shape) place(index int) (int, bool) {
	if index < min(s.left, s.right) || index > max(s.left, s.right) {
		return 0, false
	}
	if s.left >= s.right {
		return (index - s.right) * s.step(), true
	}
	return (s.right - index) * s.step(), true
}

// index is the inverse of place.
func (s *shape) index(place int) int {
	if s.left >= s.right {
		return s.right + place/s.step()
	}
	return s.right - place/s.step()
}

// member returns a field and where it begins.
func (s *shape) member(name string) (*shape, int, bool) {
	place := s.width()
	for _, m := range s.members {
		if s.union {
			place = m.shape.width()
		}
		place -= m.shape.width()
		if m.name == name {
			return m.shape, place, true
		}
	}
	return nil, 0, false
}

// dimensions are the ranges of an unpacked array, as they are declared, and its element.
func (s *shape) dimensions() (string, *shape) {
	text := ""
	for s.unpacked {
		text += fmt.Sprintf("[%d:%d]", s.left, s.right)
		s = s.of
	}
	return text, s
}

// element is an element of an unpacked array that is packed itself, or the whole of another port.
type element struct {
	text  string // its selectors
	place int
	width int
}

// elements are the packed parts, the most significant first.
func (s *shape) elements() []element {
	if !s.unpacked {
		return []element{{"", 0, s.width()}}
	}
	var list []element
	for k := s.count() - 1; k >= 0; k-- {
		for _, e := range s.of.elements() {
			list = append(list, element{fmt.Sprintf("[%d]%s", s.index(k*s.step()), e.text), k*s.step() + e.place, e.width})
		}
	}
	return list
}

var selector = regexp.MustCompile(`^\s*(?:\.\s*([A-Za-z_][A-Za-z0-9_$]*)|\[\s*(-?\d{1,9})\s*(?::\s*(-?\d{1,9})\s*)?\])`)

// mostBits is what a field has at most.
const mostBits = 64

// choose returns the places of the bits that selectors name, the most significant first: ".header", "[3]", "[7:0]",
// "[1].data". A range that runs against its own direction is in reverse order.
func (p Port) choose(selectors string) ([]int, error) {
	s, base, bare := p.shape, 0, false
	var first, last int
	ranged := false
	for rest := selectors; rest != ""; {
		m := selector.FindStringSubmatch(rest)
		rest = rest[len(m[0]):] // the form is checked
		if bare || ranged {
			return nil, fmt.Errorf("nothing can be chosen from a range or a bit of %s", p.Name)
		}
		if m[1] != "" {
			of, place, ok := s.member(m[1])
			if !ok {
				return nil, p.without(m[1])
			}
			s, base = of, base+place
			continue
		}
		s = s.plain()
		first, _ = strconv.Atoi(m[2])
		last = first
		if ranged = m[3] != ""; ranged {
			last, _ = strconv.Atoi(m[3])
		}
		for _, i := range []int{first, last} {
			_, ok := s.place(i)
			switch {
			case !ok && selectors == m[0]:
				return nil, fmt.Errorf("bit %d is not in %v", i, p)
			case !ok:
				return nil, fmt.Errorf("%d is not in [%d:%d] of %s", i, s.left, s.right, p.Name)
			}
		}
		if !ranged {
			place, _ := s.place(first)
			base += place
			bare = s.of == nil
			if s.of != nil {
				s = s.of
			} else {
				s = &shape{}
			}
		}
	}
	var places []int
	add := func(base, width int) {
		for k := width - 1; k >= 0 && len(places) <= mostBits; k-- {
			places = append(places, base+k)
		}
	}
	if !ranged {
		add(base, s.width())
		return places, nil
	}
	step := 1
	if last < first {
		step = -1
	}
	for i := first; len(places) <= mostBits; i += step {
		place, _ := s.place(i)
		add(base+place, s.step())
		if i == last {
			break
		}
	}
	return places, nil
}

// without says that a port has no such member.
func (p Port) without(name string) error {
	if p.flat {
		return fmt.Errorf("Icarus does not tell the members of %s: --sim verilator does", p.Name)
	}
	return fmt.Errorf("%s has no member %s", p.Name, clip(name, 40))
}

// name is the shortest name of the first of n bits that run downwards from a place, or upwards; it returns how many
// bits have it.
func (p Port) name(place, n int, up bool) (string, int) {
	s, base, text := p.shape, 0, p.Name
	for {
		width := s.width()
		if !up && place == base+width-1 && n >= width {
			return text, width
		}
		switch {
		case s.of != nil:
			k := (place - base) / s.step()
			text += fmt.Sprintf("[%d]", s.index(k*s.step()))
			s, base = s.of, base+k*s.step()
			continue
		case s.members != nil && !s.union:
			for _, m := range s.members {
				_, at, _ := s.member(m.name)
				if place >= base+at && place < base+at+m.shape.width() {
					text += "." + m.name
					s, base = m.shape, base+at
					break
				}
			}
			continue
		}
		s = s.plain()
		from, to := s.index(place-base), place-base
		if up {
			n = min(n, width-to)
			to += n - 1
		} else {
			n = min(n, to+1)
			to -= n - 1
		}
		switch {
		case width == 1:
			return text, 1
		case n == 1:
			return fmt.Sprintf("%s[%d]", text, from), 1
		}
		return fmt.Sprintf("%s[%d:%d]", text, from, s.index(to)), n
	}
}
