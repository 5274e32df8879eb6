package vectors

import (
	"fmt"

	"github.com/goldwire/goldwire/rtl"
)

// Driven is a unit whose inputs somebody else drives, value by value: RTL in another simulator.
type Driven struct {
	*Instance
	feeds []rtl.Feed
	from  map[int]column // by field
}

// SimulateDriven builds the unit without its own drivers. Inputs start at 0.
func (u Unit) SimulateDriven(cfg rtl.Config) (*Driven, error) {
	if u.Assemble != nil {
		return nil, fmt.Errorf("unit %s: a model behind DPI-C has one clock, this has %d", u.Name, len(u.Clocks))
	}
	d := &Driven{from: map[int]column{}}
	var err error
	d.Instance, err = u.simulate(cfg, &Bench{replay: true}, func(scope *rtl.Scope, in *Instance) {
		r := newReplay(in.ports, len(in.Fields), func([]uint64) bool { return false })
		scope.Add("outside", r)
		d.feeds = r.Feeds
		for _, c := range r.from {
			d.from[c.index] = c
		}
	})
	return d, err
}

// Set drives an input field. For an output field it does nothing. Combinational outputs follow at [Driven.Settle].
func (d *Driven) Set(field int, x uint64) {
	if c, ok := d.from[field]; ok {
		d.feeds[c.feed].Poke(c.leaf, x)
	}
}

// Settle computes combinational outputs from the inputs set so far.
func (d *Driven) Settle() error { return d.Clock.Run(0) }

// Edge is one rising edge of the clock.
func (d *Driven) Edge() error { return d.Clock.Run(1) }

// Get returns a field's settled value, 0 if there is no such field.
func (d *Driven) Get(field int) uint64 {
	if field < 0 || field >= len(d.taps) {
		return 0
	}
	return d.taps[field].Value()
}
