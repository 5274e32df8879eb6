package rtl

import (
	"reflect"
	"slices"
	"unsafe"
)

// shard is what one worker does for one clock: its modules, and the registers they drive. All registers lie in two
// slabs, so a commit is one copy.
type shard struct {
	combs []Comber
	ticks []Module
	cur   []uint64
	next  []uint64
	nodes []*node

	delays [][]*node // by line
}

// partition gives each node to a worker. Nodes joined by Wires stay together, so that no barrier is needed between Comb
// and Tick; otherwise neighbours in the order of adding stay together, because they talk most to each other.
func (s *Sim) partition() {
	s.shards = make([][]*shard, s.cfg.Workers)
	for w := range s.shards {
		for range s.clocks {
			s.shards[w] = append(s.shards[w], &shard{})
		}
	}
	clusters := s.clusters()
	var total float64
	weight := func(n *node) float64 { f, _ := n.clock.spec.Freq.Hz().Float64(); return f }
	for _, n := range s.nodes {
		total += weight(n)
	}
	var done float64
	for _, cluster := range clusters {
		w := min(int(done/total*float64(s.cfg.Workers)), s.cfg.Workers-1)
		for _, n := range cluster {
			n.shard = s.shards[w][n.clock.index]
			n.shard.nodes = append(n.shard.nodes, n)
			done += weight(n)
		}
	}
}

// clusters returns the groups of nodes joined by Wires, in the order of their first members.
func (s *Sim) clusters() [][]*node {
	for i, n := range s.nodes {
		n.cluster = i
	}
	var root func(i int) int
	root = func(i int) int {
		if c := s.nodes[i].cluster; c != i {
			s.nodes[i].cluster = root(c)
		}
		return s.nodes[i].cluster
	}
	index := map[*node]int{}
	for i, n := range s.nodes {
		index[n] = i
	}
	for i, n := range s.nodes {
		for _, in := range n.ins {
			if w, ok := in.src.(*wirePort); ok {
				a, b := root(i), root(index[w.node])
				s.nodes[max(a, b)].cluster = min(a, b)
			}
		}
	}
	groups := make([][]*node, len(s.nodes))
	for i, n := range s.nodes {
		groups[root(i)] = append(groups[root(i)], n)
	}
	return slices.DeleteFunc(groups, func(g []*node) bool { return len(g) == 0 })
}

const cacheLine = 64 // bytes; shards do not share one

// allocate lays the registers of each shard out in its slabs and the wires in a slab of their own, and binds all ports.
func (s *Sim) allocate() {
	for _, worker := range s.shards {
		for _, sh := range worker {
			sh.gatherDelays()
			var size, wires uintptr
			for _, n := range sh.nodes {
				for _, o := range n.outs {
					size = place(size, o.port.elem()) + o.port.elem().Size()
				}
				for _, w := range n.wires {
					wires = place(wires, w.port.elem()) + w.port.elem().Size()
				}
			}
			sh.cur, sh.next = slab(size), slab(size)
			cur, next := unsafe.Pointer(unsafe.SliceData(sh.cur)), unsafe.Pointer(unsafe.SliceData(sh.next))
			comb := unsafe.Pointer(unsafe.SliceData(slab(wires)))
			size, wires = 0, 0
			for _, n := range sh.nodes {
				for _, o := range n.outs {
					size = place(size, o.port.elem())
					o.signal.p, o.signal.next = unsafe.Add(cur, size), unsafe.Add(next, size)
					o.port.bind(o.signal.p, o.signal.next)
					size += o.port.elem().Size()
				}
				for _, w := range n.wires {
					wires = place(wires, w.port.elem())
					w.signal.p = unsafe.Add(comb, wires)
					w.port.bindWire(w.signal.p)
					wires += w.port.elem().Size()
				}
			}
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

// place returns the first offset from at that suits the type.
func place(at uintptr, t reflect.Type) uintptr {
	align := uintptr(t.Align())
	return (at + align - 1) &^ (align - 1)
}

// slab returns zeroed memory for size bytes on cache lines of its own. It holds no pointers: signal types have none.
func slab(size uintptr) []uint64 {
	words := int(size+7) / 8
	const line = cacheLine / 8
	mem := make([]uint64, words+2*line)
	skip := 0
	for uintptr(unsafe.Pointer(&mem[skip]))%cacheLine != 0 {
		skip++
	}
	return mem[skip : skip+words : skip+words]
}

// fillShards lists the calls of each shard. Ticks stay in the order of adding: modules that were added together lie together
// in memory, which counts when there are more than the nearest cache holds.
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
