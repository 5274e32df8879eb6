package rtl

import (
	"crypto/sha256"
	"fmt"
	"io"
	"reflect"
	"unsafe"

	"github.com/goldwire/goldwire/internal/state"
	"github.com/goldwire/goldwire/rtl/layout"
)

// plans are the ways to walk the types of all simulations of the program.
var plans = state.NewPlans(state.Rules{Wiring: isWiring, Object: isModule})

var moduleType = reflect.TypeFor[Module]()

func isModule(t reflect.Type) bool { return reflect.PointerTo(t).Implements(moduleType) }

// isWiring tells of what a simulation is joined with: ports, whose values lie in the slabs, and what the kernel made.
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

// Save writes a checkpoint: the state of an elaborated simulation between two of its instants, and of roots, which are pointers to
// what stands beside it: monitors, drivers, a [TraceHash], what its user counts. All fields are written, private ones too, with
// what they lead to; a field that cannot be is named, as is `state:"none"`, the tag that leaves one out. See [Sim.Restore].
//
// A module's pointer or slice may lead to a place inside of a module, its own fields too, where it led before the simulation first ran or was
// restored. One that leads to another place there is refused, as Restore would refuse it. A reference that leads into a module from a root,
// or from what a module points to, has to lead where it was built as well: where it does not, Restore alone refuses it.
//
// It is written whole to w in one piece. All modes write the same but for strict mode's own section: its order of ticks, and what
// its jitter holds back.
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
	h := state.Head{Program: state.Program(), Design: s.fingerprint(roots)}
	e := state.NewEncoder(plans)
	e.Expect(s.savedBytes, s.savedThings)
	e.AsBuilt(s.built)
	err := s.encode(e, roots)
	if err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	if p := e.Overlap(); p != nil { // once more, to learn the path
		e = state.NewEncoder(plans)
		e.AsBuilt(s.built)
		e.Find(p)
		return nil, fmt.Errorf("checkpoint: %w", s.encode(e, roots))
	}
	s.savedBytes, s.savedThings = e.Size()
	return h.Seal(s.saveStrict(), e.Bytes()), nil
}

// Restore brings a simulation to the state that [Sim.Save] wrote of one that was built alike, by the same program with the same
// parameters, in whatever mode, and was given the same kinds of roots. It reads one checkpoint from r and no more. What was saved in
// strict mode goes on with its random numbers in strict mode; jitter goes on with jitter alone.
//
// Another design, another program, and a file that is no checkpoint, was truncated or changed are refused before anything is touched.
// After any other error the simulation cannot be used.
func (s *Sim) Restore(r io.Reader, roots ...any) error {
	s.begin("Restore")
	h := state.Head{Program: state.Program(), Design: s.fingerprint(roots)}
	parts, err := h.Open(r)
	if err == nil && len(parts) != 2 {
		err = fmt.Errorf("has %d parts, want 2", len(parts))
	}
	if err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	s.phase = broken
	if err := s.decode(state.NewDecoder(plans, parts[1]), roots); err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	if err := s.restoreStrict(parts[0]); err != nil {
		return fmt.Errorf("checkpoint: strict mode: %w", err)
	}
	s.phase = running
	return nil
}

// begin is called before a simulation runs or is restored. It notes where modules lead into each other while they are as they were built.
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

// fingerprint condenses the shape of a design: paths, clocks, the lengths of delays, layouts of all types.
func (s *Sim) fingerprint(roots []any) (sum [sha256.Size]byte) {
	h := sha256.New()
	seen := map[reflect.Type]bool{}
	for _, n := range s.nodes {
		t := reflect.TypeOf(n.module).Elem()
		fmt.Fprintln(h, n.path, t, n.clock.index, len(n.outs), len(n.wires))
		if n.delay != nil {
			fmt.Fprintln(h, n.delay.edges())
		}
		plans.Describe(h, t, seen)
	}
	for _, c := range s.clocks {
		fmt.Fprintln(h, c.spec.Name, c.spec.Freq, c.spec.Phase)
	}
	for _, r := range roots {
		t := reflect.TypeOf(r)
		if t == nil || t.Kind() != reflect.Pointer {
			panic(fmt.Sprintf("rtl: a root of a checkpoint is a %v, want a pointer", t))
		}
		fmt.Fprintln(h, t)
		plans.Describe(h, t.Elem(), seen)
	}
	h.Sum(sum[:0])
	return sum
}

