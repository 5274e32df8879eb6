package hdl_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/hdl"
)

// A tool is asked its version once; one that is too old, or that tells none, is refused in a line.
func TestVersionsOfTools(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("TestVersionsOfTools was NOT run: the tools are shell scripts")
	}
	for said, want := range map[string]string{
		"Yosys 0.23 (git sha1 7ce5011c24b)":       "",
		"Yosys 0.70+post (git sha1 1, clang++ 9)": "",
		"Yosys 1.2":                    "",
		"Yosys 0.9 (git sha1 1979e0b)": "/yosys is Yosys 0.9, want 0.23 or newer",
		"a shell":                      `/yosys -V says "a shell", and no version: want Yosys 0.23 or newer`,
	} {
		dir := t.TempDir()
		script := fmt.Sprintf("#!/bin/sh\necho '%s'\necho more\n", said)
		require.NoError(t, os.WriteFile(filepath.Join(dir, "yosys"), []byte(script), 0o755))
		t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
		for range 3 {
			if err := hdl.KnownYosys(); want == "" {
				require.NoError(t, err, said)
			} else {
				require.EqualError(t, err, dir+want)
			}
		}
	}
	dir := t.TempDir()
	for _, name := range []string{"iverilog", "vvp"} {
		script := "#!/bin/sh\necho 'Icarus Verilog version 10.3 (stable)'\necho x >>" + dir + "/asked\nexit 3\n"
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(script), 0o755))
	}
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	for range 3 {
		require.EqualError(t, hdl.Icarus.Available(), dir+"/iverilog is Icarus Verilog 10.3, want 11.0 or newer")
	}
	asked, err := os.ReadFile(filepath.Join(dir, "asked"))
	require.NoError(t, err)
	require.Equal(t, "x\n", string(asked), "asked once")
}
