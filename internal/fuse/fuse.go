package fuse

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/rtl/fused"
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
	Unseen  Refusals // unknown functions that modules of a fused island call, at most one a module
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

// File is a target's generated file.
type File struct {
	Path    string // on this machine
	Text    []byte // nil if all islands were refused
	Islands []Island
}

// Stale tells whether the file differs from the one on the disk.
func (f *File) Stale() bool {
	there, err := os.ReadFile(f.Path)
	if f.Text == nil {
		return err == nil
	}
	return err != nil || !slices.Equal(there, f.Text)
}

// Generate makes the code for a target. It needs the Go tool and the source of the modules: dir is in the Go module
// that has them. Code that does not compile with its package is an error, which names the culprit.
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
	if err := src.load(t.Package, fusedPath); err != nil {
		return nil, err
	}
	seen, names := map[string]int{}, packageNames{"fused": fusedPath}
	for _, shape := range fused.Shapes(t.Sim) {
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
		code, err := fuseIsland(src, t.Package, shape, names)
		if refusals, refused := err.(Refusals); refused {
			island.Refused = refusals
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", t.Name, err)
		} else {
			out.add(shape.Text, code)
			island.Plain, island.Unseen = code.kept, code.unseen
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
