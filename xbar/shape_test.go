package xbar_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/xbar"
)

func to(port, segment int) []xbar.Lane { return []xbar.Lane{{Port: port, Segment: segment}} }

func TestCheck(t *testing.T) {
	shape := func(k xbar.Kind, multicast bool) xbar.Shape {
		return xbar.Shape{Kind: k, Inputs: 4, Outputs: 4, Segments: 2, Multicast: multicast}
	}
	for _, c := range []struct {
		name  string
		shape xbar.Shape
		ts    []xbar.Transfer
		err   string
	}{
		{"a port to a port", shape(xbar.Unit, false),
			[]xbar.Transfer{{"a", xbar.Lane{Port: 1}, to(2, 0)}, {"b", xbar.Lane{Port: 1, Segment: 1}, to(2, 1)}}, ""},
		{"a unit crossbar does not split a port", shape(xbar.Unit, false),
			[]xbar.Transfer{{"a", xbar.Lane{Port: 1}, to(2, 0)}, {"b", xbar.Lane{Port: 1, Segment: 1}, to(3, 1)}},
			"contention at input 1: a and b"},
		{"nor an output", shape(xbar.Unit, true), []xbar.Transfer{{"a", xbar.Lane{Port: 1}, to(2, 0)},
			{"b", xbar.Lane{Port: 0, Segment: 1}, to(2, 1)}},
			"contention at output 2: a and b"},
		{"a segment crossbar does", shape(xbar.Segment, false),
			[]xbar.Transfer{{"a", xbar.Lane{Port: 1}, to(2, 0)}, {"b", xbar.Lane{Port: 1, Segment: 1}, to(3, 1)}}, ""},
		{"equal segments", shape(xbar.Segment, false), []xbar.Transfer{{"a", xbar.Lane{Port: 1}, to(2, 1)}},
			"a: input 1.0 to output 2.1: a segment crossbar joins equal segments only"},
		{"any segments", shape(xbar.Full, false), []xbar.Transfer{{"a", xbar.Lane{Port: 1}, to(2, 1)}}, ""},
		{"two sources", shape(xbar.Full, false), []xbar.Transfer{{"a", xbar.Lane{Port: 1}, to(2, 1)},
			{"b", xbar.Lane{Port: 3}, to(2, 1)}}, "contention at output 2.1: a and b"},
		{"two words at an input", shape(xbar.Full, false),
			[]xbar.Transfer{{"a", xbar.Lane{Port: 1}, to(2, 1)}, {"b", xbar.Lane{Port: 1}, to(2, 0)}},
			"contention at input 1.0: a and b"},
		{"one-to-one", shape(xbar.Segment, false), []xbar.Transfer{{"a", xbar.Lane{}, append(to(1, 0), to(2, 0)...)}},
			"a: goes to 2 outputs, the 4×4 segment crossbar of 2 segments, one-to-one takes one"},
		{"one-to-many", shape(xbar.Segment, true), []xbar.Transfer{{"a", xbar.Lane{}, append(to(1, 0), to(2, 0)...)}}, ""},
		{"no such input", shape(xbar.Full, false), []xbar.Transfer{{"a", xbar.Lane{Port: 4}, to(2, 1)}},
			"a: the 4×4 full crossbar of 2 segments, one-to-one has no input 4.0"},
		{"nowhere", shape(xbar.Full, false), []xbar.Transfer{{"a", xbar.Lane{}, nil}}, "a: goes nowhere"},
		{"no crossbar", xbar.Shape{Inputs: 1, Outputs: 0, Segments: 1}, nil,
			"crossbar of 1 inputs and 0 outputs with 1 segments: want at least one of each"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := c.shape.Check(c.ts)
			if c.err == "" {
				require.NoError(t, err)
			} else {
				require.EqualError(t, err, c.err)
			}
		})
	}
}

// Theorem 5.1: without split tables, whatever a full crossbar carries has segment indices on a segment crossbar. Check
// judges.
func TestTheorem51(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := xbar.Shape{Kind: xbar.Segment, Inputs: rapid.IntRange(1, 32).Draw(t, "inputs"),
			Outputs: rapid.IntRange(1, 32).Draw(t, "outputs"), Segments: rapid.IntRange(1, 8).Draw(t, "segments")}
		ds := saturated(s, rapid.Uint64().Draw(t, "seed"))
		ts, err := s.Route(ds)
		require.NoError(t, err)
		require.NoError(t, s.Check(ts))
		requireCarries(t, ds, ts)
		full := s
		full.Kind = xbar.Full
		ts, err = full.Route(ds)
		require.NoError(t, err)
		require.NoError(t, full.Check(ts))
		requireCarries(t, ds, ts)
	})
}

// saturated makes random demands until the ports are full, or nearly so.
func saturated(s xbar.Shape, seed uint64) []xbar.Demand {
	rng := rand.New(rand.NewPCG(seed, 51))
	in, out := make([]int, s.Inputs), make([]int, s.Outputs)
	var ds []xbar.Demand
	for range 6 * max(s.Inputs, s.Outputs) * s.Segments {
		i, o := rng.IntN(s.Inputs), rng.IntN(s.Outputs)
		if room := min(s.Segments-in[i], s.Segments-out[o]); room > 0 {
			w := 1 + rng.IntN(room)
			in[i], out[o] = in[i]+w, out[o]+w
			ds = append(ds, xbar.Demand{Name: string(rune('a' + len(ds)%26)), From: i, To: []int{o}, Width: w})
		}
	}
	return ds
}

