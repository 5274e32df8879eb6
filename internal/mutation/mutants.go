package mutation

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/internal/hdl"
	"github.com/goldwire/goldwire/vectors"
)

// selector is the input of the mutated RTL that says which mutant it is: 0 for none.
const selector = "goldwire_mutant"

// mutated is a unit's reference RTL with all its mutants in it.
type mutated struct {
	names   []string // of mutants, from 1 on: names[0] is none's
	bits    int      // of the selector
	netlist *netlist
}

// Files of Yosys' run.
const (
	listFile    = "list.txt"
	verilogFile = "mutants.v"
	gatesFile   = "gates.json"
)

// mutate asks Yosys for mutants of a unit's RTL. Clocks are left alone.
func mutate(ctx context.Context, dir string, u vectors.Unit, most int, seed uint64, memory int64) (*mutated, error) {
	m := &mutated{bits: 1}
	for most>>m.bits > 0 {
		m.bits++
	}
	source, top := u.Module()+".v", u.Module()
	if err := os.WriteFile(filepath.Join(dir, source), []byte(u.RTL), 0o644); err != nil {
		return nil, err
	}
	// Registers keep their form (-nordff, -noff), and memories theirs until the mutants are in.
	err := yosys(ctx, dir, memory, fmt.Sprintf(`read_verilog -sv %s
prep -top %s -flatten -nordff -run begin:check
setattr -unset init w:*
mutate -list %d -seed %d -ctrl %s %d 1 -o %s
write_rtlil base.il
`, source, top, most, seed&0x3fff_ffff, selector, m.bits, listFile))
	if err != nil {
		return nil, err
	}
	commands, err := m.readList(filepath.Join(dir, listFile))
	if err != nil {
		return nil, err
	}
	err = yosys(ctx, dir, memory, fmt.Sprintf("read_rtlil base.il\n%s\nwrite_verilog -noattr %s\n",
		strings.Join(commands, "\n"), verilogFile))
	if err != nil {
		return nil, err
	}
	if err := m.environment(filepath.Join(dir, verilogFile), u); err != nil {
		return nil, err
	}
	err = yosys(ctx, dir, memory, fmt.Sprintf(`read_verilog -formal -sv %s
hierarchy -check -top %s
proc
opt_clean
memory_map
setundef -undriven -anyseq
setundef -anyseq
opt_clean
dffunmap
setattr -unset src c:*
write_json %s
`, verilogFile, top, gatesFile))
	if err != nil {
		return nil, err
	}
	file, err := os.Open(filepath.Join(dir, gatesFile))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	m.netlist, err = readNetlist(bufio.NewReader(file), top, clockPorts(u), []string{selector})
	return m, err
}

// environment adds to the module the unit's assumptions about its inputs and its assertions about its registers. No
// mutant is planted in either.
func (m *mutated) environment(file string, u vectors.Unit) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	end := strings.LastIndex(string(text), "endmodule")
	if end < 0 {
		return errors.New("yosys wrote a module without an end")
	}
	return os.WriteFile(file, []byte(string(text[:end])+u.Environment+"\n"+u.Invariant+"\nendmodule\n"), 0o644)
}

// clockPorts returns the Verilog names of a unit's clocks, resetPorts the names of its resets.
func clockPorts(u vectors.Unit) []string { return portOfEach(u, vectors.UnitClock.ClockPort, "clk") }

func resetPorts(u vectors.Unit) []string { return portOfEach(u, vectors.UnitClock.ResetPort, "rst") }

// portOfEach returns a port's name for each clock of a unit, or the single one of a unit that names no clocks.
func portOfEach(u vectors.Unit, port func(vectors.UnitClock) string, single string) (names []string) {
	for _, c := range u.Clocks {
		names = append(names, port(c))
	}
	if len(names) == 0 {
		names = []string{single}
	}
	return names
}

var (
	listMode   = regexp.MustCompile(` -mode (\S+) `)
	listPort   = regexp.MustCompile(` -cell (\S+) -port (\S+) -portbit (\d+)`)
	listNoPart = regexp.MustCompile(` -port (\S*CLK|\\?RD_ARST|\\?RD_SRST) `)
	listSource = regexp.MustCompile(` -src (\S+)`)
	listValue  = regexp.MustCompile(` -ctrl \S+ \d+ (\d+) `)
)

// readList reads the list that mutate wrote: one command per mutant, the first with selector 1. It skips mutants of
// clocks, and mutants of the reset of a memory's read port: RTL without such a reset has no place for the fault, and
// Yosys stops at an internal assertion when the reset is not a constant.
func (m *mutated) readList(file string) (commands []string, err error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	m.names = []string{"none"}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if line == "" || listNoPart.MatchString(line) {
			continue
		}
		mode, port, value := listMode.FindStringSubmatch(line), listPort.FindStringSubmatch(line),
			listValue.FindStringSubmatch(line)
		if mode == nil || port == nil || value == nil {
			return nil, fmt.Errorf("yosys mutate: a line that is not known here: %.200q", line)
		}
		place := ""
		for _, src := range listSource.FindAllStringSubmatch(line, -1) {
			if !strings.HasSuffix(src[1], ":0.0-0.0") {
				place = src[1] + " "
				break
			}
		}
		m.names = append(m.names, fmt.Sprintf("%s%s %s[%s] of %s", place, mode[1], port[2], port[3],
			strings.TrimPrefix(port[1], "\\")))
		commands = append(commands, strings.Replace(line, " "+value[1]+" -mode",
			" "+strconv.Itoa(len(m.names)-1)+" -mode", 1))
	}
	if len(commands) == 0 {
		return nil, errors.New("yosys found no place for a mutant")
	}
	return commands, nil
}

// yosys runs a script in the directory.
func yosys(ctx context.Context, dir string, memory int64, script string) error {
	if err := os.WriteFile(filepath.Join(dir, "script.ys"), []byte(script), 0o644); err != nil {
		return err
	}
	said := ""
	err := hdl.Lines(ctx, memory, dir, []string{"yosys", "-Q", "-T", "-s", "script.ys"}, func(line string) {
		if said == "" && strings.Contains(line, "ERROR: ") {
			said = strings.TrimSpace(line)
		}
	})
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		if said == "" {
			said = "it may have wanted more memory than it was given"
		}
		return fmt.Errorf("yosys ended with %v: %s", exit, said)
	}
	return err
}
