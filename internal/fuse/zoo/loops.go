package zoo

import (
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/internal/fuse/zoo/names"
	"github.com/goldwire/goldwire/rtl"
)

// Folder has loops over integers. Of some the number of turns is known where the number of its ports is, and the code
// for islands of several clocks has the turns one after another.
type Folder struct {
	In  []rtl.In[uint64]
	Far rtl.Async[uint64]
	Out []rtl.Out[uint64]
	Odd []rtl.Wire[bool] `comb:"In"`

	n     uint64
	notes [3]uint8
}

// crease leaves early: it falls off its end where it stands in the turns of a loop.
func (f *Folder) crease(i int) {
	if f.In[i].Get()%3 == uint64(i) {
		return
	}
	f.n ^= f.In[i].Get() << i
}

// smooth leaves from a loop, for which it would need a label in each turn: it is called.
func (f *Folder) smooth(i int) {
	for v := range f.n % 5 {
		if v == uint64(i) {
			return
		}
		f.n += f.In[i].Get() & 1
	}
}

// flatten has a field for nothing but its length: a loop over it is none of the turns that are written one after
// another.
func (f *Folder) flatten() {
	for i := range len(f.notes) {
		for range len(f.notes) {
			OutNext := f.In[i].Get() // the code has this name for a row
			f.Out[0].Set(OutNext)
		}
	}
}

// change has variables that are defined once and set again, each in another way: loops over them are not unrolled.
func (f *Folder) change() {
	less, more, at, last := len(f.In), len(f.In), len(f.In), len(f.In)
	less--
	for i := range less {
		f.n += f.In[i].Get()
	}
	if more += 2; f.n%2 == 0 {
		more = 1
	}
	for i := range more {
		f.n = f.n<<1 ^ uint64(i)
	}
	by := &at
	*by += int(f.n % 3)
	for i := range at {
		f.n = f.n*3 + uint64(i)
	}
	for last = range len(f.In) {
		f.n++
	}
	for i := range last {
		f.n = f.n*5 + uint64(i)
	}
	f.n += uint64(less + more + at + last)
}

// rest leaves from a loop, too. It is called in two loops, of which one has one turn.
func (f *Folder) rest(i int) {
	for v := range f.n % 4 {
		if v == uint64(i) {
			return
		}
		f.n += f.In[i].Get() >> 1 & 1
	}
}

// shade is pasted into a method.
func (f *Folder) shade(i int) {
	if i > 0 && f.In[i].Get()%5 == 0 {
		return
	}
	f.Odd[i].Set(f.In[i].Get()&1 != 0)
}

// Comb shades.
func (f *Folder) Comb() {
	for i := range f.Odd {
		f.Odd[i].Set(false)
	}
	for i := range f.Odd {
		f.shade(i)
	}
}

const folds = 3

// Tick folds its inputs.
func (f *Folder) Tick() {
	half, whole := len(f.In)/2, 2*(len(f.In)/2)
	v := make([]uint64, whole)
	for i := range half { // unrolled
		v[i] = f.In[i].Get() ^ f.In[half+i].Get()
	}
	for range folds { // unrolled
		f.n = f.n*5 + v[0]
	}
	for i := range uint8(2) { // not: its variable is no int
		f.n += uint64(i)
	}
	only := len(f.Out) // not: the variable would have no use
	for range only {
		f.n++
	}
	joined := len(f.In) / 2 // not: the variable would have no use here either
	for range 2 * joined {
		f.n ^= 5
	}
	for range names.Folds { // not: nothing else names the package
		f.n++
	}
	f.flatten()
	one, all := len(f.Out), len(f.In)
	for i := range all { // unrolled
		f.n = f.n*7 + uint64(i+one+all)
	}
	f.change()
	for i := range f.In {
		f.crease(i)
		f.smooth(i)
		for range f.Out {
			f.rest(i)
		}
	}
	var late int
	for range late { // not: it has another value here
		f.n++
	}
	late, first := len(f.Out), f.n
	for range int(f.n % 3) { // not: nobody knows
		f.n += first
	}
	for i := range whole / len(f.In) * len(f.Out) { // unrolled: one turn
		f.Out[i].Set(f.n + f.Far.Get() + uint64(late))
	}
}

// Loops are two folders of two clocks that read each other, and themselves.
type Loops struct {
	Sim  *rtl.Sim
	Both [2]Folder
}

// NewLoops wires them.
func NewLoops(cfg rtl.Config) (*Loops, error) {
	l := &Loops{Sim: rtl.New(cfg)}
	for i, name := range []string{"slow", "fast"} {
		f := &l.Both[i]
		f.In, f.Out = make([]rtl.In[uint64], 4), make([]rtl.Out[uint64], 1)
		f.Odd = make([]rtl.Wire[bool], 3)
		l.Sim.Scope(name).On(l.Sim.Clock(name, clock.MHz(float64(50*(i+2))))).Add("folder", f)
		for j := range f.In {
			rtl.Connect(&f.Out[0], &f.In[j])
		}
	}
	for i := range l.Both {
		rtl.Connect(&l.Both[i].Out[0], &l.Both[1-i].Far)
	}
	return l, l.Sim.Elaborate()
}
