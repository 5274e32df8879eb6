package engine

import (
	"slices"
	"unsafe"

	"github.com/goldwire/goldwire/internal/edgecalls"
	"github.com/goldwire/goldwire/internal/ring"
)

// mover moves values from or to the rows of a ring. Call returns a function that does the same as Tick.
type mover interface {
	edgecalls.Ticker
	Call() func()
}

// line moves the values of delays of one clock, type and length, whose registers lie together.
type line interface {
	edgecalls.Ticker
	// start adds a reader for some of the delays, from the first of them on: one part reads for them.
	start(first, n int) mover
	end() edgecalls.Ticker
	// underWay returns the place of a delay's value that was read a number of edges ago, from 0 to its edges - 1.
	underWay(delay, age int) unsafe.Pointer
	moved() Moved
}

// Moved is a delay that is alone in its line, for generated code.
type Moved struct {
	Start, End any // of its ring, see package ring
	Register   unsafe.Pointer
}

type delayLine[T any] struct {
	*ring.Ring[T]

	ins    []*Input
	starts []*ring.Start[T]
	last   *ring.End[T]
	cur    []T // by delay: its register
}

// newDelayLine returns a line with rows for the values of the last edges, or more where a start may run ahead of the
// end. All ports are bound.
func newDelayLine[T any](ins []*Input, cur, next unsafe.Pointer, edges, rows int) *delayLine[T] {
	n := len(ins)
	l := &delayLine[T]{Ring: ring.New[T](n, edges, rows), ins: ins, cur: unsafe.Slice((*T)(cur), n)}
	l.last = l.Ring.End(0, unsafe.Slice((*T)(next), n))
	return l
}

func (l *delayLine[T]) start(first, n int) mover {
	s := l.Ring.Start(first, n)
	for i := range s.From {
		s.From[i] = (*T)(l.ins[first+i].Place())
	}
	l.starts = append(l.starts, s)
	return s
}

func (l *delayLine[T]) end() edgecalls.Ticker { return l.last }

// Tick moves the values of delays that are all within a part. Generated code counts with the start alone.
func (l *delayLine[T]) Tick() {
	l.starts[0].Tick()
	l.last.Follow(l.starts[0])
	l.last.Tick()
}

func (l *delayLine[T]) moved() Moved { return Moved{l.starts[0], l.last, unsafe.Pointer(&l.cur[0])} }

func (l *delayLine[T]) underWay(delay, age int) unsafe.Pointer {
	return unsafe.Pointer(l.UnderWay(delay, age))
}

// Delays with the same lineKey are moved together.
type lineKey struct {
	kind  Kind
	edges int
	cut   bool  // between islands
	alone *Node // of a line that generated code moves
}

// gatherDelays puts the delays of a shard at the end of its nodes, delays of one line beside each other.
func (sh *shard) gatherDelays() {
	var delays []*Node
	first := map[lineKey]int{}
	sh.nodes = slices.DeleteFunc(sh.nodes, func(n *Node) bool {
		if n.Length != nil {
			delays = append(delays, n)
			if k := n.lineKey(); first[k] == 0 {
				first[k] = len(delays)
			}
		}
		return n.Length != nil
	})
	slices.SortStableFunc(delays, func(a, b *Node) int {
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

func (n *Node) lineKey() lineKey {
	k := lineKey{kind: n.Outs[0].Kind, edges: n.Delay(), cut: n.cutFrom() != nil}
	if n.shard.part.code.make != nil {
		k.alone = n
	}
	return k
}

// addLines makes the lines of all delays. All ports are bound.
func (e *Engine) addLines() {
	for _, p := range e.parts {
		for c, sh := range p.shards {
			for _, alike := range sh.delays {
				first := alike[0]
				edges, rows, cut := first.Delay(), first.Delay(), first.cutFrom() != nil
				if cut { // a start may be a window ahead of the end, or after it
					rows += e.limits[c]
				}
				var ins []*Input
				for _, n := range alike {
					ins = append(ins, n.Ins[0])
				}
				register := first.Outs[0]
				l := register.Kind.newLine(ins, register.Place(), register.NextPlace(), edges, rows)
				for i, n := range alike {
					n.line, n.column = l, i
				}
				if cut {
					runs(alike, (*Node).cutFrom, func(from *part, first, n int) {
						source, start := from.shards[c], l.start(first, n)
						source.ticks, source.starts = append(source.ticks, start), append(source.starts, start.Call())
						from.code.border.leaves[alike[first]] = start
					})
					sh.ticks = append(sh.ticks, l.end())
				} else {
					l.start(0, len(alike))
					sh.ticks = append(sh.ticks, l)
				}
				if len(alike) == 1 {
					*first.Moved = l.moved()
				}
			}
		}
	}
}
