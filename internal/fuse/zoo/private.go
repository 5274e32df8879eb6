package zoo

import "github.com/goldwire/goldwire/rtl"

// The modules here are refused where the code goes to another package.

// pair has private fields.
type pair struct{ a, b uint64 }

// Nested has a private field in a field.
type Nested struct {
	In  rtl.In[uint64]
	Out rtl.Out[uint64]

	pair pair
}

// Tick adds.
func (m *Nested) Tick() {
	m.pair.a, m.pair.b = m.pair.b, m.pair.a+m.In.Get()
	m.Out.Set(m.pair.a)
}

// Own calls a private method.
type Own struct {
	In  rtl.In[uint64]
	Out rtl.Out[uint64]

	n uint64
}

func (m *Own) add(x uint64) { m.n += x }

// Tick adds.
func (m *Own) Tick() {
	m.add(m.In.Get())
	m.Out.Set(m.n)
}

// Using calls a private function.
type Using struct {
	In  rtl.In[uint64]
	Out rtl.Out[uint64]
}

func twice(x uint64) uint64 { return 2 * x }

// Tick doubles.
func (m *Using) Tick() { m.Out.Set(twice(m.In.Get())) }

// Making makes a value with private fields.
type Making struct {
	In  rtl.In[uint64]
	Out rtl.Out[uint64]
}

// Hidden has a private field.
type Hidden struct{ x uint64 }

// Value returns it.
func (h Hidden) Value() uint64 { return h.x }

// Tick makes one.
func (m *Making) Tick() { m.Out.Set(Hidden{m.In.Get()}.Value()) }

type unexported struct {
	In  rtl.In[uint64]
	Out rtl.Out[uint64]
}

func (m *unexported) Tick() { m.Out.Set(m.In.Get()) }

// AddPrivate adds one of each, all apart from each other, and returns the reasons to refuse them in another package by
// path.
func AddPrivate(top *rtl.Scope) map[string]string {
	add, reasons := adder(top)
	nested, own, using, making, hidden := &Nested{}, &Own{}, &Using{}, &Making{}, &unexported{}
	add("nested", "has the field pair of a type that cannot be named outside of its package", nested, &nested.In)
	add("own", "calls its method add, which is private to another package", own, &own.In)
	add("using", "uses zoo.twice, which is not exported", using, &using.In)
	add("making", "sets x, which is private to package zoo", making, &making.In)
	add("hidden", "is of type zoo.unexported, which is not exported", hidden, &hidden.In)
	return reasons
}

// Bounded uses a function of the language.
type Bounded struct {
	In  rtl.In[uint64]
	Out rtl.Out[uint64]
}

// Tick takes the greater one.
func (m *Bounded) Tick() { m.Out.Set(max(m.In.Get(), 3)) }

// AddLanguage adds the modules refused in package names, and returns the reasons by path.
func AddLanguage(top *rtl.Scope) map[string]string {
	add, reasons := adder(top)
	bounded := &Bounded{}
	add("bounded", "uses Go's max, which is another thing in the package that the code goes to", bounded, &bounded.In)
	return reasons
}
