package rtl

import (
	"reflect"
	"slices"
	"unsafe"

	"github.com/goldwire/goldwire/internal/edgecalls"
	"github.com/goldwire/goldwire/internal/ring"
)

// Delay gives every value on unchanged, Edges edges after it could be read: a pipeline that does nothing else. It gives
// zero values until the first one arrives. The kernel moves the values of all delays that are alike together, so that
// none has a call of its own.
type Delay[T any] struct {
	In  In[T]
	Out Out[T]

	Edges int // 1 or more

	line *delayLine[T] `state:"none"` // that moves it
}

// AsyncDelay is a Delay that may read a register of another clock: the end of a wire, whose clock is recovered from the
// arriving signal.
type AsyncDelay[T any] struct {
	In  Async[T]
	Out Out[T]

	Edges int // 1 or more

	line *delayLine[T] `state:"none"` // that moves it
}

// Tick does nothing: the kernel does.
func (d *Delay[T]) Tick() {}

// Tick does nothing: the kernel does.
func (d *AsyncDelay[T]) Tick() {}

// delay is how elaboration sees a Delay, whatever its type.
type delay interface {
	Module
	itself() Module
	edges() int
	newLine(ins []sink, cur, next unsafe.Pointer, edges, rows int) line
	join(line)
	moved() (start, end any, register unsafe.Pointer) // by generated code
}

func (d *Delay[T]) itself() Module      { return d }
func (d *AsyncDelay[T]) itself() Module { return d }
func (d *Delay[T]) edges() int          { return d.Edges }
func (d *AsyncDelay[T]) edges() int     { return d.Edges }

func (d *Delay[T]) newLine(ins []sink, cur, next unsafe.Pointer, edges, rows int) line {
	return newDelayLine[T](ins, cur, next, edges, rows)
}

func (d *AsyncDelay[T]) newLine(ins []sink, cur, next unsafe.Pointer, edges, rows int) line {
	return newDelayLine[T](ins, cur, next, edges, rows)
}

func (d *Delay[T]) moved() (start, end any, register unsafe.Pointer)      { return d.line.moved() }
func (d *AsyncDelay[T]) moved() (start, end any, register unsafe.Pointer) { return d.line.moved() }

func (d *Delay[T]) join(l line)      { d.line = l.(*delayLine[T]) }
func (d *AsyncDelay[T]) join(l line) { d.line = l.(*delayLine[T]) }

// mover moves values from or to the rows of a ring. Call returns a function that does the same as Tick.
type mover interface {
	edgecalls.Ticker
	Call() func()
}

// line moves the values of delays of one clock, type and length, whose registers lie together.
type line interface {
	Module
	// start adds a reader for some of the delays, from the first of them on: one part reads for them.
	start(first, n int) mover
	end() Module
	// underWay returns the place of a delay's value that was read a number of edges ago, from 0 to Edges-1.
	underWay(delay, age int) unsafe.Pointer
}

type delayLine[T any] struct {
	*ring.Ring[T]

	ins    []sink
	starts []*ring.Start[T]
	last   *ring.End[T]
	cur    []T // by delay: its register
}

// newDelayLine returns a line with rows for the values of the last edges, or more where a start may run ahead of the
// end. All ports are bound.
func newDelayLine[T any](ins []sink, cur, next unsafe.Pointer, edges, rows int) *delayLine[T] {
	n := len(ins)
	l := &delayLine[T]{Ring: ring.New[T](n, edges, rows), ins: ins, cur: unsafe.Slice((*T)(cur), n)}
	l.last = l.Ring.End(0, unsafe.Slice((*T)(next), n))
	return l
}

func (l *delayLine[T]) start(first, n int) mover {
	s := l.Ring.Start(first, n)
	for i := range s.From {
		s.From[i] = (*T)(l.ins[first+i].(reader).pointer())
	}
	l.starts = append(l.starts, s)
	return s
}

func (l *delayLine[T]) end() Module { return l.last }

// Tick moves the values of delays that are all within a part. Generated code counts with the start alone.
func (l *delayLine[T]) Tick() {
	l.starts[0].Tick()
	l.last.Follow(l.starts[0])
	l.last.Tick()
}

// moved returns the function that moves the only delay of a line, and where its register lies.
func (l *delayLine[T]) moved() (start, end any, register unsafe.Pointer) {
	return l.starts[0], l.last, unsafe.Pointer(&l.cur[0])
}

func (l *delayLine[T]) underWay(delay, age int) unsafe.Pointer {
	return unsafe.Pointer(l.UnderWay(delay, age))
}

// Delays with the same lineKey are moved together.
type lineKey struct {
	t     reflect.Type
	edges int
	cut   bool  // between islands
	alone *node // of a line that generated code moves
}

// gatherDelays puts the delays of a shard at the end of its nodes, delays of one line beside each other.
func (sh *shard) gatherDelays() {
	var delays []*node
	first := map[lineKey]int{}
	sh.nodes = slices.DeleteFunc(sh.nodes, func(n *node) bool {
		if n.delay != nil {
			delays = append(delays, n)
			if k := n.lineKey(); first[k] == 0 {
				first[k] = len(delays)
			}
		}
		return n.delay != nil
	})
	slices.SortStableFunc(delays, func(a, b *node) int {
		if d := first[a.lineKey()] - first[b.lineKey()]; d != 0 || a.cutFrom() == nil {
			return d
		}
		return a.cutFrom().index - b.cutFrom().index // each part reads for neighbours
	})
	sh.nodes = append(sh.nodes, delays...)
	for i := 0; i < len(delays); {
		k := delays[i].lineKey()
		n := i
		for ; n < len(delays) && delays[n].lineKey() == k; n++ {
		}
		sh.delays = append(sh.delays, delays[i:n])
		i = n
	}
}

func (n *node) lineKey() lineKey {
	k := lineKey{t: n.outs[0].port.elem(), edges: n.delay.edges(), cut: n.cutFrom() != nil}
	if n.shard.part.newDomains != nil {
		k.alone = n
	}
	return k
}

// addLines makes the lines of all delays. All ports are bound.
func (s *Sim) addLines() {
	for _, p := range s.parts {
		for c, sh := range p.shards {
			for _, alike := range sh.delays {
				first := alike[0]
				edges, rows, cut := first.delay.edges(), first.delay.edges(), first.cutFrom() != nil
				if cut { // a start may be a window ahead of the end, or after it
					rows += s.limits[c]
				}
				var ins []sink
				for _, n := range alike {
					ins = append(ins, n.ins[0].port)
				}
				l := first.delay.newLine(ins, first.outs[0].signal.p, first.outs[0].signal.next, edges, rows)
				for i, n := range alike {
					n.line, n.column = l, i
					n.delay.join(l)
				}
				if !cut {
					l.start(0, len(alike))
					sh.ticks = append(sh.ticks, l)
					continue
				}
				runs(alike, (*node).cutFrom, func(from *part, first, n int) {
					source, start := from.shards[c], l.start(first, n)
					source.ticks, source.starts = append(source.ticks, start), append(source.starts, start.Call())
					from.border.leaves[alike[first]] = start
				})
				sh.ticks = append(sh.ticks, l.end())
			}
		}
	}
}
