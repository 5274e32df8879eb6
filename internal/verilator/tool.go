// Package verilator hides the differences between versions of Verilator: its version, how its compiler is started, the
// description that it writes of a design, and the makefile that lists the files a program is linked of.
package verilator

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Version is a version of Verilator: {5, 6} is 5.006.
type Version struct{ Major, Minor int }

// oldest is the first version that will do; Newest is the last one that Goldwire knows. A newer one is taken as if it
// were Newest.
var (
	oldest = Version{5, 6}
	Newest = Version{5, 51}

	// firstJSON describes ports of all kinds in JSON. 5.038 warns of --xml-only, and 5.048 refuses it.
	firstJSON = Version{5, 36}
)

func (v Version) String() string { return fmt.Sprintf("%d.%03d", v.Major, v.Minor) }

// Before tells whether v is older than the other.
func (v Version) Before(other Version) bool {
	return v.Major < other.Major || v.Major == other.Major && v.Minor < other.Minor
}

// Tool is the Verilator that PATH names.
type Tool struct {
	Program string  // the compiler's own program if it finds its files, else the script that tells it where they are
	Direct  bool    // Program is the compiler's own
	Version Version // zero if the tool does not tell it
	Root    string  // the folder of its include files' folder
	ID      string  // its whole version text
}

var tools sync.Map // func() (*Tool, error), by the tool's path and the environment

// Find asks the Verilator on PATH for its version and its files, once.
func Find() (*Tool, error) {
	script, err := exec.LookPath("verilator")
	if err != nil {
		return nil, fmt.Errorf("verilator is not installed: %w", err)
	}
	variables := slices.DeleteFunc(os.Environ(), func(v string) bool { return !strings.HasPrefix(v, "VERILATOR_") })
	key := strings.Join(append(variables, script), "\x00")
	found, _ := tools.LoadOrStore(key, sync.OnceValues(func() (*Tool, error) { return ask(script, len(variables) > 0) }))
	return found.(func() (*Tool, error))()
}

// Known returns the Verilator on PATH if its version will do, else an error of one line with the reason.
func Known() (*Tool, error) {
	t, err := Find()
	switch {
	case err != nil:
		return nil, err
	case t.Version == Version{}:
		return nil, fmt.Errorf("%s --version says %q, and %s names no version: want Verilator %v or newer", t.Program,
			t.said(), t.config(), oldest)
	case t.Version.Before(oldest):
		return nil, fmt.Errorf("%s is Verilator %v, want %v or newer", t.Program, t.Version, oldest)
	}
	return t, nil
}

// Include is the folder of the runtime's sources.
func (t *Tool) Include() string { return filepath.Join(t.Root, "include") }

func (t *Tool) config() string { return filepath.Join(t.Include(), "verilated_config.h") }

// said is what --version says.
func (t *Tool) said() string {
	line, _, _ := strings.Cut(t.ID, "\n")
	return strings.TrimSpace(line)
}

// ask finds the program. The script reads its manual and starts two shells before the compiler: on RTL of a hundred
// lines that is ten times the compiler's own work. It is passed over unless the compiler does not stand beside it, a
// variable tells the script more, or the compiler needs a variable that the script sets: installations that can be
// moved give it VERILATOR_ROOT.
func ask(script string, told bool) (*Tool, error) {
	if !told {
		if real, err := filepath.EvalSymlinks(script); err == nil {
			if compiler, err := exec.LookPath(filepath.Join(filepath.Dir(real), "verilator_bin")); err == nil {
				t := &Tool{Program: compiler, Direct: true}
				if t.tell() == nil && t.knowsItsRoot() {
					return t, nil
				}
			}
		}
	}
	t := &Tool{Program: script}
	return t, t.tell()
}

// tell asks the program.
func (t *Tool) tell() error {
	root, err := exec.Command(t.Program, "--getenv", "VERILATOR_ROOT").Output()
	if err != nil {
		return fmt.Errorf("%s --getenv VERILATOR_ROOT: %w", t.Program, err)
	}
	said, err := exec.Command(t.Program, "--version").Output()
	if err != nil {
		return fmt.Errorf("%s --version: %w", t.Program, err)
	}
	t.Root = strings.TrimSpace(string(root))
	config, err := os.ReadFile(t.config())
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	t.ID = string(said) + string(config)
	t.Version = versionIn(string(said), string(config))
	return nil
}

// knowsItsRoot tells whether the compiler, without an environment variable, finds the include files of its own
// version.
func (t *Tool) knowsItsRoot() bool {
	said, config, _ := strings.Cut(t.ID, "\n")
	words := strings.Fields(said) // Verilator 5.006 2023-01-22 rev …
	return len(words) > 2 && strings.Contains(config, fmt.Sprintf("%q", words[1]+" "+words[2]))
}

var (
	saidVersion   = regexp.MustCompile(`^Verilator\s+(\d+)\.(\d+)`)
	configVersion = regexp.MustCompile(`(?m)^\s*#\s*define\s+VERILATOR_VERSION\s+"(\d+)\.(\d+)`)
)

// versionIn reads what --version says, "Verilator 5.006 2023-01-22 rev …". Some builds know no more than " rev
// UNKNOWN.REV" there: their verilated_config.h has the number, with or without the zeros: "5.006 2023-01-22" or
// "5.38".
func versionIn(said, config string) Version {
	m := saidVersion.FindStringSubmatch(said)
	if m == nil {
		m = configVersion.FindStringSubmatch(config)
	}
	if m == nil {
		return Version{}
	}
	major, err1 := strconv.Atoi(m[1])
	minor, err2 := strconv.Atoi(m[2])
	if err1 != nil || err2 != nil { // more digits than a version has
		return Version{}
	}
	return Version{major, minor}
}
