package rtl

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/internal/edgecalls"
	"github.com/goldwire/goldwire/internal/ports"
	"github.com/goldwire/goldwire/rtl/layout"
)

// node is a module in its place.
type node struct {
	index  int // in the order of adding
	path   string
	module Module
	clock  *Clock
	comber Comber     // nil if the module has no Comb
	size   int        // how many ports it has
	ports  []PortInfo // if somebody asked for them: see Ports
	ins    []*inPort
	outs   []*outPort
	wires  []*wirePort

	delay  delay // nil if the module is none
	line   line  // that moves it, as one of several delays
	column int   // its place among them

	level int // of its part: see flow

	shard *shard
}

type inPort struct {
	node *node
	name string
	port sink
	src  any // *outPort, *wirePort or tied
}

type outPort struct {
	node   *node
	name   string
	port   register
	driven bool // by Reset or a Tick
	signal *Signal
}

type wirePort struct {
	node   *node
	name   string
	port   wire
	comb   []string // the names in its comb tag; nil if it has none
	signal *Signal
}

func (p *inPort) path() string   { return join(p.node.path, p.name) }
func (p *outPort) path() string  { return join(p.node.path, p.name) }
func (p *wirePort) path() string { return join(p.node.path, p.name) }

// Elaborate checks the whole design, lays out its state and resets it. The error, a [Faults], has every fault found.
// After it the design is fixed.
func (s *Sim) Elaborate() error {
	s.mustBe(building, "Elaborate")
	s.phase = broken
	s.scanModules()
	s.resolve()
	calls := s.orderCombs()
	if len(s.clocks) > 0 {
		specs := make([]clock.Spec, len(s.clocks))
		for i, c := range s.clocks {
			specs[i] = c.spec
		}
		var err error
		if s.schedule, err = clock.NewSchedule(specs...); err != nil {
			s.fault(BadClock, "the clocks", "cannot be scheduled: %v", err)
		}
	} else {
		s.fault(BadClock, "the simulation", "has no clock")
	}
	if err := s.takeFaults(); err != nil {
		return err
	}
	s.partition()
	s.fillShards(calls)
	s.findFused()
	s.allocate()
	s.addLines()
	s.addPassages()
	s.link()
	s.makeTeams()
	s.makeFused()
	s.reset()
	if s.cfg.Mode == Strict {
		s.strict = newStrict(s)
	}
	s.phase = running
	return nil
}

