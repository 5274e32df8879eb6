// Package names declares a name of Go's own. A module that uses Go's cannot be fused into it. Another package of its name has a module of the
// same name.
package names

import "github.com/goldwire/goldwire/rtl"

func max(a, _ uint64) uint64 { return a }

var _ = max

// Step adds 1.
type Step struct {
	In  rtl.Async[uint64]
	Out rtl.Out[uint64]
}

// Tick adds.
func (m *Step) Tick() { m.Out.Set(m.In.Get() + 1) }

// Tally uses its private fields more than once.
type Tally struct {
	In  rtl.In[uint64]
	Out rtl.Out[uint64]

	sum  uint64
	seen [2]uint64
}

// Tick adds up what it saw the cycle before.
func (m *Tally) Tick() {
	m.seen[1], m.seen[0] = m.seen[0], m.In.Get()
	m.sum += m.seen[1]
	m.Out.Set(m.sum ^ m.seen[0])
}
