package engine

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
func (e *Engine) islands(total float64) [][]*Node {
	if e.cfg.Strict {
		return nil
	}
	var islands [][]*Node
	var whole []*Node // the first of each island that is not cut
	e.levels = 0
	short := func(in *Input) bool { return in.Node.Delay() <= shortestWindow } // 0 if it is no delay
	for _, island := range e.groups(short) {
		parts := e.flow(island)
		islands = append(islands, parts...)
		if len(parts) == 1 {
			whole = append(whole, island[0])
			continue
		}
		for _, nodes := range parts {
			e.levels = max(e.levels, nodes[0].level+1)
		}
	}
	for _, n := range whole {
		n.level = e.levels // a level of their own, the last, which waits for nobody
	}
	e.levels++
	if e.cfg.Workers == 1 {
		return islands
	}
	if len(islands) == 1 {
		return nil
	}
	for _, nodes := range islands {
		var weight float64
		for _, n := range nodes {
			weight += n.weight
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
func (e *Engine) shareOut() {
	e.limits = make([]int, len(e.clocks))
	for c := range e.limits {
		if e.limits[c] = freeWindow; len(e.parts) == 1 {
			e.limits[c] = math.MaxInt32 // no other island waits
		}
	}
	for i, p := range e.parts {
		p.team, p.index = &edgecalls.Team{}, i
	}
	joined := graph.NewGroups(len(e.parts))
	for _, in := range e.crossing {
		if in.From.IsWire {
			joined.Join(in.source().shard.part.index, in.Node.shard.part.index)
		}
	}
	crews := make([][]*part, len(e.parts))
	weight := func(crew []*part) (w float64) {
		for _, p := range crew {
			w += p.weight
		}
		return w
	}
	for i, p := range e.parts {
		crews[joined.First(i)] = append(crews[joined.First(i)], p)
	}
	crews = slices.DeleteFunc(crews, func(c []*part) bool { return len(c) == 0 })
	slices.SortStableFunc(
		crews, func(a, b []*part) int { return cmp.Or(a[0].level-b[0].level, cmp.Compare(weight(b), weight(a))) },
	)
	load := make([]float64, e.cfg.Workers)
	for _, crew := range crews {
		least := slices.Index(load, slices.Min(load))
		for _, p := range crew {
			p.worker = least
		}
		load[least] += weight(crew)
	}
	slices.SortStableFunc(e.parts, func(a, b *part) int { return cmp.Or(a.level-b.level, a.worker-b.worker) })
	for i, p := range e.parts {
		p.index = i
	}
	for _, n := range e.nodes {
		for _, in := range n.Ins {
			src := in.source()
			if src == nil || src.shard.part == n.shard.part {
				continue
			}
			from, to, limit := src.shard.part, n.shard.part, &e.limits[n.Clock]
			if n.Length != nil {
				*limit = min(*limit, longestWindow)
			}
			if from.level >= to.level || to.level == e.levels-1 { // it may run before
				*limit = min(*limit, n.Delay()-1)
			}
		}
	}
}

// cutFrom returns the part at whose edge a delay begins, if it ends in another, and both are islands.
func (n *Node) cutFrom() *part {
	if n.Length == nil {
		return nil
	}
	src := n.Ins[0].source()
	if src == nil || src.shard.part == n.shard.part || n.shard.part.team == nil {
		return nil
	}
	return src.shard.part
}

// Islands returns the modules of the islands, in the order of their first modules. There is one if the design has no
// delay that is long enough to cut it.
func (e *Engine) Islands() [][]*Node {
	if len(e.parts) > 0 && e.parts[0].team == nil {
		return [][]*Node{e.nodes} // the parts of workers are no islands
	}
	return e.byPart()
}
