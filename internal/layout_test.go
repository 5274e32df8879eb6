package internal_test

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const module = "github.com/goldwire/goldwire"

// layout reads the table of ARCHITECTURE.md: a package imports only packages that stand above it.
func layout(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("../ARCHITECTURE.md")
	require.NoError(t, err)
	_, table, found := strings.Cut(string(text),
		"## A package imports only packages above it\n\n| folder | what lives there |\n|---|---|\n")
	require.True(t, found)
	table, _, _ = strings.Cut(table, "\n\n")
	var order []string
	for line := range strings.Lines(table) {
		_, rest, _ := strings.Cut(line, "| `")
		folder, _, found := strings.Cut(rest, "` |")
		require.True(t, found, line)
		require.DirExists(t, "../"+folder)
		order = append(order, folder)
	}
	return order
}

func TestImportsFollowTheLayout(t *testing.T) {
	order := layout(t)
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}}{{range .Imports}} {{.}}{{end}}`, module+"/...").Output()
	require.NoError(t, err)
	rank := func(path string) int {
		path = strings.TrimPrefix(path, module+"/")
		r := slices.Index(order, path)
		for up := path; r < 0 && strings.Contains(up, "/"); { // a folder without a row belongs to the one around it
			up = up[:strings.LastIndexByte(up, '/')]
			r = slices.Index(order, up)
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
				a, b := designOf(words[0]), designOf(imported)
				require.False(t, a != "" && b != "" && a != b, "design %s imports design %s", a, b)
			}
		}
	}
	require.Greater(t, seen, 20)
}

// The top level has the folders of the layout, and a few without packages of the library. A command leaves none there.
func TestTopLevelHasOnlyWhatBelongsThere(t *testing.T) {
	known := map[string]bool{"build": true, "cmd": true, "docs": true, "examples": true, "scripts": true, "testdata": true,
		"tools": true}
	for _, folder := range layout(t) {
		first, _, _ := strings.Cut(folder, "/")
		known[first] = true
	}
	list, err := os.ReadDir("..")
	require.NoError(t, err)
	folders := 0
	for _, d := range list {
		if d.IsDir() && !strings.HasPrefix(d.Name(), ".") {
			folders++
			assert.True(t, known[d.Name()], "folder %s has no place in ARCHITECTURE.md", d.Name())
		}
	}
	require.LessOrEqual(t, folders, 27, "26 and build")
}

// designOf returns the design that a package belongs to, empty for none.
func designOf(path string) string {
	rest, ok := strings.CutPrefix(path, module+"/designs/")
	if !ok {
		return ""
	}
	name, _, _ := strings.Cut(rest, "/")
	return name
}

// mostLines is how long a file may be that somebody wrote: a reader keeps it in mind.
const mostLines = 500

// Files that somebody wrote have at most 500 lines. Generated ones say so in their first line (go help generate).
func TestFilesAreShort(t *testing.T) {
	generated := regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)
	files := 0
	require.NoError(t, filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil || generated.Match(text) {
			return err
		}
		files++
		assert.LessOrEqual(t, bytes.Count(text, []byte("\n")), mostLines, path)
		return nil
	}))
	require.Greater(t, files, 1000)
}
