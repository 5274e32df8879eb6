package cosim

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/internal/formal"
)

// Verilator's warnings that bear on a verdict: simulators may disagree on such RTL's behaviour, and hardware with both.
var bearing = map[string]string{
	"MULTIDRIVEN": "several drivers",
	"LATCH":       "a latch",
	"COMBDLY":     "a nonblocking assignment in combinational logic",
	"UNOPTFLAT":   "a combinational loop",
	"SELRANGE":    "a bit that its vector does not have",
	"UNDRIVEN":    "a wire without a driver",
	"PINMISSING":  "an input of an instance that is left open",
	"BLKSEQ":      "a blocking assignment in sequential logic",
}

var warned = regexp.MustCompile(`^%Warning-([A-Z]+): (.*?):(\d+):\d+: `)

// fallingClock matches a register that loads at the falling edge of a signal with clk or clock in its name.
var fallingClock = regexp.MustCompile(`\bnegedge\s+(\w*(?:clk|clock)\w*)`)

// mostWarnings fit a line.
const mostWarnings = 3

// Warnings tells what of the RTL makes a verdict worth less: several drivers, latches, loops, races, both edges of the
// clock, calls that a simulator answers out of itself, registers that nothing sets in a run of the stimulus. Verilator
// finds the first ones, if it is there, and Icarus the registers; the others are found in the files.
func (s *Session) Warnings(ctx context.Context) (list []string) {
	list, s.widths = s.opt.Design.warnings(ctx, s.Binding, s.files, filepath.Join(s.dir, "lint"))
	return append(list, s.unset...)
}

