package formal

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/goldwire/goldwire/internal/hdl"
	"github.com/goldwire/goldwire/vectors/property"
)

// Part is RTL of its own, with modules that may have names which other parts have too.
type Part struct {
	Files []string // Verilog
	// Includes are directories that are searched for includes, before the files' own.
	Includes []string
	Top      string // its module
	Name     string // that it has in the harness
	// KeepInit keeps the values that registers have by an initial block. Without it a register that is not reset is found.
	KeepInit bool
	// Enabled makes the clock of the part an enable: its registers take a value in the steps in which the net at their
	// clock is 1, and stand still in others.
	Enabled bool
}

// Question is RTL in a harness whose assertions are asked about.
type Question struct {
	Parts   []Part
	Files   []string // RTL whose modules the harness instantiates by their own names
	Harness string   // SystemVerilog; its module is Top, its clock the input clk
	Top     string
	// Enabled is a module of the harness whose clock is an enable, as a [Part]'s may be.
	Enabled string
	// Params are values of the harness' parameters, others than its own.
	Params map[string]int
	// Connect drives wires of the harness with nets inside its instances: {"state": "dut.state"}. The wires are to be
	// marked (* keep *).
	Connect map[string]string
	// Show names wires of the harness that a trace has.
	Show []string
	// Lead is how many steps come before cycle 0: those in reset, at least 1. Of the first nothing is asked.
	Lead int
	// Registers are arrays to be taken apart before all else, so that Connect sees their elements.
	Registers bool
	// Hold gives inputs of the harness a constant value, as Verilog has it, while the search looks for inputs that reach
	// the assertions and cover statements: fewer free inputs are sooner found. A proof has them free.
	Hold map[string]string
	// Refute looks for a refutation alone, with the inputs of Hold constant and the macro REFUTE defined: the harness may
	// leave out by it what only helps a proof. Then nothing is proved.
	Refute bool
	// Forms says that the harness compares two forms of a thing. Nets of both that stay alike are joined then, before a
	// solver is asked.
	Forms bool
}

// Options bound the search.
type Options struct {
	Engine Engine
	// Depth is the most steps after the lead that are looked at one by one; 0 for DefaultDepth.
	Depth int
	// Time ends the search, with the answers known then; 0 for DefaultTime.
	Time time.Duration
	// Processor, if not 0, ends the search sooner: it is about how much time on the processor the engines may take,
	// whatever else runs on the machine. It is counted in whole seconds for each program, and where there is no shell not
	// at all.
	Processor time.Duration
	// Memory is the most bytes that a program may have; 0 for no limit.
	Memory int64
	// Progress, if not nil, is told the current step.
	Progress func(what string)
}

// DefaultDepth and DefaultTime suit most modules.
const (
	DefaultDepth = 32
	DefaultTime  = 5 * time.Minute
)

// Engine is a way to search for a proof.
type Engine = property.Engine

// The engines. Auto asks sat a few steps deep, then pdr, then sat again for as deep a bound as time allows. Of a
// question about two forms it joins their nets before.
const (
	Auto = property.Auto
	SAT  = property.SAT
	PDR  = property.PDR
	SMT  = property.SMT
)

// Sums is the engine that compares two forms of a thing as sums modulo 2. It has no name to ask for: [PDR] and [Auto]
// begin with it.
const Sums Engine = "sums"

var programs = map[Engine][]string{
	Auto: {"yosys", "yosys-abc"}, SAT: {"yosys"}, PDR: {"yosys", "yosys-abc"}, SMT: {"yosys", "yosys-smtbmc", "z3"},
}

// ParseEngine returns the engine of that name.
func ParseEngine(name string) (Engine, error) {
	if _, ok := programs[Engine(name)]; !ok {
		return "", fmt.Errorf("engine %.40q, want auto, sat, pdr or smt", name)
	}
	return Engine(name), nil
}

// Available returns nil if the engine's programs are installed, else an error that names the missing one.
func Available(e Engine) error {
	for _, p := range programs[e] {
		if _, err := exec.LookPath(p); err != nil {
			return fmt.Errorf("%s is not installed: %w", p, err)
		}
	}
	return hdl.KnownYosys()
}

// Verdict is the answer about the assertions.
type Verdict string

// The verdicts.
const (
	Proved  Verdict = "proved"  // true in every step, however long it runs
	Refuted Verdict = "refuted" // false in the last step of the trace
	Bounded Verdict = "bounded" // true in the first steps; of later ones nothing is known
)

// Answer is the outcome of a search.
type Answer struct {
	Verdict Verdict
	Engine  Engine
	// Steps is the length of the induction, or 0 if the engine found an invariant instead; of a refutation the steps of
	// its trace; of a bound how many steps after the lead are known to be good, 0 if an assertion is asked in none of
	// them.
	Steps int
	// Why says what ended a search that knows a bound only.
	Why   string
	Trace *trace
	Took  time.Duration
	// Reached is how many conditions there are: the assumptions of assertions, and of cover statements. Some inputs that
	// the assumptions allow reach each of them, and the last of them is reached in cycle ReachedBy, counted from 0 after
	// the lead.
	Reached, ReachedBy int
}

// How says in a few words how the engine came to know.
func (a *Answer) How() string {
	switch {
	case a.Verdict == Proved && a.Steps > 0:
		return fmt.Sprintf("%s, induction over %d steps", a.Engine, a.Steps)
	case a.Verdict == Proved && a.Engine == Sums:
		return "sums modulo 2: registers that stay equal"
	case a.Verdict == Proved:
		return fmt.Sprintf("%s, an invariant found and checked", a.Engine)
	}
	return string(a.Engine)
}

