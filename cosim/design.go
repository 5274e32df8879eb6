package cosim

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
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

// Available returns nil if the simulator is installed, else an error that names the program that is not.
func (s Simulator) Available() error {
	programs := []string{"verilator", "g++"}
	if s == Icarus {
		programs = []string{"iverilog", "vvp"}
	}
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			return fmt.Errorf("%s is not installed: %w", p, err)
		}
	}
	return nil
}

// Design is RTL to be run: files, the top module among them, and its parameters.
type Design struct {
	Sources    []string
	Top        string
	Parameters []Parameter
	Simulator  Simulator
}

// Parameter is a parameter of the top module, and its value as Verilog writes it.
type Parameter struct{ Name, Value string }

// ParseParameter reads "WIDTH=64".
func ParseParameter(s string) (Parameter, error) {
	name, value, ok := strings.Cut(s, "=")
	if !ok || !identifier.MatchString(name) || value == "" {
		return Parameter{}, fmt.Errorf("parameter %q, want NAME=VALUE", s)
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
	sources := make([]string, len(d.Sources))
	for i, s := range d.Sources {
		info, err := os.Stat(s)
		if err != nil {
			return err
		}
		if info.IsDir() {
			return fmt.Errorf("%s: is a directory, want a Verilog file", s)
		}
		if sources[i], err = filepath.Abs(s); err != nil {
			return err
		}
	}
	d.Sources = sources
	return d.Simulator.Available()
}

// sources are the arguments for the files: their directories are searched for includes.
func (d Design) sources() []string {
	var args []string
	seen := map[string]bool{}
	for _, s := range d.Sources {
		if dir := filepath.Dir(s); !seen[dir] {
			seen[dir] = true
			args = append(args, "-I"+dir)
		}
	}
	return append(args, d.Sources...)
}

func (d Design) parameters(form string) []string {
	var args []string
	for _, p := range d.Parameters {
		args = append(args, fmt.Sprintf(form, p.Name, p.Value))
	}
	return args
}

// CompileError is RTL that the simulator does not take, with what it said.
type CompileError struct {
	Program string
	Line    string // the first line of what it said that names an error
	Output  string
}

func (e *CompileError) Error() string {
	return fmt.Sprintf("%s does not compile the RTL: %s", e.Program, e.Line)
}

// compile runs a compiler. What it says is an error's text only if it fails.
func compile(ctx context.Context, dir string, command []string) error {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir = dir
	ownGroup(cmd)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if ctx.Err() != nil {
		return fmt.Errorf("%s was stopped: %w", command[0], ctx.Err())
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return &CompileError{command[0], errorLine(out.String()), out.String()}
	}
	return err
}

// errorLine finds the line that says what is wrong: the first that names an error, else the first.
func errorLine(output string) string {
	first := ""
	for line := range strings.Lines(output) {
		line = strings.TrimSpace(line)
		if first == "" {
			first = line
		}
		if strings.Contains(strings.ToLower(line), "error") {
			return line
		}
	}
	return first
}

// ownGroup makes a command's end that of its children too.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
}
