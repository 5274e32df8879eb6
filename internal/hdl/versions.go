package hdl

import (
	"context"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// versioned is a tool of which an oldest version is known to do. Verilator has a package of its own.
type versioned struct {
	program, name string
	said          *regexp.Regexp // of its answer to -V, with the version's two numbers
	major, minor  int            // the oldest
}

var (
	icarusTool = versioned{"iverilog", "Icarus Verilog", regexp.MustCompile(`Icarus Verilog version (\d+)\.(\d+)`), 11, 0}
	yosysTool  = versioned{"yosys", "Yosys", regexp.MustCompile(`^Yosys (\d+)\.(\d+)`), 0, 23}
)

// KnownYosys returns nil if the Yosys on PATH is there and its version will do, else an error of one line.
func KnownYosys() error { return yosysTool.known() }

// YosysVersion is the version of the Yosys on PATH, {0, 23} say, and all 0 if that will not do.
func YosysVersion() [2]int { return yosysTool.answer().version }

// YosysMemory is the limit of address space for a Yosys with that limit of memory. A build for WebAssembly, as pip has
// one, reserves more addresses than it uses.
func YosysMemory(bytes int64) int64 {
	if bytes > 0 && yosysTool.known() == nil && yosysTool.answer().reserves {
		return bytes + reserved
	}
	return bytes
}

const reserved = 12 << 30

var versions sync.Map // func() answer, by the tool's path

// answer is the tool's to -V.
type answer struct {
	err      error // why it will not do
	version  [2]int
	reserves bool // it was built for WebAssembly
}

// patience is how long a tool may take to tell its version.
const patience = time.Minute

// known asks the tool on PATH, once.
func (t versioned) known() error {
	return t.answer().err
}

func (t versioned) answer() answer {
	path, err := exec.LookPath(t.program)
	if err != nil {
		return answer{err: fmt.Errorf("%s is not installed: %w", t.program, err)}
	}
	found, _ := versions.LoadOrStore(path, sync.OnceValue(func() answer { return t.ask(path) }))
	return found.(func() answer)()
}

func (t versioned) ask(path string) answer {
	refuse := func(format string, args ...any) answer { return answer{err: fmt.Errorf(format, args...)} }
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	out, err := exec.CommandContext(ctx, path, "-V").Output() // Icarus tells it, and then misses its preprocessor at times
	line, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	m := t.said.FindStringSubmatch(line)
	if m == nil {
		if err != nil {
			return refuse("%s -V: %w", path, err)
		}
		return refuse("%s -V says %.80q, and no version: want %s %d.%d or newer", path, line, t.name, t.major, t.minor)
	}
	major, _ := strconv.Atoi(m[1]) // digits
	minor, _ := strconv.Atoi(m[2])
	if major < t.major || major == t.major && minor < t.minor {
		return refuse("%s is %s %d.%d, want %d.%d or newer", path, t.name, major, minor, t.major, t.minor)
	}
	return answer{version: [2]int{major, minor}, reserves: strings.Contains(line, "wasi")}
}
