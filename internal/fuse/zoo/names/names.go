// Package names declares a name of Go's own. A module that uses Go's cannot be fused into it. Another package of its
// name has a module of the same name.
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

// Tick adds up the input of the cycle before.
func (m *Tally) Tick() {
	m.seen[1], m.seen[0] = m.seen[0], m.In.Get()
	m.sum += m.seen[1]
	m.Out.Set(m.sum ^ m.seen[0])
}

// Filing has private fields with the names of other things: one of its own methods' parameters, a type and a function
// of Go's, a package, a local variable. It changes what a field points at between two uses, in a method of its own too.
type Filing struct {
	In  rtl.In[uint64]
	Far rtl.Async[uint64]
	Out rtl.Out[uint64]

	v     uint64
	sheet *[2]uint64
	other [2]uint64
	stack []uint64
	len   uint64
	rtl   uint64
}

// Turn takes the next sheet.
func (m *Filing) Turn() {
	m.other[0] += m.sheet[0]
	m.sheet = &[2]uint64{m.other[0], m.sheet[0]}
}

// file uses a port, and is called once.
func (m *Filing) file(v uint64, other uint64) {
	if v%3 == 0 {
		m.v = m.v<<1 ^ v
		return
	}
	m.sheet[1] ^= other
	m.sheet[0] += m.Far.Get() + m.v
	m.v++
}

// count means Go's len, as Tick means the field. It is called once, too.
func (m *Filing) count(by uint64) { m.stack[0] ^= uint64(len(m.stack)) + m.Far.Get()*by }

// Tick files.
func (m *Filing) Tick() {
	if m.sheet == nil {
		m.sheet = &[2]uint64{}
	}
	m.sheet[0] += m.In.Get()
	m.Turn()
	m.stack = append(m.stack[:0], m.sheet[0], m.v, m.len)
	m.sheet[1] = m.stack[m.v%3]
	m.count(m.v)
	m.len += m.sheet[0]>>3 + m.v
	m.rtl, m.other[1] = m.other[1]+m.v, m.rtl^m.len
	m.rtl++
	m.file(m.v^m.len, m.sheet[1])
	m.Out.Set(m.v ^ m.sheet[0] + m.sheet[1]<<5 ^ m.rtl)
}

// Folds is how many times a Folder folds once more.
const Folds = 2
