package source

import (
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"
)

// A source has a name only if nothing but this name decides what is built.
func TestSourceOf(t *testing.T) {
	build := func(change func(b *debug.BuildInfo)) string {
		b := &debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}, Deps: []*debug.Module{{Path: "a", Version: "v1.0.0"}, {Path: "b", Version: "v1.0.0"}}}
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
		require.Equal(t, "changed 12ab executable", build(func(b *debug.BuildInfo) { b.Deps[i].Version = "(devel)"; vcs(b, "false") }))
	}
}
