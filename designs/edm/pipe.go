package edm

import (
	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/rtl"
)

// pipe stands for pipeline stages that only take time: at 100 Gb/s a stage of Table 1 lasts four cycles of one block.
type pipe[T any] struct {
	In  rtl.In[T]
	Out rtl.Out[T]

	stages int // at least 1
	line   *blocks.DelayLine[T]
}

// Reset fills the stages with zero values.
func (p *pipe[T]) Reset() {
	var zero T
	p.line = blocks.NewDelayLine(p.stages-1, zero)
	p.Out.Set(zero)
}

// Tick moves on by one stage.
func (p *pipe[T]) Tick() { p.Out.Set(p.line.Shift(p.In.Get())) }

// stretch connects a source to sinks through pipeline stages; without any, directly.
func stretch[T any](s *rtl.Scope, name string, stages int, from rtl.Source[T], to ...rtl.Sink[T]) {
	if stages == 0 {
		rtl.Connect(from, to...)
		return
	}
	p := &pipe[T]{stages: stages}
	s.Add(name, p)
	rtl.Connect(from, &p.In)
	rtl.Connect(&p.Out, to...)
}
