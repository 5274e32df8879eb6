package cli_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/goldwire/goldwire/cli"
	"github.com/goldwire/goldwire/internal/catalogue"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"goldwire": func() { os.Exit(cli.Main(os.Args[1:], os.Stdout, os.Stderr, catalogue.Designs()...)) },
	})
}

// The scripts in testdata are users' commands and the required output.
func TestScripts(t *testing.T) {
	captures, err := filepath.Abs("../testdata/captures")
	if err != nil {
		t.Fatal(err)
	}
	rtl, err := filepath.Abs("../pcs/verilog")
	if err != nil {
		t.Fatal(err)
	}
	cache, err := os.UserCacheDir() // shared: what Verilator made is compiled once a machine
	if err != nil {
		cache = t.TempDir()
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(env *testscript.Env) error {
			env.Setenv("CAPTURES", captures)
			env.Setenv("PCS", rtl)
			env.Setenv("XDG_CACHE_HOME", cache)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits2": exits2},
	})
}

// exits2 runs goldwire on bad input: exits2 PATTERN ARGUMENTS… wants exit code 2, and a last line on stderr that begins
// with "goldwire: " and fits the pattern.
func exits2(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits2 pattern arguments...")
	}
	err := ts.Exec("goldwire", args[1:]...)
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 2 {
		ts.Fatalf("want exit code 2, got %v", err)
	}
	lines := strings.Split(strings.TrimSpace(ts.ReadFile("stderr")), "\n")
	last := lines[len(lines)-1]
	if !strings.HasPrefix(last, "goldwire: ") || !regexp.MustCompile(args[0]).MatchString(last) {
		ts.Fatalf("stderr ends with %q, want goldwire: and %q", last, args[0])
	}
}
