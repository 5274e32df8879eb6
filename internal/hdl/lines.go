package hdl

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
)

// Lines runs a command in a directory, with a limit of memory in bytes, and hands over each line that it writes as it
// comes. The error of a command that ends with another status than 0 is an [exec.ExitError]; of one that was stopped,
// the context's. A line that is too long to be handed over whole is an error, too.
func Lines(ctx context.Context, memory int64, dir string, command []string, line func(string)) error {
	return OutputAndLines(ctx, memory, dir, command, nil, line)
}

// OutputAndLines is Lines of the command's standard error; the rest goes to out as it is, unless that is nil.
func OutputAndLines(
	ctx context.Context, memory int64, dir string, command []string, out io.Writer, line func(string),
) error {
	cmd := Command(ctx, memory, command)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TMPDIR="+dir) // files that it leaves there when it is stopped go with it
	w := &lineWriter{line: line}
	cmd.Stdout, cmd.Stderr = w, w
	if out != nil {
		cmd.Stdout = out
	}
	err := Run(cmd)
	w.end()
	if ctx.Err() != nil {
		return fmt.Errorf("%s was stopped: %w", command[0], context.Cause(ctx))
	}
	if err == nil && w.cut {
		err = fmt.Errorf(
			"%s wrote a line of more than %d bytes, want shorter ones: it cannot be read whole", command[0], longestLine,
		)
	}
	return err
}

// lineWriter cuts its input into lines. A line has a greatest length, so that a program gone wild takes no memory.
type lineWriter struct {
	line func(string)
	rest []byte
	cut  bool // some line was longer
}

const longestLine = 16 << 20

func (w *lineWriter) Write(b []byte) (int, error) {
	n := len(b)
	for {
		part, rest, ended := bytes.Cut(b, []byte{'\n'})
		room := longestLine - len(w.rest)
		w.cut = w.cut || len(part) > room
		w.rest = append(w.rest, part[:min(len(part), room)]...)
		if !ended {
			return n, nil
		}
		w.end()
		b = rest
	}
}

func (w *lineWriter) end() {
	if len(w.rest) > 0 {
		w.line(string(w.rest))
	}
	w.rest = w.rest[:0]
}
