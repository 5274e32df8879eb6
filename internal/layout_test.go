package internal_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/goldwire/goldwire"

// order is the layout: a package imports only packages that stand above it. hdl imports nothing of ours.
var order = []string{"internal/near", "clock", "rtl", "blocks", "wave", "vectors", "tb", "hdl", "cosim", "claims", "workload", "measure", "plots", "bench", "experiment", "design", "dpi", "blocks/units",
	"pcs", "pqueue", "xbar", "ethernet", "packetnet", "designs", "internal", "cli", "docs", "cmd", "examples"}

func TestImportsFollowTheLayout(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}}{{range .Imports}} {{.}}{{end}}`, module+"/...").Output()
	require.NoError(t, err)
	rank := func(path string) int {
		path = strings.TrimPrefix(path, module+"/")
		r := slices.Index(order, path)
		if r < 0 {
			top, _, _ := strings.Cut(path, "/")
			r = slices.Index(order, top)
		}
		require.GreaterOrEqual(t, r, 0, "%s has no place in the layout", path)
		return r
	}
	seen := 0
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		for _, imported := range words[1:] {
			if strings.HasPrefix(imported, module+"/") {
				seen++
				require.LessOrEqual(t, rank(imported), rank(words[0]), "%s imports %s", words[0], imported)
			}
		}
	}
	require.Greater(t, seen, 20)
}
