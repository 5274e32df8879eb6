package cosim_test

import (
	"context"
	"fmt"
	"log"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/cosim"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// Increment adds one.
type Increment struct {
	In  rtl.In[uint8]
	Out rtl.Out[uint8]
}

// Tick is one rising edge.
func (i *Increment) Tick() { i.Out.Set(i.In.Get() + 1) }

// A module runs in lockstep with increment.v, whose output is called q, for ten thousand cycles of random bytes.
func ExampleSession_Run() {
	unit := vectors.Unit{
		Name:    "demo/increment",
		Latency: 1,
		Clock:   clock.MHz(100),
		Build: func(b *vectors.Bench) rtl.Module {
			m := &Increment{}
			vectors.Drive(b, &m.In, vectors.Uniform[uint8](b.Rand()))
			return m
		},
	}
	ctx := context.Background()
	session, err := cosim.Start(ctx, cosim.Options{
		Unit:   unit,
		Design: cosim.Design{Sources: []string{"increment.v"}, Top: "increment", Simulator: cosim.Verilator},
		Map:    cosim.Map{Ports: map[string]string{"out": "q"}},
		Dirty:  cosim.DefaultDirty,
	})
	if err != nil {
		log.Fatal(err) // all ports that are not bound, with the line of the map that binds each
	}
	defer session.Close()
	result, err := session.Run(ctx, cosim.Stimulus{Cycles: 10_000, Seed: 1}, nil)
	if err != nil {
		log.Fatal(err)
	}
	if d := result.Divergence; d != nil {
		fmt.Println("they part in cycle", d.Cycle)
	}
}
