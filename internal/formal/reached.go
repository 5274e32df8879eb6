package formal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// A run of the assumptions has at least longestRun steps after the lead, and an assertion is asked within latestAsked
// steps: else a proof would say nothing.
const (
	longestRun  = 32
	latestAsked = 1024
	// Cover statements, and all where inputs are held, are looked for step by step.
	latestCovered = 128
)

// bitwise makes cells of one bit, of which opt_clean leaves out what nothing depends on: many steps in a row are cheap
// then.
const bitwise = "pmuxtree\nsimplemap\nopt_clean\n"

var (
	satModel = regexp.MustCompile(`^SAT solving finished - model found:`)
	satNone  = regexp.MustCompile(`^SAT solving finished - no model found`)
)

// reached wants some inputs that meet the assumptions, step after step, and for each assertion a step in which it is
// asked, for each cover statement one in which its condition is true. It finds the earliest such step of each, counted
// from 1, and returns the latest of these, and how many conditions there are: a search that ends sooner has not asked
// all assertions. An error names the assertion that is never asked.
func (s *search) reached(ctx context.Context) (step, conditions int, err error) {
	s.opt.Progress("looking for inputs that the assumptions allow")
	asked, covers, err := s.conditions()
	if err != nil {
		return 0, 0, err
	}
	// What no condition and no assumption depends on is cut off bit by bit, so that many steps are cheap.
	var script strings.Builder
	fmt.Fprintf(
		&script, "read_rtlil %s\nformalff -anyinit2ff\nsetattr -unset keep w:*\n%scd %s\ndesign -save all\n", reachFile,
		bitwise, s.Top,
	)
	fmt.Fprintf(&script, "delete t:$assert\nopt_clean\nsat -set-assumes -seq %d\n", s.Lead+longestRun)
	for _, cell := range asked {
		kind, most := "-tempinduct", latestAsked // it says of some conditions that they are never met
		if covers[cell] || len(s.Hold) > 0 {
			kind, most = "-tempinduct-baseonly", latestCovered // those take long to solve from any state
		}
		fmt.Fprintf(
			&script,
			"design -load all\ndelete t:$assert c:%s %%d\nconnect -port %s A 1'0\nopt_clean\n"+
				"sat -prove-asserts -set-assumes -seq 1 %s -maxsteps %d\n",
			cell, cell, kind, most,
		)
	}
	at, run, done := 0, false, 0
	var never error
	err = s.yosys(ctx, script.String(), func(line string) {
		switch {
		case satModel.MatchString(line):
			run = true
		case satNone.MatchString(line):
			never = fmt.Errorf(
				"nothing is proved: no inputs meet the assumptions in the first %d steps after the reset", longestRun,
			)
		case satWork.MatchString(line):
			at, _ = strconv.Atoi(satWork.FindStringSubmatch(line)[2]) // digits
			at++
		case satFailed.MatchString(line):
			step = max(step, at)
			done++
		case satClosed.MatchString(line) || satDepth.MatchString(line):
			if never == nil {
				never = fmt.Errorf(
					"nothing is proved: %s is not asked in the first %d steps, or as a cover not reached in %d, whatever the inputs "+
						"that the assumptions allow",
					asked[done], latestAsked, latestCovered,
				)
			}
			done++
		}
	})
	switch {
	case err != nil:
		return 0, 0, err
	case never != nil:
		return 0, 0, never
	case !run || done != len(asked):
		return 0, 0, errors.New("yosys sat ended without a result that is known here")
	}
	return step, len(asked), nil
}

// conditions returns one assertion for each condition under which assertions are asked, and which of them are cover
// statements.
func (s *search) conditions() (cells []string, covers map[string]bool, err error) {
	data, err := os.ReadFile(filepath.Join(s.dir, netlistFile))
	if err != nil {
		return nil, nil, err
	}
	var n netlist
	if err := json.Unmarshal(data, &n); err != nil {
		return nil, nil, fmt.Errorf("yosys' netlist: %w", err)
	}
	seen := map[any]bool{}
	covers = map[string]bool{}
	for _, name := range sorted(n.Modules[s.Top].Cells) {
		c := n.Modules[s.Top].Cells[name]
		if c.Type != "$assert" {
			continue
		}
		if en := c.Connect["EN"][0]; !seen[en] {
			seen[en] = true
			cells = append(cells, name)
			covers[name] = c.Connect["A"][0] == "1"
		}
	}
	return cells, covers, nil
}
