package docs_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cli"
	"github.com/goldwire/goldwire/internal/catalogue"
	"github.com/goldwire/goldwire/tb"
)

// gallery is the pictures of docs/gallery, each with the command that draws it; FILE stands for the picture's path.
var gallery = map[string][]string{
	"read.svg":     {"run", "edm", "latency", "--phases", "0", "--journeys", "FILE"},
	"errors.svg":   {"run", "rifl", "sweep", "--errors", "1000", "--plot", "FILE"},
	"schedule.svg": {"run", "drmt", "program", "--program", "l2l3", "--packets", "200", "--plot", "FILE"},
	"fabrics.svg": {
		"run", "rack", "compare", "--fabrics", "edm,shoal,spfc,dctcp,cxl", "--nodes", "32",
		"--loads", "0.05,0.1,0.15,0.2,0.25", "--messages", "10000", "--plot", "FILE",
	},
	"waveform.svg": {"vectors", "blocks/fifo", "--cycles", "16", "--format", "wavejson", "--dir", "DIRECTORY"},
	"report.png":   {"report", "edm/table1", "rifl/latency", "--out", "FILE"},
}

// Each picture of the gallery is the same as its command draws now. Of the report's page, which a browser has to draw,
// the gallery keeps the checksum of the page that was drawn. GOLDWIRE_UPDATE=1, as make gallery sets it, draws all
// again.
func TestTheGallery(t *testing.T) {
	for name, arguments := range gallery {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, name)
			if name == "report.png" {
				path = filepath.Join(dir, "page.html")
			}
			typed := make([]string, len(arguments))
			for i, a := range arguments {
				switch a {
				case "FILE":
					a = path
				case "DIRECTORY":
					a = filepath.Join(dir, "set")
					path = filepath.Join(a, "blocks_fifo.svg")
				}
				typed[i] = a
			}
			var out bytes.Buffer
			require.Zero(t, cli.Main(typed, &out, &out, catalogue.Designs()...), out.String())
			made, err := os.ReadFile(path)
			require.NoError(t, err)
			kept := filepath.Join("gallery", name)
			if name == "report.png" {
				made = fmt.Appendf(nil, "%x\n", sha256.Sum256(made))
				sum := filepath.Join("gallery", "report.sha256")
				if old, _ := os.ReadFile(sum); tb.Updating() && !bytes.Equal(old, made) {
					photograph(t, path, kept)
				}
				kept = sum
			}
			if tb.Updating() {
				require.NoError(t, os.WriteFile(kept, made, 0o644))
				return
			}
			old, err := os.ReadFile(kept)
			require.NoError(t, err)
			require.True(t, bytes.Equal(old, made), "docs/gallery/%s is not what its command draws now: run make gallery", name)
		})
	}
	files, err := os.ReadDir("gallery")
	require.NoError(t, err)
	require.Len(t, files, len(gallery)+1, "docs/gallery has the pictures of this test and report.sha256")
}

// photograph writes a picture of the top of a page, as Chromium shows it.
func photograph(t *testing.T, page, picture string) {
	t.Helper()
	absolute, err := filepath.Abs(picture)
	require.NoError(t, err)
	arguments := []string{
		"--headless",
		"--disable-gpu",
		"--hide-scrollbars",
		"--window-size=900,720",
		"--user-data-dir=" + t.TempDir(),
		"--screenshot=" + absolute,
		"file://" + page,
	}
	if os.Getuid() == 0 {
		arguments = append(arguments, "--no-sandbox") // it refuses to sandbox for root
	}
	text, err := exec.Command("chromium", arguments...).CombinedOutput()
	require.NoError(t, err, "the report's page needs Chromium to be drawn: %s", text)
}
