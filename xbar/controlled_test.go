package xbar_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/xbar"
)

// drive is a register that a test sets before each edge.
type drive[T any] struct {
	Out  rtl.Out[T]
	next T
}

func (d *drive[T]) Tick() { d.Out.Set(d.next) }

// Random words and routes against the definition of a crossbar: for each output lane the wanting inputs are listed, a
// single one gets it, and the first fault in the order of the sources' lanes, then of the outputs, is the one
// reported.
func TestControlledAgainstNaive(t *testing.T) {
	for _, kind := range []xbar.Kind{xbar.Unit, xbar.Segment} {
		for _, multicast := range []bool{false, true} {
			for stages := 1; stages <= 3; stages++ {
				s := xbar.Shape{Kind: kind, Inputs: 3, Outputs: 4, Segments: 2, Multicast: multicast}
				t.Run(fmt.Sprintf("%v %d stages", s, stages), func(t *testing.T) { controlledAgainstNaive(t, s, stages) })
			}
		}
	}
}

func controlledAgainstNaive(t *testing.T, s xbar.Shape, stages int) {
	x, err := xbar.NewControlled[uint16, uint8](s, stages)
	require.NoError(t, err)
	sim := rtl.New(rtl.Config{Mode: rtl.Strict})
	clk := sim.Clock("core", clock.MHz(1200))
	top := sim.Scope("top").On(clk)
	words, routes := make([]drive[xbar.Word[uint16]], len(x.In)), make([]drive[uint8], len(x.Route))
	for i := range words {
		top.Add(fmt.Sprintf("word_%d", i), &words[i])
		rtl.Connect(&words[i].Out, &x.In[i])
	}
	for i := range routes {
		top.Add(fmt.Sprintf("route_%d", i), &routes[i])
		rtl.Connect(&routes[i].Out, &x.Route[i])
	}
	top.Add("crossbar", x)
	require.NoError(t, sim.Elaborate())

	const seed = 5
	rng := rand.New(rand.NewPCG(seed, uint64(stages)))
	var history []naiveCycle
	kinds := map[xbar.FaultKind]int{}
	for edge := range 600 {
		for i := range words {
			words[i].next = xbar.Word[uint16]{Data: uint16(rng.Uint32()), Valid: rng.IntN(3) > 0}
		}
		for i := range routes {
			routes[i].next = uint8(1) << rng.IntN(6) // outputs 4 and 5 do not exist
			if rng.IntN(6) == 0 {
				routes[i].next = uint8(rng.Uint32())
			}
		}
		require.NoError(t, clk.Run(1))
		history = append(history, naiveCrossbar(s, words, routes))
		want := naiveCycle{out: make([]xbar.Word[uint16], len(x.Out))}
		if edge >= stages {
			want = history[edge-stages]
		}
		kinds[want.fault.Kind]++
		for lane := range x.Out {
			require.Equal(t, want.out[lane], x.Out[lane].Get(), "edge %d, lane %d, seed %d", edge, lane, seed)
		}
		require.Equal(t, want.fault, x.Fault.Get(), "edge %d, seed %d", edge, seed)
	}
	require.Positive(t, kinds[xbar.Contention])
	require.Positive(t, kinds[xbar.Lost])
	require.Equal(t, !s.Multicast, kinds[xbar.FanOut] > 0)
}

// naiveCycle is what one cycle's words come to.
type naiveCycle struct {
	out   []xbar.Word[uint16]
	fault xbar.Fault
}

func naiveCrossbar(s xbar.Shape, words []drive[xbar.Word[uint16]], routes []drive[uint8]) naiveCycle {
	c := naiveCycle{out: make([]xbar.Word[uint16], s.Outputs*s.Segments)}
	wanted := make([][]int, len(c.out)) // by output lane: the sources' lanes
	for port := range s.Inputs {
		for segment := range s.Segments {
			lane := port*s.Segments + segment
			if !words[lane].next.Valid {
				continue
			}
			route := routes[port]
			if s.Kind == xbar.Segment {
				route = routes[lane]
			}
			var to []int
			for o := range s.Outputs {
				if route.next>>o&1 != 0 {
					to = append(to, o)
				}
			}
			var fault xbar.Fault
			switch {
			case len(to) == 0:
				fault = xbar.Fault{Kind: xbar.Lost, First: uint16(lane)}
			case len(to) > 1 && !s.Multicast:
				fault, to = xbar.Fault{Kind: xbar.FanOut, First: uint16(lane)}, nil
			}
			for _, o := range to {
				at := o*s.Segments + segment
				if len(wanted[at]) > 0 && fault.Kind == xbar.None {
					fault = xbar.Fault{Kind: xbar.Contention, Output: uint16(at), First: uint16(wanted[at][0]), Second: uint16(lane)}
				}
				wanted[at] = append(wanted[at], lane)
			}
			if c.fault.Kind == xbar.None {
				c.fault = fault
			}
		}
	}
	for at, sources := range wanted {
		if len(sources) == 1 {
			c.out[at] = words[sources[0]].next
		}
	}
	return c
}

// A one-to-one crossbar whose period sends a word to two outputs says so, and the word goes nowhere.
func TestPeriodicFanOutIsSeen(t *testing.T) {
	s := xbar.Shape{Kind: xbar.Segment, Inputs: 2, Outputs: 3, Segments: 1}
	period := [][]xbar.Transfer{{{Name: "a", From: xbar.Lane{Port: 1}, To: to(0, 0)},
		{Name: "b", From: xbar.Lane{Port: 1}, To: to(2, 0)}}}
	require.EqualError(t, s.Check(period[0]), "contention at input 1.0: a and b")
	var faults []string
	run(t, rtl.Config{}, s, 1, period, [][]uint16{1: {7}}, 4, func(edge int, x *xbar.Periodic[uint16]) {
		if f := x.Fault.Get(); f.Kind != xbar.None {
			faults = append(faults, fmt.Sprint(edge, " ", s.Describe(f, nil, nil)))
		}
		for lane := range x.Out {
			require.False(t, x.Out[lane].Get().Valid, "edge %d, output %d", edge, lane)
		}
	})
	require.Equal(t, []string{"2 input 1.0 is sent to several outputs of a one-to-one crossbar"}, faults)
}
