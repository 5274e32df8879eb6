package rtl

import (
	"reflect"
	"slices"
	"unsafe"

	"github.com/goldwire/goldwire/internal/ring"
)

// Delay gives every value on unchanged, Edges edges after it could be read: a pipeline that does nothing else. It gives zero values until
// the first one arrives. The kernel moves the values of all delays that are alike together, so that none has a call of its own.
type Delay[T any] struct {
	In  In[T]
	Out Out[T]

	Edges int // 1 or more
}

// AsyncDelay is a Delay that may read a register of another clock: the end of a wire, whose clock is recovered from what comes.
type AsyncDelay[T any] struct {
	In  Async[T]
	Out Out[T]

	Edges int // 1 or more
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

// line moves the values of delays of one clock, type and length, whose registers lie together.
type line interface {
	Module
	connect() // reads what the inputs are bound to
	start() Module
	end() Module
	land() // is the end's Tick for generated code: the registers have their values at once
	// underWay returns the place of a delay's value that was read a number of edges ago, from 0 to Edges-1.
	underWay(delay, age int) unsafe.Pointer
}

type delayLine[T any] struct {
	*ring.Ring[T]

	ins []sink
	cur []T // by delay: its register
}

// newDelayLine returns a line with rows for what was read at the last edges, or more if its start may run ahead of its end.
func newDelayLine[T any](ins []sink, cur, next unsafe.Pointer, edges, rows int) *delayLine[T] {
	n := len(ins)
	return &delayLine[T]{ring.New(unsafe.Slice((*T)(next), n), edges, rows), ins, unsafe.Slice((*T)(cur), n)}
}

func (l *delayLine[T]) connect() {
	for i, in := range l.ins {
		l.Start.From[i] = (*T)(in.(reader).pointer())
	}
}

func (l *delayLine[T]) start() Module { return &l.Start }
func (l *delayLine[T]) end() Module   { return &l.End }
func (l *delayLine[T]) land()         { l.End.Give(l.cur) }

func (l *delayLine[T]) underWay(delay, age int) unsafe.Pointer {
	return unsafe.Pointer(l.UnderWay(delay, age))
}

// lineKey is what delays have in common that are moved together.
type lineKey struct {
	t     reflect.Type
	edges int
	from  *part // of a line between islands
}

// gatherDelays puts the delays of a shard at the end of its nodes, those of one line beside each other.
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
	slices.SortStableFunc(delays, func(a, b *node) int { return first[a.lineKey()] - first[b.lineKey()] })
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

func (n *node) lineKey() lineKey { return lineKey{n.outs[0].port.elem(), n.delay.edges(), n.cutFrom()} }

// addLines makes the lines of all delays. Their registers have their places.
func (s *Sim) addLines() {
	for _, p := range s.parts {
		for c, sh := range p.shards {
			for _, alike := range sh.delays {
				first := alike[0]
				var ins []sink
				for _, n := range alike {
					ins = append(ins, n.ins[0].port)
				}
				edges, rows, source := first.delay.edges(), first.delay.edges(), sh
				from := first.cutFrom()
				if from != nil { // its start may be a window ahead of its end, or after it
					rows, source = edges+longestWindow, from.shards[c]
				}
				l := first.delay.newLine(ins, first.outs[0].signal.p, first.outs[0].signal.next, edges, rows)
				if from == nil {
					sh.ticks = append(sh.ticks, l)
				} else {
					source.ticks = append(source.ticks, l.start())
					sh.ticks = append(sh.ticks, l.end())
				}
				source.starts, sh.lands = append(source.starts, l.start().Tick), append(sh.lands, l.land)
				s.lines = append(s.lines, l)
				for i, n := range alike {
					n.line, n.column = l, i
				}
			}
		}
	}
}
