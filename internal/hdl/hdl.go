package hdl

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/goldwire/goldwire/internal/verilator"
)

// Simulator compiles and runs testbenches.
type Simulator struct {
	Name string // "icarus"

	programs []string // the programs wanted on PATH
	// build compiles the job in a directory of its own and returns the command that runs it.
	build func(ctx context.Context, j Job, dir string) (run []string, err error)
}

// The simulators.
var (
	Icarus    = Simulator{Name: "icarus", programs: []string{"iverilog", "vvp"}, build: buildIcarus}
	Verilator = Simulator{Name: "verilator", programs: []string{"verilator", "g++"}, build: buildVerilator}
)

// Simulators returns all of them.
func Simulators() []Simulator { return []Simulator{Icarus, Verilator} }

// Available returns nil if the simulator is installed, else an error that names the program that is not, or a version
// that will not do.
func (s Simulator) Available() error {
	for _, p := range s.programs {
		if _, err := exec.LookPath(p); err != nil {
			return fmt.Errorf("%s is not installed: %w", p, err)
		}
	}
	if s.Name == Verilator.Name {
		_, err := verilator.Known()
		return err
	}
	return icarusTool.known()
}

// Job is a testbench to run.
type Job struct {
	Top      string     // its module
	Sources  []string   // Verilog files
	Dir      string     // where it runs; "" for the current directory
	Trace    bool       // compile waveforms in (Icarus always does)
	Options  []string   // more for the simulator's compiler
	Library  string     // of DPI-C, linked under Verilator; "" for none
	PlusArgs [][]string // one run each: {"+extra=1", "+max=2"}; none means one run without arguments
}

// Result is what one run said.
type Result struct {
	Output string // stdout and stderr as they came
	Status int    // the exit status; -1 if a signal ended it
}

// Passed tells whether the testbench ended with status 0.
func (r Result) Passed() bool { return r.Status == 0 }

// Run compiles the job in a temporary directory and runs it once for each entry of PlusArgs. The context's end kills
// the running programs. The error says what could not be compiled or started; a testbench that fails is no error.
func (s Simulator) Run(ctx context.Context, j Job) ([]Result, error) {
	if err := s.Available(); err != nil {
		return nil, err
	}
	j.Sources = slices.Clone(j.Sources)
	for i, src := range j.Sources {
		var err error
		if j.Sources[i], err = filepath.Abs(src); err != nil {
			return nil, err
		}
	}
	build, err := os.MkdirTemp("", "goldwire-"+s.Name+"-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(build)
	run, err := s.build(ctx, j, build)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	if len(j.PlusArgs) == 0 {
		j.PlusArgs = [][]string{nil}
	}
	var results []Result
	for _, args := range j.PlusArgs {
		res, err := execute(ctx, j.Dir, slices.Concat(run, args))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
		results = append(results, res)
	}
	return results, nil
}

func buildIcarus(ctx context.Context, j Job, dir string) ([]string, error) {
	program := filepath.Join(dir, "testbench.vvp")
	command := append([]string{"iverilog", "-g2012", "-s", j.Top, "-o", program}, j.Options...)
	return []string{"vvp", "-n", program}, // -n: $stop ends the run
		compile(ctx, j.Top, dir, append(command, j.Sources...))
}

// buildVerilator leaves the C++ without optimisation: the compiler takes longer than any testbench here.
func buildVerilator(ctx context.Context, j Job, dir string) ([]string, error) {
	command := append(
		[]string{"verilator", "--cc", "--main", "--timing", "--Mdir", dir, "--top-module", j.Top},
		j.Options...)
	if j.Trace {
		command = append(command, "--trace")
	}
	sources, err := beside(dir, j.Sources)
	if err != nil {
		return nil, err
	}
	if err := compile(ctx, j.Top, dir, append(command, sources...)); err != nil {
		return nil, err
	}
	v := Verilated{Top: j.Top, Obj: dir, Optimise: "-O0"}
	if j.Library != "" {
		v.Libraries = []string{j.Library}
	}
	program := filepath.Join(dir, "testbench")
	return []string{program}, v.Build(ctx, program, nil)
}

// beside links the sources into the build's folder and returns their names there: Verilator writes the names into the
// program, for its messages, and the same testbench in another folder shall be the same program.
func beside(dir string, sources []string) ([]string, error) {
	var names []string
	for _, src := range sources {
		name := filepath.Base(src)
		if slices.Contains(names, name) {
			name = src // two of one name
		} else if err := os.Symlink(src, filepath.Join(dir, name)); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, nil
}

// compile runs a command that has to end with status 0.
func compile(ctx context.Context, what, dir string, command []string) error {
	res, err := execute(ctx, dir, command)
	if err == nil && !res.Passed() {
		err = fmt.Errorf("%s does not compile %s, status %d:\n%s", command[0], what, res.Status, res.Output)
	}
	return err
}

// execute runs a command to its end or to the context's.
func execute(ctx context.Context, dir string, command []string) (Result, error) {
	cmd := Command(ctx, 0, command)
	cmd.Dir = dir
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := Run(cmd)
	var exit *exec.ExitError
	if ctx.Err() != nil {
		return Result{}, fmt.Errorf("%s was stopped: %w", command[0], ctx.Err())
	}
	if err != nil && !errors.As(err, &exit) {
		return Result{}, err
	}
	return Result{Output: out.String(), Status: cmd.ProcessState.ExitCode()}, nil
}
