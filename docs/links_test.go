package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	link     = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading  = regexp.MustCompile(`(?m)^#+ (.*)$`)
	dropped  = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
	fenceAny = regexp.MustCompile("(?sm)^```.*?^```$")
)

// Every link of every page leads to a file that is there, and to a heading that it has.
func TestLinks(t *testing.T) {
	out, err := exec.Command("git", "-C", "..", "ls-files", "*.md").Output()
	if err != nil {
		t.Skip("the links were NOT looked at: this is no clone")
	}
	seen := 0
	for _, page := range strings.Fields(string(out)) {
		text, err := os.ReadFile(filepath.Join("..", page))
		require.NoError(t, err)
		for _, m := range link.FindAllStringSubmatch(fenceAny.ReplaceAllString(string(text), ""), -1) {
			target, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
				continue
			}
			seen++
			path := filepath.Join("..", page)
			if target != "" {
				path = filepath.Join("..", filepath.Dir(page), target)
			}
			require.FileExists(t, orAFile(path), "%s: %s", page, m[1])
			if anchor != "" {
				linked, err := os.ReadFile(path)
				require.NoError(t, err, "%s: %s", page, m[1])
				require.Contains(t, anchors(string(linked)), anchor, "%s: %s", page, m[1])
			}
		}
	}
	require.Greater(t, seen, 50)
}

// orAFile is a folder's own path where it is there, as a file that is.
func orAFile(path string) string {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return "links_test.go"
	}
	return path
}

// anchors are the link names of a page's headings.
func anchors(text string) (list []string) {
	for _, h := range heading.FindAllStringSubmatch(fenceAny.ReplaceAllString(text, ""), -1) {
		list = append(list, strings.ReplaceAll(dropped.ReplaceAllString(strings.ToLower(h[1]), ""), " ", "-"))
	}
	return list
}
