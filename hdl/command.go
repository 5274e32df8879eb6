package hdl

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// Command is a command that ends with its context, its children too, and whose memory has a limit in bytes; 0 for none.
func Command(ctx context.Context, memory int64, command []string) *exec.Cmd {
	var limits strings.Builder // of the shell, which are those of all that it starts
	if compiler := verilatorCompiler(command[0]); compiler != "" {
		command = append([]string{compiler}, command[1:]...)
		limits.WriteString("ulimit -s unlimited 2>/dev/null; ")
	}
	if memory > 0 {
		fmt.Fprintf(&limits, "ulimit -v %d 2>/dev/null; ", memory>>10)
	}
	if limits.Len() > 0 {
		command = append([]string{"sh", "-c", limits.String() + `exec "$@"`, "sh"}, command...)
	}
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	ownGroup(cmd)
	return cmd
}

// verilatorCompiler returns the program that the script verilator starts, with as large a stack as it may have. Before that the script reads
// its manual and starts two shells: on RTL of a hundred lines that is ten times the compiler's own work. It returns nothing if the program is
// not beside the script, if a variable of Verilator's tells the script more, or if the program needs one that the script sets: installations
// that can be moved give it VERILATOR_ROOT.
func verilatorCompiler(command string) string {
	if command != "verilator" || slices.ContainsFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "VERILATOR_") }) {
		return ""
	}
	script, err := exec.LookPath(command)
	if err != nil {
		return ""
	}
	if script, err = filepath.EvalSymlinks(script); err != nil {
		return ""
	}
	compiler, err := exec.LookPath(filepath.Join(filepath.Dir(script), "verilator_bin"))
	if err != nil || !knowsItsRoot(compiler) {
		return ""
	}
	return compiler
}

var knowRoots sync.Map // bool, by compiler

// knowsItsRoot tells whether Verilator's compiler, without a variable, takes its own files from where those of its version lie.
func knowsItsRoot(compiler string) bool {
	if known, ok := knowRoots.Load(compiler); ok {
		return known.(bool)
	}
	root, err := exec.Command(compiler, "--getenv", "VERILATOR_ROOT").Output()
	said, e := exec.Command(compiler, "--version").Output()
	config, ee := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "include", "verilated_config.h"))
	words := strings.Fields(string(said)) // Verilator 5.006 2023-01-22 rev …
	knows := errors.Join(err, e, ee) == nil && len(words) > 2 && strings.Contains(string(config), fmt.Sprintf("%q", words[1]+" "+words[2]))
	knowRoots.Store(compiler, knows)
	return knows
}
