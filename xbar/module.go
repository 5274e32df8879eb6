package xbar

import (
	"fmt"

	"github.com/goldwire/goldwire/rtl"
)

// Word is the word of a lane in a cycle.
type Word[T any] struct {
	Data  T
	Valid bool
}

// FaultKind is the kind of a fault in a cycle.
type FaultKind uint8

// Kinds of faults.
const (
	None       FaultKind = iota
	Contention           // two sources for an output lane; neither is delivered there
	FanOut               // a one-to-one crossbar is told to send a word to several outputs; it goes nowhere
	Lost                 // a valid word that no connection takes
)

// Fault is the first fault of a cycle: by the source's lane, and by the output's for one source.
type Fault struct {
	Kind   FaultKind `bits:"2"`
	Output uint16    // the lane, where there is contention
	First  uint16    // the source's lane; of two, the lower one
	Second uint16    // the other input, where there is contention
}

// Describe names a fault's places. Input and output, if not nil, name the ports.
func (s Shape) Describe(f Fault, input, output func(port int) string) string {
	name := func(n uint16, port func(int) string, side string) string {
		l := s.LaneAt(int(n))
		if port == nil {
			return side + " " + l.String()
		}
		return fmt.Sprintf("%s segment %d", port(l.Port), l.Segment)
	}
	first := name(f.First, input, "input")
	switch f.Kind {
	case Contention:
		return fmt.Sprintf("contention at %s: %s and %s", name(f.Output, output, "output"), first,
			name(f.Second, input, "input"))
	case FanOut:
		return fmt.Sprintf("%s is sent to several outputs of a one-to-one crossbar", first)
	case Lost:
		return fmt.Sprintf("%s has a word that no connection takes", first)
	}
	return "no fault"
}

// fabric is the data path that the modules share: it connects the words of one cycle and delays them by stages.
type fabric[T any] struct {
	shape  Shape
	next   []Word[T] // by output lane: this cycle's
	owner  []int32   // by output lane: the source's lane + 1; 0: none so far
	fault  Fault
	used   []int32 // output lanes that next holds words for
	delay  []stage[T]
	at     int
	driven []int32 // output lanes that were valid after the last edge
}

// stage is a register stage within the crossbar: the words that are there.
type stage[T any] struct {
	lanes []int32
	words []Word[T]
	fault Fault
}

func newFabric[T any](s Shape, stages int) fabric[T] {
	n := s.Outputs * s.Segments
	f := fabric[T]{shape: s, next: make([]Word[T], n), owner: make([]int32, n), used: make([]int32, 0, n),
		delay: make([]stage[T], stages-1), driven: make([]int32, 0, n)}
	for i := range f.delay {
		f.delay[i] = stage[T]{lanes: make([]int32, 0, n), words: make([]Word[T], 0, n)}
	}
	return f
}

// report keeps the first fault of the cycle.
func (f *fabric[T]) report(x Fault) {
	if f.fault.Kind == None {
		f.fault = x
	}
}

// connect gives an output lane the word of an input lane.
func (f *fabric[T]) connect(from, to int, w Word[T]) {
	if other := f.owner[to]; other != 0 {
		f.report(Fault{Kind: Contention, Output: uint16(to), First: uint16(other - 1), Second: uint16(from)})
		f.next[to] = Word[T]{}
		return
	}
	f.owner[to] = int32(from) + 1
	f.next[to] = w
	f.used = append(f.used, int32(to))
}

// step ends a cycle: its words enter the first register, and the last register's words stand at the outputs.
func (f *fabric[T]) step(out []rtl.Out[Word[T]], fault *rtl.Out[Fault]) {
	for _, lane := range f.driven {
		out[lane].Set(Word[T]{})
	}
	f.driven = f.driven[:0]
	if len(f.delay) == 0 {
		for _, lane := range f.used {
			f.drive(out, lane, f.next[lane])
		}
		fault.Set(f.fault)
	} else {
		s := &f.delay[f.at]
		for i, lane := range s.lanes {
			f.drive(out, lane, s.words[i])
		}
		fault.Set(s.fault)
		s.lanes, s.words, s.fault = s.lanes[:0], s.words[:0], f.fault
		for _, lane := range f.used {
			s.lanes, s.words = append(s.lanes, lane), append(s.words, f.next[lane])
		}
		f.at = (f.at + 1) % len(f.delay)
	}
	for _, lane := range f.used {
		f.next[lane], f.owner[lane] = Word[T]{}, 0
	}
	f.used, f.fault = f.used[:0], Fault{}
}

func (f *fabric[T]) drive(out []rtl.Out[Word[T]], lane int32, w Word[T]) {
	if w.Valid {
		out[lane].Set(w)
		f.driven = append(f.driven, lane)
	}
}

// reset gives all outputs their value.
func reset[T any](out []rtl.Out[Word[T]], fault *rtl.Out[Fault]) {
	for i := range out {
		out[i].Set(Word[T]{})
	}
	fault.Set(Fault{})
}

// ports makes the lanes of a shape's two sides.
func ports[T any](s Shape, stages int) ([]rtl.In[Word[T]], []rtl.Out[Word[T]], error) {
	if err := s.Valid(); err != nil {
		return nil, nil, err
	}
	if stages < 1 {
		return nil, nil, fmt.Errorf("%v: %d register stages, want at least 1", s, stages)
	}
	return make([]rtl.In[Word[T]], s.Inputs*s.Segments), make([]rtl.Out[Word[T]], s.Outputs*s.Segments), nil
}
