// Package doccommands runs a page of the documentation as a reader would: it writes the files that the page shows and types its commands.
package doccommands

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// limit is how long one command may take.
const limit = 5 * time.Minute

// elided stands in a page for lines or parts of lines that are not shown.
const elided = "…"

// Run walks through the pages in the directory, in their order, and returns how many commands it ran.
//
// A fence "```go file=parity.go" holds a file. A fence without a language holds commands, after "$ ", and below each what it prints:
// each line shown must stand in what is printed, up to spaces and what "…" leaves out. A line that begins with two spaces and "#" is a
// remark. Commands are found in the directory bin of the first page's directory, then on PATH.
func Run(t *testing.T, dir string, pages ...string) (commands int) {
	t.Helper()
	for _, page := range pages {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		w := &walker{t: t, dir: dir, page: filepath.Base(page)}
		for line := range strings.Lines(string(text)) {
			w.line(strings.TrimRight(line, "\n"))
		}
		require.Empty(t, w.fence, "%s: a fence is not closed", w.page)
		commands += w.commands
	}
	return commands
}

type walker struct {
	t         *testing.T
	dir, page string

	fence    string // the opening line of the fence, empty outside
	file     []string
	said     string // by the last command
	commands int
}

var fileName = regexp.MustCompile(` file=(\S+)$`)

func (w *walker) line(line string) {
	w.t.Helper()
	switch {
	case strings.HasPrefix(line, "```") && w.fence == "":
		w.fence, w.file = line, nil
	case strings.HasPrefix(line, "```"):
		if name := fileName.FindStringSubmatch(w.fence); name != nil {
			path := filepath.Join(w.dir, filepath.FromSlash(name[1]))
			require.NoError(w.t, os.MkdirAll(filepath.Dir(path), 0o755))
			require.NoError(w.t, os.WriteFile(path, []byte(strings.Join(w.file, "\n")+"\n"), 0o644))
		}
		w.fence = ""
	case w.fence != "" && w.fence != "```":
		w.file = append(w.file, line)
	case w.fence == "```" && strings.HasPrefix(line, "$ "):
		w.commands++
		w.said = w.run(line[2:])
	case w.fence == "```" && w.said != "":
		at := 0
		for part := range strings.SplitSeq(line, elided) {
			part = single(part)
			next := strings.Index(w.said[at:], part)
			require.GreaterOrEqual(w.t, next, 0, "%s shows %q, which is not in what was printed:\n%s", w.page, line, w.said)
			at += next + len(part)
		}
	}
}

// run returns all that a command prints, with single spaces. Some commands fail, as their pages say.
func (w *walker) run(command string) string {
	w.t.Helper()
	command, _, _ = strings.Cut(command, "  #")
	ctx, cancel := context.WithTimeout(w.t.Context(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", command)
	cmd.Dir = w.dir
	cmd.Env = append(os.Environ(), "PATH="+filepath.Join(w.dir, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, _ := cmd.CombinedOutput()
	require.NoError(w.t, ctx.Err(), "%s: %s", w.page, command)
	require.NotNil(w.t, cmd.ProcessState)
	w.t.Logf("%s: $ %s\n%s", w.page, command, out)
	return single(string(out)) + " "
}

func single(s string) string { return strings.Join(strings.Fields(s), " ") }
