package rtl

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/internal/engine"
	"github.com/goldwire/goldwire/internal/ports"
	"github.com/goldwire/goldwire/rtl/layout"
)

// node is a module in its place.
type node struct {
	engine.Node
	clock *Clock
	sinks []sink     // by input; nil once the design is elaborated
	ports []PortInfo // if somebody asked for them: see Ports
}

// addNode adds a module.
func (s *Sim) addNode(path string, m Module, clk *Clock) *node {
	n := &node{Node: engine.Node{Index: len(s.nodes), Path: path, Module: m}, clock: clk}
	s.nodes = append(s.nodes, n)
	return n
}

// Elaborate checks the whole design, lays out its state and resets it. The error, a [Faults], has every fault found.
// After it the design is fixed.
func (s *Sim) Elaborate() error {
	s.mustBe(building, "Elaborate")
	s.phase = broken
	s.scanModules()
	s.resolve()
	nodes := make([]*engine.Node, len(s.nodes))
	for i, n := range s.nodes {
		nodes[i] = &n.Node
	}
	calls := engine.OrderCombs(nodes, s.combLoop, s.unknownInput)
	s.makeSchedule()
	if err := s.takeFaults(); err != nil {
		return err
	}
	s.forgetLinks()
	s.engine.Build(nodes, s.specs(), s.schedule, calls)
	for _, sig := range s.signals {
		if sig.output != nil {
			sig.p = sig.output.Place()
		}
	}
	s.phase = running
	return nil
}

// specs returns the clocks as a schedule has them.
func (s *Sim) specs() []clock.Spec {
	specs := make([]clock.Spec, len(s.clocks))
	for i, c := range s.clocks {
		specs[i] = c.spec
	}
	return specs
}

// makeSchedule orders the edges of the clocks.
func (s *Sim) makeSchedule() {
	if len(s.clocks) == 0 {
		s.fault(BadClock, "the simulation", "has no clock")
		return
	}
	var err error
	if s.schedule, err = clock.NewSchedule(s.specs()...); err != nil {
		s.fault(BadClock, "the clocks", "cannot be scheduled: %v", err)
	}
}

// forgetLinks takes the links from all inputs; strict mode alone keeps them: see link.
func (s *Sim) forgetLinks() {
	for _, n := range s.nodes {
		for i, in := range n.Ins {
			if s.cfg.Mode != Strict {
				n.sinks[i].unlink()
				in.Used = nil
			}
		}
		n.sinks = nil
	}
}

// scanModules finds the ports and probes of every module.
func (s *Sim) scanModules() {
	paths, modules := make(map[string]bool, len(s.nodes)), make(map[Module]string, len(s.nodes))
	names, kinds := map[string]bool{}, map[string]SignalKind{} // of a module's ports, and of its signals
	for _, n := range s.nodes {
		if paths[n.Path] {
			s.fault(AddedTwice, n.Path, "is the path of two modules")
		}
		paths[n.Path] = true
		v := reflect.ValueOf(n.Module)
		if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
			what := fmt.Sprintf("a %T", n.Module)
			if v.Kind() == reflect.Pointer && v.IsNil() {
				what += " that is nil"
			}
			s.fault(NotAStruct, n.Path, "is %s, want a pointer to a struct", what)
			continue
		}
		if first, ok := modules[n.Module]; ok && v.Elem().Type().Size() > 0 {
			s.fault(AddedTwice, n.Path, "is the same module as %s", first)
			continue
		}
		modules[n.Module] = n.Path
		if n.clock == nil {
			s.fault(NoClock, n.Path, "has no clock: add it to a scope that is On a clock")
		} else if n.clock.sim != s {
			s.fault(NoClock, n.Path, "has a clock of another simulation")
		} else {
			n.Clock = n.clock.index
		}
		n.Comber, _ = n.Module.(Comber)
		if d, is := n.Module.(delay); is {
			n.Length, n.Moved = d.length()
			if d.itself() != n.Module {
				s.fault(BadDelay, n.Path, "embeds a delay, which the kernel moves without it: want the delay itself")
			} else if *n.Length < 1 {
				s.fault(BadDelay, n.Path, "is a delay of %d edges, want at least 1", *n.Length)
			}
		}
		clear(names)
		before := len(s.signals)
		portsOf.Find(v.Elem(), func(name string, v reflect.Value, tag reflect.StructTag) {
			if names[name] {
				s.fault(BadName, join(n.Path, name), "is the name of two ports")
			}
			names[name] = true
			s.addPort(n, name, reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Interface().(port), tag)
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
			s.fault(BadName, sig.Path, "is the name of two signals, one of them a probe: give the private field another name")
		}
		kinds[sig.Name] = sig.Kind
	}
}

// checkProbes refuses a probe with the name of an input: a waveform has the inputs in their modules' scopes, too.
func (s *Sim) checkProbes(n *node, signals []*Signal) {
	for _, sig := range signals {
		if sig.Kind == Probe && slices.ContainsFunc(n.Ins, func(in *engine.Input) bool { return in.Name == sig.Name }) {
			s.fault(BadName, sig.Path, "is the name of an input and of a probe: give the private field another name")
		}
	}
}

