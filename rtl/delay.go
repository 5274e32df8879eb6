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

	line *delayLine[T] `state:"none"` // that moves it
}

// AsyncDelay is a Delay that may read a register of another clock: the end of a wire, whose clock is recovered from what comes.
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
}

func (d *Delay[T]) itself() Module      { return d }
func (d *AsyncDelay[T]) itself() Module { return d }
func (d *Delay[T]) edges() int          { return d.Edges }
func (d *AsyncDelay[T]) edges() int     { return d.Edges }

func (d *Delay[T]) newLine(ins []sink, cur, next unsafe.Pointer, edges, rows int) line {
	d.line = newDelayLine[T](ins, cur, next, edges, rows)
	return d.line
}

func (d *AsyncDelay[T]) newLine(ins []sink, cur, next unsafe.Pointer, edges, rows int) line {
	d.line = newDelayLine[T](ins, cur, next, edges, rows)
	return d.line
}

// Pipe returns the delay as generated code moves it.
func (d *Delay[T]) Pipe() Pipe[T] { return d.line.pipe() }

// Pipe returns the delay as generated code moves it.
func (d *AsyncDelay[T]) Pipe() Pipe[T] { return d.line.pipe() }

// Pipe is a [Delay] as generated code moves it. An edge is a Take and a Give.
type Pipe[T any] struct {
	line     *delayLine[T]
	from, to *T
}

// Take reads, before any register is set at the instant.
func (p *Pipe[T]) Take() { p.line.Start.Put(*p.from) }

// Give gives the register its value, after all ticks of the instant.
func (p *Pipe[T]) Give() { *p.to = p.line.End.Get() }

// line moves the values of delays of one clock, type and length, whose registers lie together.
type line interface {
	Module
	connect() // reads what the inputs are bound to
	start() Module
	end() Module
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

// pipe returns what moves the only delay of a line.
func (l *delayLine[T]) pipe() Pipe[T] { return Pipe[T]{l, l.Start.From[0], &l.cur[0]} }

func (l *delayLine[T]) underWay(delay, age int) unsafe.Pointer {
	return unsafe.Pointer(l.UnderWay(delay, age))
}

// lineKey is what delays have in common that are moved together.
type lineKey struct {
	t     reflect.Type
	edges int
	from  *part // of a line between islands
	alone *node // of a line that generated code moves
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

func (n *node) lineKey() lineKey {
	k := lineKey{t: n.outs[0].port.elem(), edges: n.delay.edges(), from: n.cutFrom()}
	if n.shard.part.newDomains != nil {
		k.alone = n
	}
	return k
}

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
				if from != nil || sh.part.newDomains == nil {
					source.starts = append(source.starts, l.start().Tick)
				}
				s.lines = append(s.lines, l)
				for i, n := range alike {
					n.line, n.column = l, i
				}
			}
		}
	}
}