// walk takes an encoder or a decoder through all modules, then the roots.
func (s *Sim) walk(w state.Walker, roots []any) error {
	for _, n := range s.nodes {
		w.Register(n.module)
	}
	for _, r := range roots {
		w.Register(r)
	}
	for _, n := range s.nodes {
		if err := w.Object(n.path, n.module); err != nil {
			return err
		}
	}
	for _, r := range roots {
		if err := state.Root(w, r); err != nil {
			return err
		}
	}
	return nil
}

func (s *Sim) encode(e *state.Encoder, roots []any) error {
	if err := s.walk(e, roots); err != nil {
		return err
	}
	for _, n := range s.nodes {
		for _, o := range n.outs {
			o.signal.each(o.signal.p, e.Uint)
			e.Uint(bit(o.driven || *o.port.driven()))
		}
		n.eachUnderWay(func(p unsafe.Pointer) error {
			n.outs[0].signal.each(p, e.Uint)
			return nil
		})
	}
	for i := range s.clocks {
		e.Uint(s.schedule.Edges(i))
	}
	return nil
}

// each passes on all leaves of a register that lies at p.
func (s *Signal) each(p unsafe.Pointer, f func(uint64)) {
	for i := range s.Leaves {
		f(s.Leaves[i].Load(p))
	}
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func (s *Sim) decode(d *state.Decoder, roots []any) error {
	lengths := map[*node]int{}
	for _, n := range s.nodes {
		if n.delay != nil {
			lengths[n] = n.delay.edges()
		}
	}
	if err := s.walk(d, roots); err != nil {
		return err
	}
	for _, n := range s.nodes {
		if n.delay != nil && n.delay.edges() != lengths[n] {
			return fmt.Errorf("%s: a delay of %d edges, want %d", n.path, n.delay.edges(), lengths[n])
		}
	}
	for _, n := range s.nodes {
		for _, o := range n.outs {
			if err := s.decodeRegister(d, o); err != nil {
				return fmt.Errorf("%s: %w", o.path(), err)
			}
		}
		if err := n.eachUnderWay(func(p unsafe.Pointer) error { return n.outs[0].signal.decode(d, p, p) }); err != nil {
			return fmt.Errorf("%s: %w", n.path, err)
		}
	}
	edges := make([]uint64, len(s.clocks))
	for i := range edges {
		var err error
		if edges[i], err = d.Uint(); err != nil {
			return fmt.Errorf("clock %s: %w", s.clocks[i].Name(), err)
		}
	}
	if err := s.schedule.Seek(edges); err != nil {
		return err
	}
	if err := d.Close(); err != nil {
		return err
	}
	for _, p := range s.parts {
		p.driven = false // look again
	}
	s.settle()
	return nil
}

// eachUnderWay passes on where the values are that a delay has read and not given yet, the youngest first. The oldest is in its register.
func (n *node) eachUnderWay(f func(unsafe.Pointer) error) error {
	if n.delay == nil {
		return nil
	}
	for age := range n.delay.edges() - 1 {
		if err := f(n.line.underWay(n.column, age)); err != nil {
			return err
		}
	}
	return nil
}

// decode reads a value into two places.
func (s *Signal) decode(d *state.Decoder, p, q unsafe.Pointer) error {
	for i := range s.Leaves {
		x, err := d.Uint()
		if err != nil {
			return err
		}
		s.Leaves[i].Store(p, x)
		s.Leaves[i].Store(q, x)
	}
	return nil
}

// decodeRegister reads a register's value. Between instants the one to come is the one that is.
func (s *Sim) decodeRegister(d *state.Decoder, o *outPort) error {
	if err := o.signal.decode(d, o.signal.p, o.signal.next); err != nil {
		return err
	}
	x, err := d.Uint()
	if o.driven = x != 0; s.strict == nil {
		*o.port.driven() = o.driven
	}
	return err
}
