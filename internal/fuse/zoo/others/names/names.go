// Package names has the name of another package, and a module of the same name as one there.
package names

import "github.com/goldwire/goldwire/rtl"

// Step adds 2.
type Step struct {
	In  rtl.Async[uint64]
	Out rtl.Out[uint64]
}

// Tick adds.
func (m *Step) Tick() { m.Out.Set(m.In.Get() + 2) }
