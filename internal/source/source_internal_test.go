package source

import (
	"bytes"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"
)

// A source has a name only if the name alone decides the program that is built.
func TestSourceOf(t *testing.T) {
	build := func(change func(b *debug.BuildInfo)) string {
		b := &debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"},
			Deps: []*debug.Module{{Path: "a", Version: "v1.0.0"}, {Path: "b", Version: "v1.0.0"}}}
		change(b)
		return sourceOf(b)
	}
	vcs := func(b *debug.BuildInfo, modified string) {
		b.Settings = []debug.BuildSetting{{Key: "vcs.revision", Value: "12ab"}, {Key: "vcs.modified", Value: modified}}
	}
	require.Equal(t, "version v1.2.3", build(func(*debug.BuildInfo) {}))
	require.Equal(t, "revision 12ab", build(func(b *debug.BuildInfo) { vcs(b, "false") }))
	require.Equal(t, "changed 12ab executable", build(func(b *debug.BuildInfo) { vcs(b, "true") }))
	require.Equal(t, "executable", build(func(b *debug.BuildInfo) { b.Main.Version = "(devel)" }))
	require.Equal(t, "executable", build(func(b *debug.BuildInfo) { b.Main.Version += "+dirty" }))
	folder := &debug.Module{Path: "../a"}
	for i := range 2 {
		require.Equal(t, "executable", build(func(b *debug.BuildInfo) { b.Deps[i].Replace = folder }))
		require.Equal(t, "changed 12ab executable",
			build(func(b *debug.BuildInfo) { b.Deps[i].Version = "(devel)"; vcs(b, "false") }))
	}
}

// buildID and Go's own tool read the same ID. A word that go build did not write is no ID: other build tools write one
// word into all programs.
func TestBuildID(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("build IDs were NOT compared: programs are ELF files under Linux")
	}
	path, err := os.Executable()
	require.NoError(t, err)
	program, err := os.ReadFile(path)
	require.NoError(t, err)
	out, err := exec.Command("go", "tool", "buildid", path).Output()
	require.NoError(t, err)
	id := bytes.TrimSpace(out)
	require.Len(t, id, 4*20+3)
	require.Equal(t, string(id), buildID(bytes.NewReader(program)))

	other := bytes.ReplaceAll(program, id[:4], []byte("oth-"))
	require.Equal(t, "oth-"+string(id[4:]), buildID(bytes.NewReader(other)))
	redacted := append([]byte("redacted"), make([]byte, len(id)-8)...)
	require.Empty(t, buildID(bytes.NewReader(bytes.ReplaceAll(program, id, redacted))))
	require.Empty(t, buildID(bytes.NewReader([]byte("no program"))))
}
