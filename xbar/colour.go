package xbar

import (
	"errors"
	"math/bits"
	"slices"
)

// colourEdges colours the edges of a bipartite multigraph, one for each segment of each demand, with as many colours
// as a port has segments. No port has more edges than that. It is König's proof: an edge takes a colour that is free
// at both ends; if there is none, the path of two alternating colours from one end is swapped, which cannot come back
// to the other end in a bipartite graph.
func colourEdges(s Shape, ds []Demand) [][]int {
	type edge struct{ demand, k, in, out int }
	var edges []edge
	for i, d := range ds {
		for k := range d.Width {
			edges = append(edges, edge{i, k, d.From, d.To[0]})
		}
	}
	colour := make([]int, len(edges))
	atIn, atOut := newHolders(s.Inputs, s.Segments), newHolders(s.Outputs, s.Segments) // which edge has a colour at a port
	for e, at := range edges {
		a, b := atIn.free(at.in), atOut.free(at.out) // both exist: the ports have fewer edges than colours so far
		if a != b && atOut[at.out][a] >= 0 {
			// a is taken at the output: swap a and b along the path that starts there, so that a becomes free
			var path []int
			for x, c, side := atOut[at.out][a], a, 0; x >= 0; side ^= 1 {
				path = append(path, x)
				c = a + b - c
				if side == 0 {
					x = atIn[edges[x].in][c]
				} else {
					x = atOut[edges[x].out][c]
				}
			}
			for _, x := range path {
				atIn[edges[x].in][colour[x]], atOut[edges[x].out][colour[x]] = -1, -1
			}
			for _, x := range path {
				colour[x] = a + b - colour[x]
				atIn[edges[x].in][colour[x]], atOut[edges[x].out][colour[x]] = x, x
			}
		}
		colour[e] = a
		atIn[at.in][a], atOut[at.out][a] = e, e
	}
	result := make([][]int, len(ds))
	for e, at := range edges {
		result[at.demand] = append(result[at.demand], colour[e])
	}
	return result
}

// holders has, for each port and colour, the edge that has it, -1 for none.
type holders [][]int

func newHolders(ports, colours int) holders {
	h := make(holders, ports)
	for p := range h {
		h[p] = slices.Repeat([]int{-1}, colours)
	}
	return h
}

func (h holders) free(port int) int { return slices.Index(h[port], -1) }

// SearchLimit is how many steps Route takes to find segment indices for demands of several outputs before it gives up.
const SearchLimit = 5_000_000

var errSearch = errors.New("crossbar: no segment indices found and none refuted within the limit of the search")

// colourHyperedges searches for colours where demands reach several outputs: the problem is hard in general, and small
// here.
func colourHyperedges(s Shape, ds []Demand) ([][]int, error) {
	if s.Segments > 64 {
		return nil, errors.New("crossbar: demands of several outputs are searched with up to 64 segments")
	}
	steps := SearchLimit
	colours, refuted := search(s, ds, &steps)
	if colours != nil {
		return colours, nil
	}
	if !refuted {
		return nil, errSearch
	}
	// the counter-example: leave out whatever is not needed for it
	core := slices.Clone(ds)
	for i := 0; i < len(core); {
		less := slices.Delete(slices.Clone(core), i, i+1)
		steps = SearchLimit
		if _, still := search(s, less, &steps); still {
			core = less
		} else {
			i++
		}
	}
	return nil, &UnroutableError{s.Segments, core}
}

// search tries the demands in order of how much they meet others. Refuted means that it has tried everything.
func search(s Shape, ds []Demand, steps *int) (colours [][]int, refuted bool) {
	n := &node{ds: ds, steps: steps, all: ^uint64(0) >> (64 - s.Segments), in: make([]uint64, s.Inputs),
		out: make([]uint64, s.Outputs), got: make([]uint64, len(ds))}
	for i := range ds {
		n.order = append(n.order, i)
	}
	slices.SortStableFunc(n.order, func(a, b int) int { return len(ds[b].To)*ds[b].Width - len(ds[a].To)*ds[a].Width })
	if !n.place(0, 0) {
		return nil, *steps > 0
	}
	colours = make([][]int, len(ds))
	for i, set := range n.got {
		for ; set != 0; set &= set - 1 {
			colours[i] = append(colours[i], bits.TrailingZeros64(set))
		}
	}
	return colours, false
}

// node is the state of a search: the colours taken at each port, and the colours of each demand.
type node struct {
	ds      []Demand
	order   []int
	all     uint64
	in, out []uint64
	got     []uint64
	used    uint64 // colours that some demand has; the unused ones are interchangeable
	steps   *int
}

// place gives the k-th demand in order, and those after it, their colours. Above is the next colour it may take: a
// demand's colours rise.
func (n *node) place(k, above int) bool {
	if k == len(n.order) {
		return true
	}
	d := n.order[k]
	if bits.OnesCount64(n.got[d]) == n.ds[d].Width {
		return n.place(k+1, 0)
	}
	if *n.steps--; *n.steps <= 0 {
		return false
	}
	free := n.all &^ n.in[n.ds[d].From]
	for _, o := range n.ds[d].To {
		free &^= n.out[o]
	}
	free = free >> above << above
	fresh := free &^ n.used
	free &= n.used | fresh&-fresh // of the colours that nobody has yet, the first stands for all
	for ; free != 0; free &= free - 1 {
		c := bits.TrailingZeros64(free)
		before := n.used
		n.take(d, 1<<c)
		n.used |= 1 << c
		if n.place(k, c+1) {
			return true
		}
		n.take(d, 1<<c)
		n.used = before
	}
	return false
}

// take gives a demand a colour, or takes it back.
func (n *node) take(d int, colour uint64) {
	n.got[d] ^= colour
	n.in[n.ds[d].From] ^= colour
	for _, o := range n.ds[d].To {
		n.out[o] ^= colour
	}
}
