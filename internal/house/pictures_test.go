package house_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/renameio/v2"
	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/house"
	"github.com/goldwire/goldwire/tb"
	"github.com/goldwire/goldwire/vectors"
	"github.com/goldwire/goldwire/wave"
)

// docs/pipelines has a picture of each module's ports over some cycles, as the model has them now. go test -update draws
// them again.
func TestPicturesInTheDocs(t *testing.T) {
	const cycles = 10
	var index bytes.Buffer
	index.WriteString("# Pipelines\n\nEach module's ports over its first cycles behind reset, drawn from the running model by its own stimulus.\n" +
		"`goldwire vectors MODULE --format wavejson` draws the same, and gives the WaveJSON.\n")
	for _, u := range house.Designs().Units() {
		set, err := vectors.Capture(u, cycles, 1)
		require.NoError(t, err)
		text, err := set.WaveJSON(0, cycles)
		require.NoError(t, err)
		var svg bytes.Buffer
		require.NoError(t, wave.WriteSVG(&svg, text))
		same(t, u.Module()+".svg", svg.Bytes())
		fmt.Fprintf(&index, "\n## %s\n\n%s (%s). Latency %d.\n\n![%s](%s.svg)\n", u.Name, u.Doc, u.Ref, u.Latency, u.Name, u.Module())
	}
	same(t, "README.md", index.Bytes())
}

// same compares a file of the docs, or writes it.
func same(t *testing.T, name string, want []byte) {
	t.Helper()
	path := filepath.Join("..", "..", "docs", "pipelines", name)
	if tb.Updating() {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, renameio.WriteFile(path, want, 0o644))
	}
	got, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got), "%s is not what the model does now: go test -update", path)
}
