package mutation

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/goldwire/goldwire/internal/abc"
	"github.com/goldwire/goldwire/internal/hdl"
)

var errTime = errors.New("the time is up")

// sweptFile is the graph that commands of yosys-abc have simplified.
const sweptFile = "swept.aig"

// verdict is a solver's answer.
type verdict int

const (
	unknown verdict = iota
	never           // bad is never true
	reached         // it is
	unfound         // it is not in the steps that were looked at
)

// wallTimes bounds the time that passes while a program has its time on the processor, which others may want too.
const wallTimes = 8

// abc runs commands of yosys-abc on a graph in the directory. A run that exceeds its time or memory is no error: done
// is false, and the files that it wrote may be cut short.
func (g *graph) abc(ctx context.Context, dir string, limit time.Duration, memory int64, commands string,
	line func(string), outputs ...literal) (done bool, err error) {
	file, err := os.Create(filepath.Join(dir, "graph.aig"))
	if err != nil {
		return false, err
	}
	if err := errors.Join(g.write(file, outputs...), file.Close()); err != nil {
		return false, err
	}
	limited, cancel := context.WithTimeoutCause(ctx, wallTimes*limit, errTime)
	defer cancel()
	err = hdl.Lines(
		limited,
		memory,
		dir,
		[]string{"sh", "-c", fmt.Sprintf(`ulimit -t %d 2>/dev/null; exec "$@"`, int(math.Ceil(limit.Seconds()))), "sh",
			"yosys-abc", "-c", "read_aiger graph.aig; " + commands},
		line,
	)
	exit := (*exec.ExitError)(nil)
	if ctx.Err() == nil && (errors.Is(err, errTime) || errors.As(err, &exit)) {
		return false, nil
	}
	return err == nil, err
}

// ask asks whether bad can ever be true. If wanted and it can, steps are the inputs of each step that leads there.
func (m *miter) ask(ctx context.Context, bad literal, limit time.Duration, memory int64, commands string,
	wanted bool) (v verdict, steps [][]byte, err error) {
	dir, err := os.MkdirTemp("", "goldwire-miter-")
	if err != nil {
		return unknown, nil, err
	}
	defer os.RemoveAll(dir)
	status := abc.Status("")
	done, err := m.abc(ctx, dir, limit, memory, commands+"; print_status; write_cex -a found.cex", func(line string) {
		if said, ok := abc.StatusIn(line); ok {
			status = said
		}
	}, bad)
	if err == nil && done && strings.HasPrefix(commands, simplified) {
		status, err = abc.Solved(status, filepath.Join(dir, sweptFile))
	}
	switch {
	case err != nil || !done:
		return unknown, nil, err
	case status == abc.Proved:
		return never, nil, nil
	case status == abc.Refuted:
		if wanted {
			steps, err = m.readFound(filepath.Join(dir, "found.cex"))
		}
		return reached, steps, err
	}
	return unfound, nil, nil
}

// constants returns which of the outputs commands of yosys-abc bring to 0, and whether they came to their end.
func (g *graph) constants(ctx context.Context, limit time.Duration, memory int64, commands string,
	outputs []literal) (zero []bool, done bool, err error) {
	dir, err := os.MkdirTemp("", "goldwire-graph-")
	if err != nil {
		return nil, false, err
	}
	defer os.RemoveAll(dir)
	zero = make([]bool, len(outputs))
	done, err = g.abc(ctx, dir, limit, memory, commands+"; write_aiger "+sweptFile, func(string) {}, outputs...)
	if err != nil || !done {
		return zero, false, err
	}
	zero, err = abc.Zeros(filepath.Join(dir, sweptFile))
	if err == nil && len(zero) != len(outputs) {
		err = fmt.Errorf("yosys-abc wrote a graph of %d outputs, want %d", len(zero), len(outputs))
	}
	return zero, err == nil, err
}

// readFound reads a counter-example: the latches' first values, then a line of inputs for each step.
func (m *miter) readFound(file string) (steps [][]byte, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	for k := 0; lines.Scan(); k++ {
		text, _, _ := strings.Cut(lines.Text(), "#")
		if k == 0 || text == "" {
			continue
		}
		if len(text) != m.graph.inputs || strings.Trim(text, "01") != "" {
			return nil, fmt.Errorf("yosys-abc's counter-example has %d values in step %d, want %d",
				len(text), k-1, m.graph.inputs)
		}
		steps = append(steps, []byte(text))
	}
	if len(steps) == 0 {
		return nil, errors.New("yosys-abc wrote no counter-example")
	}
	return steps, lines.Err()
}

// equal asks whether bad is never true. scorr joins nets that are always the same, which is most of the work; after it
// most mutants that are equal need no more than a few of pdr's frames.
func (m *miter) equal(ctx context.Context, bad literal, limit time.Duration, memory int64,
	commands string) (verdict, error) {
	if bad == literalFalse {
		return never, nil
	}
	v, _, err := m.ask(ctx, bad, limit, memory, commands, false)
	return v, err
}

// proof is a way to ask whether a mutant is equal.
type proof struct {
	commands string
	oneStep  bool // see stepApart
}

// Proofs of many mutants at once. Ifraig knows nothing of which registers' contents are reached; scorr finds by
// induction which nets are always the same.
var together = []proof{{"balance; ifraig -C 100", true}, {"balance; scorr", true}, {"balance; scorr", false}}

const simplified = "balance; scorr; write_aiger " + sweptFile + "; "

// Proofs of one.
var (
	reachedProof = proof{simplified + "pdr", true}
	quickProof   = proof{simplified + "pdr -F 4", false}
	wholeProof   = proof{simplified + "pdr", false}
)

// mostDirected is how many rows may follow to show one mutant, where the fewest are searched for.
var mostDirected = 64

// Searches for inputs: for the fewest rows, and for some, as many as it takes.
func shortest() string { return fmt.Sprintf("bmc3 -F %d", mostDirected) }
func anyDepth() string { return wholeProof.commands }

// find asks for inputs that make bad true. It is done if it looked at all steps that the commands look at.
func (m *miter) find(ctx context.Context, bad literal, limit time.Duration, memory int64,
	commands string) (rows [][]uint64, done bool, err error) {
	v, steps, err := m.ask(ctx, bad, limit, memory, commands, true)
	if err != nil || steps == nil {
		return nil, v == never || v == unfound, err
	}
	return m.rows(steps), true, nil
}
