package formal

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/goldwire/goldwire/internal/hdl"
)

// quoted is a file's name in a script of Yosys.
func quoted(name string) (string, error) {
	if strings.ContainsAny(name, "\"\n\r") {
		return "", fmt.Errorf("%q: want a file name without quotes and line ends", name)
	}
	return `"` + name + `"`, nil
}

// read is the command that reads Verilog. The includes' and the files' directories are searched for includes, through
// links: the option takes no quotes.
func (s *search) read(options string, includes, files []string) (string, error) {
	command := "read_verilog " + options
	dirs := slices.Clone(includes)
	for _, f := range files {
		dirs = append(dirs, filepath.Dir(f))
	}
	for _, dir := range dirs {
		link := ""
		for i, d := range s.includes {
			if d == dir {
				link = fmt.Sprintf("include%d", i)
			}
		}
		if link == "" {
			link = fmt.Sprintf("include%d", len(s.includes))
			s.includes = append(s.includes, dir)
			if err := os.Symlink(dir, filepath.Join(s.dir, link)); err != nil {
				return "", err
			}
		}
		if !strings.Contains(command, " -I"+link+" ") {
			command += " -I" + link + " "
		}
	}
	for _, f := range files {
		q, err := quoted(f)
		if err != nil {
			return "", err
		}
		command += " " + q
	}
	return command, nil
}

// prepare reads all RTL and leaves it flat, on one clock, without memories.
//
// A memory that a reset clears in a loop has a write port for each word. Ports are joined before they become choices
// of registers: else there is a choice for each port, word and bit. The reader's -mem2reg would do as well, but it cuts
// addresses to the width that the memory needs, and a word beyond the memory is lost in Verilog.
func (s *search) prepare(ctx context.Context) error {
	var script strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&script, format+"\n", args...) }
	for _, p := range s.Parts {
		command, err := s.read("-sv", p.Includes, p.Files)
		if err != nil {
			return err
		}
		say(
			"%s\nhierarchy -check -top %s\nproc\nflatten\nchformal -remove\n"+joinPorts+
				"\nmemory_map\ntechmap -max_iter 1 -map %s\n%s",
			command, p.Top, openFile, free,
		)
		if p.Enabled {
			say("%s", enabled)
		}
		if !p.KeepInit {
			say("setattr -unset init w:*")
		}
		say("rename -top %s\ndesign -stash %s", p.Name, p.Name)
	}
	for name, text := range map[string]string{openFile: openCells, coverFile: coverCells, enableFile: enableCells} {
		if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	harness := filepath.Join(s.dir, "harness.sv")
	if err := os.WriteFile(harness, []byte(s.Harness), 0o644); err != nil {
		return err
	}
	deferred := ""
	if len(s.Params) > 0 {
		deferred = " -defer" // modules are not made at their own parameters first
	}
	options := "-sv" + deferred
	if s.Registers {
		options += " -mem2reg"
	}
	if len(s.Files) > 0 {
		command, err := s.read(options, nil, s.Files)
		if err != nil {
			return err
		}
		say("%s", command)
	}
	options = "-formal -sv" + deferred
	if s.Refute {
		options += " -D REFUTE"
	}
	command, err := s.read(options, nil, []string{harness})
	if err != nil {
		return err
	}
	say("%s", command)
	for _, p := range s.Parts {
		say("design -copy-from %s %s", p.Name, p.Name)
	}
	params := ""
	for _, name := range sorted(s.Params) {
		params += fmt.Sprintf(" -chparam %s %d", name, s.Params[name])
	}
	say("hierarchy -check -top %s%s\nproc", s.Top, params)
	if s.Enabled != "" {
		say("select %s\n%s\nselect -clear", s.Enabled, strings.ReplaceAll(enabled, "; ", "\n"))
	}
	say("flatten\nmemory_map\nopt_clean")
	for _, wire := range sorted(s.Connect) {
		say(`connect -set \%s \%s`, wire, s.Connect[wire])
	}
	if len(s.Files) > 0 {
		say("%s", free)
	}
	// formalff keeps a register that starts with any value from being simplified as one whose value does not matter.
	// Yosys 0.70 reads an assertion as $check, of which async2sync makes $assert.
	say("write_json %s\nasync2sync\nselect -assert-any t:$assert\ndffunmap", clocksFile)
	if s.skipsReset() {
		say("write_rtlil %s", clockedFile)
	}
	say("formalff -clk2ff -ff2anyinit")
	if s.Refute {
		say("%s", s.hold())
	}
	say(
		"opt -full\ndffunmap\nopt_clean\ncheck -assert\ndesign -push-copy\ndelete t:$cover\nopt_clean\nwrite_rtlil %s\n"+
			"design -pop",
		problemFile,
	)
	say(
		"%s\ntechmap -max_iter 1 -map %s\nopt -full\nopt_clean\nwrite_rtlil %s\nwrite_json %s", s.hold(), coverFile,
		reachFile, netlistFile,
	)
	var said warnings
	if err = s.yosys(ctx, script.String(), said.hear); err == nil {
		err = said.refused()
	}
	var refused *Error
	if err == nil || errors.As(err, &refused) { // Yosys refuses some clocks as well, in words of its own
		if clocks := checkClocks(filepath.Join(s.dir, clocksFile), s.Top); clocks != nil &&
			!errors.Is(clocks, fs.ErrNotExist) {
			return clocks
		}
	}
	return err
}

