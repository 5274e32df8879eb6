package engine

import (
	"fmt"
	"reflect"
	"runtime/debug"
	"strings"

	"github.com/goldwire/goldwire/internal/workers"
)

// Located is the panic that a run ends with: the reason of a panic in a module or an observer, the module, and the
// edge. It is raised on the goroutine of the first one, whose stack is then below it; a worker's comes with its own.
func (e *Engine) Located(value any) *workers.Panic {
	p, ok := value.(*workers.Panic)
	if !ok {
		p = &workers.Panic{Value: value}
	}
	if p.Where == "" {
		stack := p.Stack
		if stack == nil {
			stack = debug.Stack()
		}
		p.Where = e.whereabouts(string(stack))
	}
	return p
}

// whereabouts says what a stack and the clocks tell of a panic: "rtl: panic in Tick of top.limiter, at edge 17 of clk".
// The stack names a type. If several modules have it, they are named, up to three. Where islands run windows of edges
// the clocks only tell after which edge it was.
func (e *Engine) whereabouts(stack string) string {
	var at []string
	for i, c := range e.clocks {
		edge := e.schedule.Edges(i) + e.edge
		if e.ahead { // the clocks stand at the end of the window already
			edge -= uint64(e.window.edges[i])
		}
		if len(at) < maxNamed {
			at = append(at, fmt.Sprintf("edge %d of %s", edge, c.Name))
		}
	}
	when := "at " + strings.Join(at, ", ")
	if e.windows {
		when = "after " + strings.Join(at, ", ")
	}
	for line := range strings.Lines(stack) {
		called := strings.TrimRight(line[:max(strings.LastIndexByte(line, '('), 0)], " ")
		name, method := strings.TrimSuffix(called, ".Tick"), "Tick"
		if name == called {
			name, method = strings.TrimSuffix(called, ".Comb"), "Comb"
		}
		if name == called {
			continue
		}
		if paths := e.modulesOf(name); len(paths) > 0 {
			more := ""
			if len(paths) > maxNamed {
				paths, more = paths[:maxNamed], ", …"
			}
			return fmt.Sprintf("rtl: panic in %s of %s%s, %s", method, strings.Join(paths, " or "), more, when)
		}
	}
	return "rtl: panic " + when
}

// maxNamed is how many clocks or modules a panic names.
const maxNamed = 3

// modulesOf returns the paths of the modules whose type a stack calls that: "example.com/bucket.(*Limiter)",
// "main.(*FIFO[...])".
func (e *Engine) modulesOf(name string) (paths []string) {
	for _, n := range e.nodes {
		t := reflect.TypeOf(n.Module)
		if t.Kind() != reflect.Pointer {
			continue
		}
		t = t.Elem()
		of, _, generic := strings.Cut(t.Name(), "[")
		if generic {
			of += "[...]"
		}
		if name == t.PkgPath()+".(*"+of+")" {
			paths = append(paths, n.Path)
		}
	}
	return paths
}
