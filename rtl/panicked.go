package rtl

import (
	"fmt"
	"reflect"
	"runtime/debug"
	"strings"
)

// located is the panic that a run ends with: the reason of a panic in a module or an observer, the module, and the
// edge. It is raised on the goroutine of the first one, whose stack is then below it; a worker's comes with its own.
func (s *Sim) located(value any) *Panic {
	p, ok := value.(*Panic)
	if !ok {
		p = &Panic{Value: value}
	}
	if p.Where == "" {
		stack := p.Stack
		if stack == nil {
			stack = debug.Stack()
		}
		p.Where = s.whereabouts(string(stack))
	}
	return p
}

// whereabouts says what a stack and the clocks tell of a panic: "rtl: panic in Tick of top.limiter, at edge 17 of clk".
// The stack names a type. If several modules have it, they are named, up to three. Where islands run windows of edges
// the clocks only tell after which edge it was.
func (s *Sim) whereabouts(stack string) string {
	var at []string
	for i, c := range s.clocks {
		edge := c.Cycle() + s.edge
		if s.ahead { // the clocks stand at the end of the window already
			edge -= uint64(s.window.edges[i])
		}
		if len(at) < maxNamed {
			at = append(at, fmt.Sprintf("edge %d of %s", edge, c.spec.Name))
		}
	}
	when := "at " + strings.Join(at, ", ")
	if s.windows {
		when = "after " + strings.Join(at, ", ")
	}
	for line := range strings.Lines(stack) {
		name, ok := strings.CutSuffix(strings.TrimRight(line[:max(strings.LastIndexByte(line, '('), 0)], " "), ".Tick")
		method := "Tick"
		if !ok {
			if name, ok = strings.CutSuffix(strings.TrimRight(line[:max(strings.LastIndexByte(line, '('), 0)], " "), ".Comb"); !ok {
				continue
			}
			method = "Comb"
		}
		if paths := s.modulesOf(name); len(paths) > 0 {
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
func (s *Sim) modulesOf(name string) (paths []string) {
	for _, n := range s.nodes {
		t := reflect.TypeOf(n.module)
		if t.Kind() != reflect.Pointer {
			continue
		}
		t = t.Elem()
		of, _, generic := strings.Cut(t.Name(), "[")
		if generic {
			of += "[...]"
		}
		if name == t.PkgPath()+".(*"+of+")" {
			paths = append(paths, n.path)
		}
	}
	return paths
}
