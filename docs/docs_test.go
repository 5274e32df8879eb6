// Package docs_test follows the pages, from outside the module.
package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cli"
	_ "github.com/goldwire/goldwire/design/designtest" // what the pages build: a change of it is a change of this test
	_ "github.com/goldwire/goldwire/design/dpi"
	"github.com/goldwire/goldwire/internal/catalogue"
	"github.com/goldwire/goldwire/internal/doccommands"
	"github.com/goldwire/goldwire/internal/hdl"
)

// TestMain makes this program the command where it is called so, so that the pages' commands need no other one to be
// linked.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "goldwire" {
		os.Exit(cli.Main(os.Args[1:], os.Stdout, os.Stderr, catalogue.Designs()...))
	}
	os.Exit(m.Run())
}

// The pages' files make a module of its own that builds a command with one design, and each command prints the output
// on its page.
func TestADesignOfOnesOwn(t *testing.T) {
	wantPrograms(t, "the pages of docs were NOT followed", "verilator", "g++", "iverilog", "vvp", "gcc", "yosys-abc")
	here, err := filepath.Abs("..")
	require.NoError(t, err)
	dir := t.TempDir()
	// go get would add the version that is published; the workspace has this one instead
	write(t, dir, "go.mod", "module example.com/parity\n\ngo 1.26.0\n")
	write(t, dir, "go.work", "go 1.26.0\n\nuse (\n\t.\n\t"+here+"\n)\n")
	t.Setenv("GOFLAGS", "-trimpath") // a workspace has no -mod; and what other tests have built serves here

	pages := []string{"first-module.md", "vectors.md", "lockstep.md", "claim.md", "experiment.md", "own-repository.md"}
	// the module of all pages builds only as a whole, so the files come first, then the commands
	files := t.TempDir()
	for _, page := range pages {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		write(t, files, page, strings.ReplaceAll(string(text), "\n```\n$ ", "\n```later\n$ "))
		if page == pages[0] { // TestGoGet has it as it stands
			first := strings.NewReplacer(
				"$ go mod init example.com/parity\n$ go get github.com/goldwire/goldwire\n", "", "$ go mod tidy\n", "",
			)
			write(t, dir, page, first.Replace(string(text)))
		}
		doccommands.Run(t, dir, filepath.Join(files, page))
	}
	main, err := os.ReadFile(filepath.Join(dir, "main.go"))
	require.NoError(t, err)
	require.LessOrEqual(t, strings.Count(string(main), "\n"), 16)
	pages[0] = filepath.Join(dir, pages[0])
	require.Equal(t, 24, doccommands.Run(t, dir, pages...))
}

// The pages on single things have code that builds and runs, each in a package of its own.
func TestThePagesOnSingleThings(t *testing.T) {
	here, err := filepath.Abs("..")
	require.NoError(t, err)
	dir := withGoldwire(t)
	write(t, dir, "go.mod", "module example.com/things\n\ngo 1.26.0\n")
	write(t, dir, "go.work", "go 1.26.0\n\nuse (\n\t.\n\t"+here+"\n)\n")
	t.Setenv("GOFLAGS", "-trimpath")
	require.Equal(t, 6, doccommands.Run(t, dir, "streams.md", "clocks.md", "comb-tags.md", "checkpoints.md", "cocotb.md"))
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
}

// wantPrograms skips a test that wants programs which are not there, and names the untested part.
func wantPrograms(t *testing.T, notDone string, programs ...string) {
	t.Helper()
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			t.Skipf("%s: %s is not installed", notDone, p)
		}
	}
}

// withGoldwire returns a new directory with the command in bin, where walk looks for it.
func withGoldwire(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	program, err := os.Executable()
	require.NoError(t, err)
	require.NoError(t, os.Mkdir(filepath.Join(dir, "bin"), 0o755))
	require.NoError(t, os.Symlink(program, filepath.Join(dir, "bin", "goldwire")))
	return dir
}

// fence is commands of a page with their output.
var fence = regexp.MustCompile("(?s)\n```\n\\$ .*?\n```\n")

// Every command of the README, and of the page that has them all, prints what the page shows. The proof is one that the
// walk in examples/handover has too, with the same output, and is run there.
func TestReadme(t *testing.T) {
	wantPrograms(t, "the commands of the README were NOT run", "verilator", "g++", "iverilog", "vvp", "yosys")
	dir := withGoldwire(t)
	here, err := filepath.Abs("..")
	require.NoError(t, err)
	for _, folder := range []string{"testdata", "examples", "pcs"} {
		require.NoError(t, os.Symlink(filepath.Join(here, folder), filepath.Join(dir, folder)))
	}
	readme, err := os.ReadFile("../README.md")
	require.NoError(t, err)
	commands, err := os.ReadFile("commands.md")
	require.NoError(t, err)
	handover, err := os.ReadFile("../examples/handover/README.md")
	require.NoError(t, err)
	require.Contains(t, string(readme), "\n## Three commands\n")
	write(t, dir, "README.md", string(readme))
	write(t, dir, "commands.md", fence.ReplaceAllStringFunc(string(commands), func(text string) string {
		if strings.Contains(
			string(handover),
			strings.TrimSuffix(strings.ReplaceAll(text, "examples/handover/", ""), "\n```\n"),
		) {
			return "\n"
		}
		return text
	}))
	require.Equal(t, 3, doccommands.Run(t, dir, filepath.Join(dir, "README.md")))
	require.Equal(t, 22, doccommands.Run(t, dir, filepath.Join(dir, "commands.md")))
}

// The P4 page's program runs, is scheduled and drawn, and its schedules are checked, as the page shows.
func TestP4(t *testing.T) {
	dir := withGoldwire(t)
	require.Equal(t, 6, doccommands.Run(t, dir, "p4.md"))
	picture, err := os.ReadFile(filepath.Join(dir, "schedule.svg"))
	require.NoError(t, err)
	require.Contains(t, string(picture), ">forward_MATCH<")
}

// Every command of the pages on sweeps and on long runs prints what the pages show.
func TestSweepsAndLongRuns(t *testing.T) {
	dir := withGoldwire(t)
	require.Equal(t, 21, doccommands.Run(t, dir, "sweeps.md"))
	require.Equal(t, 4, doccommands.Run(t, dir, "long-runs.md"))
}

// Each question of the cookbook has one command, and each command prints its answer.
func TestQuestions(t *testing.T) {
	require.Equal(t, 12, doccommands.Run(t, withGoldwire(t), "questions.md"))
}

// Every command of the page on gates prints what the page shows. The page stands in a clone; here --dir names it.
func TestGates(t *testing.T) {
	if v := hdl.YosysVersion(); v != [2]int{0, 23} {
		t.Skipf("the commands of the page on gates were NOT run: it is of Yosys 0.23, here is %v", v)
	}
	dir := withGoldwire(t)
	here, err := filepath.Abs("..")
	require.NoError(t, err)
	page, err := os.ReadFile("gates.md")
	require.NoError(t, err)
	text, commands := strings.Replace(string(page), "$ goldwire verilog", "$ goldwire verilog --dir "+here, 1), 5
	_, err = exec.LookPath("nextpnr-ice40")
	if err != nil {
		text, _, _ = strings.Cut(text, "$ nextpnr-ice40")
		text, commands = text+"```\n", commands-1
	}
	write(t, dir, "gates.md", text)
	require.Equal(t, commands, doccommands.Run(t, dir, filepath.Join(dir, "gates.md")))
	if err != nil {
		t.Skip("the module was NOT placed: nextpnr-ice40 is not installed")
	}
}
