package designtest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/internal/output"
	"github.com/goldwire/goldwire/tb"
	"github.com/goldwire/goldwire/vectors"
	"github.com/goldwire/goldwire/wave"
)

const pictureCycles = 10

// checkPictures compares the folder pipelines with the models: a picture of each unit's ports over its first cycles,
// and a page that shows them.
func checkPictures(t *testing.T, d design.Design) {
	var index bytes.Buffer
	fmt.Fprintf(
		&index,
		"# Pipelines of %s\n\nEach module's ports over its first cycles after reset, drawn from the running model by its "+
			"own stimulus.\n"+
			"`goldwire vectors MODULE --format wavejson` draws the same, and gives the WaveJSON.\n",
		d.Name,
	)
	for _, u := range d.Units {
		set, err := vectors.Capture(u, pictureCycles, 1)
		require.NoError(t, err)
		text, err := set.WaveJSON(0, pictureCycles)
		require.NoError(t, err)
		var svg bytes.Buffer
		require.NoError(t, wave.WriteSVG(&svg, text))
		sameFile(t, filepath.Join("pipelines", u.Module()+".svg"), svg.Bytes())
		fmt.Fprintf(&index, "\n## %s\n\n%s (%s). Latency %d.\n\n![%s](%s.svg)\n", u.Name, u.Doc, u.Ref,
			u.Latency, u.Name, u.Module())
	}
	sameFile(t, filepath.Join("pipelines", "README.md"), index.Bytes())
}

// sameFile compares a file, or writes it.
func sameFile(t *testing.T, path string, want []byte) {
	t.Helper()
	if tb.Updating() {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, output.WriteFile(path, want))
	}
	got, err := os.ReadFile(path)
	require.NoError(t, err, "GOLDWIRE_UPDATE=1 go test writes it")
	require.Equal(t, string(want), string(got),
		"%s is not what the model does now: look at what GOLDWIRE_UPDATE=1 go test writes", path)
}
