package rtl

import (
	"fmt"
	"reflect"
	"slices"
	"unsafe"

	"github.com/goldwire/goldwire/internal/edgecalls"
)

// Generated code for an island of several clocks has functions for each clock, which the kernel calls at the instants at which that clock has
// an edge; for an island of one clock it may have one function for a run of edges. Registers stay where the kernel has them, so whoever looks between two instants sees what he would else see.
//
// Tick sets a register in place if all its readers tick before its module. It sets the value of another aside, and Commit gives it after all
// ticks of the instant, as the kernel does. If no reader's clock ever has an edge together with the register's, nobody can tell the two apart.

// FusedDomain is generated code for the modules of an island that have one clock. Functions of a list are called one after another. If the
// island has one clock, those of Tick alone may do all that there is to do at an edge; not where Combs depend on what another part gives,
// which the kernel brings after Commit. See also Run of [FusedDomains].
type FusedDomain struct {
	Clock  int         // its number in the shape
	Take   []FusedCall // the delays read
	Tick   []FusedCall // an edge: all ticks
	Commit []FusedCall // gives registers that were set aside, and those of delays, their values
	Comb   []FusedCall // all Combs, in their order

	// InPlace, if there is one, makes Tick set in place what Commit is for. It is called, and Commit is not, where none of the Readers, clocks by
	// their numbers in the shape, ever has an edge together with this one: then nobody reads at an instant what changes at it. It comes before
	// the functions of InTurn are made.
	InPlace func()
	Readers []int
}

// FusedDomains is generated code for an island: see [RegisterFused].
type FusedDomains struct {
	Domains []FusedDomain // at an instant, ticks are called in this order
	Unseen  []Module      // what these call is not known: before each run it is looked at whether that could see a port of another module

	// Run stands in for the Domains of an island of one clock. It runs a number of edges, with all that there is to do at each: it moves
	// what crosses the island's border itself, and at the end of each edge it lets those observe who watch the island. Border is called
	// first, and finds what there is to move.
	Run    func(edges int, watch *Watch)
	Border func(*Border)
}

var fusedShapes = map[string]func([]Module) FusedDomains{}

// RegisterFused makes code known for islands of a shape: see [Shape]. Generated code calls it in an init function. Two packages may have
// code for one shape, made of the same source: the first is kept.
func RegisterFused(shape string, make func(modules []Module) FusedDomains) {
	if fusedShapes[shape] == nil {
		fusedShapes[shape] = make
	}
}

// placed is a port whose value lies somewhere.
type placed[T any] interface{ at() *T }

func (i *In[T]) at() *T    { return i.p }
func (a *Async[T]) at() *T { return a.p }
func (o *Out[T]) at() *T   { return o.cur }
func (w *Wire[T]) at() *T  { return w.p }

// Place returns where the value of a port lies: of an input, what it reads. Elaborate comes first. It is for generated code, as are the
// functions after it.
func Place[T any](p placed[T]) *T { return p.at() }

// NextPlace returns where the value lies that a register has after the edge.
func NextPlace[T any](o *Out[T]) *T { return o.next }

// Load returns the value at a place. Generated code calls it where other calls come after it in one expression: Go keeps the order of
// calls, but a variable may be read after them.
func Load[T any](place *T) T { return *place }

// Places returns where the values of several ports lie.
func Places[T, P any, Port interface {
	*P
	placed[T]
}](ports []P) []*T {
	all := make([]*T, len(ports))
	for i := range ports {
		all[i] = Port(&ports[i]).at()
	}
	return all
}

// Row returns the values of several outputs of a module, which lie beside each other.
func Row[T, P any, Port interface {
	*P
	placed[T]
}](ports []P) []T {
	return row(Places[T, P, Port](ports))
}

// NextRow returns the values that several registers of a module have after the edge.
func NextRow[T any](ports []Out[T]) []T {
	all := make([]*T, len(ports))
	for i := range ports {
		all[i] = ports[i].next
	}
	return row(all)
}

// row is what pointers to neighbours point at.
func row[T any](all []*T) []T {
	if len(all) == 0 {
		return []T{}
	}
	values := unsafe.Slice(all[0], len(all))
	for i, p := range all {
		if p != &values[i] {
			panic("rtl: outputs of one module do not lie beside each other")
		}
	}
	return values
}

