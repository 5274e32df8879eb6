package study

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/xbar"
)

// crossbarClaims are §5.3, Figure 12 and Theorem 5.1.
func crossbarClaims() []claims.Claim {
	return []claims.Claim{
		{
			ID: "drmt/figure12/types", Source: "dRMT §5.3, Figure 12", Printed: "unit, segment, full",
			Text: "A unit crossbar joins ports, a segment crossbar equal segments, a full one any segments; each is " +
				"one-to-one or one-to-many.",
			Judge: claims.Exactly("0", "sets"), Expect: claims.Holds,
			Note: "All sets of connections of two ports of two segments on each side: on how many the checker and the " +
				"figure's words disagree.",
			Measure: crossbarTypes,
		},
		{
			ID: "drmt/theorem5.1", Source: "dRMT Theorem 5.1", Printed: "equivalent",
			Text:  "Without split tables a segment crossbar carries whatever a full one does.",
			Judge: claims.Exactly("0", "sets"), Expect: claims.Holds,
			Note:    "Random demands that fill 32 ports of 8 segments on both sides, routed and checked.",
			Measure: theorem,
		},
		{
			ID: "drmt/5.3/split", Source: "dRMT §5.3", Printed: "not equivalent",
			Text:  "With a split table there are demands that only a full crossbar carries.",
			Judge: claims.AtLeast("1", "counter-examples"), Expect: claims.Holds,
			Note:    "Three tables, each over two of three clusters, on ports of two segments.",
			Measure: splitTables,
		},
		{
			ID: "drmt/5.3/multicast", Source: "dRMT §5.3, §2.1", Printed: "without extra latency",
			Text:  "A table that is spread over several clusters is accessed in a single match operation, as fast as any.",
			Judge: claims.Exactly("22", "cycles"), Expect: claims.Holds,
			Note: "A table of three parts; the packet's entry is found in one of them, and its action's data reach the " +
				"packet.",
			Measure: passage(
				true, func(w Passage) (uint64, uint64, uint64) { return w.Issued - w.Key, w.Key, w.Issued },
				"the key stands at the processor's output; its action's slot is issued",
			),
		},
	}
}

// crossbarTypes tries every set of connections on a crossbar of two ports of two segments: an input lane goes to any of
// the 16 sets of output lanes.
func crossbarTypes(context.Context, *claims.Run) (m claims.Measurement, err error) {
	const lanes = 4
	wrong, sets := 0, 0
	for _, kind := range []xbar.Kind{xbar.Unit, xbar.Segment, xbar.Full} {
		for _, multicast := range []bool{false, true} {
			s := xbar.Shape{Kind: kind, Inputs: 2, Outputs: 2, Segments: 2, Multicast: multicast}
			carried := 0
			for set := range 1 << (lanes * lanes) {
				var ts []xbar.Transfer
				for from := range lanes {
					t := xbar.Transfer{Name: fmt.Sprint(from), From: s.LaneAt(from)}
					for to := range lanes {
						if set>>(lanes*from+to)&1 != 0 {
							t.To = append(t.To, s.LaneAt(to))
						}
					}
					if len(t.To) > 0 {
						ts = append(ts, t)
					}
				}
				carries := s.Check(ts) == nil
				if carries {
					carried++
				}
				if carries != byDefinition(kind, multicast, set) {
					wrong++
				}
				sets++
			}
			m.Rows = append(m.Rows, claims.Row{Label: s.String(), Value: float64(carried), Unit: "sets"})
		}
	}
	n := claims.Count(wrong, "sets", "of %d", sets)
	n.Rows = m.Rows
	return n, nil
}

// byDefinition tells whether a crossbar of two ports of two segments carries a set of connections: bit 4i + o joins
// input lane i to output lane o. A lane's port is lane/2, its segment lane%2.
func byDefinition(kind xbar.Kind, multicast bool, set int) bool {
	joined := func(i, o int) bool { return set>>(4*i+o)&1 != 0 }
	for i := range 4 {
		for o := range 4 {
			if !joined(i, o) {
				continue
			}
			if kind != xbar.Full && i%2 != o%2 {
				return false
			}
			for j := range 4 {
				for p := range 4 {
					switch {
					case !joined(j, p) || i == j && o == p:
					case o == p: // two sources of an output lane
						return false
					case i == j && !multicast: // one lane to several
						return false
					case kind == xbar.Unit && o/2 == p/2 && i/2 != j/2: // an output port with two peers
						return false
					case kind == xbar.Unit && !multicast && i/2 == j/2 && o/2 != p/2: // an input port with two peers
						return false
					}
				}
			}
		}
	}
	return true
}

// theorem routes random demands that leave no segment free where a further demand would fit.
func theorem(_ context.Context, run *claims.Run) (m claims.Measurement, err error) {
	const sets, ports, segments = 100, 32, 8
	rng := rand.New(rand.NewPCG(run.Seed, 51))
	failed, routed := uint64(0), 0
	for range sets {
		s := xbar.Shape{Kind: xbar.Segment, Inputs: ports, Outputs: ports, Segments: segments}
		in, out := make([]int, ports), make([]int, ports)
		var ds []xbar.Demand
		for _, i := range rng.Perm(ports * ports * 2) {
			from, to := i%ports, i/ports%ports
			if room := min(segments-in[from], segments-out[to]); room > 0 {
				w := 1 + rng.IntN(room)
				in[from], out[to] = in[from]+w, out[to]+w
				ds = append(ds, xbar.Demand{Name: fmt.Sprint(len(ds)), From: from, To: []int{to}, Width: w})
			}
		}
		ts, err := s.Route(ds)
		if err == nil {
			err = s.Check(ts)
		}
		if err != nil {
			failed++
		}
		routed += len(ts)
	}
	return claims.Count(failed, "sets", "not routed of %d, %d segments in all", sets, routed), nil
}

// splitTables shows the counter-example: no segment indices, and lanes on a full crossbar that pass the check.
func splitTables(context.Context, *claims.Run) (m claims.Measurement, err error) {
	s := xbar.Shape{Kind: xbar.Segment, Inputs: 3, Outputs: 3, Segments: 2, Multicast: true}
	ds := []xbar.Demand{
		{Name: "a", From: 0, To: []int{0, 1}, Width: 1}, {Name: "b", From: 1, To: []int{1, 2}, Width: 1},
		{Name: "c", From: 2, To: []int{0, 2}, Width: 1},
	}
	_, refused := s.Route(ds)
	s.Kind = xbar.Full
	ts, err := s.Route(ds)
	if err == nil {
		err = s.Check(ts)
	}
	if err != nil {
		return m, err
	}
	if refused == nil {
		return claims.Count(0, "counter-examples", "the segment crossbar carries it"), nil
	}
	return claims.Count(1, "counter-examples", "%s", refused.Error()), nil
}
