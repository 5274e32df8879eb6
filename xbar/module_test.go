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

// source sends a word in each cycle in which its script has one.
type source struct {
	Out rtl.Out[xbar.Word[uint16]]

	script []uint16 // 0: nothing
	at     int
}

func (s *source) Reset() { s.at = 0; s.Out.Set(xbar.Word[uint16]{}) }

func (s *source) Tick() {
	w := xbar.Word[uint16]{}
	if s.at < len(s.script) && s.script[s.at] != 0 {
		w = xbar.Word[uint16]{Data: s.script[s.at], Valid: true}
	}
	s.at++
	s.Out.Set(w)
}

// run builds a periodic crossbar with a source for each lane and calls look after each edge.
func run(t *testing.T, cfg rtl.Config, s xbar.Shape, stages int, period [][]xbar.Transfer, scripts [][]uint16,
	cycles int, look func(edge int, x *xbar.Periodic[uint16])) {
	t.Helper()
	x, err := xbar.NewPeriodic[uint16](s, stages, period)
	require.NoError(t, err)
	sim := rtl.New(cfg)
	clk := sim.Clock("core", clock.MHz(1200))
	top := sim.Scope("top").On(clk)
	for i := range x.In {
		src := &source{}
		if i < len(scripts) {
			src.script = scripts[i]
		}
		top.Add(fmt.Sprintf("source_%d", i), src)
		rtl.Connect(&src.Out, &x.In[i])
	}
	top.Add("crossbar", x)
	require.NoError(t, sim.Elaborate())
	for edge := 1; edge <= cycles; edge++ {
		require.NoError(t, clk.Run(1))
		look(edge, x)
	}
}

// A word that a source shows after edge 1 stands at the output after 1 + stages edges.
func TestStages(t *testing.T) {
	s := xbar.Shape{Kind: xbar.Segment, Inputs: 2, Outputs: 3, Segments: 2, Multicast: true}
	period := [][]xbar.Transfer{{{From: xbar.Lane{Port: 1, Segment: 1},
		To: []xbar.Lane{{Port: 0, Segment: 1}, {Port: 2, Segment: 1}}}}}
	for stages := 1; stages <= 4; stages++ {
		seen := map[int][]int{}
		run(
			t,
			rtl.Config{Mode: rtl.Strict, Seed: 3},
			s,
			stages,
			period,
			[][]uint16{3: {7}},
			12,
			func(edge int, x *xbar.Periodic[uint16]) {
				for lane := range x.Out {
					if w := x.Out[lane].Get(); w.Valid {
						require.EqualValues(t, 7, w.Data)
						seen[lane] = append(seen[lane], edge)
					}
				}
				require.Equal(t, xbar.Fault{}, x.Fault.Get())
			},
		)
		require.Equal(t, map[int][]int{1: {1 + stages}, 5: {1 + stages}}, seen)
	}
}

// A bad period is not resolved in silence: both sources are named, and neither word arrives.
func TestContentionIsSeen(t *testing.T) {
	s := xbar.Shape{Kind: xbar.Segment, Inputs: 3, Outputs: 2, Segments: 1}
	period := [][]xbar.Transfer{
		{{From: xbar.Lane{Port: 0}, To: to(0, 0)}, {From: xbar.Lane{Port: 1}, To: to(1, 0)}},
		{{From: xbar.Lane{Port: 0}, To: to(1, 0)}, {From: xbar.Lane{Port: 2}, To: to(1, 0)}},
	}
	var faults []string
	words := 0
	run(
		t,
		rtl.Config{},
		s,
		1,
		period,
		[][]uint16{{1, 2, 3, 0}, {0, 4, 0, 0}, {5, 0, 6, 7}},
		7,
		func(edge int, x *xbar.Periodic[uint16]) {
			if f := x.Fault.Get(); f.Kind != xbar.None {
				faults = append(faults, fmt.Sprint(edge, " ",
					x.Shape().Describe(f, func(p int) string { return fmt.Sprint("processor ", p) }, nil)))
			}
			for lane := range x.Out {
				if x.Out[lane].Get().Valid {
					words++
				}
			}
		},
	)
	require.Equal(t, []string{
		"2 contention at output 1.0: processor 0 segment 0 and processor 2 segment 0", // edge 2 is cycle 1 of the period
		"4 contention at output 1.0: processor 0 segment 0 and processor 2 segment 0",
		"5 processor 2 segment 0 has a word that no connection takes",
	}, faults)
	require.Equal(t, 2, words)
}

