//go:build soak

package catalogue_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The command that stands in the harness's head builds it.
func TestVerilatorHarnessByItsOwnCommand(t *testing.T) {
	t.Parallel()
	u, _, dir := exported(t, "pcs/scrambler", 100)
	text, err := os.ReadFile(filepath.Join(dir, u.Module()+"_harness.cpp"))
	require.NoError(t, err)
	_, line, found := strings.Cut(string(text), "//   verilator ")
	require.True(t, found)
	line, _, _ = strings.Cut(line, "\n")
	obj := t.TempDir()
	line = strings.NewReplacer("/tmp/"+u.Module(), obj, "$PWD", dir, "YOUR_RTL.sv",
		mustAbs(t, reference(t, u))).Replace(line)
	args := append([]string{"verilator", "-MAKEFLAGS", "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0 OBJCACHE="},
		strings.Fields(line)...)
	said, status := command(t, dir, nil, args...)
	require.Zero(t, status, said)
	said, status = command(t, dir, nil, filepath.Join(obj, "V"+u.Module()))
	require.Zero(t, status, said)
	require.Equal(t, "PASS pcs/scrambler 100 cycles\n", said)
}
