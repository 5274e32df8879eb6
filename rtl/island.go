package rtl

import (
	"cmp"
	"math"
	"slices"

	"github.com/goldwire/goldwire/internal/edgecalls"
	"github.com/goldwire/goldwire/internal/graph"
)

// Islands, parts of a design that meet only through long delays, need not be run edge by edge together: what one of
// them reads of another has been under way for many edges. So each is run for a window of instants before the next is
// touched, and its state stays in the nearest cache meanwhile; in parallel mode workers meet once a window and not
// twice an instant. Every island sees the same instants in the same order as in lockstep, so all bits are the same. A
// design that is not cut is one island.

const (
	// A delay is cut if a window of this many edges fits into it: shorter ones gain little.
	shortestWindow = 16
	// longestWindow bounds the edges of a window, so that the values on their way between islands stay in a cache.
	longestWindow = 128
	// freeWindow bounds the windows of clocks without a cut delay.
	freeWindow = 1024
)

// islands returns the groups of nodes that meet only through long delays. It returns nil in strict mode, and for
// several workers if there is only one or if one has most of the work.
func (s *Sim) islands(total float64) [][]*node {
	if s.cfg.Mode == Strict {
		return nil
	}
	var islands [][]*node
	var whole []*node // the first of each island that is not cut
	s.levels = 0
	for _, island := range s.groups(func(in *inPort) bool { return in.node.delay == nil || in.node.delay.edges() <= shortestWindow }) {
		parts := s.flow(island)
		islands = append(islands, parts...)
		if len(parts) == 1 {
			whole = append(whole, island[0])
			continue
		}
		for _, nodes := range parts {
			s.levels = max(s.levels, nodes[0].level+1)
		}
	}
	for _, n := range whole {
		n.level = s.levels // a level of their own, the last, which waits for nobody
	}
	s.levels++
	if s.cfg.Workers == 1 {
		return islands
	}
	if len(islands) == 1 {
		return nil
	}
	for _, nodes := range islands {
		var weight float64
		for _, n := range nodes {
			weight += n.weight()
		}
		if weight > total*3/4 {
			return nil
		}
	}
	return islands
}

// shareOut gives the parts to workers, and puts them in the order of their levels. The parts of low levels are given
// out first, then heavy ones, each to the worker with the least work so far; parts that Wires join go to one worker. It
// finds how long windows may be.
func (s *Sim) shareOut() {
	s.limits = make([]int, len(s.clocks))
	for c := range s.limits {
		if s.limits[c] = freeWindow; len(s.parts) == 1 {
			s.limits[c] = math.MaxInt32 // no other island waits
		}
	}
	for i, p := range s.parts {
		p.team, p.index = &edgecalls.Team{}, i
	}
	joined := graph.NewGroups(len(s.parts))
	for _, in := range s.crossing {
		if _, isWire := in.src.(*wirePort); isWire {
			joined.Join(in.source().shard.part.index, in.node.shard.part.index)
		}
	}
	crews := make([][]*part, len(s.parts))
	weight := func(crew []*part) (w float64) {
		for _, p := range crew {
			w += p.weight
		}
		return w
	}
	for i, p := range s.parts {
		crews[joined.First(i)] = append(crews[joined.First(i)], p)
	}
	crews = slices.DeleteFunc(crews, func(c []*part) bool { return len(c) == 0 })
	slices.SortStableFunc(
		crews, func(a, b []*part) int { return cmp.Or(a[0].level-b[0].level, cmp.Compare(weight(b), weight(a))) },
	)
	load := make([]float64, s.cfg.Workers)
	for _, crew := range crews {
		least := slices.Index(load, slices.Min(load))
		for _, p := range crew {
			p.worker = least
		}
		load[least] += weight(crew)
	}
	slices.SortStableFunc(s.parts, func(a, b *part) int { return cmp.Or(a.level-b.level, a.worker-b.worker) })
	for i, p := range s.parts {
		p.index = i
	}
	for _, n := range s.nodes {
		for _, in := range n.ins {
			src := in.source()
			if src == nil || src.shard.part == n.shard.part {
				continue
			}
			from, to, limit := src.shard.part, n.shard.part, &s.limits[n.clock.index]
			if n.delay != nil {
				*limit = min(*limit, longestWindow)
			}
			if from.level >= to.level || to.level == s.levels-1 { // it may run before
				*limit = min(*limit, n.delay.edges()-1)
			}
		}
	}
}

// cutFrom returns the part at whose edge a delay begins, if it ends in another, and both are islands.
func (n *node) cutFrom() *part {
	if n.delay == nil {
		return nil
	}
	src := n.ins[0].source()
	if src == nil || src.shard.part == n.shard.part || n.shard.part.team == nil {
		return nil
	}
	return src.shard.part
}

// Island is a part of a design that can be run ahead of the others for a window.
type Island struct {
	Modules []string // their paths, in the order of adding
	Clocks  []*Clock
}

// Islands returns the islands of an elaborated simulation, in the order of their first modules; one if it has no delay
// that is long enough to cut it.
func (s *Sim) Islands() []Island {
	s.mustBe(running, "Islands")
	parts := s.byPart()
	if len(parts) > 0 && parts[0][0].shard.part.team == nil {
		parts = [][]*node{s.nodes} // the parts of workers are no islands
	}
	var islands []Island
	for _, nodes := range parts {
		var i Island
		for _, n := range nodes {
			if i.Modules = append(i.Modules, n.path); !slices.Contains(i.Clocks, n.clock) {
				i.Clocks = append(i.Clocks, n.clock)
			}
		}
		islands = append(islands, i)
	}
	return islands
}