// Routed demands at random, on every kind: each word arrives where its demand says, one cycle later, with no fault.
func TestRoutedPeriodCarriesEverything(t *testing.T) {
	const seed = 12
	rng := rand.New(rand.NewPCG(seed, 0))
	s := xbar.Shape{Kind: xbar.Segment, Inputs: 8, Outputs: 6, Segments: 4}
	var period [][]xbar.Transfer
	for range 5 {
		ts, err := s.Route(saturated(s, rng.Uint64()))
		require.NoError(t, err)
		period = append(period, ts)
	}
	const cycles = 200
	scripts := make([][]uint16, s.Inputs*s.Segments)
	want := make([][]uint16, cycles+2) // by edge and output lane
	for k := range want {
		want[k] = make([]uint16, s.Outputs*s.Segments)
	}
	for k := range cycles { // shown after edge k + 1, moved at edge k + 2, which is cycle k + 1 of the period
		for lane := range scripts {
			scripts[lane] = append(scripts[lane], 0)
		}
		for _, x := range period[(k+1)%len(period)] {
			if rng.IntN(3) == 0 {
				continue
			}
			v := uint16(1 + rng.IntN(1<<16-1))
			scripts[x.From.Port*s.Segments+x.From.Segment][k] = v
			want[k+1][x.To[0].Port*s.Segments+x.To[0].Segment] = v
		}
	}
	moved := 0
	run(
		t,
		rtl.Config{Mode: rtl.Parallel, Workers: 2},
		s,
		1,
		period,
		scripts,
		cycles,
		func(edge int, x *xbar.Periodic[uint16]) {
			require.Equal(t, xbar.Fault{}, x.Fault.Get())
			for lane := range x.Out {
				w := x.Out[lane].Get()
				require.Equal(t, want[edge-1][lane], w.Data, "edge %d, lane %d, seed %d", edge, lane, seed)
				if w.Valid {
					moved++
				}
			}
		},
	)
	require.Greater(t, moved, 1000)
}

func TestImpossibleModules(t *testing.T) {
	s := xbar.Shape{Kind: xbar.Full, Inputs: 2, Outputs: 2, Segments: 1}
	_, err := xbar.NewPeriodic[uint16](s, 0, [][]xbar.Transfer{{}})
	require.EqualError(t, err, "2×2 full crossbar of 1 segments, one-to-one: 0 register stages, want at least 1")
	_, err = xbar.NewPeriodic[uint16](s, 1, nil)
	require.EqualError(t, err, "2×2 full crossbar of 1 segments, one-to-one: a period of no cycles")
	_, err = xbar.NewPeriodic[uint16](s, 1, [][]xbar.Transfer{{}, {{Name: "a", From: xbar.Lane{Port: 2}, To: to(0, 0)}}})
	require.EqualError(
		t, err, "cycle 1 of the period: a: the 2×2 full crossbar of 1 segments, one-to-one has no input 2.0",
	)
	_, err = xbar.NewControlled[uint16, uint8](s, 1)
	require.EqualError(
		t, err,
		"2×2 full crossbar of 1 segments, one-to-one: a route names ports, so a controller sets unit and segment crossbars",
	)
	s = xbar.Shape{Kind: xbar.Unit, Inputs: 2, Outputs: 9, Segments: 1}
	_, err = xbar.NewControlled[uint16, uint8](s, 1)
	require.EqualError(t, err, "2×9 unit crossbar of 1 segments, one-to-one: 9 outputs, a route has 8 bits")
}
