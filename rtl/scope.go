package rtl

import (
	"iter"
	"regexp"
)

// Module is a pointer to a struct whose Tick is called at each rising edge of its clock.
type Module interface{ Tick() }

// Comber is a module with combinational outputs. Comb drives all its Wires from its inputs and registers and changes
// nothing else; it may be called more than once before an edge.
type Comber interface {
	Module
	Comb()
}

// Resetter is a module whose registers do not all start at zero. Reset brings its private fields to their initial state
// and drives each Out that has one; it runs at the end of elaboration.
type Resetter interface {
	Module
	Reset()
}

// Scope is a place in the hierarchy, with the clock that modules added to it get.
type Scope struct {
	sim   *Sim
	path  string // "" for the root
	clock *Clock
}

// Scope returns the scope of that name inside this one, with the same clock.
func (sc *Scope) Scope(name string) *Scope {
	sc.sim.checkName(sc.path, name)
	return &Scope{sim: sc.sim, path: join(sc.path, name), clock: sc.clock}
}

// On returns the same scope with another clock.
func (sc *Scope) On(c *Clock) *Scope {
	return &Scope{sim: sc.sim, path: sc.path, clock: c}
}

// Clock returns the clock of the scope, nil if it has none.
func (sc *Scope) Clock() *Clock { return sc.clock }

// Add puts a module into the scope, on the scope's clock. Faults are reported by Elaborate.
func (sc *Scope) Add(name string, m Module) {
	sc.sim.mustBe(building, "Add "+name)
	sc.sim.checkName(sc.path, name)
	sc.sim.addNode(join(sc.path, name), m, sc.clock)
}

// Modules returns all modules with their paths, in the order in which they were added.
func (s *Sim) Modules() iter.Seq2[string, Module] {
	return func(yield func(string, Module) bool) {
		for _, n := range s.nodes {
			if !yield(n.Path, n.Module) {
				return
			}
		}
	}
}

// A name is a Verilog and VCD identifier.
var nameForm = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

func (s *Sim) checkName(scope, name string) {
	if !nameForm.MatchString(name) {
		s.fault(BadName, join(scope, name), "is not a name: want a letter or _, then letters, digits and _")
	}
}

func join(scope, name string) string {
	if scope == "" {
		return name
	}
	return scope + "." + name
}
