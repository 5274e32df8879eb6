// Package fusedcode is what the kernel and generated code know of each other. Generated code sees it by package
// rtl/fused.
package fusedcode

import (
	"reflect"
	"unsafe"
)

// Module is a module of a simulation.
type Module interface{ Tick() }

// Domain is generated code for the modules of an island that have one clock. Functions of a list are called one after
// another. If the island has one clock, its Ticks alone may do the whole work of an edge; not where Combs depend on
// another part's outputs, which the kernel brings after Commit. See also Run of [Island].
type Domain struct {
	Clock  int    // its number in the shape
	Take   []Call // the delays read
	Tick   []Call // an edge: all ticks
	Commit []Call // gives registers that were set aside, and delays' registers, their values
	Comb   []Call // all Combs, in their order

	// InPlace, if there is one, makes Tick set in place what Commit is for. It is called, and Commit is not, where none of
	// the Readers, clocks by their numbers in the shape, ever has an edge together with this one: then nobody reads a
	// register at the instant at which it changes. It comes before the functions of InTurn are made.
	InPlace func()
	Readers []int
}

// Island is generated code for an island: see [Register].
type Island struct {
	Domains []Domain // at an instant, ticks are called in this order
	// what these call is not known: before each run it is looked at whether that could see a port of another module
	Unseen []Module

	// Run stands in for the Domains of an island of one clock. It runs a number of edges, with the whole work of each: it
	// moves the signals across the island's border itself, and at the end of each edge it calls the island's observers.
	// Border is called first, and finds what there is to move.
	Run    func(edges int, watch *Watch)
	Border func(*Border)
}

var shapes = map[string]func([]Module) Island{}

// Register makes code known for islands of a shape: see [Shape]. Generated code calls it in an init function. Two
// packages may have code for one shape, made of the same source: the first is kept.
func Register(shape string, make func(modules []Module) Island) {
	if shapes[shape] == nil {
		shapes[shape] = make
	}
}

// Any tells whether there is code for any shape.
func Any() bool { return len(shapes) > 0 }

// Of returns the code for a shape, nil if there is none.
func Of(shape []byte) func(modules []Module) Island { return shapes[string(shape)] } // no copy

// Shape is an island, or a design that is not cut into any, as generated code goes by it.
type Shape struct {
	// Text has a line a module: its type, its clock if there are several, whether it is a delay ("pipe"), the lengths of
	// its slices of ports, and what each input reads. That is an output of a module by its number from 0, a constant, or
	// something outside. Then it has a line for each delay that takes something out ("leaves"), for each output that
	// another island reads at once ("gives"), and for each call of a Comb, in their order.
	Text    string
	Modules []Module
	Paths   []string
	// Rates are its clocks' in Hz. Code is right at any rates. It orders the ticks of clocks so that they cost least at
	// these.
	Rates []float64
	Fused bool // there is generated code for it, and the simulation uses it
	Ran   bool // that code has run: see rtl.Clock.Run
}

// Watch is the observers of an island, for its generated code.
type Watch struct{ observe func() }

// NewWatch returns a watch that calls observe, or nobody if that is nil.
func NewWatch(observe func()) Watch { return Watch{observe} }

// Observe calls the observers, after an instant.
func (w *Watch) Observe() {
	if w.observe != nil {
		w.observe()
	}
}

// Border lists the signals across an island's border, each as a start or an end of a ring (package ring).
type Border struct {
	Leaves []any                           // starts of delays of other islands, by their lines in the shape
	Gives  []any                           // starts for outputs that other islands read at once, by their lines
	Comes  func(input *unsafe.Pointer) any // the end for an input, by the place of its pointer
}

// Kernel is how generated code gets at ports. Package rtl sets it.
var Kernel struct {
	Place     func(port any) *unsafe.Pointer // points to a port's value: of an input, where it reads
	NextPlace func(register any) unsafe.Pointer
	Shapes    func(sim any) []Shape // in the order of their first modules
	// Registers passes on the registers of a module in their order.
	Registers func(module Module, each func(place unsafe.Pointer, elem reflect.Type))
	// Line returns the start and the end of the ring of a delay, and where its register lies.
	Line func(delay Module) (start, end any, register unsafe.Pointer)
}
