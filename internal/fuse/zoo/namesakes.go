package zoo

import (
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
)

// Reader has methods whose names joined in different ways are the same word. Each returns from within a loop.
type Reader struct {
	In   rtl.In[uint64]
	Far  rtl.Async[uint64]
	Out  rtl.Out[uint64]
	Page rtl.Out[uint64]

	n uint64
}

// Tick opens a book, then opens a page of it.
func (m *Reader) Tick() {
	m.n++
	m.page()
	m.openPage()
}

func (m *Reader) page() {
	for i := range m.n % 5 {
		if m.In.Get()>>i&1 == 1 {
			return
		}
		m.n += i
	}
	m.open()
}

func (m *Reader) open() {
	for i := range m.n % 3 {
		if m.Far.Get()>>i&1 == 1 {
			return
		}
		m.n ^= i
	}
	m.Page.Set(m.n ^ m.Far.Get())
}

func (m *Reader) openPage() {
	for i := range m.n % 7 {
		if m.In.Get()>>i&1 == 0 {
			return
		}
		m.n += i << 3
	}
	m.Out.Set(m.n*5 ^ m.In.Get())
}

// Ledger has a Comb with a variable that is called as fused code calls the registers of a row. Its Tick calls a
// function by a name that fused code has, so it stays a method.
type Ledger struct {
	In   rtl.In[uint64]
	Even rtl.Wire[bool] `comb:"In"`
	Out  rtl.Out[uint64]
}

// Tick writes.
func (m *Ledger) Tick() { m.Out.Set(f(m.In.Get())) }

// Comb counts.
func (m *Ledger) Comb() {
	registers := m.In.Get()
	registers ^= m.Out.Get()
	m.Even.Set(registers%2 == 0)
}

// Plate has a field that is called as fused code calls the registers of a row, and a variable as it calls what the
// register was that the plate reads. Its Comb reads no registers.
type Plate struct {
	In   rtl.In[uint64]
	Far  rtl.Async[uint64]
	Full rtl.Wire[bool] `comb:"none"`
	Out  rtl.Out[uint64]

	registers struct{ n uint64 }
}

// Tick fills it.
func (m *Plate) Tick() {
	tickModuleOutOld := m.Far.Get()
	m.registers.n += m.In.Get() ^ tickModuleOutOld
	m.Out.Set(m.registers.n)
}

// Comb reads no registers. Its answer is its own.
func (m *Plate) Comb() { m.Full.Set(m.registers.n%3 == 0) }

// Guest takes from a full plate. It has a variable that is called as fused code calls what a row's tick_module sets
// aside.
type Guest struct {
	Full rtl.In[bool]
	In   rtl.In[uint64]
	Out  rtl.Out[uint64]
}

// Tick takes.
func (m *Guest) Tick() {
	if tickModuleOutOld := m.In.Get() * 7; m.Full.Get() {
		m.Out.Set(tickModuleOutOld)
	}
}

// Fork has a Comb that is called twice, since one of its wires depends on the other, through a Knife. It returns from
// within a loop.
type Fork struct {
	In   rtl.Async[uint64]
	Back rtl.In[uint64]
	Low  rtl.Wire[uint64] `comb:"none"`
	High rtl.Wire[uint64] `comb:"Back"`
	Out  rtl.Out[uint64]
}

// Tick adds.
func (m *Fork) Tick() { m.Out.Set(m.In.Get() + m.Back.Get() + 1) }

// Comb splits.
func (m *Fork) Comb() {
	m.Low.Set(m.Out.Get() & 0xff)
	m.High.Set(0)
	for i := range uint64(8) {
		if m.Back.Get()>>i&1 == 1 {
			m.High.Set(i + 1)
			return
		}
	}
}

// Knife inverts a wire.
type Knife struct {
	Low rtl.In[uint64]
	Cut rtl.Wire[uint64] `comb:"Low"`
}

// Tick does nothing.
func (m *Knife) Tick() {}

// Comb cuts.
func (m *Knife) Comb() { m.Cut.Set(^m.Low.Get() & 0x3c) }

// Choir has a method in a loop over two ports. It returns from within a loop.
type Choir struct {
	In  [2]rtl.Async[uint64]
	Out rtl.Out[uint64]

	n uint64
}