// Error is RTL or a harness that Yosys does not take, with its message.
type Error struct {
	Line   string
	Output string
}

func (e *Error) Error() string { return "yosys does not take the RTL: " + e.Line }

// Ask looks for an answer. That no engine finds one is no error: the answer says up to which step the assertions hold.
// It is an error if no inputs meet the assumptions, or if an assertion is never asked: then all would be proved. So is
// a cover statement that no inputs reach.
func Ask(ctx context.Context, q Question, opt Options) (*Answer, error) {
	if opt.Engine == "" {
		opt.Engine = Auto
	}
	if opt.Depth == 0 {
		opt.Depth = DefaultDepth
	}
	if opt.Time == 0 {
		opt.Time = DefaultTime
	}
	if opt.Progress == nil {
		opt.Progress = func(string) {}
	}
	if q.Lead < 1 {
		return nil, fmt.Errorf("a lead of %d steps, want at least 1, in reset", q.Lead)
	}
	if err := Available(opt.Engine); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "goldwire-formal-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	start := time.Now()
	limited, cancel := context.WithTimeoutCause(ctx, opt.Time, errTime)
	defer cancel()
	s := &search{Question: q, opt: opt, dir: dir, deadline: start.Add(opt.Time)}
	a, err := s.ask(limited)
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("interrupted: %w", ctx.Err())
	case err != nil:
		return nil, err
	}
	a.Took = time.Since(start)
	return a, nil
}

var errTime = errors.New("the time is up")

// search is a question on its way.
type search struct {
	Question
	opt      Options
	dir      string
	deadline time.Time
	includes []string // directories, by their links' numbers
	known    int      // steps, the lead among them, in which the assertions are known to hold
	tried    bool     // to join nets of the states after the reset
	joined   bool     // the graph of it is there
	alone    bool     // a program may use all of the processor's time: it is shared with no other engine
}

// quick is how many steps after the lead an induction is tried before pdr is.
const quick = 6

func (s *search) ask(ctx context.Context) (*Answer, error) {
	s.opt.Progress("reading the RTL")
	if err := s.prepare(ctx); err != nil {
		if errors.Is(err, errTime) {
			return s.bounded("the time was up before the RTL was read"), nil
		}
		return nil, err
	}
	if s.Refute {
		return s.engines(ctx)
	}
	asked, conditions, err := s.reached(ctx)
	if errors.Is(err, errTime) {
		return s.bounded("the time was up before inputs were found that the assumptions allow"), nil
	}
	if err != nil {
		return nil, err
	}
	a, err := s.engines(ctx)
	if err != nil {
		return nil, err
	}
	a.Reached, a.ReachedBy = conditions, asked-1-s.Lead
	if a.Verdict == Bounded && a.Steps > 0 && s.known < asked {
		a.Steps = 0
		a.Why += fmt.Sprintf(", and an assertion is not asked before step %d", asked-s.Lead)
	}
	return a, nil
}

// engines asks one engine after another, until one knows.
func (s *search) engines(ctx context.Context) (*Answer, error) {
	depth := s.Lead + s.opt.Depth
	if s.Refute {
		return s.sat(ctx, depth, false)
	}
	switch s.opt.Engine {
	case SAT:
		return s.sat(ctx, depth, true)
	case SMT:
		return s.smt(ctx, depth)
	case PDR:
		return s.pdr(ctx)
	}
	early, cancel := context.WithTimeoutCause(ctx, s.share(s.opt.Time), errTime)
	if s.Forms && s.skipsReset() {
		s.alone = true
		by, err := s.afterReset(early)
		s.alone = false
		if by != "" && err == nil {
			cancel()
			return &Answer{Verdict: Proved, Engine: by}, nil
		}
	}
	cancel()
	early, cancel = context.WithTimeoutCause(ctx, s.share(s.opt.Time), errTime)
	a, err := s.sat(early, min(depth, s.Lead+quick), true)
	cancel()
	if err != nil || a.Verdict != Bounded || depth <= s.Lead+quick && s.opt.Depth < quick {
		return a, err
	}
	early, cancel = context.WithTimeoutCause(ctx, s.share(s.opt.Time), errTime)
	a, err = s.pdr(early)
	cancel()
	if err != nil || a.Verdict != Bounded {
		return a, err
	}
	return s.sat(ctx, depth, false)
}

// bounded is the answer of a search that came to no end.
func (s *search) bounded(why string) *Answer {
	return &Answer{Verdict: Bounded, Engine: SAT, Steps: max(0, s.known-s.Lead), Why: why}
}

// The design, once prepared.
const (
	problemFile = "problem.il"
	clockedFile = "clocked.il" // before registers lose their clock
	coverFile   = "cover.v"
	reachFile   = "reach.il" // with the cover statements
	openFile    = "open.v"
	enableFile  = "enable.v"
	clocksFile  = "clocks.json" // before registers lose their clock
	netlistFile = "problem.json"
)

//go:embed open.v
var openCells string

//go:embed enable.v
var enableCells string

// enabled makes the clock of all registers that are selected an enable.
const enabled = "async2sync; dffunmap; techmap -max_iter 1 -map " + enableFile

//go:embed cover.v
var coverCells string

// free makes each x, and each net that nothing drives, a value that is free in each step. Branches that are never taken
// go first.
const free = "opt_clean; opt_muxtree; opt_clean; setundef -undriven -anyseq; setundef -anyseq; opt_clean"
