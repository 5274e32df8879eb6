package rtl

import (
	"cmp"
	"reflect"
	"slices"
	"unsafe"

	"github.com/goldwire/goldwire/internal/edgecalls"
	"github.com/goldwire/goldwire/internal/fusedcode"
	"github.com/goldwire/goldwire/internal/graph"
	"github.com/goldwire/goldwire/internal/reach"
)

// part is modules that one goroutine runs at a time: an island if the design has several, else what a worker of
// parallel mode has, else the whole design.
type part struct {
	// first what a window of an island looks at, since most are not in the nearest cache then
	fusing  bool   // generated code is used for the rest of the run
	code    runner // by generated code, nil if there is none
	modules runner
	domains *fusedcode.Island // generated code

	worker int     // the worker that has it, though others may help with a window of an island
	index  int     // among the parts
	level  int     // see flow
	gives  []any   // outputs that other parts read
	leaves []*node // delays of other parts that read outputs
	border border
	weight float64  // ticks a second
	shards []*shard // by clock

	newDomains func([]fusedcode.Module) fusedcode.Island // makes domains, or nil

	clocks   []int         // the outputs that the shape numbers, by their index
	sight    *reach.Search // of domains' plain modules
	fusedRan bool
	driven   bool // all outputs were driven: see canFuse

	// of an island:
	team *edgecalls.Team
}

// shard is a part's modules of one clock, and the registers they drive.
type shard struct {
	part   *part
	combs  []edgecalls.Comber
	ticks  []edgecalls.Ticker
	nodes  []*node
	delays [][]*node // by line
	starts []func()  // delay lines that begin here and end in another island: called before the first tick of generated code at an instant
	gives  []mover   // passages to here
	takes  []mover   // and from here
	slab   *slabs
	lo, hi int // its words of the slabs
}

// slabs have the registers of a clock, each shard's beside each other, so that a commit is one copy.
type slabs struct{ cur, next []uint64 }

// partition makes the parts: islands, or what each worker gets. Nodes joined by Wires stay together, so that no barrier
// is needed between Comb and Tick; workers without islands get neighbours in the order of adding, because they talk
// most to each other.
func (s *Sim) partition() {
	for _, c := range s.clocks {
		c.hz, _ = c.spec.Freq.Hz().Float64()
	}
	var total float64
	for _, n := range s.nodes {
		total += n.weight()
	}
	if islands := s.islands(total); islands != nil {
		for _, nodes := range islands {
			s.addPart(nodes).level = nodes[0].level
		}
		s.findCrossings()
		s.shareOut()
		return
	}
	groups := make([][]*node, s.cfg.Workers)
	var done float64
	for _, cluster := range s.groups(func(in *inPort) bool { _, ok := in.src.(*wirePort); return ok }) {
		w := min(int(done/total*float64(s.cfg.Workers)), s.cfg.Workers-1)
		groups[w] = append(groups[w], cluster...)
		for _, n := range cluster {
			done += n.weight()
		}
	}
	for w, nodes := range groups {
		s.addPart(nodes).worker = w
	}
}

// addPart adds a part of these nodes. They are in the order of adding, also in the slabs: generated code knows that
// layout by the shape.
func (s *Sim) addPart(nodes []*node) *part {
	slices.SortFunc(nodes, func(a, b *node) int { return cmp.Compare(a.index, b.index) })
	p := &part{}
	p.border = border{map[*node]mover{}, map[any]mover{}, map[sink]mover{}}
	for range s.clocks {
		p.shards = append(p.shards, &shard{part: p})
	}
	for _, n := range nodes {
		n.shard = p.shards[n.clock.index]
		n.shard.nodes = append(n.shard.nodes, n)
		p.weight += n.weight()
	}
	s.parts = append(s.parts, p)
	return p
}

// byPart returns the nodes of each part in the order of adding, the parts in the order of their first nodes.
func (s *Sim) byPart() [][]*node {
	var parts [][]*node
	place := map[*part]int{}
	for _, n := range s.nodes {
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

// weight is about how much work a module is: its ports, which it looks at, in a second.
func (n *node) weight() float64 {
	return n.clock.hz * float64(1+n.size)
}

// source returns the node that drives an input, nil for a constant.
func (p *inPort) source() *node {
	switch src := p.src.(type) {
	case *outPort:
		return src.node
	case *wirePort:
		return src.node
	}
	return nil
}

// groups returns the groups of nodes whose inputs join them, in the order of their first members.
func (s *Sim) groups(joins func(*inPort) bool) [][]*node {
	joined := graph.NewGroups(len(s.nodes))
	for _, n := range s.nodes {
		for _, in := range n.ins {
			if src := in.source(); src != nil && joins(in) {
				joined.Join(n.index, src.index)
			}
		}
	}
	groups := make([][]*node, len(s.nodes))
	for _, n := range s.nodes {
		first := joined.First(n.index)
		groups[first] = append(groups[first], n)
	}
	return slices.DeleteFunc(groups, func(g []*node) bool { return len(g) == 0 })
}

const (
	cacheLine = 64 // bytes; shards do not share one
	wordSize  = 8
)

// allocate lays the registers of each clock out in its slabs, and the wires of each shard in a slab of their own, and
// binds all ports.
func (s *Sim) allocate() {
	for c := range s.clocks {
		var size uintptr
		for _, p := range s.parts {
			sh := p.shards[c]
			sh.gatherDelays()
			sh.lo = int(size) / wordSize
			for _, n := range sh.nodes {
				for _, o := range n.outs {
					size = place(size, o.port.elem()) + o.port.elem().Size()
				}
			}
			size = (size + cacheLine - 1) &^ (cacheLine - 1)
			sh.hi = int(size) / wordSize
		}
		regs := &slabs{slab(size), slab(size)}
		for _, p := range s.parts {
			p.shards[c].slab = regs
			p.shards[c].bind()
		}
	}
	for _, n := range s.nodes {
		for _, in := range n.ins {
			switch src := in.src.(type) {
			case *outPort:
				in.port.bindTo(src.signal.p)
			case *wirePort:
				in.port.bindTo(src.signal.p)
			case tied:
				in.port.bindTo(src.cell())
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
		for _, w := range n.wires {
			size = place(size, w.port.elem()) + w.port.elem().Size()
		}
	}
	comb := unsafe.Pointer(unsafe.SliceData(slab(size)))
	size = 0
	for _, n := range sh.nodes {
		for _, o := range n.outs {
			at = place(at, o.port.elem())
			o.signal.p, o.signal.next = unsafe.Add(cur, at), unsafe.Add(next, at)
			o.port.bind(o.signal.p, o.signal.next)
			at += o.port.elem().Size()
		}
		for _, w := range n.wires {
			size = place(size, w.port.elem())
			w.signal.p = unsafe.Add(comb, size)
			w.port.bindWire(w.signal.p)
			size += w.port.elem().Size()
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
func (s *Sim) fillShards(combCalls []*node) {
	for _, n := range combCalls {
		n.shard.combs = append(n.shard.combs, n.comber)
	}
	for _, n := range s.nodes {
		if n.delay == nil {
			n.shard.ticks = append(n.shard.ticks, n.module)
		}
	}
}
