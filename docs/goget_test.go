package docs_test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"

	"github.com/goldwire/goldwire/design/designtest"
	"github.com/goldwire/goldwire/internal/doccommands"
	"github.com/goldwire/goldwire/vectors"
	"github.com/goldwire/goldwire/vectors/property"
)

// The first page works with nothing but Go, from go mod init on: the module is served from a file proxy as a released
// version is, and its needs come from the module cache, and from the proxy that the environment names if it is not
// there.
func TestGoGet(t *testing.T) {
	here, err := filepath.Abs("..")
	require.NoError(t, err)
	proxy := t.TempDir()
	serve(t, here, filepath.Join(proxy, "github.com", "goldwire", "goldwire", "@v"), "v0.1.0")
	cache, err := exec.Command("go", "env", "GOMODCACHE", "GOPROXY").Output()
	require.NoError(t, err)
	lines := strings.Fields(string(cache))
	t.Setenv("GOPROXY", "file://"+proxy+",file://"+filepath.Join(lines[0], "cache", "download")+","+lines[1])
	t.Setenv("GONOSUMDB", "github.com/goldwire")
	t.Setenv("GOFLAGS", "-trimpath -modcacherw") // a test's directory is removed at its end
	t.Setenv("GOMODCACHE", t.TempDir())
	require.Equal(t, 4, doccommands.Run(t, t.TempDir(), "first-module.md"))
}

// serve writes the files of a clone as a version of the module, as a proxy has it.
func serve(t *testing.T, clone, dir, version string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(dir, 0o755))
	text, err := os.ReadFile(filepath.Join(clone, "go.mod"))
	require.NoError(t, err)
	write(t, dir, version+".mod", string(text))
	write(t, dir, version+".info", fmt.Sprintf(`{"Version":%q,"Time":"2026-01-01T00:00:00Z"}`, version))
	write(t, dir, "list", version+"\n")
	out, err := exec.Command("git", "-C", clone, "ls-files", "-z").Output()
	if err != nil {
		t.Skip("the module was NOT fetched as a user would: this is no clone")
	}
	var files []zip.File
	for _, name := range strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		info, err := os.Lstat(filepath.Join(clone, name))
		if err != nil || !info.Mode().IsRegular() || strings.HasPrefix(name, "tools/") ||
			strings.HasPrefix(name, "internal/sweep/testkubernetes/") {
			continue // removed and not committed, or of another module
		}
		files = append(files, file{name, filepath.Join(clone, name)})
	}
	f, err := os.Create(filepath.Join(dir, version+".zip"))
	require.NoError(t, err)
	defer f.Close()
	require.NoError(t, zip.Create(f, module.Version{Path: "github.com/goldwire/goldwire", Version: version}, files))
}

// file is a file of a clone.
type file struct{ name, path string }

func (f file) Path() string                 { return f.name }
func (f file) Lstat() (os.FileInfo, error)  { return os.Lstat(f.path) }
func (f file) Open() (io.ReadCloser, error) { return os.Open(f.path) }

// The property that own-proofs.md declares for the parity generator is true, and its bug is found.
func TestAPropertyOfOnesOwn(t *testing.T) {
	wantPrograms(t, "the property of docs/own-proofs.md was NOT proved", "yosys", "yosys-abc", "iverilog", "vvp")
	page, err := os.ReadFile("own-proofs.md")
	require.NoError(t, err)
	harness := regexp.MustCompile("(?s)```verilog file=(\\S+)\n(.*?)```").FindStringSubmatch(string(page))
	require.NotNil(t, harness)
	other, err := os.ReadFile("vectors.md")
	require.NoError(t, err)
	rtl := regexp.MustCompile("(?s)```verilog file=parity/(\\S+)\n(.*?)```").FindStringSubmatch(string(other))
	require.NotNil(t, rtl)
	bug := regexp.MustCompile(`Edits: \[\]string\{"(.*?)", "(.*?)"\}`).FindStringSubmatch(string(page))
	require.NotNil(t, bug)
	list := property.Load(
		fstest.MapFS{harness[1]: {Data: []byte(harness[2])}},
		fstest.MapFS{rtl[1]: {Data: []byte(rtl[2])}},
		property.Property{
			Name: "parity/even", Doc: "the bits that leave have even parity", Modules: []string{"parity_parity"},
			Bugs: []vectors.Bug{{Kind: "odd parity", Edits: bug[1:]}},
		},
	)
	designtest.CheckProperties(t, list)
}
