package formal

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os/exec"
	"regexp"
	"strconv"
)

// aiger writes the prepared design as an and-inverter graph: assertions are its bad states, assumptions its
// constraints. Registers without an initial value become ones with, which show an input in the first step.
const aiger = "read_rtlil " + problemFile + `
setundef -undriven -anyseq
dffunmap
techmap
opt -fast
dffunmap
formalff -anyinit2ff -fine
abc -g AND -fast
opt_clean
write_aiger -zinit problem.aig
`

var (
	pdrFrame  = regexp.MustCompile(`asserted in frame (\d+)`)
	pdrStatus = regexp.MustCompile(`Status = (-?\d)`)
	pdrChecks = regexp.MustCompile(`Verification of invariant with \d+ clauses was successful`)
)

// pdr asks yosys-abc. It verifies the invariant that it finds. A refutation is looked for again by sat, whose trace is
// the shortest.
func (s *search) pdr(ctx context.Context) (*Answer, error) {
	s.opt.Progress("pdr: writing the problem")
	err := s.yosys(ctx, aiger, func(string) {})
	status, frame, verified := "", 0, false
	if err == nil {
		s.opt.Progress("pdr: looking for an invariant")
		// fold makes constraints part of the property: a path counts as long as they hold. scorr joins nets that are proved
		// to be always the same, which is most of the work where two forms of a thing are compared.
		command := []string{"yosys-abc", "-c", "read_aiger problem.aig; fold; scorr; pdr; print_status"}
		err = s.run(ctx, command, func(line string) {
			if m := pdrFrame.FindStringSubmatch(line); m != nil {
				frame, _ = strconv.Atoi(m[1]) // digits
			}
			if m := pdrStatus.FindStringSubmatch(line); m != nil {
				status = m[1]
			}
			verified = verified || pdrChecks.MatchString(line)
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
	case status == "1":
		_ = verified // a proof without an invariant is one by rewriting alone
		return &Answer{Verdict: Proved, Engine: PDR}, nil
	case status == "0":
		s.opt.Progress("pdr: refuted, looking for the shortest trace")
		a, err := s.sat(ctx, max(frame+1, s.Lead+1), false)
		if err == nil && a.Verdict == Bounded && a.Steps < math.MaxInt {
			a.Why = fmt.Sprintf("pdr refutes it in step %d, but the time was up before a trace was found", frame+1)
		}
		return a, err
	}
	return s.bounded("pdr came to no end"), nil
}
