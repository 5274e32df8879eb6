package rtl_test

import (
	"fmt"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
)

// Accumulator adds up its input while Enable is high.
type Accumulator struct {
	Enable rtl.In[bool]
	In     rtl.In[uint16]
	Out    rtl.Out[uint16]
}

// Tick is one rising edge.
func (a *Accumulator) Tick() {
	if a.Enable.Get() {
		a.Out.Set(a.Out.Get() + a.In.Get())
	}
}

// Toggle is high in every other cycle.
type Toggle struct {
	Out rtl.Out[bool]
}

// Tick is one rising edge.
func (t *Toggle) Tick() { t.Out.Set(!t.Out.Get()) }

func Example() {
	var acc Accumulator
	var enable Toggle

	sim := rtl.New(rtl.Config{})
	top := sim.Scope("top").On(sim.Clock("clk", clock.MHz(156.25)))
	top.Add("enable", &enable)
	top.Add("acc", &acc)
	rtl.Connect(&enable.Out, &acc.Enable)
	rtl.Tie(5, &acc.In)
	if err := sim.Elaborate(); err != nil {
		fmt.Println(err)
		return
	}

	clk := top.Clock()
	for range 5 {
		fmt.Printf("cycle %d at %-6v enable %-5v out %d\n", clk.Cycle(), clk.Time(), enable.Out.Get(), acc.Out.Get())
		_ = clk.Run(1)
	}
	// Output:
	// cycle 0 at 0s     enable false out 0
	// cycle 1 at 6.4ns  enable true  out 0
	// cycle 2 at 12.8ns enable false out 5
	// cycle 3 at 19.2ns enable true  out 5
	// cycle 4 at 25.6ns enable false out 10
}

func ExampleSim_Elaborate() {
	var acc Accumulator
	sim := rtl.New(rtl.Config{})
	sim.Scope("top").On(sim.Clock("clk", clock.MHz(156.25))).Add("acc", &acc)
	fmt.Println(sim.Elaborate())
	// Output:
	// unconnected: top.acc.enable reads nothing: Connect it, or Tie it to a constant
	// unconnected: top.acc.in reads nothing: Connect it, or Tie it to a constant
}
