package engine

import (
	"cmp"
	"reflect"
	"slices"
	"unsafe"

	"github.com/goldwire/goldwire/internal/edgecalls"
	"github.com/goldwire/goldwire/internal/graph"
)

// part is modules that one goroutine runs at a time: an island if the design has several, else what a worker of
// parallel mode has, else the whole design.
type part struct {
	modules runner    // runs the modules; nil unless the part is an island
	code    generated // runs in their place
	shards  []*shard  // by clock

	worker int     // the worker that has it, though others may help with a window of an island
	index  int     // among the parts
	level  int     // see flow
	weight float64 // ticks a second

	gives  []*Output       // outputs that other parts read
	leaves []*Node         // delays of other parts that read outputs
	team   *edgecalls.Team // of an island: the calls of its modules
}

// shard is a part's modules of one clock, and the registers they drive.
type shard struct {
	part   *part
	combs  []edgecalls.Comber
	ticks  []edgecalls.Ticker
	nodes  []*Node
	delays [][]*Node // by line
	// Delay lines that begin here and end in another island. Generated code calls them before the first tick of an
	// instant.
	starts []func()
	gives  []mover // passages to here
	takes  []mover // and from here
	slab   *slabs
	lo, hi int // its words of the slabs
}

// slabs have the registers of a clock, each shard's beside each other, so that a commit is one copy.
type slabs struct{ cur, next []uint64 }

// partition makes the parts: islands, or what each worker gets. Nodes joined by Wires stay together, so that no barrier
// is needed between Comb and Tick; workers without islands get neighbours in the order of adding, because they talk
// most to each other.
func (e *Engine) partition() {
	var total float64
	for _, n := range e.nodes {
		total += n.weight
	}
	if islands := e.islands(total); islands != nil {
		for _, nodes := range islands {
			e.addPart(nodes).level = nodes[0].level
		}
		e.findCrossings()
		e.shareOut()
		return
	}
	groups := make([][]*Node, e.cfg.Workers)
	var done float64
	for _, cluster := range e.groups(func(in *Input) bool { return in.From.IsWire }) {
		w := min(int(done/total*float64(e.cfg.Workers)), e.cfg.Workers-1)
		groups[w] = append(groups[w], cluster...)
		for _, n := range cluster {
			done += n.weight
		}
	}
	for w, nodes := range groups {
		e.addPart(nodes).worker = w
	}
}

// addPart adds a part of these nodes. They are in the order of adding, also in the slabs: generated code knows that
// layout by the shape.
func (e *Engine) addPart(nodes []*Node) *part {
	slices.SortFunc(nodes, func(a, b *Node) int { return cmp.Compare(a.Index, b.Index) })
	p := &part{}
	p.code.border = border{map[*Node]mover{}, map[*Output]mover{}, map[*unsafe.Pointer]mover{}}
	for range e.clocks {
		p.shards = append(p.shards, &shard{part: p})
	}
	for _, n := range nodes {
		n.shard = p.shards[n.Clock]
		n.shard.nodes = append(n.shard.nodes, n)
		p.weight += n.weight
	}
	e.parts = append(e.parts, p)
	return p
}

// byPart returns the nodes of each part in the order of adding, the parts in the order of their first nodes.
func (e *Engine) byPart() [][]*Node {
	var parts [][]*Node
	place := map[*part]int{}
	for _, n := range e.nodes {
		p := n.shard.part
		i, met := place[p]
		if !met {
			i = len(parts)
			place[p], parts = i, append(parts, nil)
		}
		parts[i] = append(parts[i], n)
	}
	return parts
}

// groups returns the groups of nodes whose inputs join them, in the order of their first members.
func (e *Engine) groups(joins func(*Input) bool) [][]*Node {
	joined := graph.NewGroups(len(e.nodes))
	for _, n := range e.nodes {
		for _, in := range n.Ins {
			if src := in.source(); src != nil && joins(in) {
				joined.Join(n.Index, src.Index)
			}
		}
	}
	groups := make([][]*Node, len(e.nodes))
	for _, n := range e.nodes {
		first := joined.First(n.Index)
		groups[first] = append(groups[first], n)
	}
	return slices.DeleteFunc(groups, func(g []*Node) bool { return len(g) == 0 })
}

const (
	cacheLine = 64 // bytes; shards do not share one
	wordSize  = 8
)

// allocate lays the registers of each clock out in its slabs, and the wires of each shard in a slab of their own, and
// binds all ports.
func (e *Engine) allocate() {
	for c := range e.clocks {
		var size uintptr
		for _, p := range e.parts {
			sh := p.shards[c]
			sh.gatherDelays()
			sh.lo = int(size) / wordSize
			for _, n := range sh.nodes {
				for _, o := range n.Outs {
					size = place(size, o.Kind.Type()) + o.size()
				}
			}
			size = (size + cacheLine - 1) &^ (cacheLine - 1)
			sh.hi = int(size) / wordSize
		}
		regs := &slabs{slab(size), slab(size)}
		for _, p := range e.parts {
			p.shards[c].slab = regs
			p.shards[c].bind()
		}
	}
	for _, n := range e.nodes {
		for _, in := range n.Ins {
			if in.From != nil {
				in.bind(in.From.Place())
			} else {
				in.bind(in.Constant)
			}
		}
	}
}

// bind gives the shard's outputs their places.
func (sh *shard) bind() {
	cur, next := unsafe.Pointer(unsafe.SliceData(sh.slab.cur)), unsafe.Pointer(unsafe.SliceData(sh.slab.next))
	at := uintptr(sh.lo) * wordSize
	var size uintptr
	for _, n := range sh.nodes {
		for _, w := range n.Wires {
			size = place(size, w.Kind.Type()) + w.size()
		}
	}
	comb := unsafe.Pointer(unsafe.SliceData(slab(size)))
	size = 0
	for _, n := range sh.nodes {
		for _, o := range n.Outs {
			at = place(at, o.Kind.Type())
			*o.Cur, *o.Next = unsafe.Add(cur, at), unsafe.Add(next, at)
			at += o.size()
		}
		for _, w := range n.Wires {
			size = place(size, w.Kind.Type())
			w.bind(unsafe.Add(comb, size))
			size += w.size()
		}
	}
}

// place returns the first offset from at that suits the type.
func place(at uintptr, t reflect.Type) uintptr {
	align := uintptr(t.Align())
	return (at + align - 1) &^ (align - 1)
}

// slab returns zeroed memory for size bytes on cache lines of its own. It holds no pointers: signal types have none.
func slab(size uintptr) []uint64 {
	words := int(size+wordSize-1) / wordSize
	const line = cacheLine / wordSize
	mem := make([]uint64, words+2*line)
	skip := 0
	for uintptr(unsafe.Pointer(&mem[skip]))%cacheLine != 0 {
		skip++
	}
	return mem[skip : skip+words : skip+words]
}

// fillShards lists the calls of each shard. Ticks stay in the order of adding: modules that were added together lie
// together in memory, which counts when there are more than the nearest cache holds.
func (e *Engine) fillShards(combCalls []*Node) {
	for _, n := range combCalls {
		n.shard.combs = append(n.shard.combs, n.Comber)
	}
	for _, n := range e.nodes {
		if n.Length == nil {
			n.shard.ticks = append(n.shard.ticks, n.Module)
		}
	}
}
