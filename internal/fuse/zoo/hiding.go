package zoo

import (
	"slices"
	"sync/atomic"

	"github.com/goldwire/goldwire/rtl"
)

// The modules here would be translated wrongly if they were not refused: their effect is not seen in their own lines,
// or means something else in the code.

// Peer looks into another one of its own type.
type Peer struct {
	In  rtl.In[uint64]
	Out rtl.Out[uint64]

	n    uint64
	peer *Peer
}

// Tick adds what the other one has.
func (m *Peer) Tick() {
	m.n += m.In.Get()
	m.Out.Set(m.n + m.peer.n)
}

// Back has a part that leads back to it.
type Back struct {
	In  rtl.In[uint64]
	Out rtl.Out[uint64]

	n    uint64
	part *part
}

type part struct{ of *Back }

func (p *part) count() { p.of.n++ }

// Tick counts by its part.
func (m *Back) Tick() {
	m.part.count()
	m.Out.Set(m.In.Get() + m.n)
}

// Early sets a register in its Comb.
type Early struct {
	In  rtl.In[uint64]
	Out rtl.Out[uint64]
	Mid rtl.Wire[uint64] `comb:"none"`
}

// Comb sets both.
func (m *Early) Comb() {
	m.Out.Set(2)
	m.Mid.Set(1)
}

// Tick has nothing left to do.
func (m *Early) Tick() {}

// Ordering hands a function on, which sets a variable of the package.
type Ordering struct {
	In  rtl.In[uint64]
	Out rtl.Out[uint64]

	all []uint64
}

func compare(a, b uint64) int {
	count++
	return int(a) - int(b)
}

// Tick sorts.
func (m *Ordering) Tick() {
	slices.SortFunc(m.all, compare)
	m.Out.Set(m.In.Get())
}

var shared atomic.Uint64

// Atomic adds to a variable of the package by a method.
type Atomic struct {
	In  rtl.In[uint64]
	Out rtl.Out[uint64]
}

// Tick adds.
func (m *Atomic) Tick() { m.Out.Set(shared.Add(m.In.Get())) }

// Address takes the address of a variable of the package.
type Address struct {
	In  rtl.In[uint64]
	Out rtl.Out[uint64]
}

// Tick adds to it.
func (m *Address) Tick() {
	p := &count
	*p += m.In.Get()
	m.Out.Set(*p)
}

// Ranging ranges over a function value.
type Ranging struct {
	In  rtl.In[uint64]
	Out rtl.Out[uint64]

	all func(func(uint64) bool) `state:"none"`
}

// Tick takes the last.
func (m *Ranging) Tick() {
	for x := range m.all {
		m.Out.Set(x + m.In.Get())
	}
}

// Text has a string that the code's lines would change.
type Text struct {
	In  rtl.In[uint64]
	Out rtl.Out[uint64]
}

// Tick adds its length.
func (m *Text) Tick() {
	m.Out.Set(m.In.Get() + uint64(len(`{

}`)))
}

// AddHiding adds one of each, all apart from each other, and returns the reasons to refuse them by path.
func AddHiding(top *rtl.Scope) map[string]string {
	add, reasons := adder(top)
	peer, back, early, ordering := &Peer{}, &Back{}, &Early{}, &Ordering{}
	peer.peer, back.part = peer, &part{back}
	atomics, address, text := &Atomic{}, &Address{}, &Text{}
	add("peer", "has to do with another module, m.peer", peer, &peer.In)
	add("back", "has to do with another module, p.of", back, &back.In)
	add("early", "sets its Out Out in Comb", early, &early.In)
	add("ordering", "sets the package's variable count", ordering, &ordering.In)
	add("atomic", "sets the package's variable shared", atomics, &atomics.In)
	add("address", "sets the package's variable count", address, &address.In)
	add("text", "has a string of several lines", text, &text.In)
	return reasons
}
