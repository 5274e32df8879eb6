package xbar

import (
	"fmt"
	"math/bits"

	"github.com/goldwire/goldwire/rtl"
)

// Controlled is a unit or segment crossbar whose connections a controller sets in each cycle: Route has, for each
// input lane, the outputs to which its word goes, bit o for output port o. M is as wide as there are outputs, or
// wider; a bit of an output that does not exist is ignored. A word reaches its outputs after Stages cycles, and so
// does the report of a fault.
//
// A unit crossbar has one route a port, which counts for all its segments.
type Controlled[T any, M Mask] struct {
	In    []rtl.In[Word[T]]
	Route []rtl.In[M]
	Out   []rtl.Out[Word[T]]
	Fault rtl.Out[Fault]

	fabric fabric[T]
	shape  Shape
	stages int
}

// Mask is a set of output ports.
type Mask interface {
	uint8 | uint16 | uint32 | uint64
}

// NewControlled returns a crossbar with the given number of register stages, at least 1.
func NewControlled[T any, M Mask](s Shape, stages int) (*Controlled[T, M], error) {
	in, out, err := ports[T](s, stages)
	if err != nil {
		return nil, err
	}
	if s.Kind == Full {
		return nil, fmt.Errorf("%v: a route names ports, so a controller sets unit and segment crossbars", s)
	}
	if width := bits.Len64(uint64(^M(0))); s.Outputs > width {
		return nil, fmt.Errorf("%v: %d outputs, a route has %d bits", s, s.Outputs, width)
	}
	routes := len(in)
	if s.Kind == Unit {
		routes = s.Inputs
	}
	return &Controlled[T, M]{In: in, Route: make([]rtl.In[M], routes), Out: out, shape: s, stages: stages}, nil
}

// Shape returns the crossbar's type and size.
func (x *Controlled[T, M]) Shape() Shape { return x.shape }

// Reset has no words.
func (x *Controlled[T, M]) Reset() {
	x.fabric = newFabric[T](x.shape, x.stages)
	reset(x.Out, &x.Fault)
}

// Tick moves the words of one cycle.
func (x *Controlled[T, M]) Tick() {
	f := &x.fabric
	exists := ^uint64(0) >> (64 - x.shape.Outputs)
	for lane := range x.In {
		if !x.In[lane].Get().Valid {
			continue
		}
		w := x.In[lane].Get()
		l := x.shape.LaneAt(lane)
		r := lane
		if x.shape.Kind == Unit {
			r = l.Port
		}
		to := uint64(x.Route[r].Get()) & exists
		if to == 0 {
			f.report(Fault{Kind: Lost, First: uint16(lane)})
		} else if to&(to-1) != 0 && !x.shape.Multicast {
			f.report(Fault{Kind: FanOut, First: uint16(lane)})
			continue
		}
		for ; to != 0; to &= to - 1 {
			f.connect(lane, bits.TrailingZeros64(to)*x.shape.Segments+l.Segment, w)
		}
	}
	f.step(x.Out, &x.Fault)
}
