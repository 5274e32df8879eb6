package vectors

import (
	"fmt"
	"math/rand/v2"

	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/rtl/layout"
)

// Bench holds the environment of a unit's module: the drivers of its inputs, and their random numbers.
type Bench struct {
	scope   *rtl.Scope
	seed    uint64
	streams uint64
	drivers int
	senders int
	profile Profile
	replay  bool // the inputs come from a set: drivers are left out

	rands []*rand.Rand // that were taken: state of the drivers' functions
	kept  []any

	root *Bench   // that counts streams and drivers, for those on other clocks
	sim  *rtl.Sim // of an assembly
}

// Sim returns the simulation that an [Unit].Assemble makes its clocks and scopes in; nil for others.
func (b *Bench) Sim() *rtl.Sim { return b.sim }

// base is the bench that counts for all clocks.
func (b *Bench) base() *Bench {
	if b.root == nil {
		return b
	}
	return b.root
}

// On returns the same bench for drivers on a clock, of a unit that has several.
func (b *Bench) On(c *rtl.Clock) *Bench {
	at := *b
	at.scope = b.sim.Scope("bench").On(c)
	return &at
}

// Rand returns a new stream of random numbers that follows from the seed and from how many were taken before. Drivers
// run in any order, so each takes a stream of its own.
func (b *Bench) Rand() *rand.Rand {
	root := b.base()
	root.streams++
	r := rand.New(rand.NewPCG(b.seed, root.streams))
	root.rands = append(root.rands, r)
	return r
}

// Keep tells of variables that a driver's function changes, besides the random numbers of [Bench.Rand], so that
// checkpoints have them. They are given by pointers.
func (b *Bench) Keep(state ...any) {
	root := b.base()
	root.kept = append(root.kept, state...)
}

// Profile returns the kind of stimulus that is wanted, for units that have profiles.
func (b *Bench) Profile() Profile { return b.profile }

// Add adds a driver that reacts to the module; rtl.Connect joins the two. For a ready/valid handshake there is
// [DriveStream]. A replay leaves it out, together with everything else that drives.
func (b *Bench) Add(name string, m rtl.Module) {
	if !b.replay {
		b.scope.Add(name, m)
	}
}

// Drive drives an input with gen's value for each cycle. Gen is called once a cycle, in order, from cycle 0. It must
// not share state that it changes with another driver, a rand.Rand included, and registers such state with
// [Bench.Keep].
func Drive[T any](b *Bench, in rtl.Sink[T], gen func(cycle uint64) T) {
	d := &driver[T]{gen: gen}
	b.Add(fmt.Sprintf("driver_%d", b.base().drivers), d)
	b.base().drivers++
	rtl.Connect(&d.Out, in)
}

// driver is the module that Drive adds.
type driver[T any] struct {
	Out rtl.Out[T]

	gen   func(cycle uint64) T `state:"none"` // its state is kept by the bench
	cycle uint64
}

// Reset drives the inputs of cycle 0: they stand before the first edge.
func (d *driver[T]) Reset() { d.Out.Set(d.gen(0)) }

func (d *driver[T]) Tick() {
	d.cycle++
	d.Out.Set(d.gen(d.cycle))
}

// Uniform returns a generator for Drive: each leaf of T takes each value of its declared width with equal chance. It
// panics if T is no signal type.
func Uniform[T any](rng *rand.Rand) func(cycle uint64) T {
	var v T
	leaves := mustLayout[T]()
	return func(uint64) T {
		for i := range leaves {
			layout.Set(&v, &leaves[i], rng.Uint64())
		}
		return v
	}
}
