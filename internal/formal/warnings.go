package formal

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Warnings of Yosys: names without a declaration, of which it makes wires of one bit, and latches. It warns of bits
// beyond a vector in branches that are never taken, too: those are not listened to.
var (
	yosysWarning = regexp.MustCompile(
		`^(.*):(\d+)(?:\.\d+-\d+\.\d+)?: Warning: Identifier ` + "`(.*)' is implicitly declared",
	)
	yosysLatch = regexp.MustCompile(
		`^(?:Warning: )?Latch inferred for signal .* from process .*\$proc\$(.*?):(\d+)(?:\.[\d.-]+)?\$\d+': (\S+)$`,
	)
	yosysCell = regexp.MustCompile(`^[^\s/]+/(\S+)$`)
)

// warnings of a run of Yosys that bear on a verdict.
type warnings struct {
	list     []string          // "a latch at a.v:3"
	invented string            // a call that became a wire
	latches  map[string]string // by their cells, with their places
}

func (w *warnings) hear(line string) {
	text := ""
	if m := yosysLatch.FindStringSubmatch(line); m != nil {
		if w.latches == nil {
			w.latches = map[string]string{}
		}
		w.latches[m[3]] = fmt.Sprintf("a latch at %s:%s", filepath.Base(m[1]), m[2])
	} else if m := yosysCell.FindStringSubmatch(line); m != nil {
		text = w.latches[m[1]] // one that something reads: variables of loops have been taken out
	} else if m := yosysWarning.FindStringSubmatch(line); m != nil {
		place := fmt.Sprintf("%s:%s", filepath.Base(m[1]), m[2])
		switch name := strings.TrimPrefix(m[3], `\`); {
		case strings.HasPrefix(name, "$") && w.invented == "":
			w.invented = fmt.Sprintf("%s:%s: it knows no %s, and takes it for a wire", m[1], m[2], name)
		case !strings.HasPrefix(name, "$") && !strings.Contains(name, "."): // a member of an interface is declared there
			text = fmt.Sprintf("an undeclared name %s at %s", name, place)
		}
	}
	if text != "" && !slices.Contains(w.list, text) {
		w.list = append(w.list, text)
	}
}

// refused is the error of RTL with a call that became a wire, nil if there is none.
func (w *warnings) refused() error {
	if w.invented == "" {
		return nil
	}
	return &Error{w.invented, ""}
}

// lintTime bounds a look of Yosys at RTL, in time on the processor; lintWall bounds it where the system counts none, or
// is busy. A look that takes longer is told of.
const (
	lintTime = 20 * time.Second
	lintWall = 15 * lintTime
)

// Warnings reads a part and returns the warnings of Yosys that bear on a verdict: "a latch at a.v:3". There are none if
// Yosys is not there, or does not take the RTL.
func Warnings(ctx context.Context, p Part, memory int64) []string {
	if Available(SAT) != nil {
		return nil
	}
	dir, err := os.MkdirTemp("", "goldwire-lint-")
	if err != nil {
		return nil
	}
	defer os.RemoveAll(dir)
	ctx, cancel := context.WithTimeout(ctx, lintWall)
	defer cancel()
	s := &search{opt: Options{Memory: memory, Engine: SAT, Processor: lintTime}, dir: dir}
	command, err := s.read("-sv", p.Includes, p.Files)
	if err != nil {
		return nil
	}
	var said warnings
	const script = "%s\nhierarchy -check -top %s\nproc\nopt_expr\nopt_clean\nselect -list t:$dlatch t:$adlatch t:$sr\n"
	err = s.yosys(ctx, fmt.Sprintf(script, command, p.Top), said.hear)
	switch {
	case errors.Is(err, errTime) || errors.Is(ctx.Err(), context.DeadlineExceeded):
		return []string{fmt.Sprintf("latches not looked for: yosys took more than %v", lintTime)}
	case err != nil:
		return nil
	}
	return said.list
}
