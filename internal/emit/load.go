package emit

import (
	"context"
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/goldwire/goldwire/rtl"
)

// Source is the Go source of modules and of the functions that they call.
type Source struct {
	prog *ssa.Program
	pkgs map[string]*types.Package
	docs map[string]string // of types, by "path.Name"
}

// Load reads the source of the modules' packages in the Go module of a directory.
func Load(ctx context.Context, dir string, modules ...rtl.Module) (*Source, error) {
	var paths []string
	for _, m := range modules {
		if p := reflect.TypeOf(m).Elem().PkgPath(); !slices.Contains(paths, p) {
			paths = append(paths, p)
		}
	}
	slices.Sort(paths)
	mode := packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps | packages.NeedSyntax |
		packages.NeedTypes | packages.NeedTypesInfo | packages.NeedTypesSizes
	pkgs, err := packages.Load(&packages.Config{Context: ctx, Dir: dir, Mode: mode}, paths...)
	if err != nil {
		return nil, fmt.Errorf("loading %v: %w", paths, err)
	}
	s := &Source{pkgs: map[string]*types.Package{}, docs: map[string]string{}}
	for _, p := range pkgs {
		if len(p.Errors) > 0 && p.Errors[0].Kind == packages.ListError && len(p.GoFiles) == 0 {
			return nil, fmt.Errorf(
				"the source of package %s is not in the Go module of folder %q: "+
					"run this in the module's repository, or give its folder", p.PkgPath, dir,
			)
		}
		if len(p.Errors) > 0 {
			return nil, fmt.Errorf("package %s: %w", p.PkgPath, p.Errors[0])
		}
	}
	packages.Visit(pkgs, nil, func(p *packages.Package) {
		s.pkgs[p.PkgPath] = p.Types
		s.readDocs(p)
	})
	s.prog, _ = ssautil.AllPackages(pkgs, ssa.InstantiateGenerics|ssa.GlobalDebug)
	return s, nil
}

// typeOf finds the type that package reflect shows in a running program.
func (s *Source) typeOf(t reflect.Type) (types.Type, error) {
	if t.Name() != "" && t.PkgPath() != "" {
		return s.named(t.PkgPath() + "." + t.Name())
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		elem, err := s.typeOf(t.Elem())
		switch {
		case err != nil:
			return nil, err
		case t.Kind() == reflect.Pointer:
			return types.NewPointer(elem), nil
		case t.Kind() == reflect.Slice:
			return types.NewSlice(elem), nil
		}
		return types.NewArray(elem, int64(t.Len())), nil
	}
	return s.named(t.String())
}

// named reads a type as package reflect writes it: "uint64", "[8]uint8", "path/of.Name[path/of.Argument]".
func (s *Source) named(text string) (types.Type, error) {
	switch {
	case strings.HasPrefix(text, "*"):
		t, err := s.named(text[1:])
		if err != nil {
			return nil, err
		}
		return types.NewPointer(t), nil
	case strings.HasPrefix(text, "["):
		length, elem, _ := strings.Cut(text[1:], "]")
		t, err := s.named(elem)
		if err != nil {
			return nil, err
		}
		if length == "" {
			return types.NewSlice(t), nil
		}
		n, err := strconv.ParseInt(length, 10, 64)
		return types.NewArray(t, n), err
	}
	name, arguments := text, ""
	if i := strings.Index(text, "["); i >= 0 {
		name, arguments = text[:i], strings.TrimSuffix(text[i+1:], "]")
	}
	dot := strings.LastIndex(name, ".")
	if dot < 0 {
		if obj, is := types.Universe.Lookup(name).(*types.TypeName); is {
			return obj.Type(), nil
		}
		return nil, fmt.Errorf("the type %s has no name", text)
	}
	pkg := s.pkgs[name[:dot]]
	if pkg == nil {
		return nil, fmt.Errorf("the source of package %s is not there", name[:dot])
	}
	obj, is := pkg.Scope().Lookup(name[dot+1:]).(*types.TypeName)
	if !is {
		return nil, fmt.Errorf("package %s has no type %s: is the program older than its source?",
			name[:dot], name[dot+1:])
	}
	if arguments == "" {
		return obj.Type(), nil
	}
	var list []types.Type
	for _, a := range splitArguments(arguments) {
		t, err := s.named(a)
		if err != nil {
			return nil, err
		}
		list = append(list, t)
	}
	return types.Instantiate(nil, obj.Type(), list, false)
}

// splitArguments cuts a list at the commas that are outside of brackets.
func splitArguments(list string) (parts []string) {
	depth, from := 0, 0
	for i, c := range list {
		switch c {
		case '[':
			depth++
		case ']':
			depth--
		case ',':
			if depth == 0 {
				parts, from = append(parts, list[from:i]), i+1
			}
		}
	}
	return append(parts, list[from:])
}
