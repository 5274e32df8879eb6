package cosim

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Verilator's warnings that bear on a verdict: simulators may disagree on what such RTL does, and hardware with both.
var bearing = map[string]string{
	"MULTIDRIVEN": "several drivers",
	"LATCH":       "a latch",
	"COMBDLY":     "a nonblocking assignment in combinational logic",
	"UNOPTFLAT":   "a combinational loop",
	"BLKSEQ":      "a blocking assignment in sequential logic",
}

var warned = regexp.MustCompile(`^%Warning-([A-Z]+): (.*?):(\d+):\d+: `)

// fallingClock matches a register that loads at the falling edge of a signal with clk or clock in its name.
var fallingClock = regexp.MustCompile(`\bnegedge\s+(\w*(?:clk|clock)\w*)`)

// mostWarnings fit a line.
const mostWarnings = 3

// Warnings tells what of the RTL makes a verdict worth less: several drivers, latches, loops, races, both edges of the clock. Verilator finds
// them, if it is there; registers of the falling edge are found in the files.
func (s *Session) Warnings(ctx context.Context) (list []string) {
	add := func(text string) {
		if !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	for _, path := range s.opt.Design.Sources {
		text, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		for n, line := range strings.Split(string(notCode.ReplaceAllFunc(text, blank)), "\n") {
			m := fallingClock.FindStringSubmatch(line)
			if m != nil && !(s.Binding.clock != nil && s.Binding.clock.invert) {
				add(fmt.Sprintf("a register of the falling edge of %s at %s:%d", m[1], filepath.Base(path), n+1))
			}
		}
	}
	if Verilator.Available() != nil {
		return list
	}
	d, dir := s.opt.Design, filepath.Join(s.dir, "lint")
	d.Simulator = Verilator
	if os.MkdirAll(dir, 0o755) != nil {
		return list
	}
	shell := filepath.Join(dir, "goldwire_shell.v")
	if os.WriteFile(shell, s.Binding.shell(d, 0).fill("shell.v.tmpl"), 0o644) != nil {
		return list
	}
	command := []string{"verilator", "--lint-only", "--no-timing", "-Wno-fatal", "-Wno-lint", "-Wno-style"}
	for name := range bearing {
		command = append(command, "-Wwarn-"+name)
	}
	slices.Sort(command[6:])
	command = append(append(command, "--top-module", "goldwire_shell"), d.around(shell)...)
	_ = compile(ctx, d.limits(), dir, command, hearing{line: func(line string) { // what it does not read has no warnings
		if m := warned.FindStringSubmatch(line); m != nil && bearing[m[1]] != "" && filepath.Base(m[2]) != filepath.Base(shell) {
			add(fmt.Sprintf("%s at %s:%s (%s)", bearing[m[1]], filepath.Base(m[2]), m[3], m[1]))
		}
	}})
	return list
}

// blank keeps the lines of what is no code.
func blank(text []byte) []byte {
	return []byte(strings.Repeat("\n", strings.Count(string(text), "\n")) + " ")
}

// JoinWarnings is a list of warnings as it stands in the line of a verdict.
func JoinWarnings(list []string) string {
	if n := len(list) - mostWarnings; n > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(list[:mostWarnings], ", "), n)
	}
	return strings.Join(list, ", ")
}

// Opinion is what the other simulator shows.
type Opinion struct {
	Simulator  Simulator   `json:"simulator"`
	Cycles     int         `json:"cycles"`
	Divergence *Divergence `json:"divergence,omitempty"`
}

// opinionCycles is how long the other simulator runs at most: Icarus takes some milliseconds for each hundred of small RTL.
const opinionCycles = 500

// SecondOpinion runs the stimulus of a session under Verilator once more under Icarus. All registers start from 0, so an x
// comes from a net with several drivers, or with none. It returns nil without Icarus, if Icarus refuses the RTL, and for
// sessions that compare transfers.
func (s *Session) SecondOpinion(ctx context.Context, st Stimulus) (*Opinion, error) {
	if s.opt.Design.Simulator != Verilator || Icarus.Available() != nil || len(s.Binding.ready) > 0 {
		return nil, nil
	}
	opt := s.opt
	opt.Design.Simulator, opt.Continue = Icarus, false
	other, err := Start(ctx, opt)
	if err != nil {
		return nil, ctx.Err()
	}
	defer other.Close()
	p, ok := other.dut.(*interpreter)
	if !ok {
		return nil, errors.New("no Icarus")
	}
	s.prepare(p, beginning{contents: contentsZero, seed: opt.Seed})
	if st, err = other.exact(st); err != nil {
		return nil, err
	}
	st.Cycles = min(st.cycles(), max(opinionCycles, s.Binding.skip+opinionCycles))
	if st.Rows != nil {
		st.Rows = st.Rows[:st.Cycles]
	}
	t := newTally(other.view, s.opt.Waivers, false)
	o := &Opinion{Simulator: Icarus}
	if o.Divergence, err = other.run(ctx, st, other.Binding.skip, t, nil); err != nil {
		return nil, ctx.Err() // RTL that fails there has been told of here
	}
	o.Cycles = t.cycles
	return o, nil
}