// View returns the registers of modules, which lie beside each other, as one struct: a field for each, an array for several in a slice or
// an array. It panics if the struct has others, or has them at other places: the code is older than the modules.
func View[V any](modules ...Module) *V {
	var places []unsafe.Pointer
	var elems []reflect.Type
	for _, m := range modules {
		portsOf.Find(reflect.ValueOf(m).Elem(), func(_ string, v reflect.Value, _ reflect.StructTag) {
			if o, is := reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Interface().(register); is {
				places, elems = append(places, o.(reader).pointer()), append(elems, o.elem())
			}
		}, func(string, reflect.Value, reflect.StructTag) {})
	}
	var want []uintptr
	view := reflect.TypeFor[V]()
	for f := range view.Fields() {
		n, elem := 1, f.Type
		if i := len(want); i < len(elems) && elems[i] != elem && elem.Kind() == reflect.Array {
			n, elem = elem.Len(), elem.Elem()
		}
		for j := range n {
			i := len(want)
			want = append(want, f.Offset+uintptr(j)*elem.Size())
			if i >= len(elems) || elems[i] != elem || places[i] != unsafe.Add(places[0], want[i]) {
				panic(fmt.Sprintf("rtl: generated code wants another register as %s of %v: run goldwire fuse", f.Name, view))
			}
		}
	}
	if len(want) != len(elems) {
		panic(fmt.Sprintf("rtl: generated code has no field for some registers in %v: run goldwire fuse", view))
	}
	return (*V)(places[0])
}

// callLists are the calls of generated code.
type callLists struct {
	lists [][]func() // by place in the schedule's pattern
	round []func()   // all of them, one after the other
}

// planCalls makes the lists of calls for the instants of a pattern, nil if there is no generated code or no pattern.
func (p *part) planCalls(pattern [][]int) *callLists {
	if p.domains == nil || len(pattern) == 0 {
		return nil
	}
	for i := range p.domains.Domains {
		if d := &p.domains.Domains[i]; d.InPlace != nil && !p.meetsReaders(d, pattern) {
			d.InPlace()
			d.InPlace, d.Commit = nil, nil // for ever: clocks that never meet in one pattern do in none
		}
	}
	calls, made := edgecalls.Table(pattern, p.callsOf), fusedFuncs{}
	planned := &callLists{round: made.of(slices.Concat(calls...))}
	for _, c := range calls {
		planned.lists = append(planned.lists, made.of(c))
	}
	return planned
}

// meetsReaders tells whether a clock ever has an edge together with one whose modules read registers that it sets aside.
func (p *part) meetsReaders(d *FusedDomain, pattern [][]int) bool {
	return slices.ContainsFunc(pattern, func(due []int) bool {
		return slices.Contains(due, p.clocks[d.Clock]) &&
			slices.ContainsFunc(d.Readers, func(r int) bool { return slices.Contains(due, p.clocks[r]) })
	})
}

// callsOf lists what an instant with edges of these clocks calls.
func (p *part) callsOf(due []int) (calls []FusedCall) {
	add := func(of func(FusedDomain) []FusedCall) {
		for _, d := range p.domains.Domains {
			if slices.Contains(due, p.clocks[d.Clock]) {
				calls = append(calls, of(d)...)
			}
		}
	}
	all := func(of func(*shard) []mover) {
		for _, c := range due {
			for _, m := range of(p.shards[c]) {
				calls = append(calls, Alone(m.Call()))
			}
		}
	}
	for _, c := range due {
		for _, start := range p.shards[c].starts {
			calls = append(calls, Alone(start))
		}
	}
	add(func(d FusedDomain) []FusedCall { return d.Take })
	add(func(d FusedDomain) []FusedCall { return d.Tick })
	add(func(d FusedDomain) []FusedCall { return d.Commit })
	all(func(sh *shard) []mover { return sh.gives })
	add(func(d FusedDomain) []FusedCall { return d.Comb })
	all(func(sh *shard) []mover { return sh.takes })
	return slices.Clip(calls)
}

// rest gives registers that were set in place the same value after the next edge, as they have in the kernel between edges.
func (p *part) rest() {
	for _, sh := range p.shards {
		copy(sh.slab.next[sh.lo:sh.hi], sh.slab.cur[sh.lo:sh.hi])
	}
	p.fusedRan = true
}
