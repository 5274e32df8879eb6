package engine

import (
	"cmp"
	"slices"
	"strings"
	"unsafe"

	"github.com/goldwire/goldwire/internal/graph"
	"github.com/goldwire/goldwire/internal/ring"
)

// A large island is cut once more, where data goes one way only. The part that gives runs its window before the part
// that takes, so no delay need lie between them. A switch is such an island: receivers, the wires between ports,
// transmitters. A passage keeps the values that cross a cut, for each edge of the window. In lockstep inputs read their
// sources, as if there were no cut.

// largeIsland is how many modules an island that is cut has at least. The state of a smaller one stays in a near cache.
const largeIsland = 96

// flow cuts a large island into parts, and gives each node the level of its part. A part is one scope at the top, or
// several that make a circle. The other parts of the island that it reads have lower levels, or comes by a long delay.
func (e *Engine) flow(island []*Node) [][]*Node {
	if len(island) < largeIsland {
		return [][]*Node{island}
	}
	scope := scopes(island)
	joined := graph.NewGroups(len(e.nodes))
	var arrows [][2]*Node
	for _, n := range island {
		for _, in := range n.Ins {
			switch src := in.source(); {
			case src == nil || n.Length != nil && n.Delay() > shortestWindow:
			case scope[src] == scope[n] || n.single():
				joined.Join(src.Index, n.Index)
			default:
				arrows = append(arrows, [2]*Node{src, n})
			}
		}
	}
	group := func(n *Node) int { return joined.First(n.Index) }
	var order []int
	needs := map[int][]int{}
	for circles := true; circles; {
		circles = false
		clear(needs)
		for _, a := range arrows {
			if from, to := group(a[0]), group(a[1]); from != to {
				needs[to] = append(needs[to], from)
			}
		}
		var groups []int
		for _, n := range island {
			if group(n) == n.Index {
				groups = append(groups, n.Index)
			}
		}
		order = graph.Order(groups, func(g int) []int { return needs[g] }, func(circle []int) {
			for _, g := range circle {
				joined.Join(g, circle[0])
			}
			circles = true
		})
	}
	level, members := map[int]int{}, map[int][]*Node{}
	for _, g := range order {
		for _, from := range needs[g] {
			level[g] = max(level[g], level[from]+1)
		}
	}
	for _, n := range island {
		n.level = level[group(n)]
		members[group(n)] = append(members[group(n)], n)
	}
	var parts [][]*Node
	for _, g := range order {
		parts = append(parts, members[g])
	}
	return parts
}

// scopes returns the scope at the top that each node of an island goes with. A delay's scope is its reader's. A delay
// of a single edge gives on at the edge at which it reads, and workers in lockstep do not meet in between: it goes with
// its source.
func scopes(island []*Node) map[*Node]string {
	scope := map[*Node]string{}
	for _, n := range island {
		scope[n], _, _ = strings.Cut(n.Path, ".")
	}
	for _, n := range island {
		for _, in := range n.Ins {
			switch src := in.source(); {
			case src == nil:
			case n.single():
				scope[n] = scope[src]
			case n.Length == nil && src.Length != nil && !src.single():
				scope[src] = scope[n]
			}
		}
	}
	return scope
}

// single tells whether the node is a delay of one edge.
func (n *Node) single() bool { return n.Length != nil && n.Delay() == 1 }

// findCrossings finds the outputs that leave each part, and the inputs that read another part of their island.
func (e *Engine) findCrossings() {
	for _, n := range e.nodes {
		for _, in := range n.Ins {
			src := in.source()
			if src == nil || src.shard.part == n.shard.part {
				continue
			}
			from := src.shard.part
			if n.Length != nil {
				from.leaves = append(from.leaves, n)
				continue
			}
			e.crossing = append(e.crossing, in)
			if !slices.Contains(from.gives, in.From) {
				from.gives = append(from.gives, in.From)
			}
		}
	}
}

// passage carries outputs of one clock and type to inputs of later parts. Between runs, and in lockstep, the inputs
// read the outputs themselves.
type passage interface {
	open()  // lets the inputs read the given values: at first what the outputs are now
	close() // lets them read the outputs
	// take returns the function that keeps the values of n outputs, from the first on, after an edge, when wires are
	// settled. give returns the function that brings them to n inputs after the same edge: the values of n outputs from
	// one on.
	take(first, n int) mover
	give(first, n, output int) mover
}

