package zoo

import (
	"slices"
	"sync/atomic"

	"github.com/goldwire/goldwire/rtl"
)

// The modules here would be translated wrongly if they were not refused: what they do is not seen in their own lines, or means something else
// in the code.

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

const n = 3 // as the code calls the edges of a run

// Constant uses a constant of the package.
type Constant struct {
	In  rtl.In[uint64]
	Out rtl.Out[uint64]
}

// Tick adds it.
func (m *Constant) Tick() { m.Out.Set(m.In.Get() + n) }

// Switching has the name of a type switch where the code has a variable.
type Switching struct {
	In  rtl.In[uint64]
	Out rtl.Out[uint64]

	x any
}

// Tick switches.
func (m *Switching) Tick() {
	switch cellOut := m.x.(type) {
	case uint64:
		m.Out.Set(m.In.Get() + cellOut)
	}
}

// Counting counts how often its Comb is called.
type Counting struct {
	In  rtl.In[uint64]
	Out rtl.Out[uint64]
	Mid rtl.Wire[uint64] `comb:"none"`

	n uint64
}

// Comb counts.
func (m *Counting) Comb() {
	m.n++
	m.Mid.Set(m.n)
}

// Tick passes on.
func (m *Counting) Tick() { m.Out.Set(m.In.Get()) }

// DeepCounting does it in a method.
type DeepCounting struct {
	In  rtl.In[uint64]
	Out rtl.Out[uint64]
	Mid rtl.Wire[uint64] `comb:"none"`

	all [2]uint64
}

func (m *DeepCounting) count() uint64 {
	for i := range m.all {
		m.all[i]++
	}
	return m.all[1]
}

// Comb counts.
func (m *DeepCounting) Comb() { m.Mid.Set(m.count()) }

// Tick passes on.
func (m *DeepCounting) Tick() { m.Out.Set(m.In.Get()) }

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

// Twice gives a variable of the code two meanings.
type Twice struct {
	In   rtl.In[uint64]
	Out  rtl.Out[uint64]
	OutX rtl.Out[uint64]

	outX, outXField uint64
}

// Tick sets all.
func (m *Twice) Tick() {
	m.outX, m.outXField = m.outXField, m.In.Get()
	m.Out.Set(m.outX)
	m.OutX.Set(m.outX)
}

// AddHiding adds one of each, all apart from each other, and returns the reasons to refuse them by path.
func AddHiding(top *rtl.Scope) map[string]string {
	add, reasons := adder(top)
	peer, back, constant, switching, counting, deep := &Peer{}, &Back{}, &Constant{}, &Switching{x: uint64(2)}, &Counting{}, &DeepCounting{}
	peer.peer, back.part = peer, &part{back}
	early, ordering, atomics, address, ranging, text, twice := &Early{}, &Ordering{}, &Atomic{}, &Address{}, &Ranging{}, &Text{}, &Twice{}
	ranging.all = func(func(uint64) bool) {}
	add("peer", "has to do with another module, m.peer", peer, &peer.In)
	add("back", "has to do with another module, p.of", back, &back.In)
	add("constant", "uses n of its package, which the code needs as a name", constant, &constant.In)
	add("switching", "has a local variable cellOut, which the code needs as a name", switching, &switching.In)
	add("counting", "sets m.n in Comb, which may be called any number of times", counting, &counting.In)
	add("deep_counting", "sets m.all[i] in Comb, which may be called any number of times", deep, &deep.In)
	add("early", "sets its Out Out in Comb", early, &early.In)
	add("ordering", "sets the package's variable count", ordering, &ordering.In)
	add("atomic", "sets the package's variable shared", atomics, &atomics.In)
	add("address", "sets the package's variable count", address, &address.In)
	add("ranging", "ranges over the function value m.all", ranging, &ranging.In)
	add("text", "has a string of several lines", text, &text.In)
	add("twice", "needs a variable cellOutXField, which is the name of something else in the code", twice, &twice.In)
	return reasons
}
