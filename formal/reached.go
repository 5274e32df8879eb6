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

// A run of the assumptions has at least longestRun steps after the lead, and an assertion is asked within latestAsked steps: else a proof would
// say nothing.
const (
	longestRun  = 32
	latestAsked = 1024
)

var (
	satModel = regexp.MustCompile(`^SAT solving finished - model found:`)
	satNone  = regexp.MustCompile(`^SAT solving finished - no model found`)
)

// reached wants some inputs that meet the assumptions, step after step, and for each assertion a step in which it is asked. It finds
// the earliest such step of each assertion, counted from 1, and returns the latest of these: a search that ends sooner has not asked them all. An
// error names what is never asked.
func (s *search) reached(ctx context.Context) (step int, err error) {
	s.opt.Progress("looking for inputs that the assumptions allow")
	asked, err := s.conditions()
	if err != nil {
		return 0, err
	}
	// What no condition and no assumption depends on is cut off, so that many steps are cheap.
	var script strings.Builder
	fmt.Fprintf(&script, "read_rtlil %s\nformalff -anyinit2ff\nsetattr -unset keep w:*\ncd %s\ndesign -save all\n", problemFile, s.Top)
	fmt.Fprintf(&script, "delete t:$assert\nopt_clean\nsat -set-assumes -seq %d\n", s.Lead+longestRun)
	for _, cell := range asked {
		fmt.Fprintf(&script, "design -load all\ndelete t:$assert c:%s %%d\nconnect -port %s A 1'0\nopt_clean\nsat -prove-asserts -set-assumes -seq 1 -tempinduct -maxsteps %d\n",
			cell, cell, latestAsked)
	}
	at, run, done := 0, false, 0
	var never error
	err = s.yosys(ctx, script.String(), func(line string) {
		switch {
		case satModel.MatchString(line):
			run = true
		case satNone.MatchString(line):
			never = fmt.Errorf("nothing is proved: no inputs meet the assumptions in the first %d steps after the reset", longestRun)
		case satWork.MatchString(line):
			at, _ = strconv.Atoi(satWork.FindStringSubmatch(line)[2]) // digits
			at++
		case satFailed.MatchString(line):
			step = max(step, at)
			done++
		case satClosed.MatchString(line) || satDepth.MatchString(line):
			if never == nil {
				never = fmt.Errorf("nothing is proved: %s is not asked in the first %d steps, whatever the inputs that the assumptions allow", asked[done], latestAsked)
			}
			done++
		}
	})
	switch {
	case err != nil:
		return 0, err
	case never != nil:
		return 0, never
	case !run || done != len(asked):
		return 0, errors.New("yosys sat ended without a result that is known here")
	}
	return step, nil
}

// conditions returns one assertion for each condition under which assertions are asked.
func (s *search) conditions() (cells []string, err error) {
	data, err := os.ReadFile(filepath.Join(s.dir, netlistFile))
	if err != nil {
		return nil, err
	}
	var n netlist
	if err := json.Unmarshal(data, &n); err != nil {
		return nil, fmt.Errorf("yosys' netlist: %w", err)
	}
	seen := map[any]bool{}
	for _, name := range sorted(n.Modules[s.Top].Cells) {
		c := n.Modules[s.Top].Cells[name]
		if c.Type != "$assert" {
			continue
		}
		if en := c.Connect["EN"][0]; !seen[en] {
			seen[en] = true
			cells = append(cells, name)
		}
	}
	return cells, nil
}
