package rtl

import (
	"io"
	"reflect"

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
		reflect.TypeFor[PortInfo](), reflect.TypeFor[layout.Leaf](), reflect.TypeFor[layout.Tap](), reflect.TypeFor[source](),
		reflect.TypeFor[sink](),
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
	return s.saved.Save(roots)
}

// Restore brings a simulation to the state that [Sim.Save] wrote of one that was built alike, by the same program with
// the same parameters, in whatever mode, and was given the same kinds of roots. It reads one checkpoint from r and no
// more. A checkpoint of strict mode goes on with its random numbers in strict mode; jitter goes on with jitter alone.
//
// Another design, another program, and a file that is no checkpoint, was truncated or changed are refused before
// anything is touched. After any other error the simulation cannot be used.
func (s *Sim) Restore(r io.Reader, roots ...any) error {
	s.begin("Restore")
	if err := s.saved.Restore(r, roots, func() { s.phase = broken }); err != nil {
		return err
	}
	s.phase = running
	return nil
}

// begin is called before a simulation runs or is restored.
func (s *Sim) begin(method string) {
	s.mustBe(running, method)
	s.saved.Begin()
}
