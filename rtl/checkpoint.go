package rtl

import (
	"fmt"
	"io"
	"reflect"
	"unsafe"

	"github.com/goldwire/goldwire/internal/checkpoint"
	"github.com/goldwire/goldwire/internal/state"
	"github.com/goldwire/goldwire/rtl/layout"
)

// plans are the ways to walk the types of all simulations of the program.
var plans = state.NewPlans(state.Rules{Wiring: isWiring, Object: isModule})

var moduleType = reflect.TypeFor[Module]()

func isModule(t reflect.Type) bool { return reflect.PointerTo(t).Implements(moduleType) }

// isWiring tells whether a type joins a simulation's parts: ports, whose values lie in the slabs, and what the kernel
// made.
func isWiring(t reflect.Type) bool {
	if isPort(t) {
		return true
	}
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Array {
		t = t.Elem()
	}
	if isPort(t) {
		return true
	}
	switch t {
	case reflect.TypeFor[Sim](), reflect.TypeFor[Clock](), reflect.TypeFor[Scope](), reflect.TypeFor[Signal](),
		reflect.TypeFor[PortInfo](), reflect.TypeFor[layout.Leaf](), reflect.TypeFor[layout.Tap](), reflect.TypeFor[source](), reflect.TypeFor[sink](),
		reflect.TypeFor[reflect.Type]():
		return true
	}
	return t.Kind() == reflect.Interface && t.Implements(sourceType)
}

// Save writes a checkpoint: the state of an elaborated simulation between two of its instants, and of roots, which are
// pointers to state outside of the modules: monitors, drivers, a [TraceHash], a user's counters. All fields are
// written, private ones too, with everything that they point to; a field that cannot be is named, as is `state:"none"`,
// the tag that leaves one out. See [Sim.Restore].
//
// A module's pointer or slice may lead to a place inside of a module, its own fields too, where it led before the
// simulation first ran or was restored. One that leads to another place there is refused, as Restore would refuse it. A
// reference that leads into a module from a root, or from a value that a module points to, has to lead where it was
// built as well: where it does not, Restore alone refuses it.
//
// It is written whole to w in one piece. All modes write the same but for strict mode's own section: its order of
// ticks, and the values that its jitter holds back.
func (s *Sim) Save(w io.Writer, roots ...any) error {
	b, err := s.Checkpoint(roots...)
	if err != nil {
		return err
	}
	_, err = w.Write(b)
	return err
}

// Checkpoint returns what [Sim.Save] writes.
func (s *Sim) Checkpoint(roots ...any) ([]byte, error) {
	s.mustBe(running, "Save")
	d := s.checkpoint()
	h := state.Head{Program: state.Program(), Design: d.Fingerprint(roots)}
	e := state.NewEncoder(plans)
	e.Expect(s.savedBytes, s.savedThings)
	e.AsBuilt(s.built)
	err := d.Encode(e, roots)
	if err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	if p := e.Overlap(); p != nil { // once more, to learn the path
		e = state.NewEncoder(plans)
		e.AsBuilt(s.built)
		e.Find(p)
		return nil, fmt.Errorf("checkpoint: %w", d.Encode(e, roots))
	}
	s.savedBytes, s.savedThings = e.Size()
	return h.Seal(s.saveStrict(), e.Bytes()), nil
}

// Restore brings a simulation to the state that [Sim.Save] wrote of one that was built alike, by the same program with
// the same parameters, in whatever mode, and was given the same kinds of roots. It reads one checkpoint from r and no
// more. A checkpoint of strict mode goes on with its random numbers in strict mode; jitter goes on with jitter alone.
//
// Another design, another program, and a file that is no checkpoint, was truncated or changed are refused before
// anything is touched. After any other error the simulation cannot be used.
func (s *Sim) Restore(r io.Reader, roots ...any) error {
	s.begin("Restore")
	d := s.checkpoint()
	h := state.Head{Program: state.Program(), Design: d.Fingerprint(roots)}
	parts, err := h.Open(r)
	if err == nil && len(parts) != 2 {
		err = fmt.Errorf("has %d parts, want 2", len(parts))
	}
	if err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	s.phase = broken
	if err := d.Decode(state.NewDecoder(plans, parts[1]), roots); err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	for _, p := range s.parts {
		p.driven = false // look again
	}
	s.settle()
	if err := s.restoreStrict(parts[0]); err != nil {
		return fmt.Errorf("checkpoint: strict mode: %w", err)
	}
	s.phase = running
	return nil
}

// begin is called before a simulation runs or is restored. It notes where modules lead into each other while they are
// as they were built.
func (s *Sim) begin(method string) {
	s.mustBe(running, method)
	if s.built == nil {
		e := state.NewEncoder(plans)
		e.Expect(0, len(s.nodes))
		for _, n := range s.nodes {
			e.Register(n.module)
		}
		s.built = e.Built()
	}
}

// checkpoint returns the design as package checkpoint sees it.
func (s *Sim) checkpoint() *checkpoint.Design {
	d := &checkpoint.Design{Plans: plans, Nodes: make([]checkpoint.Node, 0, len(s.nodes)), Schedule: s.schedule}
	for _, n := range s.nodes {
		d.Nodes = append(d.Nodes, n)
	}
	for _, c := range s.clocks {
		d.Clocks = append(d.Clocks, c.spec)
	}
	return d
}

func (n *node) Path() string                       { return n.path }
func (n *node) Subject() any                       { return n.module }
func (n *node) Shape() (clock, wires int)          { return n.clock.index, len(n.wires) }
func (n *node) Registers() int                     { return len(n.outs) }
func (n *node) Register(i int) checkpoint.Register { return n.outs[i] }
func (n *node) UnderWay(age int) unsafe.Pointer    { return n.line.underWay(n.column, age) }

func (n *node) Edges() int {
	if n.delay == nil {
		return 0
	}
	return n.delay.edges()
}

func (p *outPort) Path() string                       { return p.path() }
func (p *outPort) Leaves() []layout.Leaf              { return p.signal.Leaves }
func (p *outPort) Places() (cur, next unsafe.Pointer) { return p.signal.p, p.signal.next }
func (p *outPort) Driven() bool                       { return p.driven || *p.port.driven() }

func (p *outPort) SetDriven(driven bool) {
	if p.driven = driven; p.node.clock.sim.strict == nil {
		*p.port.driven() = driven
	}
}
