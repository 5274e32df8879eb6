package designtest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
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
	if line, a, b, same := firstDifference(got, want); !same { // not the whole of a picture
		t.Fatalf("%s is not what the model does now, from line %d: %.60q in the file, now %.60q; look at what "+
			"GOLDWIRE_UPDATE=1 go test writes", path, line, a, b)
	}
}

// firstDifference is the first line, from 1, in which two texts differ, from the first byte that does.
func firstDifference(a, b []byte) (line int, inA, inB string, same bool) {
	if bytes.Equal(a, b) {
		return 0, "", "", true
	}
	as, bs := strings.Split(string(a), "\n"), strings.Split(string(b), "\n")
	i := 0
	for i < min(len(as), len(bs))-1 && as[i] == bs[i] {
		i++
	}
	x, y := as[i], bs[i]
	n := 0
	for n < min(len(x), len(y)) && x[n] == y[n] {
		n++
	}
	return i + 1, x[n:], y[n:], false
}
