package tb_test

import (
	"fmt"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/tb"
	"github.com/goldwire/goldwire/vectors"
)

// parity is combinational; total, beside it, takes two cycles.
type parity struct {
	In    rtl.In[uint8]
	Odd   rtl.Wire[bool]
	Total rtl.Out[uint8]

	last uint8
}

func (p *parity) Comb() {
	v := p.In.Get()
	v ^= v >> 4
	v ^= v >> 2
	v ^= v >> 1
	p.Odd.Set(v&1 == 1)
}

func (p *parity) Tick() {
	p.Total.Set(p.Total.Get() + p.last)
	p.last = p.In.Get()
}

func ExamplePaths() {
	unit := vectors.Unit{
		Name: "example/parity", Doc: "Parity of a byte.", Clock: clock.MHz(100),
		Build: func(b *vectors.Bench) rtl.Module {
			m := &parity{}
			vectors.Drive(b, &m.In, vectors.Uniform[uint8](b.Rand()))
			return m
		},
	}
	paths, err := tb.Paths(unit, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range paths {
		fmt.Printf("%s to %s: %d cycles\n", p.From, p.To, p.Cycles)
	}
	// Output:
	// in to odd: 0 cycles
	// in to total: 2 cycles
}

func ExampleScoreboard() {
	board := tb.Scoreboard[uint8]{Name: "lane 0"}
	for _, v := range []uint8{7, 8, 9} {
		board.Expect(v)
	}
	board.Observe(12, 7)
	board.Observe(13, 9)
	fmt.Println(board.Finish())
	// Output: lane 0: cycle 13: item 1 is 9, want 8
}
