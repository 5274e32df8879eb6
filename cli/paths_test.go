package cli_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cli"
	"github.com/goldwire/goldwire/design/bench"
	"github.com/goldwire/goldwire/internal/catalogue"
)

// Places in which nothing can be written are refused before the run, by every command that runs long.
func TestPlacesAreCheckedBeforeTheRun(t *testing.T) {
	rtl, err := filepath.Abs("../pcs/verilog/pcs_encoder.v")
	require.NoError(t, err)
	require.FileExists(t, rtl)
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("file", []byte("x"), 0o644))
	require.NoError(t, os.Mkdir("dir", 0o755))
	require.NoError(t, os.Symlink("file", "link"))
	for _, args := range [][]string{
		{"verify", "--markdown", "nowhere/x.md"}, {"verify", "--markdown", "dir"},
		{"run", "edm", "load", "--plot", "nowhere/x.svg"}, {"run", "edm", "load", "--csv", "file/x.csv"},
		{"run", "edm", "load", "--out", "dir"},
		{"run", "edm", "load", "--csv", "file", "--plot", "link"}, // one file by two names
		{"replay", "file", "--module", "pcs/encoder", "--vcd", "file"},
		{"replay", "file", "--module", "pcs/encoder", "--vcd", "nowhere/x"},
		{"cosim", "pcs/encoder", "--rtl", rtl, "--top", "pcs_encoder", "--out", "file"},
		{"cosim", "pcs/encoder", "--rtl", rtl, "--top", "pcs_encoder", "--out", "file/x"},
	} {
		watch := bench.Start()
		refused(t, args...)
		_, processor := watch.Seconds() // not the wall clock's: a machine may have other work
		require.Less(t, processor, 10.0, "%q", args)
	}
	b, err := os.ReadFile("file")
	require.NoError(t, err)
	require.Equal(t, "x", string(b))
}

// A chart that there is no longer a place for costs neither the tables nor the results, and says so; a full standard
// output costs no file.
func TestResultsAreNotLost(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.Mkdir("fig-latency.svg", 0o755)) // the second chart's name, which the run makes
	var out, errs bytes.Buffer
	args := []string{"run", "edm", "load", "--nodes", "2", "--loads", "0.2,0.5", "--messages", "20"}
	code := cli.Main(append(args, "--plot", "fig.svg", "--csv", "fig.csv"), &out, &errs, catalogue.Designs()...)
	require.Equal(t, 2, code, errs.String())
	require.Contains(t, errs.String(), "fig-latency.svg")
	require.Contains(t, out.String(), "EDM")
	require.FileExists(t, "fig.svg")
	require.FileExists(t, "fig.csv")

	errs.Reset()
	code = cli.Main(append(args, "--csv", "full.csv"), fullWriter{}, &errs, catalogue.Designs()...)
	require.Equal(t, 2, code)
	require.FileExists(t, "full.csv")
}

// fullWriter takes nothing.
type fullWriter struct{}

func (fullWriter) Write([]byte) (int, error) { return 0, io.ErrShortWrite }
