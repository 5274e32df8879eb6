package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

const outside = `package outside

import (
	"flag"
	"net/http"
	"os"
	"strings"
	"testing"

	_ "github.com/goldwire/goldwire/cli"
	_ "github.com/goldwire/goldwire/design/designtest"
	_ "github.com/goldwire/goldwire/design/dpi"
	"github.com/goldwire/goldwire/tb"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestOutside(t *testing.T) {
	if !*update || tb.Updating() {
		t.Errorf("-update is %v, tb.Updating %v", *update, tb.Updating())
	}
	flag.VisitAll(func(f *flag.Flag) {
		if f.Name != "update" && !strings.HasPrefix(f.Name, "test.") && !strings.HasPrefix(f.Name, "rapid.") {
			t.Errorf("an import brings the flag %s", f.Name)
		}
	})
	for _, path := range []string{"/", "/debug/pprof/", "/debug/vars"} {
		r, _ := http.NewRequest("GET", path, nil)
		if _, pattern := http.DefaultServeMux.Handler(r); pattern != "" {
			t.Errorf("an import serves %s", path)
		}
	}
	os.Setenv("GOLDWIRE_UPDATE", "1")
	if !tb.Updating() {
		t.Error("GOLDWIRE_UPDATE=1 does not update")
	}
}
`

// A test binary of somebody else has its own flag -update and imports the packages meant for tests; no import brings
// flags or HTTP handlers that are not known to the user. (Package testing brings the flags test.*, pgregory.net/rapid
// rapid.*.)
func TestImportsBringNoGlobalState(t *testing.T) {
	here, err := filepath.Abs("..")
	require.NoError(t, err)
	dir := t.TempDir()
	write(t, dir, "go.mod", "module example.com/outside\n\ngo 1.26.0\n")
	write(t, dir, "go.work", "go 1.26.0\n\nuse (\n\t.\n\t"+here+"\n)\n")
	write(t, dir, "outside_test.go", outside)
	cmd := exec.Command("go", "test", ".", "-update")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-trimpath", "GOLDWIRE_UPDATE=")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}
