package catalogue_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/packages"
)

// The packages built for the Makefile's PLATFORMS have the right types there, tests included: where an int has 32
// bits, and where files of other systems take the place of Linux's. That is a fraction of a compiler's work, and
// nearly every difference between systems; make soak compiles and links as well.
func TestTypesOnOtherPlatforms(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
	require.NoError(t, err)
	_, rest, _ := strings.Cut(string(makefile), "\nPLATFORMS := ")
	line, _, _ := strings.Cut(rest, "\n")
	platforms := strings.Fields(line)
	require.NotEmpty(t, platforms)
	// Files are found by go list, a process of its own, and what that reads Go's cache of test results does not see. It
	// sees the folders that are read here, so a new file makes an old result void.
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && (d.Name() == ".git" || path == filepath.Join(root, "build")) {
			return filepath.SkipDir
		}
		return err
	}))
	set := token.NewFileSet()
	parse := parseOnce(root)
	for _, platform := range platforms {
		t.Run(strings.ReplaceAll(platform, "/", "_"), func(t *testing.T) {
			system, machine, _ := strings.Cut(platform, "/")
			found, err := packages.Load(&packages.Config{
				Mode:      packages.LoadAllSyntax&^packages.NeedTypesInfo | packages.NeedModule, // only errors are wanted
				Dir:       root,
				Fset:      set,
				Env:       append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+machine),
				ParseFile: parse,
				Tests:     true,
			}, "./...")
			require.NoError(t, err)
			own := 0
			packages.Visit(found, nil, func(p *packages.Package) {
				if p.Module == nil || !p.Module.Main || strings.HasSuffix(p.ID, ".test") { // that is go test's main package
					return
				}
				own++
				for _, e := range p.Errors {
					t.Error(e)
				}
			})
			require.Greater(t, own, 100, "packages and their tests")
		})
	}
}

// parseOnce returns a parser of files that reads each once for all platforms. Of other modules and the standard
// library it keeps the parts that importing packages see: no bodies of functions, and no elements of tables unless
// they give an array its length.
func parseOnce(root string) func(*token.FileSet, string, []byte) (*ast.File, error) {
	type parsed struct {
		file *ast.File
		err  error
	}
	var files sync.Map
	return func(set *token.FileSet, name string, text []byte) (*ast.File, error) {
		if p, ok := files.Load(name); ok {
			return p.(parsed).file, p.(parsed).err
		}
		file, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution)
		if err == nil && !strings.HasPrefix(name, root+string(filepath.Separator)) {
			for _, d := range file.Decls {
				keepDeclaration(d)
			}
		}
		files.Store(name, parsed{file, err})
		return file, err
	}
}

// keepDeclaration takes from a declaration what only its own package sees.
func keepDeclaration(d ast.Decl) {
	if f, ok := d.(*ast.FuncDecl); ok {
		f.Body = nil
		return
	}
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			n.Body.List = nil
		case *ast.CompositeLit:
			array, ok := n.Type.(*ast.ArrayType)
			if ok {
				_, ok = array.Len.(*ast.Ellipsis)
			}
			if !ok {
				n.Elts = nil
			}
		}
		return true
	})
}