// requireCarries wants a transfer for each segment of each demand.
func requireCarries(t require.TestingT, ds []xbar.Demand, ts []xbar.Transfer) {
	at := 0
	for _, d := range ds {
		for range d.Width {
			require.Less(t, at, len(ts))
			require.Equal(t, d.From, ts[at].From.Port)
			require.Len(t, ts[at].To, len(d.To))
			for k, o := range d.To {
				require.Equal(t, o, ts[at].To[k].Port)
			}
			at++
		}
	}
	require.Len(t, ts, at)
}

// The search among demands of several outputs agrees with trying everything, and its counter-example is one: a full
// crossbar carries it, and without any one of its demands a segment crossbar does too.
func TestSplitTables(t *testing.T) {
	refuted := 0
	rapid.Check(t, func(t *rapid.T) {
		s := xbar.Shape{Kind: xbar.Segment, Inputs: 4, Outputs: 4, Segments: 2, Multicast: true}
		var ds []xbar.Demand
		in, out := make([]int, 4), make([]int, 4)
		for k := range rapid.IntRange(1, 6).Draw(t, "demands") {
			d := xbar.Demand{Name: string(rune('a' + k)), From: rapid.IntRange(0, 3).Draw(t, "from"), Width: 1}
			for o := range 4 {
				if rapid.Bool().Draw(t, "to") && out[o] < 2 {
					d.To = append(d.To, o)
				}
			}
			if len(d.To) == 0 || in[d.From] == 2 {
				continue
			}
			in[d.From]++
			for _, o := range d.To {
				out[o]++
			}
			ds = append(ds, d)
		}
		ts, err := s.Route(ds)
		require.Equal(t, naiveRoutes(ds, nil), err == nil)
		if err == nil {
			require.NoError(t, s.Check(ts))
			requireCarries(t, ds, ts)
			return
		}
		var no *xbar.UnroutableError
		require.ErrorAs(t, err, &no)
		refuted++
		full := s
		full.Kind = xbar.Full
		ts, err = full.Route(no.Demands)
		require.NoError(t, err)
		require.NoError(t, full.Check(ts))
		require.False(t, naiveRoutes(no.Demands, nil))
		for i := range no.Demands {
			less := append(append([]xbar.Demand{}, no.Demands[:i]...), no.Demands[i+1:]...)
			require.True(t, naiveRoutes(less, nil))
		}
	})
	require.Positive(t, refuted, "no counter-example was met")
}

// naiveRoutes tries both segments for each demand in turn, on a crossbar of two.
func naiveRoutes(ds []xbar.Demand, taken []xbar.Transfer) bool {
	if len(ds) == 0 {
		return true
	}
	for c := range 2 {
		ok := true
		for _, o := range ds[0].To {
			for _, x := range taken {
				for _, l := range x.To {
					ok = ok && l != xbar.Lane{Port: o, Segment: c}
				}
			}
		}
		for _, x := range taken {
			ok = ok && x.From != xbar.Lane{Port: ds[0].From, Segment: c}
		}
		if !ok {
			continue
		}
		x := xbar.Transfer{From: xbar.Lane{Port: ds[0].From, Segment: c}}
		for _, o := range ds[0].To {
			x.To = append(x.To, xbar.Lane{Port: o, Segment: c})
		}
		if naiveRoutes(ds[1:], append(taken[:len(taken):len(taken)], x)) {
			return true
		}
	}
	return false
}

// Three tables, each split over two of three clusters: any two of them meet in a cluster, so they need three indices,
// though no port has more than two segments to carry.
func TestCounterExample(t *testing.T) {
	s := xbar.Shape{Kind: xbar.Segment, Inputs: 4, Outputs: 3, Segments: 2, Multicast: true}
	ds := []xbar.Demand{{"acl", 0, []int{0, 1}, 1}, {"route", 1, []int{1, 2}, 1}, {"mac", 2, []int{0, 2}, 1},
		{"port", 3, []int{0}, 1}}
	_, err := s.Route(ds[:3])
	require.EqualError(
		t, err,
		"no segment indices out of 2 for acl (input 0 to outputs [0 1], 1 wide), route (input 1 to outputs [1 2], 1 wide), "+
			"mac (input 2 to outputs [0 2], 1 wide)",
	)
	s.Kind = xbar.Full
	ts, err := s.Route(ds[:3])
	require.NoError(t, err)
	require.NoError(t, s.Check(ts))
	_, err = s.Route(ds)
	require.EqualError(t, err, "output 0 has 2 segments, acl, mac, port need 3")
	s.Kind = xbar.Unit
	_, err = s.Route(ds[:3])
	require.EqualError(t, err, "output 0: acl, mac need different peers, a unit crossbar joins it to one input")
}