// warnings looks at the files and at the warnings of Verilator. It returns the doubts, and the places of widths that
// differ.
func (d Design) warnings(ctx context.Context, b *Binding, files []string, dir string) (list, widths []string) {
	add := func(text string) {
		if !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	for _, path := range files {
		_, code, _ := readCode(path)
		for n, line := range strings.Split(code, "\n") {
			m := fallingClock.FindStringSubmatch(line)
			if m != nil && !(b.clock != nil && b.clock.invert) {
				add(fmt.Sprintf("a register of the falling edge of %s at %s", m[1], at(path, n)))
			}
		}
	}
	for _, text := range simulatorCalls(files) {
		add(text)
	}
	if d.Simulator == Icarus {
		for _, text := range finalStops(files) {
			add(text)
		}
	}
	doubts, widths := d.verilatorWarns(ctx, b, dir)
	for _, text := range doubts {
		add(text)
	}
	for _, text := range d.yosysWarns(ctx, b, files, dir) {
		told := func(other string) bool { return other == text || strings.HasPrefix(other, text+" ") }
		if !slices.ContainsFunc(list, told) {
			add(text)
		}
	}
	return list, widths
}

// verilatorWarns are Verilator's warnings, none if it is not there.
func (d Design) verilatorWarns(ctx context.Context, b *Binding, dir string) (list, widths []string) {
	if Verilator.Available() != nil {
		return nil, nil
	}
	d.Simulator = Verilator
	if os.MkdirAll(dir, 0o755) != nil {
		return nil, nil
	}
	shell := filepath.Join(dir, "goldwire_shell.v")
	if os.WriteFile(shell, b.shell(d, 0).fill("shell.v.tmpl"), 0o644) != nil {
		return nil, nil
	}
	command := []string{"verilator", "--lint-only", "--no-timing", "-Wno-fatal", "-Wno-lint", "-Wno-style"}
	for name := range bearing {
		command = append(command, "-Wwarn-"+name)
	}
	command = append(command, "-Wwarn-WIDTH")
	slices.Sort(command[6:])
	command = append(append(command, "--top-module", "goldwire_shell"), d.around(shell)...)
	_ = compile(ctx, d.limits(), dir, command, hearing{line: func(line string) { // unread files have no warnings
		m := warned.FindStringSubmatch(line)
		switch {
		case m == nil || filepath.Base(m[2]) == filepath.Base(shell):
		case bearing[m[1]] != "":
			list = append(list, fmt.Sprintf("%s at %s:%s (%s)", bearing[m[1]], filepath.Base(m[2]), m[3], m[1]))
		case strings.HasPrefix(m[1], "WIDTH"): // 5.006 has one such warning, later versions have three
			if place := filepath.Base(m[2]) + ":" + m[3]; !slices.Contains(widths, place) {
				widths = append(widths, place)
			}
		}
	}})
	return list, widths
}

// yosysWarns are Yosys' warnings: it finds latches that Verilator 5.006 misses.
func (d Design) yosysWarns(ctx context.Context, b *Binding, files []string, dir string) []string {
	shell, macros := filepath.Join(dir, "goldwire_shell.v"), filepath.Join(dir, "goldwire_macros.v")
	if os.MkdirAll(dir, 0o755) != nil || os.WriteFile(shell, b.shell(d, 0).fill("shell.v.tmpl"), 0o644) != nil ||
		os.WriteFile(macros, d.macros(), 0o644) != nil {
		return nil
	}
	part := formal.Part{
		Files:    slices.Concat([]string{macros}, d.Sources, d.fromLibraries(files), []string{shell}),
		Includes: d.includes(), Top: "goldwire_shell",
	}
	return formal.Warnings(ctx, part, d.Memory)
}

// place is a line of a file.
type place struct {
	File string
	Line int
}

// fatals finds the calls of $fatal in files.
func fatals(files []string) (list []place) {
	slices.Sort(files)
	for _, path := range slices.Compact(files) {
		_, code, _ := readCode(path)
		if !strings.Contains(code, "$fatal") {
			continue
		}
		for n, line := range strings.Split(code, "\n") {
			if strings.Contains(line, "$fatal") {
				list = append(list, place{path, n + 1})
			}
		}
	}
	return list
}

// Widths are the places, FILE:LINE, where Warnings found an expression that is wider or narrower than its target.
// Simulators agree on those, and hardware does too, but the author may have meant another width.
func (s *Session) Widths() []string { return s.widths }

// blank keeps the line breaks of text that is no code.
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

// How long the other simulator runs at most: Icarus takes some milliseconds for each hundred cycles of small RTL,
// Verilator hardly any.
const (
	opinionCycles = 500
	mostConfirmed = 1 << 20
)

// Confirmable tells whether SecondOpinion runs as far as a difference: it is of the first run, and not too late.
func (s *Session) Confirmable(d *Divergence) bool {
	most := opinionCycles
	if d.Transfers {
		most *= 4
	}
	if s.opt.Design.Simulator == Icarus {
		most = mostConfirmed
	}
	return d.Resets == 0 && d.Contents == "" && !d.Filled && d.modelRows() <= most
}

// UpTo is the part of a stimulus up to a difference.
func (d *Divergence) UpTo(st Stimulus) Stimulus {
	if d.stimulus != nil {
		st = *d.stimulus
	}
	st.Cycles = min(st.cycles(), d.modelRows())
	if st.Rows != nil {
		st.Rows = st.Rows[:st.Cycles]
	}
	return st
}

// modelRows is how many of the model's cycles show the difference.
func (d *Divergence) modelRows() int {
	if d.Transfers { // the other simulator has pauses of its own
		return 4*d.row + opinionCycles/2
	}
	return d.Cycle + 1
}

// upTo cuts a stimulus after the given number of compared cycles.
func (s *Session) upTo(st Stimulus, most int) Stimulus {
	st.Cycles = min(st.cycles(), s.Binding.skip+most)
	if st.Rows != nil {
		st.Rows = st.Rows[:st.Cycles]
	}
	return st
}

// short cuts a stimulus for a run of Icarus beside the wanted run.
func (s *Session) short(st Stimulus) Stimulus {
	if len(s.Binding.ready) > 0 {
		return s.upTo(st, 4*opinionCycles)
	}
	return s.upTo(st, opinionCycles)
}

// SecondOpinion runs the stimulus once more under the other simulator. Under Icarus all registers start from 0, so an x
// comes from a net with several drivers, or with none; under Verilator they start with random bits. It returns nil if
// the other simulator is not there or refuses the RTL.
func (s *Session) SecondOpinion(ctx context.Context, st Stimulus) (*Opinion, error) {
	opt, most, begins := s.opt, mostConfirmed, beginning{seed: s.opt.Seed}
	s.unset = nil
	if opt.Design.Simulator == Icarus {
		opt.Design.Simulator = Verilator
	} else {
		opt.Design.Simulator, most, begins.contents = Icarus, opinionCycles, contentsZero
		if len(s.Binding.ready) > 0 {
			most *= 4
		}
	}
	if opt.Design.Simulator.Available() != nil {
		return nil, nil
	}
	opt.Continue = false
	other, err := Start(ctx, opt)
	if err != nil {
		return nil, ctx.Err()
	}
	defer other.Close()
	p, ok := other.dut.(beginner)
	if !ok {
		return nil, fmt.Errorf("%s has no second opinion", opt.Design.Simulator)
	}
	other.Binding.start = s.Binding.start // it may have been found out
	other.prepare(p, begins)
	if st, err = other.exact(st); err != nil {
		return nil, err
	}
	st = other.upTo(st, most)
	t := newTally(other.view, s.opt.Waivers, false)
	o := &Opinion{Simulator: opt.Design.Simulator}
	if o.Divergence, err = other.look(ctx, st, t); err != nil {
		return nil, ctx.Err() // RTL that fails there has been told of here
	}
	o.Cycles = t.cycles
	if q, ok := other.dut.(*interpreter); ok && o.Divergence == nil {
		s.unset = other.unsetRegisters(ctx, q, other.short(st))
	}
	return o, nil
}
