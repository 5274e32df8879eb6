package zoo

import (
	"math/rand/v2"

	"github.com/goldwire/goldwire/rtl"
)

// Cell is part of every refused module.
type Cell struct {
	In  rtl.In[uint64]
	Out rtl.Out[uint64]
}

// Embedding has its ports from another type.
type Embedding struct{ Cell }

// Tick passes on.
func (m *Embedding) Tick() { m.Out.Set(m.In.Get()) }

// Function calls a function value.
type Function struct {
	In  rtl.In[uint64]
	Out rtl.Out[uint64]

	F func(uint64) uint64 `state:"none"`
}

// Tick calls it.
func (m *Function) Tick() { m.Out.Set(m.F(m.In.Get())) }

// DeepFunction calls one in a method.
type DeepFunction struct {
	In  rtl.In[uint64]
	Out rtl.Out[uint64]

	f func(uint64) uint64 `state:"none"`
}

func (m *DeepFunction) apply(x uint64) uint64 { return m.f(x) }

// Tick calls it.
func (m *DeepFunction) Tick() { m.Out.Set(m.apply(m.In.Get())) }

// Interface calls a method of an interface.
type Interface struct {
	In  rtl.In[uint64]
	Out rtl.Out[uint64]

	rng rand.Source
}

// Tick calls it.
func (m *Interface) Tick() { m.Out.Set(m.rng.Uint64() ^ m.In.Get()) }

// Literal has a function literal.
type Literal struct {
	In  rtl.In[uint64]
	Out rtl.Out[uint64]
}

// Tick calls it.
func (m *Literal) Tick() { func() { m.Out.Set(m.In.Get()) }() }

var count uint64

// Global sets a variable of the package.
type Global struct {
	In  rtl.In[uint64]
	Out rtl.Out[uint64]
}

// Tick counts.
func (m *Global) Tick() {
	count++
	m.Out.Set(m.In.Get() + count)
}

// Pointer hands a port on.
type Pointer struct {
	In  rtl.In[uint64]
	Out rtl.Out[uint64]
}

// Tick sets the value that it hands on.
func (m *Pointer) Tick() { set(&m.Out, m.In.Get()) }

func set(o *rtl.Out[uint64], x uint64) { o.Set(x) }

// Self hands itself on.
type Self struct {
	In  rtl.In[uint64]
	Out rtl.Out[uint64]
}

// Tick hands itself on.
func (m *Self) Tick() { drive(m) }

func drive(m *Self) { m.Out.Set(m.In.Get()) }

// Peeping looks at another module.
type Peeping struct {
	In  rtl.In[uint64]
	Out rtl.Out[uint64]

	other *Global
}

// Tick looks.
func (m *Peeping) Tick() { m.Out.Set(m.In.Get() + m.other.Out.Get()) }

// Jumping jumps.
type Jumping struct {
	In  rtl.In[uint64]
	Out rtl.Out[uint64]

	n int
}

// Tick jumps.
func (m *Jumping) Tick() {
	if m.In.Get() == 0 {
		goto out
	}
	m.Out.Set(m.In.Get())
out:
	m.n++
}

// Deferring defers.
type Deferring struct {
	In  rtl.In[uint64]
	Out rtl.Out[uint64]
}

// Tick defers.
func (m *Deferring) Tick() { defer m.Out.Set(m.In.Get()) }

// Concurrent starts a goroutine.
type Concurrent struct {
	In  rtl.In[uint64]
	Out rtl.Out[uint64]
}

func nothing() {}

// Tick starts it.
func (m *Concurrent) Tick() {
	go nothing()
	m.Out.Set(m.In.Get())
}

// Copy ticks on a copy of itself.
type Copy struct {
	In  rtl.In[uint64]
	Out rtl.Out[uint64]

	n uint64
}

// Tick counts in vain.
func (m Copy) Tick() {
	m.n++
	m.Out.Set(m.In.Get() + m.n)
}

// AddRefused adds one of each module that is refused, all apart from each other, and returns the reasons by path.
func AddRefused(top *rtl.Scope) map[string]string {
	add, reasons := adder(top)
	embedding, literal, global, pointer, self := &Embedding{}, &Literal{}, &Global{}, &Pointer{}, &Self{}
	peeping, jumping, deferring, concurrent := &Peeping{other: global}, &Jumping{}, &Deferring{}, &Concurrent{}
	copied, delay := &Copy{}, &rtl.Delay[uint64]{Edges: 2}
	add("copied", "has a Tick that works on a copy of it", copied, &copied.In)
	add("embedding", "has ports inside of its field Cell", embedding, &embedding.In)
	add("literal", "has a function literal", literal, &literal.In)
	add("global", "sets the package's variable count", global, &global.In)
	add("pointer", "uses a port in a function that it calls: only Comb and Tick are understood", pointer, &pointer.In)
	add("self", "uses a port in a function that it calls: only Comb and Tick are understood", self, &self.In)
	add("peeping", "has to do with another module, m.other", peeping, &peeping.In)
	add("jumping", "jumps to a label", jumping, &jumping.In)
	add("deferring", "defers a call", deferring, &deferring.In)
	add("concurrent", "uses goroutines", concurrent, &concurrent.In)
	add("delay", "is a delay, which the kernel moves", delay, &delay.In)
	return reasons
}

// AddUnseen adds one of each module with an unknown call, all apart from each other, and returns the calls by path.
func AddUnseen(top *rtl.Scope) map[string]string {
	add, reasons := adder(top)
	function, deep, interfaced := &Function{}, &DeepFunction{}, &Interface{rng: rand.NewPCG(1, 2)}
	rolling := &Rolling{rng: rand.New(rand.NewPCG(1, 2))}
	ranging := &Ranging{all: func(func(uint64) bool) {}}
	add("function", "calls the function value m.F, which could do anything", function, &function.In)
	add("deep_function", "calls the function value m.f, which could do anything", deep, &deep.In)
	add("interfaced", "calls Uint64 of an interface, which could do anything", interfaced, &interfaced.In)
	add("rolling", "hands m.rng to (*math/rand/v2.Rand).Uint64, which may call it", rolling, &rolling.In)
	add("ranging", "ranges over the function value m.all", ranging, &ranging.In)
	return reasons
}

// adder returns a function that adds a module whose inputs are constants, and the reasons, by path, that it was given
// to refuse them.
func adder(
	top *rtl.Scope,
) (add func(name, reason string, m rtl.Module, ins ...rtl.Sink[uint64]), reasons map[string]string) {
	reasons = map[string]string{}
	return func(name, reason string, m rtl.Module, ins ...rtl.Sink[uint64]) {
		rtl.Tie(uint64(5), ins...)
		top.Scope(name).Add("cell", m)
		reasons["top."+name+".cell"] = reason
	}, reasons
}
