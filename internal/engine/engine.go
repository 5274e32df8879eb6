// Package engine runs an elaborated design: it is the machine behind package rtl, which knows the ports by their types
// and checks that they are connected well. Here a design is modules, their inputs and outputs as places in memory, and
// clocks.
//
//	New     an engine that may have observers, without a design
//	Build   finds islands, lays out registers, makes the lists of calls, resets
//	Run     until a clock has had some more edges
//
// # Ways to run an edge
//
// [Engine.Run] chooses once, before the first edge:
//
//	mode       islands by windows                  lockstep
//	strict     -                                   strictInstant: modules in a random order
//	fast       runWindows: the runner of each      runInstants: the modules of all islands
//	parallel   workIslands: workers share them     workInstants: each worker's modules
//
// It is lockstep if the instants of the clocks do not repeat, an observer looks at several islands, or the run is of a
// few edges. The runner of an island is its modules, or generated code (runner.go): the code takes over at the first
// window before which all outputs were driven, and runs to the end of the run.
package engine

import (
	"reflect"
	"slices"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/internal/edgecalls"
)

// Config says how a design runs.
type Config struct {
	Strict  bool
	Seed    uint64 // of strict mode
	Jitter  bool   // in strict mode
	Workers int    // 1 or more
	Plain   bool   // without generated code
	IsPort  func(reflect.Type) bool
}

// Engine is a design that runs.
type Engine struct {
	cfg       Config
	nodes     []*Node
	clocks    []clock.Spec
	hz        []float64 // by clock, about
	schedule  *clock.Schedule
	observers []watcher

	parts    []*part
	limits   []int             // edges of a window, by clock, if the parts are islands
	round    []int             // edges of a round of the pattern, by clock
	window   window            // that is run
	crossing []*Input          // that read another island
	passages []passage         // through which they do
	levels   int               // of islands: see islands
	whole    *edgecalls.Team   // all parts
	teams    []*edgecalls.Team // by worker, if there are several
	edge     uint64            // of the only clock, within a run that counts no others: where a panic was
	windows  bool              // the run goes by windows of edges: where a panic was is known but roughly
	ahead    bool              // the schedule stands at the end of the window that the parts are playing
	linked   [][]bool          // [worker][worker]: they exchange signals
	planned  bool
	pattern  [][]int // the schedule's, for which the teams have their tables
	strict   *strict // nil in other modes
}

// New returns an engine without a design.
func New(cfg Config) *Engine { return &Engine{cfg: cfg} }

// Nodes returns the modules in the order of adding.
func (e *Engine) Nodes() []*Node { return e.nodes }

// Clocks returns the clocks.
func (e *Engine) Clocks() []clock.Spec { return e.clocks }

// Schedule returns the edges of the clocks.
func (e *Engine) Schedule() *clock.Schedule { return e.schedule }

// Build takes a design that has no faults, with the order of its Combs at an instant.
func (e *Engine) Build(nodes []*Node, clocks []clock.Spec, schedule *clock.Schedule, calls []*Node) {
	e.nodes, e.clocks, e.schedule = nodes, clocks, schedule
	for _, c := range clocks {
		hz, _ := c.Freq.Hz().Float64()
		e.hz = append(e.hz, hz)
	}
	for _, n := range nodes {
		n.weight = e.hz[n.Clock] * float64(1+n.Ports)
	}
	e.partition()
	e.fillShards(calls)
	e.findFused()
	e.allocate()
	e.addLines()
	e.addPassages()
	e.link()
	e.makeTeams()
	e.makeFused()
	e.reset()
	if e.cfg.Strict {
		e.strict = newStrict(e)
	}
}

// makeTeams makes the teams of all parts, of each worker's and of each island.
func (e *Engine) makeTeams() {
	e.whole = e.newTeam(e.parts...)
	for w := 0; w < e.cfg.Workers && e.cfg.Workers > 1; w++ {
		of := slices.DeleteFunc(slices.Clone(e.parts), func(p *part) bool { return p.worker != w })
		e.teams = append(e.teams, e.newTeam(of...))
	}
	for _, p := range e.parts {
		if p.team != nil {
			p.team = e.newTeam(p)
			for c, sh := range p.shards {
				b := p.team.Clocks[c]
				for _, m := range sh.gives {
					b.Gives = append(b.Gives, m)
				}
				for _, m := range sh.takes {
					b.Takes = append(b.Takes, m)
				}
			}
		}
	}
}

// newTeam returns a team of these parts.
func (e *Engine) newTeam(parts ...*part) *edgecalls.Team {
	t := &edgecalls.Team{}
	for c := range e.clocks {
		b := &edgecalls.Beat{}
		for i := 0; i < len(parts); {
			first := parts[i].shards[c]
			end := first.lo
			for ; i < len(parts) && parts[i].shards[c].lo == end; i++ { // one commit for neighbouring registers
				sh := parts[i].shards[c]
				b.Ticks, b.Combs = append(b.Ticks, sh.ticks...), append(b.Combs, sh.combs...)
				end = sh.hi
			}
			if end > first.lo {
				b.AddCommit(first.slab.cur[first.lo:end], first.slab.next[first.lo:end])
			}
		}
		t.Clocks = append(t.Clocks, b)
	}
	return t
}

// reset brings every module to its initial state.
func (e *Engine) reset() {
	for _, n := range e.nodes {
		r, resets := n.Module.(interface{ Reset() })
		if resets {
			r.Reset()
		}
		for _, o := range n.Outs {
			o.Driven = !resets || *o.Used
			*o.Used = false
		}
		for _, in := range n.Ins {
			if e.cfg.Strict {
				*in.Used = false
			}
		}
	}
	for _, b := range e.whole.Clocks {
		b.Commit()
	}
	e.whole.Settle()
}

// SetDriven says of a register whether it has ever been driven, as a checkpoint has it.
func (e *Engine) SetDriven(o *Output, driven bool) {
	if o.Driven = driven; e.strict == nil {
		*o.Used = driven
	}
}

// Restored is called when registers, delays and fields have other values, from a checkpoint.
func (e *Engine) Restored() {
	for _, p := range e.parts {
		p.code.driven = false // look again
	}
	e.Settle()
}
