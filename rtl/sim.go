package rtl

import (
	"fmt"
	"reflect"
	"runtime"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/internal/checkpoint"
	"github.com/goldwire/goldwire/internal/engine"
	"github.com/goldwire/goldwire/internal/workers"
	"github.com/goldwire/goldwire/rtl/layout"
)

// Mode says how a simulation runs. It changes the speed, never the bits.
type Mode int

// The modes; see the package comment.
const (
	Fast Mode = iota
	Strict
	Parallel
)

var modeNames = [...]string{"fast", "strict", "parallel"}

func (m Mode) String() string { return modeNames[m] }

// Panic is what a run in parallel mode panics with, on the goroutine that called it, if a module or an observer panics
// on one of the workers'.
type Panic = workers.Panic

// Config says how a simulation runs. The zero value is fast mode.
type Config struct {
	Mode    Mode
	Seed    uint64 // strict mode: of the tick order and of Jitter
	Workers int    // parallel mode: goroutines, 0 for one a processor
	Plain   bool   // fast and parallel mode: use no generated code (package fuse); the same bits, slower
	Jitter  bool   // strict mode: delay what an Async sees by 0 or 1 edges; this, and only this, changes the bits
}

// Sim is a simulation: clocks, scopes with modules, and their state.
type Sim struct {
	cfg      Config
	phase    phase
	clocks   []*Clock
	schedule *clock.Schedule
	nodes    []*node
	signals  []*Signal
	engine   *engine.Engine
	byModule map[Module]*node // nil until Watch
	faults   Faults
	layouts  map[reflect.Type][]layout.Leaf // of ports' types that have been met: all ports of a type share one
	listing  bool                           // modules' ports are listed on demand: see Ports

	saved checkpoint.Design
}

type phase int

const (
	building phase = iota
	running
	broken    // elaboration failed
	abandoned // a run panicked
)

// New returns an empty simulation.
func New(cfg Config) *Sim {
	if cfg.Mode != Parallel {
		cfg.Workers = 1
	} else if cfg.Workers <= 0 {
		cfg.Workers = runtime.GOMAXPROCS(0)
	}
	e := engine.New(engine.Config{
		Strict: cfg.Mode == Strict, Seed: cfg.Seed, Jitter: cfg.Jitter, Workers: cfg.Workers, Plain: cfg.Plain,
		IsPort: isPort,
	})
	saved := checkpoint.Design{Plans: plans, Engine: e}
	return &Sim{cfg: cfg, engine: e, saved: saved, layouts: map[reflect.Type][]layout.Leaf{}}
}

// Clock adds a clock domain. Its edge n (n = 1, 2, …) is at phase + n periods.
func (s *Sim) Clock(name string, f clock.Freq, phase ...clock.Time) *Clock {
	s.mustBe(building, "Clock "+name)
	s.checkName("", name)
	c := &Clock{sim: s, index: len(s.clocks), spec: clock.Spec{Name: name, Freq: f}}
	for _, p := range phase {
		c.spec.Phase = c.spec.Phase.Add(p)
	}
	s.clocks = append(s.clocks, c)
	return c
}

// Scope returns a scope at the top of the hierarchy. It has no clock yet: see [Scope.On].
func (s *Sim) Scope(name string) *Scope {
	return (&Scope{sim: s}).Scope(name)
}

// Clocks returns the clocks in the order of creation.
func (s *Sim) Clocks() []*Clock { return s.clocks }

// Schedule returns the exact edges of the clocks so far; it is for reading. Elaborate comes first.
func (s *Sim) Schedule() *clock.Schedule { return s.schedule }

func (s *Sim) mustBe(p phase, what string) {
	if s.phase == abandoned {
		panic(fmt.Sprintf("rtl: %s: a run panicked and left the simulation in the middle of an instant", what))
	}
	if s.phase != p {
		state := "is not elaborated: call Elaborate, and see that it returns no error, before that"
		if p == building {
			state = "is elaborated already: do that before Elaborate"
		}
		panic(fmt.Sprintf("rtl: %s: the simulation %s", what, state))
	}
}

// Clock is a clock domain.
type Clock struct {
	sim   *Sim
	index int
	spec  clock.Spec
}

// Sim returns the simulation that the clock drives.
func (c *Clock) Sim() *Sim { return c.sim }

// Name returns the clock's name.
func (c *Clock) Name() string { return c.spec.Name }

// Index returns the clock's place in the order of creation.
func (c *Clock) Index() int { return c.index }

// Freq returns the clock's exact frequency.
func (c *Clock) Freq() clock.Freq { return c.spec.Freq }

// Cycle returns how many edges the clock has had.
func (c *Clock) Cycle() uint64 { return c.sim.schedule.Edges(c.index) }

// Time returns when the clock's latest edge was.
func (c *Clock) Time() clock.Time { return c.sim.schedule.Time(c.index, c.Cycle()) }
