package cosim

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/goldwire/goldwire/internal/hdl"
)

// Simulator is the program that runs the RTL.
type Simulator string

// The simulators. Verilator is some hundred times faster; Icarus knows x and z, and a value with one is never equal.
const (
	Verilator Simulator = "verilator"
	Icarus    Simulator = "icarus"
)

// ParseSimulator returns the simulator of that name.
func ParseSimulator(name string) (Simulator, error) {
	switch s := Simulator(name); s {
	case Verilator, Icarus:
		return s, nil
	}
	return "", fmt.Errorf("simulator %q, want verilator or icarus", name)
}

// Available returns nil if the simulator is installed, else an error that names the program that is not, or a version
// that will not do.
func (s Simulator) Available() error {
	if s == Icarus {
		return hdl.Icarus.Available()
	}
	return hdl.Verilator.Available()
}

// Design is RTL to be run: files, the top module among them, and its parameters. [ReadArguments] makes one of a command
// line.
type Design struct {
	Sources    []string
	Includes   []string // directories searched for includes, before the working directory and the sources' own
	Defines    []Define
	Libraries  []string // directories searched for modules that no source has
	Extensions []string // of files in the libraries; if there are none, .v and .sv
	Top        string
	Parameters []Parameter
	Simulator  Simulator

	// BuildTimeout ends a simulator that does not finish building, and Memory, in bytes, is the most that one may have, to
	// build and to run; 0 for the defaults.
	BuildTimeout time.Duration
	Memory       int64
}

// DefaultBuildTimeout and DefaultMemory suit most designs.
const (
	DefaultBuildTimeout = 5 * time.Minute
	DefaultMemory       = 4 << 30
)

func (d Design) limits() limits { return limits{d.BuildTimeout, d.Memory} }

// Parameter is a parameter of the top module, and its value as Verilog writes it.
type Parameter struct{ Name, Value string }

// literal is what the simulators take as the value of a parameter. Icarus would pass over other text.
var literal = regexp.MustCompile(
	`^([A-Za-z_][A-Za-z0-9_$]*::[A-Za-z_][A-Za-z0-9_$]*|-?\d[\d_]*(\.\d+)?|\d*'[sS]?[bodhBODH][0-9a-fA-F_]+|"[^"\n]*")$`,
)

// parseParameter reads "WIDTH=64", "MASK=8'hf0" or `MODE="fast"`.
func parseParameter(s string) (Parameter, error) {
	name, value, ok := strings.Cut(s, "=")
	if !ok || !identifier.MatchString(name) || value == "" {
		return Parameter{}, fmt.Errorf("parameter %q, want NAME=VALUE", s)
	}
	if !literal.MatchString(value) {
		return Parameter{}, fmt.Errorf(
			"parameter %s: want a number as Verilog writes it, a package's constant (PKG::NAME), or a string in quotes",
			quote(s),
		)
	}
	return Parameter{name, value}, nil
}

// check wants files that can be read, and makes their names absolute.
func (d *Design) check() error {
	if len(d.Sources) == 0 {
		return fmt.Errorf("no RTL files, want at least one")
	}
	if !identifier.MatchString(d.Top) {
		return fmt.Errorf("top module %q, want the name of a module", d.Top)
	}
	for _, names := range []*[]string{&d.Sources, &d.Includes, &d.Libraries} {
		absolute := make([]string, len(*names))
		for i, s := range *names {
			info, err := os.Stat(s)
			if err != nil {
				return err
			}
			if names == &d.Sources && !info.Mode().IsRegular() {
				return fmt.Errorf("%s: is no regular file, want a Verilog file", s)
			}
			if absolute[i], err = filepath.Abs(s); err != nil {
				return err
			}
			// simulators write names into Verilog of their own, Yosys into scripts
			if strings.ContainsAny(absolute[i], "\"\\\n\r") {
				return fmt.Errorf(
					"%q: want a name without quotes, backslashes and line ends, which simulators do not take", absolute[i],
				)
			}
		}
		*names = absolute
	}
	if len(d.Extensions) == 0 {
		d.Extensions = []string{".v", ".sv"}
	}
	if d.BuildTimeout <= 0 {
		d.BuildTimeout = DefaultBuildTimeout
	}
	if d.Memory <= 0 {
		d.Memory = DefaultMemory
	}
	return d.Simulator.Available()
}

// includes are the directories that are searched for includes: those given, then where a user's own simulator would
// look.
func (d Design) includes() []string {
	dirs := slices.Clone(d.Includes)
	if here, err := os.Getwd(); err == nil {
		dirs = append(dirs, here)
	}
	for _, s := range d.Sources {
		dirs = append(dirs, filepath.Dir(s))
	}
	var unique []string
	for _, dir := range dirs {
		if !slices.Contains(unique, dir) {
			unique = append(unique, dir)
		}
	}
	return unique
}

