package edm

import "github.com/goldwire/goldwire/rtl"

// stretch connects a source to sinks through pipeline stages that only take time: at 100 Gb/s a stage of Table 1 lasts
// four cycles of one block. Without any it connects directly.
func stretch[T any](s *rtl.Scope, name string, stages int, from rtl.Source[T], to ...rtl.Sink[T]) {
	if stages == 0 {
		rtl.Connect(from, to...)
		return
	}
	d := &rtl.Delay[T]{Edges: stages}
	s.Add(name, d)
	rtl.Connect(from, &d.In)
	rtl.Connect(&d.Out, to...)
}
