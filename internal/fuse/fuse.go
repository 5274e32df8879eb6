// Package fuse writes fused code: one Go function that runs an island of a design, made of its modules' own source.
//
// The function has the bodies of the modules' Comb and Tick methods in it, in an order in which a register is read by all its readers
// before it is set. So a register is one local variable; one in a circle has a second variable for its value to come. Private fields of
// plain types are local variables too. They are loaded from the modules and their ports at the beginning of a run and stored at its end, so
// that between runs everything is where the kernel has it, and the kernel, strict mode, checkpoints and testbenches know nothing of fused
// code.
//
// The code goes by the island's [rtl.Shape]: types, connections, constants, order of Combs. Whoever builds the same shape gets it, unless a
// run is observed, in strict mode, or asked to be plain.
//
// A design declares what it wants fused (design.Design.Fused), and designtest.Check fails when a module has changed since.
//
// An island of several clocks, or with delays, has a function for each clock, which the kernel calls at the instants at which that clock
// has an edge. Registers stay where the kernel has them, so an observer of the island alone does not keep it from running. Delays read
// before all ticks of an instant and have their values after them; what is under way is the kernel's. There each module's type has a twin:
// its Tick, its Comb and the methods of its own that use ports, which may stand in slices and arrays and are pointers to where the kernel
// keeps the values. The Ticks of a scope's modules that come one after another stand in one function, which like rows of other scopes share;
// a method that a Tick calls at one place, as a statement, stands there too.
// A register that all its readers have read before its module's tick is set in place; others are set aside and given their values once all
// have ticked, as the kernel does it. If a clock sets registers aside for modules of other clocks alone, the kernel leaves that out where
// none of these ever has an edge together with it. Functions in a field whose tag `ports:"none"` promises that they look at no port are called. So are
// other function values and methods of interfaces, but then the kernel looks before each run whether the module's fields lead to a port
// other than by itself, or to a function, and if they do, the modules run.
//
// What is not understood is refused, by name and with the reason: see [Refusal]. A body that is taken over may use its receiver only as
// receiver.Port.Get(), receiver.Port.Set(x), receiver.field and receiver.method(…). It and all that it calls may touch no other module and
// no port, set no package variable, and call neither function values nor methods of interfaces: what those do cannot be seen here. A Comb
// may set nothing but its wires: the code calls it more often than the kernel.
//
// Three things cannot be seen. Modules that share what a pointer, a slice or a map leads to depend on the order of their ticks; the rules of
// modules forbid it, and strict mode's order shows it. A function that a module calls unseen may get at a port by a package's variable of its
// own; the rules forbid that too. A program that was built with changed modules and old code runs the old code: run goldwire fuse after each
// change, or with --check. Where modules have changed so that the old code does not compile with them, the command does not build either:
// delete the file that the compiler names, build, and run goldwire fuse.
package fuse

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/rtl"
)

// Target is a simulation for whose islands code is written.
type Target struct {
	Name    string // "pcs loop": of the file fused_pcs_loop.go and its types
	Package string // import path of the package that the file belongs to
	Sim     *rtl.Sim
	Without map[string]string // why no code is wanted for an island, by the path of its first module
}

// Island is one shape of a target's islands and what became of it.
type Island struct {
	Modules []string // paths of the first island of the shape
	Count   int      // islands of the shape
	Refused Refusals // none if it was fused
	Plain   Refusals // why modules of a fused island are run by their own Tick, at most one a module
	Unseen  Refusals // what modules of a fused island call and is not known, at most one a module
}

// Refusals are all reasons why an island is not fused, at most one a module.
type Refusals []*Refusal

func (r Refusals) Error() string {
	lines := make([]string, len(r))
	for i, one := range r {
		lines[i] = one.Error()
	}
	return strings.Join(lines, "\n")
}

// Refusal says why an island is not fused.
type Refusal struct {
	Module string // path of a module, or empty for the island as a whole
	Reason string
	Where  string // in the source, as "file.go:7", or empty
}

func (r *Refusal) Error() string {
	text := r.Reason
	if r.Module != "" {
		text = r.Module + " " + text
	}
	if r.Where != "" {
		text += " (" + r.Where + ")"
	}
	return text
}

// File is what was generated for a target.
type File struct {
	Path    string // on this machine
	Text    []byte // nil if all islands were refused
	Islands []Island
}

// Stale tells whether the file is not what lies on the disk.
func (f *File) Stale() bool {
	there, err := os.ReadFile(f.Path)
	if f.Text == nil {
		return err == nil
	}
	return err != nil || !slices.Equal(there, f.Text)
}

// Generate makes the code for a target. It needs the Go tool and the source of the modules: dir is in the Go module that has them. Code that does
// not compile with its package is an error, which tells what does not.
func Generate(ctx context.Context, dir string, t Target) (*File, error) {
	return generate(&source{ctx: ctx, dir: dir}, t)
}

func generate(src *source, t Target) (*File, error) {
	directory, err := src.directory(t.Package)
	if err != nil {
		return nil, err
	}
	out := newPrinter(src, t)
	f := &File{Path: filepath.Join(directory, out.fileName())}
	src.old = filepath.Base(f.Path)
	if err := src.load(t.Package); err != nil {
		return nil, err
	}
	seen, names := map[string]int{}, packageNames{"rtl": rtlPath}
	for _, shape := range t.Sim.Shapes() {
		if i, there := seen[shape.Text]; there {
			f.Islands[i].Count++
			continue
		}
		seen[shape.Text] = len(f.Islands)
		island := Island{Modules: shape.Paths, Count: 1}
		if why := t.Without[shape.Paths[0]]; why != "" {
			island.Refused = Refusals{{Reason: why}}
			f.Islands = append(f.Islands, island)
			continue
		}
		code, err := fuseAny(src, t.Package, shape, names)
		if refusals, refused := err.(Refusals); refused {
			island.Refused = refusals
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", t.Name, err)
		} else {
			out.add(shape.Text, code)
			island.Plain, island.Unseen = code.plain(), code.calls()
		}
		f.Islands = append(f.Islands, island)
	}
	if len(out.islands) > 0 {
		if f.Text, err = out.text(); err != nil {
			return nil, fmt.Errorf("%s: %w", t.Name, err)
		}
		if err := src.compiles(t.Package, f); err != nil {
			return nil, err
		}
	}
	return f, nil
}
