package zoo

import (
	"fmt"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
)

// edges is a name that the code has for something else.
const edges = 5

// watch is one, too.
func watch(w Word) Word {
	w.Last = w.Data%2 == 1
	return w
}

// Feeder takes words from far away. It shows at once its next value.
type Feeder struct {
	Far  rtl.In[Word]
	Near rtl.In[Word]
	Out  rtl.Out[Word]
	Next rtl.Wire[Word]

	n uint64
}

// Comb shows the next value.
func (f *Feeder) Comb() {
	w := f.Far.Get()
	w.Data += 3*f.Near.Get().Data + f.n
	w.Valid = w.Data%3 > 0
	f.Next.Set(w)
}

// Tick takes it.
func (f *Feeder) Tick() {
	f.n++
	f.Out.Set(watch(f.Next.Get()))
}

// Junction mixes all feeders' outputs.
type Junction struct {
	In   [12]rtl.In[Word]
	Next []rtl.In[Word]
	Out  [12]rtl.Out[uint64]
	Sum  rtl.Wire[uint64]
}

// Comb adds up wires of the feeders.
func (j *Junction) Comb() {
	var sum uint64
	for i := range j.Next {
		if w := j.Next[i].Get(); w.Valid {
			sum += w.Data << i
		}
	}
	j.Sum.Set(sum)
}

// Tick mixes.
func (j *Junction) Tick() {
	for i := range j.In {
		j.Out[i].Set(5*j.Out[i].Get() + j.In[(i+1)%len(j.In)].Get().Data + j.Sum.Get())
	}
}

// Turner has a wire that depends on inputs from another part, and a register that it both sets and reads.
type Turner struct {
	In   rtl.In[uint64]
	Sum  rtl.In[uint64]
	Out  rtl.Out[uint64]
	Turn rtl.Wire[uint64]
}

// Comb turns.
func (t *Turner) Comb() { t.Turn.Set(t.In.Get()<<3 ^ t.Sum.Get() ^ t.Out.Get()) }

// Tick keeps the turned value, unless it is a multiple of five.
func (t *Turner) Tick() {
	if v := t.Turn.Get(); v%edges > 0 {
		t.Out.Set(v)
	}
}

// Teller has a register that it sets twice or not at all, and looks at in between.
type Teller struct {
	Other rtl.In[uint64]
	Add   rtl.In[uint64]
	Out   rtl.Out[uint64]
}

// Tick tells.
func (t *Teller) Tick() {
	v := t.Other.Get()
	if v%7 == 3 {
		return
	}
	t.Out.Set(v + t.Add.Get())
	if v%2 == 1 {
		t.Out.Set(3*t.Out.Get() ^ t.Other.Get())
	}
}

// Sender makes words of its inputs. It runs as it is, since it has a function literal.
type Sender struct {
	In   [4]rtl.In[uint64]
	Late rtl.In[uint64]
	Out  rtl.Out[Word]
}

// Tick sends.
func (s *Sender) Tick() {
	odd := func(v uint64) bool { return v%2 == 1 }
	v := s.In[0].Get() + s.In[1].Get()>>7 ^ s.In[2].Get()*s.In[3].Get() ^ s.Late.Get()
	s.Out.Set(Word{Data: v, Last: odd(v), Valid: v%4 > 0})
}

// Borders is a switch of twelve ports, so large that the kernel cuts it into receivers, the middle, and transmitters.
// Long delays lead from each transmitter to the next receiver. Registers and wires are read at once, and by short and
// long delays, some of them several times. Some modules are called as something in the code.
type Borders struct {
	Sim     *rtl.Sim
	Feeders [12]Feeder
	Join    Junction
	Turners [12]Turner
	Senders [12]Sender
	Tellers [12][4]Teller // two that read each other, and two that the sender reads, too
	Far     [12]rtl.Delay[Word]
	Near    [12]rtl.Delay[Word]
	Mid     [12]rtl.Delay[Word]
	Late    [12]rtl.Delay[uint64]
	Echo    [12]rtl.Delay[uint64]
	Last    [12]rtl.Delay[uint64]
}

// NewBorders wires one. A module of another clock, if it is wanted, makes the instants of the switch several that come
// in turns.
func NewBorders(cfg rtl.Config, other bool) (*Borders, error) {
	b := &Borders{Sim: rtl.New(cfg)}
	clk := b.Sim.Clock("clk", clock.MHz(100))
	b.Join.Next = make([]rtl.In[Word], len(b.Feeders))
	b.Sim.Scope("join").On(clk).Add("join", &b.Join)
	if other {
		lap := &Lap{}
		b.Sim.Scope("other").On(b.Sim.Clock("third", clock.MHz(300))).Add("lap", lap)
		rtl.Connect(&lap.Out, &lap.In)
	}
	for i := range b.Feeders {
		in := b.Sim.Scope(fmt.Sprintf("in_%d", i)).On(clk)
		b.Far[i].Edges, b.Near[i].Edges, b.Mid[i].Edges = 21+i, 1, 4
		in.Add("far", &b.Far[i])
		in.Add("feeder", &b.Feeders[i])
		in.Add("border", &b.Near[i])
		in.Add("gives_0", &b.Mid[i])
		rtl.Connect(&b.Far[i].Out, &b.Feeders[i].Far)
		rtl.Connect(&b.Feeders[i].Next, &b.Near[i].In, &b.Join.Next[i])
		rtl.Connect(&b.Near[i].Out, &b.Mid[i].In)
		rtl.Connect(&b.Mid[i].Out, &b.Feeders[i].Near)
		rtl.Connect(&b.Feeders[i].Out, &b.Join.In[i])

		out := b.Sim.Scope(fmt.Sprintf("out_%d", i)).On(clk)
		b.Late[i].Edges, b.Echo[i].Edges, b.Last[i].Edges = 7, 2, 30
		out.Add("run", &b.Turners[i])
		out.Add("sender", &b.Senders[i])
		for k := range b.Tellers[i] {
			t := &b.Tellers[i][k]
			out.Add(fmt.Sprintf("teller_%d", k), t)
			rtl.Connect(&b.Tellers[i][k^1].Out, &t.Other)
			rtl.Connect(&b.Turners[i].Turn, &t.Add)
		}
		rtl.Connect(&b.Tellers[i][2].Out, &b.Senders[i].In[2])
		rtl.Connect(&b.Tellers[i][3].Out, &b.Senders[i].In[3])
		out.Add("leaves_0", &b.Late[i])
		out.Add("comes_0", &b.Echo[i])
		out.Add("last", &b.Last[i])
		rtl.Connect(&b.Join.Out[i], &b.Turners[i].In, &b.Senders[i].In[0], &b.Late[i].In)
		rtl.Connect(&b.Join.Sum, &b.Turners[i].Sum, &b.Last[i].In)
		rtl.Connect(&b.Turners[i].Turn, &b.Senders[i].In[1])
		rtl.Connect(&b.Late[i].Out, &b.Echo[i].In)
		rtl.Connect(&b.Echo[i].Out, &b.Senders[i].Late)
		rtl.Connect(&b.Senders[i].Out, &b.Far[(i+1)%len(b.Far)].In)
	}
	return b, b.Sim.Elaborate()
}
