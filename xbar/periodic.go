package xbar

import (
	"fmt"

	"github.com/goldwire/goldwire/rtl"
)

// Periodic is a crossbar whose connections are fixed for each cycle of a period, as a compiler knows them (dRMT §5.3).
// The first edge is cycle 0 of the period. A word reaches its outputs after Stages cycles, and so does the report of a
// fault.
//
// Port p has the lanes In[p*Segments] to In[(p+1)*Segments-1], and the same of Out.
type Periodic[T any] struct {
	In    []rtl.In[Word[T]]
	Out   []rtl.Out[Word[T]]
	Fault rtl.Out[Fault]

	fabric fabric[T]
	shape  Shape
	stages int
	phase  int
	period int
	first  []int32 // by phase and input lane: where its connections begin in to
	to     []int32
}

// NewPeriodic returns a crossbar with the given number of register stages, at least 1. Connections has the transfers
// of each cycle of the period. They are not checked against each other, so that a bad schedule can be run and seen:
// [Shape.Check] is for that.
func NewPeriodic[T any](s Shape, stages int, connections [][]Transfer) (*Periodic[T], error) {
	in, out, err := ports[T](s, stages)
	if err != nil {
		return nil, err
	}
	if len(connections) == 0 {
		return nil, fmt.Errorf("%v: a period of no cycles", s)
	}
	x := &Periodic[T]{In: in, Out: out, shape: s, stages: stages, period: len(connections)}
	x.first = append(x.first, 0)
	for phase, ts := range connections {
		by := make([][]int32, len(in))
		for _, t := range ts {
			if err := s.possible(t); err != nil {
				return nil, fmt.Errorf("cycle %d of the period: %w", phase, err)
			}
			for _, l := range t.To {
				by[s.lane(t.From)] = append(by[s.lane(t.From)], int32(s.lane(l)))
			}
		}
		for _, to := range by {
			x.to = append(x.to, to...)
			x.first = append(x.first, int32(len(x.to)))
		}
	}
	return x, nil
}

// Shape returns the crossbar's type and size.
func (x *Periodic[T]) Shape() Shape { return x.shape }

// Reset starts a period.
func (x *Periodic[T]) Reset() {
	x.fabric, x.phase = newFabric[T](x.shape, x.stages), 0
	reset(x.Out, &x.Fault)
}

// Tick moves the words of one cycle.
func (x *Periodic[T]) Tick() {
	f := &x.fabric
	first := x.first[x.phase*len(x.In):]
	for lane := range x.In {
		if !x.In[lane].Get().Valid {
			continue
		}
		w := x.In[lane].Get()
		to := x.to[first[lane]:first[lane+1]]
		if len(to) == 0 {
			f.report(Fault{Kind: Lost, First: uint16(lane)})
		} else if len(to) > 1 && !x.shape.Multicast {
			f.report(Fault{Kind: FanOut, First: uint16(lane)})
			continue
		}
		for _, o := range to {
			f.connect(lane, int(o), w)
		}
	}
	f.step(x.Out, &x.Fault)
	if x.phase++; x.phase == x.period {
		x.phase = 0
	}
}