type passageOf[T any] struct {
	*ring.Ring[T]

	ins   []*Input
	outs  []*T // by column
	read  []*T // by input: its source
	given []T
}

// newPassage returns one with a column for each output. Columns say which of them each input reads.
func newPassage[T any](ins []*Input, columns []int, window int) *passageOf[T] {
	rows := window + 1 | 1 // a power of two would put all columns into a few sets of a cache
	p := &passageOf[T]{ins: ins, given: make([]T, len(ins))}
	for i, in := range ins {
		p.read = append(p.read, (*T)(in.Place()))
		if columns[i] == len(p.outs) {
			p.outs = append(p.outs, p.read[i])
		}
	}
	p.Ring = ring.New[T](len(p.outs), 1, rows)
	return p
}

func (p *passageOf[T]) open() {
	for i, in := range p.ins {
		p.given[i] = *p.read[i]
		in.bind(unsafe.Pointer(&p.given[i]))
	}
}

func (p *passageOf[T]) close() {
	for i, in := range p.ins {
		in.bind(unsafe.Pointer(p.read[i]))
	}
}

func (p *passageOf[T]) take(first, n int) mover {
	s := p.Start(first, n)
	copy(s.From, p.outs[first:])
	return s
}

func (p *passageOf[T]) give(first, n, output int) mover {
	return p.End(output, p.given[first:first+n])
}

// addPassages makes the passages of all crossings. All ports are bound.
func (e *Engine) addPassages() {
	ends := func(in *Input) (from, to *part, clock int) {
		return in.source().shard.part, in.Node.shard.part, in.source().Clock
	}
	type key struct {
		clock int
		kind  Kind
	}
	alike := map[key][]*Input{}
	var keys []key
	for _, in := range e.crossing {
		_, _, clock := ends(in)
		k := key{clock, in.Kind}
		if alike[k] == nil {
			keys = append(keys, k)
		}
		alike[k] = append(alike[k], in)
		e.limits[clock] = min(e.limits[clock], longestWindow)
	}
	for _, k := range keys {
		ins := alike[k]
		slices.SortStableFunc(ins, func(a, b *Input) int {
			af, at, _ := ends(a)
			bf, bt, _ := ends(b)
			return cmp.Or(af.index-bf.index, at.index-bt.index)
		})
		var outs []*Output
		column, columns := map[*Output]int{}, make([]int, len(ins))
		for i, in := range ins {
			if _, met := column[in.From]; !met {
				column[in.From], outs = len(outs), append(outs, in.From)
			}
			columns[i] = column[in.From]
		}
		p := k.kind.newPassage(ins, columns, e.limits[k.clock])
		e.passages = append(e.passages, p)
		runs(outs, func(out *Output) *part { return out.Node.shard.part }, func(from *part, first, n int) {
			sh, take := from.shards[k.clock], p.take(first, n)
			sh.takes = append(sh.takes, take)
			from.code.border.gives[outs[first]] = take
		})
		for first := 0; first < len(ins); {
			to, n := ins[first].Node.shard.part, 1
			follows := func(i int) bool { return ins[i].Node.shard.part == to && columns[i] == columns[first]+n }
			for !to.alone() && first+n < len(ins) && follows(first+n) {
				n++
			}
			sh, give := to.shards[k.clock], p.give(first, n, columns[first])
			sh.gives = append(sh.gives, give)
			to.code.border.comes[ins[first].Cur] = give
			first += n
		}
	}
}

// runs calls each for every stretch of neighbours that one part has: where it begins, and how many there are. Generated
// code moves each by itself.
func runs[T any](all []T, of func(T) *part, each func(p *part, first, n int)) {
	for i := 0; i < len(all); {
		p, end := of(all[i]), i+1
		for !p.alone() && end < len(all) && of(all[end]) == p {
			end++
		}
		each(p, i, end-i)
		i = end
	}
}

// openPassages lets islands run by themselves, or in lockstep again.
func (e *Engine) openPassages(open bool) {
	for _, p := range e.passages {
		if open {
			p.open()
		} else {
			p.close()
		}
	}
}