// fromLibraries are the files among those read that were found in a library's directory.
func (d Design) fromLibraries(files []string) []string {
	var found []string
	for _, f := range files {
		if slices.Contains(d.Libraries, filepath.Dir(f)) && slices.Contains(d.Extensions, filepath.Ext(f)) &&
			!slices.Contains(d.Sources, f) &&
			!slices.Contains(found, f) {
			found = append(found, f)
		}
	}
	return found
}

// sources are a simulator's arguments for macros, directories and files.
func (d Design) sources() []string {
	var args []string
	for _, m := range d.Defines {
		args = append(args, "-D"+m.Name+"="+m.Value)
	}
	for _, dir := range d.includes() {
		args = append(args, "-I"+dir)
	}
	for _, dir := range d.Libraries {
		args = append(args, "-y", dir)
	}
	for _, ext := range d.Extensions {
		switch {
		case len(d.Libraries) == 0:
		case d.Simulator == Icarus:
			args = append(args, "-Y", ext)
		default:
			args = append(args, "+libext+"+ext)
		}
	}
	return append(args, d.Sources...)
}

// around returns a simulator's arguments, as sources does, and adds our file, which has an instance of the top module.
// It comes first, as no directive of the RTL is in force there, but after the packages that the parameters name.
func (d Design) around(file string) []string {
	if d.namesPackages() {
		return append(d.sources(), file)
	}
	return append([]string{file}, d.sources()...)
}

// namesPackages tells whether a parameter's value is a package's constant.
func (d Design) namesPackages() bool {
	return slices.ContainsFunc(d.Parameters, func(p Parameter) bool { return strings.Contains(p.Value, "::") })
}

func (d Design) parameters(form string) []string {
	var args []string
	for _, p := range d.Parameters {
		args = append(args, fmt.Sprintf(form, p.Name, p.Value))
	}
	return args
}

// CompileError is RTL that the simulator does not take, with its message.
type CompileError struct {
	Program string
	Line    string // the first line of its output that names an error
	Output  string // the end of its output, for the user to read
}

func (e *CompileError) Error() string {
	return fmt.Sprintf("%s does not compile the RTL: %s", e.Program, e.Line)
}

// Limits of a simulator.
type limits struct {
	time   time.Duration // to build; 0 for no limit
	memory int64         // bytes of address space; 0 for no limit
}

// hearing is the listener while a compiler runs. A message is shown by its end, which is kept; the lines that count are
// read here, from all output.
type hearing struct {
	line func(string) // each line of the messages; nil for nobody
	out  io.Writer    // the standard output; nil if that is messages, too
}

// compile runs a compiler. Its output is an error's text only if it fails.
func compile(ctx context.Context, l limits, dir string, command []string, by hearing) error {
	if l.time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, l.time, errBuildTime)
		defer cancel()
	}
	var said tail
	first, wrong, memory := "", "", false // the first line, and the first that names an error
	err := hdl.OutputAndLines(ctx, l.memory, dir, command, by.out, func(line string) {
		fmt.Fprintln(&said, line)
		if by.line != nil {
			by.line(line)
		}
		memory = memory || outOfMemory.MatchString(line)
		if line = strings.TrimSpace(line); first == "" {
			first = line
		}
		if wrong == "" && strings.Contains(strings.ToLower(line), "error") {
			wrong = line
		}
	})
	switch {
	case errors.Is(context.Cause(ctx), errBuildTime):
		return fmt.Errorf(
			"%s has not ended after %v and was stopped: a loop without an end in a constant, or a design too large for "+
				"--build-timeout",
			command[0], l.time,
		)
	case ctx.Err() != nil:
		return fmt.Errorf("%s was stopped: %w", command[0], ctx.Err())
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		line := cmp.Or(wrong, first)
		if memory || exit.ExitCode() < 0 || exit.ExitCode() > 128 && line == "" {
			line = fmt.Sprintf(
				"it ended with %v: it may have wanted more than the %d MiB of --memory (%s)", exit, l.memory>>20, line,
			)
		}
		line = clip(line, 240)
		if strings.Contains(line, "-ENUMVALUE:") {
			line += "; a parameter of an enumeration takes its names: -G NAME=PACKAGE::CONSTANT"
		}
		return &CompileError{command[0], line, said.String()}
	}
	return err
}

var (
	errBuildTime = errors.New("the build's time is up")
	outOfMemory  = regexp.MustCompile(`(?i)bad_alloc|out of memory|cannot allocate|virtual memory exhausted`)
)