// joinPorts joins write ports of memories.
const joinPorts = "opt_expr\nopt_reduce\nopt_clean\nmemory_share -nosat"

// hold returns the commands that make inputs of the harness constant.
func (s *search) hold() string {
	var b strings.Builder
	for _, name := range sorted(s.Hold) {
		fmt.Fprintf(&b, "delete -input %s/w:%s\nconnect -set \\%s %s\n", s.Top, name, name, s.Hold[name])
	}
	return b.String()
}

// Yosys 0.70 leaves out the space after "ERROR:" at times.
var yosysError = regexp.MustCompile(`^(.*ERROR: ?.*|.*: syntax error.*)$`)

// run runs a program for the search. One that has used its share of the processor's time is stopped, as one is whose
// time is up.
func (s *search) run(ctx context.Context, command []string, line func(string)) error {
	name := command[0]
	share := time.Duration(math.Ceil(s.share(s.opt.Processor).Seconds())) * time.Second
	if _, err := exec.LookPath("sh"); err != nil {
		share = 0
	}
	if share > 0 {
		command = slices.Concat(
			[]string{"sh", "-c", fmt.Sprintf(`ulimit -t %d 2>/dev/null; exec "$@"`, share/time.Second), name},
			command,
		)
	}
	err := hdl.Lines(ctx, hdl.YosysMemory(s.opt.Memory), s.dir, command, line)
	// the system counts by its ticks when it stops a program, and by the nanosecond when it says what the program had
	if exit := (*exec.ExitError)(nil); share > 0 && errors.As(err, &exit) &&
		exit.UserTime()+exit.SystemTime() >= share*3/4 {
		return fmt.Errorf("%s was stopped: %w", name, errTime)
	}
	return err
}

// share is one engine's part of the time of all engines.
func (s *search) share(of time.Duration) time.Duration {
	if s.opt.Engine == Auto && !s.Refute && !s.alone {
		return of / 3
	}
	return of
}

// yosys runs a script.
func (s *search) yosys(ctx context.Context, script string, line func(string)) error {
	file := filepath.Join(s.dir, "script.ys")
	if err := os.WriteFile(file, []byte(script), 0o644); err != nil {
		return err
	}
	said, output := "", strings.Builder{}
	err := s.run(ctx, []string{"yosys", "-Q", "-T", "-s", file}, func(text string) {
		if (said == "" || !strings.Contains(said, "loop")) &&
			(yosysError.MatchString(text) || strings.Contains(text, "Warning: found logic loop")) {
			said = strings.TrimSpace(text)
		}
		if said != "" && output.Len() < 16<<10 {
			output.WriteString(text + "\n")
		}
		line(text)
	})
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		if said == "" {
			said = fmt.Sprintf("it ended with %v; it may have wanted more memory than it was given", exit)
		}
		return &Error{said, output.String()}
	}
	return err
}
