package formal

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	"github.com/goldwire/goldwire/internal/abc"
)

// toProblem writes the prepared design as an and-inverter graph: assertions are its bad states, assumptions its
// constraints. Registers without an initial value become ones with, which show an input in the first step.
const toProblem = "read_rtlil " + problemFile + "\n" + gates + "write_aiger -zinit problem.aig\n"

// Yosys had a name for abc's three commands, -fast, up to 0.67.
const gates = `setundef -undriven -anyseq
dffunmap
techmap
opt -fast
dffunmap
formalff -anyinit2ff -fine
abc -g AND -script "+strash;dretime;map"
opt_clean
`

var pdrFrame = regexp.MustCompile(`asserted in frame (\d+)`)

// skipsReset tells whether a proof may begin after the reset.
func (s *search) skipsReset() bool { return !s.Refute && s.Lead > 0 }

// plainGates makes gates of cells as they are, which takes little time: yosys-abc makes one of equal gates.
const plainGates = `setundef -undriven -anyseq
opt -full
wreduce t:$add t:$sub t:$mul t:$lt t:$le t:$ge t:$gt t:$eq t:$ne t:$mux
opt_clean
dffunmap
simplemap
techmap
setundef -anyseq
opt_clean
dffunmap
formalff -anyinit2ff -fine
aigmap
`

// The graph that begins after the reset, and the rest of it with its nets joined.
const (
	afterFile  = "after.aig"
	joinedFile = "joined.aig"
)

// afterReset returns the engine that shows that the assertions hold in all states after any state that the reset can
// leave, as far as sums or joined nets show it; none if they do not. Yosys runs the steps of the lead with unknown
// inputs and registers: a register that is known then begins with its value, any other with every value. So registers
// of two forms of a thing begin alike, and scorr finds them to stay alike. More states are looked at than the reset
// leaves, so that a proof is one, but a refutation is none. No assertion is asked in the lead.
func (s *search) afterReset(ctx context.Context) (by Engine, err error) {
	s.tried = true
	s.opt.Progress("pdr: running the reset")
	script := fmt.Sprintf(
		"read_rtlil %s\nsim -q -clock clk -n %d -w %s\nformalff -clk2ff -ff2anyinit\ndelete t:$cover\n%s"+
			"write_aiger -zinit %s\n", clockedFile, s.Lead, s.Top, plainGates, afterFile,
	)
	if err := s.yosys(ctx, script, func(string) {}); err != nil {
		return "", err
	}
	if proved, err := s.bySums(ctx); proved || err != nil {
		return Sums, err
	}
	s.opt.Progress("pdr: joining nets that stay alike")
	for _, first := range joining {
		commands := fmt.Sprintf("read_aiger %s; %s; write_aiger %s", afterFile, first, joinedFile)
		if err := s.run(ctx, []string{"yosys-abc", "-c", commands}, func(string) {}); err != nil {
			return "", err
		}
		s.joined = true
		zeros, err := abc.Zeros(filepath.Join(s.dir, joinedFile))
		if err != nil || len(zeros) > 0 && !slices.Contains(zeros, false) {
			return PDR, err
		}
	}
	if proved, err := s.byWritten(ctx); !proved {
		return "", err
	}
	return PDR, nil
}

// joining are ways to join nets. Most pairs of nets that stay alike lie in the graph as it is. Rewriting it first joins
// more where two forms of a thing are far apart.
var joining = []string{"fold; scorr", "fold; dc2; scorr"}

// fromJoined asks pdr of the graph that afterReset left.
func (s *search) fromJoined(ctx context.Context) (by Engine, err error) {
	s.opt.Progress("pdr: looking for an invariant after the reset")
	if status, err := s.abc(ctx, joinedFile, "scorr", func(string) {}); status != abc.Proved {
		return "", err
	}
	return PDR, nil
}

// abc asks yosys-abc of a graph in the directory, after the commands of first: fold makes constraints part of the
// property, so that a path counts as long as they hold, and scorr joins nets that are proved to be always alike. Where
// two forms of a thing are compared, that is most of the work.
func (s *search) abc(ctx context.Context, file, first string, line func(string)) (abc.Status, error) {
	const commands = "read_aiger %s; %s; write_aiger %s; pdr; print_status"
	const swept = "swept.aig"
	status := abc.Status("")
	err := s.run(ctx, []string{"yosys-abc", "-c", fmt.Sprintf(commands, file, first, swept)}, func(text string) {
		if said, ok := abc.StatusIn(text); ok {
			status = said
		}
		line(text)
	})
	if err != nil {
		return "", err
	}
	return abc.Solved(status, filepath.Join(s.dir, swept))
}

// pdr asks yosys-abc, which verifies the invariant that it finds. A refutation is looked for again by sat, whose trace
// is the shortest.
func (s *search) pdr(ctx context.Context) (*Answer, error) {
	if s.skipsReset() {
		half, cancel := context.WithTimeoutCause(ctx, s.share(s.opt.Time)/2, errTime)
		by, err := Engine(""), error(nil)
		if !s.tried {
			by, err = s.afterReset(half)
		}
		if s.joined && by == "" && err == nil {
			by, err = s.fromJoined(half)
		}
		cancel()
		if by != "" && err == nil {
			return &Answer{Verdict: Proved, Engine: by}, nil
		}
		if ctx.Err() != nil {
			return s.bounded("the time was up"), nil
		}
	}
	s.opt.Progress("pdr: writing the problem")
	err := s.yosys(ctx, toProblem, func(string) {})
	status, frame := abc.Status(""), 0
	if err == nil {
		s.opt.Progress("pdr: looking for an invariant")
		status, err = s.abc(ctx, "problem.aig", "fold; scorr", func(line string) {
			if m := pdrFrame.FindStringSubmatch(line); m != nil {
				frame, _ = strconv.Atoi(m[1]) // digits
			}
		})
	}
	var exit *exec.ExitError
	switch {
	case errors.Is(err, errTime):
		return s.bounded("the time was up"), nil
	case errors.As(err, &exit):
		return s.bounded(fmt.Sprintf("yosys-abc ended with %v", exit)), nil
	case err != nil:
		return nil, err
	case status == abc.Proved: // by an invariant that pdr has checked, or by rewriting alone
		return &Answer{Verdict: Proved, Engine: PDR}, nil
	case status == abc.Refuted:
		s.opt.Progress("pdr: refuted, looking for the shortest trace")
		a, err := s.sat(ctx, max(frame+1, s.Lead+1), false)
		if err == nil && a.Verdict == Bounded && a.Steps < math.MaxInt {
			a.Why = fmt.Sprintf("pdr refutes it in step %d, but the time was up before a trace was found", frame+1)
		}
		return a, err
	}
	return s.bounded("pdr came to no end"), nil
}