// makeTeams makes the teams of all parts, of each worker's and of each island.
func (s *Sim) makeTeams() {
	s.whole = s.newTeam(s.parts...)
	for w := 0; w < s.cfg.Workers && s.cfg.Workers > 1; w++ {
		of := slices.DeleteFunc(slices.Clone(s.parts), func(p *part) bool { return p.worker != w })
		s.teams = append(s.teams, s.newTeam(of...))
	}
	for _, p := range s.parts {
		if p.team != nil {
			p.team = s.newTeam(p)
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
func (s *Sim) newTeam(parts ...*part) *edgecalls.Team {
	t := &edgecalls.Team{}
	for c := range s.clocks {
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

// scanModules finds the ports and probes of every module.
func (s *Sim) scanModules() {
	paths, modules := make(map[string]bool, len(s.nodes)), make(map[Module]string, len(s.nodes))
	names, kinds := map[string]bool{}, map[string]SignalKind{} // of a module's ports, and of its signals
	for _, n := range s.nodes {
		if paths[n.path] {
			s.fault(AddedTwice, n.path, "is the path of two modules")
		}
		paths[n.path] = true
		v := reflect.ValueOf(n.module)
		if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
			what := fmt.Sprintf("a %T", n.module)
			if v.Kind() == reflect.Pointer && v.IsNil() {
				what += " that is nil"
			}
			s.fault(NotAStruct, n.path, "is %s, want a pointer to a struct", what)
			continue
		}
		if first, ok := modules[n.module]; ok && v.Elem().Type().Size() > 0 {
			s.fault(AddedTwice, n.path, "is the same module as %s", first)
			continue
		}
		modules[n.module] = n.path
		if n.clock == nil {
			s.fault(NoClock, n.path, "has no clock: add it to a scope that is On a clock")
		} else if n.clock.sim != s {
			s.fault(NoClock, n.path, "has a clock of another simulation")
		}
		n.comber, _ = n.module.(Comber)
		switch n.delay, _ = n.module.(delay); {
		case n.delay == nil:
		case n.delay.itself() != n.module:
			s.fault(BadDelay, n.path, "embeds a delay, which the kernel moves without it: want the delay itself")
		case n.delay.edges() < 1:
			s.fault(BadDelay, n.path, "is a delay of %d edges, want at least 1", n.delay.edges())
		}
		clear(names)
		before := len(s.signals)
		portsOf.Find(v.Elem(), func(name string, v reflect.Value, tag reflect.StructTag) {
			if names[name] {
				s.fault(BadName, join(n.path, name), "is the name of two ports")
			}
			names[name] = true
			s.addPort(n, name, reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Interface(), tag)
		}, func(name string, v reflect.Value, tag reflect.StructTag) { s.addProbe(n, name, v, tag) })
		clear(kinds)
		s.checkSignals(s.signals[before:], kinds)
		s.checkProbes(n, s.signals[before:])
	}
}

// checkSignals refuses a probe with the name of an output or of another probe: a waveform would have two signals of one
// name. It notes the kinds of a module's signals by their names.
func (s *Sim) checkSignals(signals []*Signal, kinds map[string]SignalKind) {
	for _, sig := range signals {
		if first, ok := kinds[sig.Name]; ok && (first == Probe || sig.Kind == Probe) { // two ports have their own fault
			s.fault(BadName, sig.Path, "is the name of two signals, one of them a probe")
		}
		kinds[sig.Name] = sig.Kind
	}
}

// checkProbes refuses a probe with the name of an input: a waveform has the inputs in their modules' scopes, too.
func (s *Sim) checkProbes(n *node, signals []*Signal) {
	for _, sig := range signals {
		if sig.Kind == Probe && slices.ContainsFunc(n.ins, func(in *inPort) bool { return in.name == sig.Name }) {
			s.fault(BadName, sig.Path, "is the name of an input and of a probe")
		}
	}
}

var (
	sourceType = reflect.TypeFor[source]()
	sinkType   = reflect.TypeFor[sink]()
)

// portsOf finds the ports of modules.
var portsOf = ports.New(isPort)

func isPort(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return t.Kind() == reflect.Struct && (p.Implements(sourceType) || p.Implements(sinkType))
}

func (s *Sim) addPort(n *node, name string, port any, tag reflect.StructTag) {
	info := PortInfo{Name: name, port: port}
	switch p := port.(type) {
	case source:
		info.Type, info.Dir = p.elem(), Output
	case sink:
		info.Type, info.IsAsync = p.elem(), p.async()
	}
	var err error
	if known, met := s.layouts[info.Type]; met {
		info.Leaves = known
	} else if info.Leaves, err = layout.Of(info.Type); err != nil {
		s.fault(NoFixedWidth, join(n.path, name), "is of type %v: %v", info.Type, err)
	} else if len(info.Leaves) == 0 {
		s.fault(NoFixedWidth, join(n.path, name), "is of type %v, which has no bits", info.Type)
	} else {
		s.layouts[info.Type] = info.Leaves
	}
	switch p := port.(type) {
	case register:
		info.Kind = Register
		n.outs = append(n.outs, &outPort{node: n, name: name, port: p, signal: s.addSignal(n, &info)})
	case wire:
		info.Kind = Combinational
		w := &wirePort{node: n, name: name, port: p, signal: s.addSignal(n, &info)}
		if list, ok := tag.Lookup("comb"); ok {
			w.comb = strings.Split(list, ",")
		}
		if n.comber == nil {
			s.fault(Latch, w.path(), "is a Wire, but its module has no Comb to drive it")
		}
		n.wires = append(n.wires, w)
	case sink:
		n.ins = append(n.ins, &inPort{node: n, name: name, port: p})
	}
	if n.size++; s.listing {
		n.ports = append(n.ports, info)
	}
}

func (s *Sim) addProbe(n *node, name string, v reflect.Value, tag reflect.StructTag) {
	leaves, err := layout.OfField(v.Type(), tag)
	if err != nil {
		s.fault(BadTag, join(n.path, name), "cannot be a probe: %v", err)
		return
	}
	probe := s.addSignal(n, &PortInfo{Name: name, Kind: Probe, Leaves: leaves})
	probe.p = unsafe.Pointer(v.UnsafeAddr())
}

func (s *Sim) addSignal(n *node, p *PortInfo) *Signal {
	sig := &Signal{
		Path: join(n.path, p.Name), Module: n.path, Name: p.Name, Kind: p.Kind, Clock: n.clock, Leaves: p.Leaves,
	}
	s.signals = append(s.signals, sig)
	return sig
}

// output is an outPort or a wirePort.
type output interface{ path() string }

// resolve finds the output port that drives each input.
func (s *Sim) resolve() {
	owner := make(map[source]output, len(s.signals))
	claim := func(src source, port output) {
		if first, ok := owner[src]; ok {
			s.fault(DrivenTwice, port.path(), "is the same output as %s", first.path())
			return
		}
		owner[src] = port
	}
	for _, n := range s.nodes {
		for _, o := range n.outs {
			claim(o.port, o)
		}
		for _, w := range n.wires {
			claim(w.port, w)
		}
	}
	for _, n := range s.nodes {
		for _, in := range n.ins {
			switch src := in.port.source().(type) {
			case nil:
				s.fault(Unconnected, in.path(), "reads nothing: Connect it, or Tie it to a constant")
			case *conflict:
				var names []string
				for _, d := range src.drivers {
					if port, ok := owner[d]; ok {
						names = append(names, port.path())
					} else {
						names = append(names, "a constant")
					}
				}
				s.fault(DrivenTwice, in.path(), "is driven by %s", strings.Join(names, " and by "))
			case tied:
				in.src = src
			default:
				port, ok := owner[src]
				if !ok {
					s.fault(NotAdded, in.path(), "reads an output of a module that was not added")
					continue
				}
				in.src = port
				s.checkCrossing(in)
			}
		}
	}
}

func (s *Sim) checkCrossing(in *inPort) {
	switch src := in.src.(type) {
	case *outPort:
		if src.node.clock != in.node.clock && !in.port.async() {
			s.fault(ClockCrossing, in.path(), "(clock %s) reads %s (clock %s): use a synchroniser or an asynchronous FIFO",
				in.node.clock.name(), src.path(), src.node.clock.name())
		}
	case *wirePort:
		if in.port.async() {
			s.fault(ClockCrossing, in.path(), "reads the Wire %s: combinational logic glitches, cross from a register", src.path())
		} else if src.node.clock != in.node.clock {
			s.fault(ClockCrossing, in.path(), "(clock %s) reads the Wire %s (clock %s)",
				in.node.clock.name(), src.path(), src.node.clock.name())
		}
	}
}

func (c *Clock) name() string {
	if c == nil {
		return "none"
	}
	return c.spec.Name
}

// reset brings every module to its initial state.
func (s *Sim) reset() {
	for _, n := range s.nodes {
		r, resets := n.module.(Resetter)
		if resets {
			r.Reset()
		}
		for _, o := range n.outs {
			o.driven = !resets || *o.port.driven()
			*o.port.driven() = false
		}
		for _, in := range n.ins {
			if s.cfg.Mode == Strict {
				*in.port.read() = false
			} else {
				in.port.unlink()
			}
		}
	}
	for _, b := range s.whole.Clocks {
		b.Commit()
	}
	s.whole.Settle()
}
