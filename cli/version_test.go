package cli

import (
	"bytes"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestVersion(t *testing.T) {
	require.Equal(t, "devel", versionOf(&debug.BuildInfo{Main: debug.Module{Path: modulePath, Version: "(devel)"}}))
	mine := &debug.BuildInfo{
		Main: debug.Module{Path: "example.com/mine", Version: "v9.0.0"},
		Deps: []*debug.Module{{Path: modulePath, Version: "v1.2.3"}},
	}
	require.Equal(t, "v9.0.0", versionOf(mine))
	require.Equal(t, "example.com/mine, goldwire v1.2.3, ", originOf(mine))
	require.Equal(t, "devel 0123456789ab", versionOf(&debug.BuildInfo{Main: debug.Module{Path: modulePath},
		Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789abcdef"}}}))

	var out, errs bytes.Buffer
	require.Equal(t, exitOK, Main([]string{"--version"}, &out, &errs), errs.String())
	require.Regexp(t, `^goldwire .+ \(go\S+ \w+/\w+\)\n$`, out.String())
}
