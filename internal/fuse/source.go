package fuse

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// source is the Go source of the packages of modules and of the functions that they call.
type source struct {
	ctx   context.Context
	dir   string
	paths []string
	old   string // the file that will be written: the file there may not go with the modules any more
	pkgs  map[string]*packages.Package
	fset  *token.FileSet
	texts map[string][]byte // by file name
	decls map[string]*method
}

// method is a function with a body, or a method.
type method struct {
	pkg  *packages.Package
	decl *ast.FuncDecl
	obj  *types.Func
}

const loadMode = packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedModule |
	packages.NeedSyntax |
	packages.NeedTypes | packages.NeedTypesInfo

// load loads further packages. All are loaded anew, so that they share their types.
func (s *source) load(paths ...string) error {
	missing := slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return slices.Contains(s.paths, p) })
	if len(missing) == 0 {
		return nil
	}
	s.paths = append(s.paths, missing...)
	if s.fset == nil { // one for all: code of the islands before is printed by its positions in the source
		s.fset = token.NewFileSet()
	}
	pkgs, err := packages.Load(&packages.Config{Context: s.ctx, Dir: s.dir, Mode: loadMode, Fset: s.fset}, s.paths...)
	if err != nil {
		return fmt.Errorf("loading %v: %w", s.paths, err)
	}
	s.pkgs, s.texts, s.decls = map[string]*packages.Package{}, map[string][]byte{}, map[string]*method{}
	for _, p := range pkgs {
		for _, err := range p.Errors {
			if !strings.Contains(err.Error(), s.old) {
				return fmt.Errorf("package %s: %w", p.PkgPath, err)
			}
		}
		s.pkgs[p.PkgPath] = p
		for _, file := range p.Syntax {
			for _, d := range file.Decls {
				if fn, isFunc := d.(*ast.FuncDecl); isFunc {
					obj := p.TypesInfo.Defs[fn.Name].(*types.Func)
					s.decls[obj.FullName()] = &method{p, fn, obj}
				}
			}
		}
	}
	return nil
}

// directory finds a package without reading it.
func (s *source) directory(path string) (string, error) {
	if _, err := os.Stat(s.dir); err != nil {
		return "", err
	}
	pkgs, err := packages.Load(
		&packages.Config{Context: s.ctx, Dir: s.dir, Mode: packages.NeedName | packages.NeedFiles}, path,
	)
	switch {
	case err != nil:
		return "", fmt.Errorf("package %s: %w", path, err)
	case len(pkgs) != 1 || len(pkgs[0].GoFiles) == 0:
		return "", fmt.Errorf("package %s has no source in the Go module of %s", path, s.dir)
	}
	return filepath.Dir(pkgs[0].GoFiles[0]), nil
}

// function returns a function's declaration, nil if its package is not loaded or it has no body in Go.
func (s *source) function(f *types.Func) *method {
	m := s.decls[f.Origin().FullName()]
	if m == nil || m.decl.Body == nil {
		return nil
	}
	return m
}

// refusal says why a module is not fused, and where that stands in the source.
func (s *source) refusal(b *box, at ast.Node, format string, args ...any) error {
	p := s.fset.Position(at.Pos())
	return &Refusal{b.path, fmt.Sprintf(format, args...), fmt.Sprintf("%s:%d", filepath.Base(p.Filename), p.Line)}
}

// text returns the bytes of a file.
func (s *source) text(name string) ([]byte, error) {
	if s.texts[name] == nil {
		b, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		s.texts[name] = b
	}
	return s.texts[name], nil
}

// standard tells whether a package is of Go's own library, which knows no ports.
func (s *source) standard(path string) bool {
	for _, p := range s.pkgs {
		if d := p.Imports[path]; d != nil {
			return d.Module == nil
		}
	}
	return false
}
