package formal

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

var (
	satBase   = regexp.MustCompile(`^Base case for induction length (\d+) proven\.`)
	satWork   = regexp.MustCompile(`^\[(base case|induction step) (\d+)\] Solving problem with (\d+) variables`)
	satClosed = regexp.MustCompile(`^Induction step proven: SUCCESS!`)
	satFailed = regexp.MustCompile(`model found for base case: FAIL!`)
	satDepth  = regexp.MustCompile(`^Reached maximum number of time steps`)
)

// sat asks Yosys' own solver, up to a number of steps, the lead among them. What sat calls the base case of length k is
// about step k+1, the first step, -seq 1, being taken for granted: it is in reset.
func (s *search) sat(ctx context.Context, steps int, induction bool) (*Answer, error) {
	kind := "-tempinduct"
	if !induction {
		kind = "-tempinduct-baseonly"
	}
	cut := ""
	if s.Refute {
		cut = bitwise
	}
	script := fmt.Sprintf(
		"read_rtlil %s\nformalff -anyinit2ff\n%ssat -prove-asserts -set-assumes %s -seq 1 -maxsteps %d", problemFile, cut,
		kind, steps-1,
	)
	for _, name := range s.Show {
		script += ` -show \` + name
	}
	script += " " + s.Top + "\n"
	t := newTrace(s.Show, s.Lead)
	a := &Answer{Engine: SAT}
	step, ended := 0, false
	err := s.yosys(ctx, script, func(line string) {
		switch {
		case satWork.MatchString(line):
			m := satWork.FindStringSubmatch(line)
			step, _ = strconv.Atoi(m[2]) // digits
			step++
			s.opt.Progress(fmt.Sprintf("sat: %s, step %d of %d", m[1], step, steps))
		case satBase.MatchString(line):
			n, _ := strconv.Atoi(satBase.FindStringSubmatch(line)[1]) // digits
			s.known = max(s.known, n+1)
		case satClosed.MatchString(line):
			a.Verdict, a.Steps = Proved, step-1
		case satFailed.MatchString(line):
			a.Verdict, a.Steps = Refuted, step
		case satDepth.MatchString(line):
			ended = true
		case a.Verdict == Refuted:
			t.line(line)
		}
	})
	switch {
	case errors.Is(err, errTime):
		return s.bounded("the time was up"), nil
	case err != nil:
		return nil, err
	case a.Verdict == Refuted:
		a.Trace = t
		return a, t.check(a.Steps)
	case a.Verdict == Proved:
		return a, nil
	case ended && induction:
		return s.bounded(fmt.Sprintf("no induction of up to %d steps closes", steps)), nil
	case ended:
		return s.bounded("no proof without a bound was found"), nil
	}
	return nil, fmt.Errorf("yosys sat ended without a result that is known here")
}

// tableRow is a value in the table that sat prints of a model.
var tableRow = regexp.MustCompile(`^\s+(\d+) \\(\S+)\s.*\s([01]+)$`)

// line takes a line of sat's table.
func (t *trace) line(text string) {
	m := tableRow.FindStringSubmatch(strings.TrimRight(text, " "))
	if m == nil {
		return
	}
	step, err := strconv.Atoi(m[1])
	if err != nil {
		return
	}
	t.set(step-1, m[2], m[3])
}
