package hdl

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A program's key is of its sources and options, and of no folder.
func TestKeyOfAProgram(t *testing.T) {
	type file struct{ name, text string }
	obj := func(change ...file) Verilated {
		dir := t.TempDir()
		for _, f := range append([]file{{"Vt.cpp", "int a;"}, {"Vt.h", "int b;"}, {"Vt_classes.mk", "VM_TRACE = 0"},
			{"main.cc", "int c;"}, {"lib.a", "d"}}, change...) {
			require.NoError(t, os.WriteFile(filepath.Join(dir, f.name), []byte(f.text), 0o644))
		}
		return Verilated{
			Top: "t", Obj: dir, More: []string{filepath.Join(dir, "main.cc")}, Optimise: "-O0",
			Libraries: []string{filepath.Join(dir, "lib.a"), "-lm"},
		}
	}
	key := func(v Verilated, runtime string) string {
		k, err := v.key(&runtimeSources{key: runtime})
		require.NoError(t, err)
		return k
	}
	seen := map[string]bool{key(obj(), "v5"): true}
	require.True(t, seen[key(obj(), "v5")])
	optimised := obj()
	optimised.Optimise = "-O1"
	linked := obj()
	linked.Libraries[1] = "-lz"
	for _, k := range []string{
		key(obj(), "v6"), key(optimised, "v5"), key(linked, "v5"), key(obj(file{"Vt.cpp", "int e;"}), "v5"),
		key(obj(file{"Vt.h", "int e;"}), "v5"),
		key(obj(file{"Vt_classes.mk", "VM_TRACE = 1"}), "v5"), key(obj(file{"main.cc", "int e;"}), "v5"),
		key(obj(file{"lib.a", "e"}), "v5"),
		key(obj(file{"Vt__1.cpp", ""}), "v5"),
	} {
		require.False(t, seen[k])
		seen[k] = true
	}
}

func TestPruneRemovesTheLongestUnused(t *testing.T) {
	k := kept{t.TempDir()}
	for i, name := range []string{"old", "middle", "new"} {
		file := filepath.Join(k.dir, name)
		require.NoError(t, os.WriteFile(file, make([]byte, 100), 0o755))
		at := time.Unix(int64(1000*(i+1)), 0)
		require.NoError(t, os.Chtimes(file, at, at))
	}
	require.True(t, k.take("old", filepath.Join(t.TempDir(), "copy"))) // now it is the last used
	k.prune(250)
	require.NoFileExists(t, filepath.Join(k.dir, "middle"))
	require.FileExists(t, filepath.Join(k.dir, "old"))
	require.FileExists(t, filepath.Join(k.dir, "new"))
}