var (
	portType   = reflect.TypeFor[port]()
	sourceType = reflect.TypeFor[source]()
)

// portsOf finds the ports of modules.
var portsOf = ports.New(isPort)

func isPort(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && reflect.PointerTo(t).Implements(portType)
}

func (s *Sim) addPort(n *node, name string, p port, tag reflect.StructTag) {
	pin := p.pin()
	info := PortInfo{Name: name, Type: pin.Kind.Type(), port: p, cur: pin.Cur}
	var err error
	if known, met := s.layouts[info.Type]; met {
		info.Leaves = known
	} else if info.Leaves, err = layout.Of(info.Type); err != nil {
		s.fault(NoFixedWidth, join(n.Path, name), "is of type %v: %v", info.Type, err)
	} else if len(info.Leaves) == 0 {
		s.fault(NoFixedWidth, join(n.Path, name), "is of type %v, which has no bits", info.Type)
	} else {
		s.layouts[info.Type] = info.Leaves
	}
	if in, is := p.(sink); is {
		info.IsAsync = in.isAsync()
		n.Ins = append(n.Ins, &engine.Input{Node: &n.Node, Name: name, Pin: pin, IsAsync: info.IsAsync})
		n.sinks = append(n.sinks, in)
	} else {
		info.Dir = Output
		s.addOutput(n, &engine.Output{Node: &n.Node, Name: name, Pin: pin, Leaves: info.Leaves}, &info, tag)
	}
	if n.Ports++; s.listing {
		n.ports = append(n.ports, info)
	}
}

func (s *Sim) addOutput(n *node, o *engine.Output, info *PortInfo, tag reflect.StructTag) {
	if o.Next != nil {
		info.Kind = Register
		n.Outs = append(n.Outs, o)
	} else {
		info.Kind, o.IsWire = Combinational, true
		if list, ok := tag.Lookup("comb"); ok {
			o.Comb = &list
		}
		if n.Comber == nil {
			s.fault(Latch, o.Path(), "is a Wire, but its module has no Comb to drive it")
		}
		n.Wires = append(n.Wires, o)
	}
	s.addSignal(n, info).output = o
}

func (s *Sim) addProbe(n *node, name string, v reflect.Value, tag reflect.StructTag) {
	leaves, err := layout.OfField(v.Type(), tag)
	if err != nil {
		s.fault(BadTag, join(n.Path, name), "cannot be a probe: %v", err)
		return
	}
	probe := s.addSignal(n, &PortInfo{Name: name, Kind: Probe, Leaves: leaves})
	probe.p = unsafe.Pointer(v.UnsafeAddr())
}

func (s *Sim) addSignal(n *node, p *PortInfo) *Signal {
	sig := &Signal{
		Path: join(n.Path, p.Name), Module: n.Path, Name: p.Name, Kind: p.Kind, Clock: n.clock, Leaves: p.Leaves,
	}
	s.signals = append(s.signals, sig)
	return sig
}

// resolve finds the output port that drives each input.
func (s *Sim) resolve() {
	owner := make(map[*unsafe.Pointer]*engine.Output, len(s.signals)) // by the place of the port's pointer
	for _, n := range s.nodes {
		for _, list := range [][]*engine.Output{n.Outs, n.Wires} {
			for _, o := range list {
				if first, ok := owner[o.Cur]; ok {
					s.fault(DrivenTwice, o.Path(), "is the same output as %s", first.Path())
				} else {
					owner[o.Cur] = o
				}
			}
		}
	}
	for _, n := range s.nodes {
		for i, in := range n.Ins {
			switch src := n.sinks[i].source().(type) {
			case nil:
				s.fault(Unconnected, in.Path(), "reads nothing: Connect it, or Tie it to a constant")
			case *conflict:
				var names []string
				for _, d := range src.drivers {
					if o, ok := owner[d.pin().Cur]; ok {
						names = append(names, o.Path())
					} else {
						names = append(names, "a constant")
					}
				}
				s.fault(DrivenTwice, in.Path(), "is driven by %s", strings.Join(names, " and by "))
			case tied:
				in.Constant = src.cell()
			default:
				if in.From = owner[src.pin().Cur]; in.From == nil {
					s.fault(NotAdded, in.Path(), "reads an output of a module that was not added")
					continue
				}
				s.checkCrossing(in)
			}
		}
	}
}

func (s *Sim) checkCrossing(in *engine.Input) {
	from, to := s.nodes[in.From.Node.Index].clock, s.nodes[in.Node.Index].clock
	switch path := in.From.Path(); {
	case in.IsAsync && in.From.IsWire:
		s.fault(ClockCrossing, in.Path(), "reads the Wire %s: combinational logic glitches, cross from a register", path)
	case in.IsAsync || from == to:
	case in.From.IsWire:
		s.fault(ClockCrossing, in.Path(), "(clock %s) reads the Wire %s (clock %s)", to.name(), path, from.name())
	default:
		s.fault(ClockCrossing, in.Path(), "(clock %s) reads %s (clock %s): use a synchroniser or an asynchronous FIFO",
			to.name(), path, from.name())
	}
}

func (c *Clock) name() string {
	if c == nil {
		return "none"
	}
	return c.spec.Name
}
