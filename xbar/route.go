package xbar

import (
	"fmt"
	"slices"
	"strings"
)

// Demand is one transfer through a crossbar in one cycle, or at one phase of a period: a word of Width segments from
// an input to one output, or to several at once.
type Demand struct {
	Name  string
	From  int
	To    []int
	Width int // segments
}

// An OverloadError is a port with more segments to carry than it has.
type OverloadError struct {
	Side           string // "input", "output"
	Port           int
	Wanted, Has    int
	Names          []string // the demands
	unitCrossbarOf string
}

func (e *OverloadError) Error() string {
	if e.unitCrossbarOf != "" {
		return fmt.Sprintf("%s %d: %s need different peers, a unit crossbar joins it to one %s", e.Side, e.Port,
			strings.Join(e.Names, ", "), e.unitCrossbarOf)
	}
	return fmt.Sprintf("%s %d has %d segments, %s need %d", e.Side, e.Port, e.Has, strings.Join(e.Names, ", "), e.Wanted)
}

// An UnroutableError is a counter-example: demands that a full crossbar of the same size carries and a segment
// crossbar does not. Without any one of them the rest has a routing.
type UnroutableError struct {
	Segments int
	Demands  []Demand
}

func (e *UnroutableError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "no segment indices out of %d for", e.Segments)
	for i, d := range e.Demands {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, " %s (input %d to outputs %v, %d wide)", d.Name, d.From, d.To, d.Width)
	}
	return b.String()
}

// Route finds lanes for demands that pass together: Width transfers for each, in the order of the demands. The error
// is an *OverloadError or, on a segment crossbar with demands of several outputs, an *UnroutableError: that search is
// exhaustive, for up to 64 segments, and gives up with an error of its own after [SearchLimit] steps.
//
// Without such demands a segment crossbar needs no search: the indices are the colours of the edges of a bipartite
// multigraph, and its largest degree is enough of them (dRMT Theorem 5.1).
func (s Shape) Route(ds []Demand) ([]Transfer, error) {
	if err := s.Valid(); err != nil {
		return nil, err
	}
	if err := s.carries(ds); err != nil {
		return nil, err
	}
	switch s.Kind {
	case Full:
		return s.routeFull(ds), nil
	case Unit:
		return s.routeUnit(ds), nil
	}
	single := true
	for _, d := range ds {
		single = single && len(d.To) == 1
	}
	var colours [][]int
	if single {
		colours = colourEdges(s, ds)
	} else {
		var err error
		if colours, err = colourHyperedges(s, ds); err != nil {
			return nil, err
		}
	}
	return transfers(ds, func(i, k int) (int, func(int) int) {
		c := colours[i][k]
		return c, func(int) int { return c }
	}), nil
}

// carries checks what every crossbar needs: demands that exist, and ports that are wide enough.
func (s Shape) carries(ds []Demand) error {
	in, out := make([]int, s.Inputs), make([]int, s.Outputs)
	for _, d := range ds {
		if d.Width < 1 || len(d.To) == 0 {
			return fmt.Errorf("%s: %w", d.Name, errNoDemand)
		}
		if d.From < 0 || d.From >= s.Inputs {
			return fmt.Errorf("%s: the %v has no input %d", d.Name, s, d.From)
		}
		if len(d.To) > 1 && !s.Multicast {
			return fmt.Errorf("%s: goes to %d outputs, the %v takes one", d.Name, len(d.To), s)
		}
		in[d.From] += d.Width
		for j, o := range d.To {
			if o < 0 || o >= s.Outputs || slices.Contains(d.To[:j], o) {
				return fmt.Errorf("%s: output %d does not exist in the %v or stands twice", d.Name, o, s)
			}
			out[o] += d.Width
		}
	}
	for p, n := range in {
		if n > s.Segments {
			return &OverloadError{Side: "input", Port: p, Wanted: n, Has: s.Segments,
				Names: names(ds, func(d Demand) bool { return d.From == p })}
		}
	}
	for p, n := range out {
		if n > s.Segments {
			return &OverloadError{Side: "output", Port: p, Wanted: n, Has: s.Segments,
				Names: names(ds, func(d Demand) bool { return slices.Contains(d.To, p) })}
		}
	}
	if s.Kind == Unit {
		return s.carriesUnit(ds)
	}
	return nil
}

// carriesUnit checks that ports meet one peer each.
func (s Shape) carriesUnit(ds []Demand) error {
	for p := range s.Outputs {
		if n, ok := onePeer(ds, func(d Demand) bool { return slices.Contains(d.To, p) },
			func(d Demand) []int { return []int{d.From} }); !ok {
			return &OverloadError{Side: "output", Port: p, Names: n, unitCrossbarOf: "input"}
		}
	}
	for p := range s.Inputs {
		if n, ok := onePeer(ds, func(d Demand) bool { return d.From == p }, func(d Demand) []int { return d.To }); !ok &&
			!s.Multicast {
			return &OverloadError{Side: "input", Port: p, Names: n, unitCrossbarOf: "output"}
		}
	}
	return nil
}

func onePeer(ds []Demand, at func(Demand) bool, peers func(Demand) []int) (all []string, ok bool) {
	seen := map[int]bool{}
	for _, d := range ds {
		if at(d) {
			all = append(all, d.Name)
			for _, p := range peers(d) {
				seen[p] = true
			}
		}
	}
	return all, len(seen) <= 1
}

func names(ds []Demand, which func(Demand) bool) (all []string) {
	for _, d := range ds {
		if which(d) {
			all = append(all, d.Name)
		}
	}
	return all
}

// routeFull counts lanes up on each side by itself.
func (s Shape) routeFull(ds []Demand) []Transfer {
	in, out := make([]int, s.Inputs), make([]int, s.Outputs)
	return transfers(ds, func(i, _ int) (int, func(int) int) {
		in[ds[i].From]++
		return in[ds[i].From] - 1, func(o int) int { out[o]++; return out[o] - 1 }
	})
}

// routeUnit counts an input's lanes up. Demands that meet at an output have one input, so they differ there too.
func (s Shape) routeUnit(ds []Demand) []Transfer {
	in := make([]int, s.Inputs)
	return transfers(ds, func(i, _ int) (int, func(int) int) {
		k := in[ds[i].From]
		in[ds[i].From]++
		return k, func(int) int { return k }
	})
}

// transfers makes the transfers of demands. Lanes gives the input segment of the k-th word of demand i, and the
// segment at each output.
func transfers(ds []Demand, lanes func(i, k int) (from int, to func(output int) int)) []Transfer {
	var ts []Transfer
	for i, d := range ds {
		for k := range d.Width {
			from, to := lanes(i, k)
			t := Transfer{Name: d.Name, From: Lane{d.From, from}}
			for _, o := range d.To {
				t.To = append(t.To, Lane{o, to(o)})
			}
			ts = append(ts, t)
		}
	}
	return ts
}