func (m *Choir) sing(i int) {
	for j := range m.n % 4 {
		if m.In[i].Get()>>j&1 == 1 {
			return
		}
		m.n += j << i
	}
	m.Out.Set(m.n ^ m.In[i].Get())
}

// Tick sings.
func (m *Choir) Tick() {
	m.n++
	for i := range m.In {
		m.sing(i)
	}
}

// Namesakes have modules, methods and variables that are called as something in fused code, or as each other.
type Namesakes struct {
	Sim     *rtl.Sim
	Readers [2]Reader
	Ledgers [2]Ledger
	Plates  [2]Plate
	Guests  [2]Guest
	Waiters [2]Guest
	Forks   [2]Fork
	Knives  [2]Knife
	Posts   [2]Post
	Choir   Choir
	Books   [2]Ledger
	Cuts    [2][2]Knife
}

// NewNamesakes wires them: four times two scopes that are alike on two clocks, and the rest on one more. The last two,
// of a second island, have their Combs in different orders, so that what the first island has pasted is called.
func NewNamesakes(cfg rtl.Config) (*Namesakes, error) {
	d := &Namesakes{Sim: rtl.New(cfg)}
	for i, name := range []string{"left", "right"} {
		at := d.Sim.Scope(name).On(d.Sim.Clock(name, clock.MHz(float64(100*(i+1)))))
		at.Add("reader", &d.Readers[i])
		at.Add("ledger", &d.Ledgers[i])
		rtl.Connect(&d.Readers[i].Out, &d.Ledgers[i].In)
		rtl.Connect(&d.Ledgers[i].Out, &d.Readers[i].In)
	}
	for i, name := range []string{"high", "low"} {
		at := d.Sim.Scope(name).On(d.Sim.Clock(name, clock.MHz(float64(50*(i+1)))))
		at.Add("plate", &d.Plates[i])
		at.Add("tick", &d.Guests[i])
		at.Add("tick_module", &d.Waiters[i])
		rtl.Connect(&d.Plates[i].Out, &d.Guests[i].In)
		rtl.Connect(&d.Plates[i].Full, &d.Guests[i].Full, &d.Waiters[i].Full)
		rtl.Connect(&d.Guests[i].Out, &d.Waiters[i].In)
		rtl.Connect(&d.Waiters[i].Out, &d.Plates[i].In)
	}
	for i, name := range []string{"east", "west"} {
		at := d.Sim.Scope(name).On(d.Sim.Clock(name, clock.MHz(float64(150*(i+1)))))
		at.Add("fork", &d.Forks[i])
		at.Add("knife", &d.Knives[i])
		rtl.Connect(&d.Forks[i].Low, &d.Knives[i].Low)
		rtl.Connect(&d.Knives[i].Cut, &d.Forks[i].Back)
	}
	at := d.Sim.Scope("post").On(d.Sim.Clock("post", clock.MHz(25)))
	at.Add("domains", &d.Posts[0])
	at.Add("tick_4", &d.Posts[1])
	at.Add("comb_4", &d.Choir)
	for i := range 2 {
		rtl.Connect(&d.Readers[i].Page, &d.Posts[0].In[i], &d.Plates[i].Far)
		rtl.Connect(&d.Plates[i].Out, &d.Posts[1].In[i])
		rtl.Connect(&d.Posts[i].Out, &d.Readers[1-i].Far)
	}
	for i, name := range []string{"north", "south"} {
		at := d.Sim.Scope(name).On(d.Sim.Clock(name, clock.MHz(float64(75*(i+1)))))
		at.Add("book", &d.Books[i])
		at.Add("a", &d.Cuts[i][0])
		at.Add("b", &d.Cuts[i][1])
		rtl.Connect(&d.Books[i].Out, &d.Books[i].In, &d.Cuts[i][i].Low, &d.Forks[i].In, &d.Choir.In[i])
		rtl.Connect(&d.Cuts[i][i].Cut, &d.Cuts[i][1-i].Low)
	}
	return d, d.Sim.Elaborate()
}

// fusedTaken has a name that the code of a target called "taken" would have.
type fusedTaken struct{}

var _ fusedTaken
