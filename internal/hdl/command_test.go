//go:build unix

package hdl

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Verilator's compiler is called as its script calls it: with the same words, and a stack without a limit where that is
// allowed. The script is called where there is no compiler beside it, where that does not find its own files by itself,
// and where a variable tells it what we do not know.
func TestVerilatorWithoutItsScript(t *testing.T) {
	dir, moved, root := t.TempDir(), t.TempDir(), t.TempDir()
	write := func(dir, name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+text+"\n"), 0o755))
	}
	compiler := func(root, version string) string {
		return fmt.Sprintf(
			"case $1 in --getenv) echo %s;; --version) echo 'Verilator %s';; *) echo \"compiler $1 $2\"; ulimit -s; ulimit "+
				"-v;; esac",
			root, version,
		)
	}
	require.NoError(t, os.Mkdir(filepath.Join(root, "include"), 0o755))
	require.NoError(
		t,
		os.WriteFile(
			filepath.Join(root, "include", "verilated_config.h"),
			[]byte("#define VERILATOR_VERSION \"5.006 2023-01-22\"\n"), 0o644,
		),
	)
	run := func() string {
		out, err := Command(t.Context(), 1<<30, []string{"verilator", "--cc", "a b"}).CombinedOutput()
		require.NoError(t, err)
		return strings.TrimSpace(string(out))
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	write(dir, "verilator", `echo "script $1 $2"`)
	require.Equal(t, "script --cc a b", run())
	dir = t.TempDir()
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	write(dir, "verilator", `echo "script $1 $2"`)
	write(dir, "verilator_bin", compiler(root, "5.006 2023-01-22"))
	lines := strings.Split(run(), "\n")
	require.Equal(t, []string{"compiler --cc a b", "1048576"}, []string{lines[0], lines[2]})
	most, err := exec.Command("sh", "-c", "ulimit -s unlimited 2>/dev/null; ulimit -s").Output()
	require.NoError(t, err)
	require.Equal(t, strings.TrimSpace(string(most)), lines[1])
	other := t.TempDir() // where the script is a link to the one beside its compiler
	require.NoError(t, os.Symlink(filepath.Join(dir, "verilator"), filepath.Join(other, "verilator")))
	t.Setenv("PATH", other+string(os.PathListSeparator)+os.Getenv("PATH"))
	require.Contains(t, run(), "compiler --cc a b")
	for _, c := range []struct{ root, version string }{{"", "5.006 2023-01-22"}, {moved, "5.006 2023-01-22"},
		{root, "5.030 2024-10-27"}, {root, "5.006"}} {
		own := t.TempDir()
		write(own, "verilator", `echo "script $1 $2"`)
		write(own, "verilator_bin", compiler(c.root, c.version))
		t.Setenv("PATH", own+string(os.PathListSeparator)+os.Getenv("PATH"))
		require.Equal(t, "script --cc a b", run(), c)
	}
	t.Setenv("PATH", other+string(os.PathListSeparator)+os.Getenv("PATH"))
	require.Contains(t, run(), "compiler --cc a b")
	t.Setenv("VERILATOR_BIN", "verilator_bin_dbg")
	require.Equal(t, "script --cc a b", run())
}
