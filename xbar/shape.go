package xbar

import (
	"errors"
	"fmt"
)

// Kind says which lanes a crossbar can join.
type Kind uint8

// Kinds, in the order of Figure 12 of the dRMT paper.
const (
	Unit    Kind = iota // port to port, all segments together
	Segment             // segment k to segment k
	Full                // any segment to any segment
)

func (k Kind) String() string {
	if k > Full {
		return fmt.Sprintf("Kind(%d)", uint8(k))
	}
	return [...]string{"unit", "segment", "full"}[k]
}

// Shape is a crossbar's type and size.
type Shape struct {
	Kind            Kind
	Inputs, Outputs int // ports
	Segments        int // of each port
	Multicast       bool
}

// maxLanes bounds a side of a crossbar: a [Fault] names lanes by 16 bits.
const maxLanes = 1 << 16

// Valid reports a shape that no crossbar can have.
func (s Shape) Valid() error {
	switch {
	case s.Kind > Full:
		return fmt.Errorf("crossbar: unknown kind %d", s.Kind)
	case s.Inputs < 1 || s.Outputs < 1 || s.Segments < 1:
		return fmt.Errorf("crossbar of %d inputs and %d outputs with %d segments: want at least one of each", s.Inputs,
			s.Outputs, s.Segments)
	case max(s.Inputs, s.Outputs) > maxLanes/s.Segments:
		return fmt.Errorf("crossbar of %d inputs and %d outputs with %d segments: want at most %d lanes a side", s.Inputs,
			s.Outputs, s.Segments, maxLanes)
	}
	return nil
}

func (s Shape) String() string {
	to := "one-to-one"
	if s.Multicast {
		to = "one-to-many"
	}
	return fmt.Sprintf("%d×%d %s crossbar of %d segments, %s", s.Inputs, s.Outputs, s.Kind, s.Segments, to)
}

// Lane is a segment of a port, both counted from 0.
type Lane struct{ Port, Segment int }

func (l Lane) String() string { return fmt.Sprintf("%d.%d", l.Port, l.Segment) }

// lane returns a lane's number within its side: ports in order, the segments of each in order.
func (s Shape) lane(l Lane) int { return l.Port*s.Segments + l.Segment }

// LaneAt is the lane of that number: Periodic and Controlled number their ports so.
func (s Shape) LaneAt(n int) Lane { return Lane{n / s.Segments, n % s.Segments} }

// Transfer is a word that goes from an input lane to output lanes in a cycle.
type Transfer struct {
	Name string // for errors
	From Lane
	To   []Lane
}

// A ContentionError names two transfers of one cycle that cannot both pass, and where they meet.
type ContentionError struct {
	First, Second string // the transfers' names
	Where         string // "output 3.1", "input 0"
}

func (e *ContentionError) Error() string {
	return fmt.Sprintf("contention at %s: %s and %s", e.Where, e.First, e.Second)
}

// Check decides whether the transfers can pass in one cycle. The error is a *ContentionError if two of them clash.
func (s Shape) Check(ts []Transfer) error {
	if err := s.Valid(); err != nil {
		return err
	}
	from, to := make(map[Lane]string), make(map[Lane]string)
	inputs, outputs := make(map[int]map[int]string), make(map[int]map[int]string) // a unit crossbar's port to port
	for _, t := range ts {
		if err := s.possible(t); err != nil {
			return err
		}
		if other, taken := from[t.From]; taken {
			return &ContentionError{other, t.Name, "input " + t.From.String()}
		}
		from[t.From] = t.Name
		for _, l := range t.To {
			if other, taken := to[l]; taken {
				return &ContentionError{other, t.Name, "output " + l.String()}
			}
			to[l] = t.Name
			if s.Kind != Unit {
				continue
			}
			if other, clash := join(outputs, l.Port, t.From.Port, t.Name, 1); clash {
				return &ContentionError{other, t.Name, fmt.Sprintf("output %d", l.Port)}
			}
			if s.Multicast {
				continue
			}
			if other, clash := join(inputs, t.From.Port, l.Port, t.Name, 1); clash {
				return &ContentionError{other, t.Name, fmt.Sprintf("input %d", t.From.Port)}
			}
		}
	}
	return nil
}

// join notes that a port meets a peer. If the port has met limit other peers already, it returns the name of a
// transfer with one of them, and true.
func join(met map[int]map[int]string, port, peer int, name string, limit int) (other string, clash bool) {
	if met[port] == nil {
		met[port] = map[int]string{}
	}
	if _, known := met[port][peer]; !known && len(met[port]) == limit {
		for _, other := range met[port] {
			return other, true
		}
	}
	if _, known := met[port][peer]; !known {
		met[port][peer] = name
	}
	return "", false
}

// possible tells whether a transfer could pass alone.
func (s Shape) possible(t Transfer) error {
	if !inside(t.From, s.Inputs, s.Segments) {
		return fmt.Errorf("%s: the %v has no input %v", t.Name, s, t.From)
	}
	if len(t.To) == 0 {
		return fmt.Errorf("%s: goes nowhere", t.Name)
	}
	if len(t.To) > 1 && !s.Multicast {
		return fmt.Errorf("%s: goes to %d outputs, the %v takes one", t.Name, len(t.To), s)
	}
	for _, l := range t.To {
		if !inside(l, s.Outputs, s.Segments) {
			return fmt.Errorf("%s: the %v has no output %v", t.Name, s, l)
		}
		if s.Kind != Full && l.Segment != t.From.Segment {
			return fmt.Errorf("%s: input %v to output %v: a %s crossbar joins equal segments only", t.Name, t.From, l, s.Kind)
		}
	}
	return nil
}

func inside(l Lane, ports, segments int) bool {
	return l.Port >= 0 && l.Port < ports && l.Segment >= 0 && l.Segment < segments
}

var errNoDemand = errors.New("crossbar: a demand without a destination, or of no width")
