package formal

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
)

var smtStep = regexp.MustCompile(`(Checking assertions|Trying induction) in step (\d+)\.\.`)

// smt asks yosys-smtbmc with z3: step by step first, then by induction over as many. A refutation is looked for again
// by sat, for its trace.
func (s *search) smt(ctx context.Context, steps int) (*Answer, error) {
	err := s.yosys(
		ctx, "read_rtlil "+problemFile+"\nformalff -anyinit2ff\nwrite_smt2 -wires problem.smt2\n", func(string) {},
	)
	if errors.Is(err, errTime) {
		return s.bounded("the time was up"), nil
	}
	if err != nil {
		return nil, err
	}
	check := func(options ...string) (status string, step int, err error) {
		command := append([]string{"yosys-smtbmc", "-s", "z3", "-t", strconv.Itoa(steps)}, options...)
		err = s.run(ctx, append(command, "problem.smt2"), func(line string) {
			if m := smtStep.FindStringSubmatch(line); m != nil {
				step, _ = strconv.Atoi(m[2]) // digits
				s.opt.Progress(fmt.Sprintf("smt: %s, step %d of %d", strings.ToLower(m[1]), step, steps))
				if m[1] == "Checking assertions" {
					s.known = max(s.known, step) // those before it
				}
			}
			if _, text, ok := strings.Cut(line, "Status: "); ok {
				status = strings.TrimSpace(text)
			}
		})
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && status != "" {
			err = nil // its status says more
		}
		return status, step, err
	}
	status, step, err := check()
	if err == nil && status == "PASSED" {
		s.known = max(s.known, steps)
		if status, step, err = check("-i"); err == nil && status == "PASSED" {
			return &Answer{Verdict: Proved, Engine: SMT, Steps: max(1, steps-step)}, nil
		}
	} else if err == nil && status == "FAILED" {
		return s.sat(ctx, step+1, false)
	}
	switch {
	case errors.Is(err, errTime):
		return s.bounded("the time was up"), nil
	case err != nil:
		return nil, fmt.Errorf("yosys-smtbmc: %w", err)
	}
	return s.bounded(fmt.Sprintf("no induction of up to %d steps closes", steps)), nil
}
