// Package doccommands runs a page of the documentation as a reader would: it writes the files that the page shows and
// types its commands.
package doccommands

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// limit is how long one command may take.
const limit = 5 * time.Minute

// elided stands in a page for lines or parts of lines that are not shown.
const elided = "…"

// Run walks through the pages in the directory, in their order, and returns how many commands it ran.
//
// A fence "```go file=parity.go" holds a file. A fence without a language holds commands, after "$ ", and below each
// its output: each line shown must stand in the output, whole words of one line, up to spaces and the parts that "…"
// leaves out. A remark after two spaces and "#" is for the reader alone, except "exit code N", with which the command
// must end; without it, with 0. Commands are found in the directory bin of the first page's directory, then on PATH.
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
	said     string // by the last command, words with single spaces
	shell    bool   // a command was run in this fence
	commands int
}

var fileName = regexp.MustCompile(` file=(\S+)$`)

func (w *walker) line(line string) {
	w.t.Helper()
	switch {
	case strings.HasPrefix(line, "```") && w.fence == "":
		w.fence, w.file, w.shell = line, nil, false
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
		w.said, w.shell = w.run(line[2:]), true
	case w.fence == "```" && w.shell:
		assert.True(w.t, shows(w.said, line), "%s shows %q, which is not in what was printed:\n%s", w.page, line, w.said)
	}
}

// shows tells whether a line of the output has the words of a line of a page, one after the other. "…" stands for any
// part of a line, or for lines if it stands alone.
func shows(said, line string) bool {
	words := strings.Fields(line)
	if len(words) == 0 || len(words) == 1 && words[0] == elided {
		return true
	}
	for i, word := range words {
		parts := strings.Split(word, elided)
		for j := range parts {
			parts[j] = regexp.QuoteMeta(parts[j])
		}
		words[i] = strings.Join(parts, ".*") // … alone is .*, and may be no word
	}
	pattern := strings.NewReplacer(" .* ", "(?: .*)? ", ".* ", ".*").Replace(strings.Join(words, " "))
	return regexp.MustCompile(`(?m)(?:^| |\()` + pattern + `[,;:.)]?(?:$| )`).MatchString(said)
}

var exitCode = regexp.MustCompile(`\bexit code ([0-9]+)`)

// run returns a command's output, each line with single spaces.
func (w *walker) run(command string) string {
	w.t.Helper()
	command, remark, _ := strings.Cut(command, "  #")
	want := 0
	if code := exitCode.FindStringSubmatch(remark); code != nil {
		want, _ = strconv.Atoi(code[1])
	}
	ctx, cancel := context.WithTimeout(w.t.Context(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", command)
	cmd.Dir = w.dir
	cmd.Env = append(os.Environ(), "PATH="+filepath.Join(w.dir, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	require.NoError(w.t, ctx.Err(), "%s: %s", w.page, command)
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) { // its code is compared below
		require.NoError(w.t, err, "%s: %s", w.page, command)
	}
	w.t.Logf("%s: $ %s\n%s", w.page, command, out)
	assert.Equal(w.t, want, cmd.ProcessState.ExitCode(), "%s: the exit code of %s, which prints\n%s", w.page, command, out)
	var said strings.Builder
	for line := range strings.Lines(string(out)) {
		said.WriteString(strings.Join(strings.Fields(line), " ") + "\n")
	}
	return said.String()
}
