package fuse

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"path/filepath"
	"runtime"
)

// compiles checks the types of a generated file together with the other files of its package, as they were loaded. The
// file's imports were all imported by the loaded packages, since it is made of these.
func (s *source) compiles(path string, f *File) error {
	p, name := s.pkgs[path], filepath.Base(f.Path)
	file, err := parser.ParseFile(s.fset, f.Path, f.Text, parser.SkipObjectResolution)
	if err != nil {
		return notGo(name, err, "")
	}
	files := []*ast.File{file}
	for _, other := range p.Syntax {
		if s.fset.Position(other.Package).Filename != f.Path {
			files = append(files, other)
		}
	}
	var faults []types.Error
	check := types.Config{Importer: s.importer(path), Sizes: types.SizesFor("gc", runtime.GOARCH), Error: func(err error) {
		if e, is := errors.AsType[types.Error](err); is {
			faults = append(faults, e)
		}
	}}
	if p.Module != nil && p.Module.GoVersion != "" {
		check.GoVersion = "go" + p.Module.GoVersion
	}
	if _, err := check.Check(path, s.fset, files, nil); err == nil {
		return nil
	} else if len(faults) == 0 {
		return notGo(name, err, "")
	}
	at, line := s.fset.Position(faults[0].Pos), ""
	if at.Filename == f.Path { // which is not on the disk
		line = string(bytes.TrimSpace(bytes.Split(f.Text, []byte("\n"))[at.Line-1]))
	}
	return notGo(fmt.Sprintf("%s:%d:%d", filepath.Base(at.Filename), at.Line, at.Column), errors.New(faults[0].Msg), line)
}

func notGo(where string, err error, line string) error {
	if line != "" {
		line = fmt.Sprintf(", in %q", line)
	}
	return fmt.Errorf(
		"%s: the generated code does not compile: %v%s: a fault of the generator, not of the modules; nothing is written",
		where, err, line,
	)
}

// importer gives a package the loaded packages and their imports, but for packages that import it themselves.
type importer map[string]*types.Package

func (s *source) importer(home string) importer {
	from := importer{}
	for path, p := range s.pkgs {
		for _, q := range p.Types.Imports() {
			if from[q.Path()] == nil {
				from[q.Path()] = q
			}
		}
		from[path] = p.Types
	}
	for path, p := range from {
		if reaches(p, home, map[*types.Package]bool{}) {
			delete(from, path)
		}
	}
	return from
}

// reaches tells whether a package is another one or imports it, by whatever way.
func reaches(p *types.Package, to string, seen map[*types.Package]bool) bool {
	if p.Path() == to {
		return true
	}
	seen[p] = true
	for _, q := range p.Imports() {
		if !seen[q] && reaches(q, to, seen) {
			return true
		}
	}
	return false
}

// Import returns a package.
func (from importer) Import(path string) (*types.Package, error) {
	if p := from[path]; p != nil {
		return p, nil
	}
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	return nil, errors.New("nothing that its code is made of imports it, or it imports this package")
}
