package experiment

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"unsafe"

	"github.com/goldwire/goldwire/rtl"
)

// Queue is a queue within a module.
type Queue struct {
	Path string `json:"path"` // the module's, and the names of its fields
	Len  int    `json:"length"`
	Cap  int    `json:"capacity"`
}

func (q Queue) String() string { return fmt.Sprintf("%s, %d of %d", q.Path, q.Len, q.Cap) }

// queue recognises a queue: a part with a length and a capacity, such as blocks.FIFO.
type queue interface {
	Len() int
	Cap() int
}

const (
	mostQueues  = 5       // that are told
	mostVisited = 4 << 20 // values that are looked at
)

// fullest returns the fullest queues of a simulation that are not empty, by the share of their capacity that is taken,
// then by length. It is called between two instants.
func fullest(sim *rtl.Sim) []Queue {
	f := &queueFinder{seen: map[unsafe.Pointer]bool{}}
	for path, m := range sim.Modules() {
		f.visit(path, reflect.ValueOf(m))
	}
	share := func(q Queue) float64 { return float64(q.Len) / float64(q.Cap) }
	slices.SortStableFunc(f.found, func(a, b Queue) int {
		return cmp.Or(cmp.Compare(share(b), share(a)), cmp.Compare(b.Len, a.Len))
	})
	return f.found[:min(len(f.found), mostQueues)]
}

type queueFinder struct {
	seen    map[unsafe.Pointer]bool
	visited int
	found   []Queue
}

var (
	queueType = reflect.TypeFor[queue]()
	ownKernel = reflect.TypeFor[rtl.Sim]().PkgPath() // ports lead to the whole simulation
)

func (f *queueFinder) visit(path string, v reflect.Value) {
	if f.visited++; f.visited > mostVisited {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() || f.seen[v.UnsafePointer()] || v.Type().Elem().PkgPath() == ownKernel {
			return
		}
		f.seen[v.UnsafePointer()] = true
		if v.Type().Implements(queueType) {
			q := reflect.NewAt(v.Type().Elem(), v.UnsafePointer()).Interface().(queue)
			if n := q.Len(); n > 0 && q.Cap() > 0 {
				f.found = append(f.found, Queue{path, n, q.Cap()})
			}
			return
		}
		f.visit(path, v.Elem())
	case reflect.Interface:
		f.visit(path, v.Elem())
	case reflect.Struct:
		if v.Type().PkgPath() == ownKernel {
			return
		}
		if v.CanAddr() && reflect.PointerTo(v.Type()).Implements(queueType) {
			f.visit(path, reflect.NewAt(v.Type(), v.Addr().UnsafePointer()))
			return
		}
		for i := range v.NumField() {
			if holds(v.Field(i).Type()) {
				f.visit(path+"."+v.Type().Field(i).Name, v.Field(i))
			}
		}
	case reflect.Slice, reflect.Array:
		if holds(v.Type().Elem()) {
			for i := range v.Len() {
				f.visit(fmt.Sprintf("%s[%d]", path, i), v.Index(i))
			}
		}
	}
}

// holds tells whether a value of the type can have a queue in it.
func holds(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Slice:
		return true
	case reflect.Array:
		return holds(t.Elem())
	case reflect.Struct:
		return t.NumField() > 0 && t.PkgPath() != ownKernel
	}
	return false
}
