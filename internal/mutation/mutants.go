package mutation

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/goldwire/goldwire/internal/faults"
	"github.com/goldwire/goldwire/vectors"
)

// selector is the input of the mutated RTL that says which mutant it is: 0 for none.
const selector = faults.Selector

// mutated is a unit's reference RTL with all its mutants in it.
type mutated struct {
	names   []string // of mutants, from 1 on: names[0] is none's
	bits    int      // of the selector
	netlist *netlist
}

// Files of Yosys' run.
const (
	verilogFile = "mutants.v"
	gatesFile   = "gates.json"
)

// plant asks Yosys for mutants of a unit's RTL. Clocks are left alone.
func plant(ctx context.Context, dir string, u vectors.Unit, most int, seed uint64, memory int64) (*mutated, error) {
	source, top := u.Module()+".v", u.Module()
	if err := os.WriteFile(filepath.Join(dir, source), []byte(u.RTL), 0o644); err != nil {
		return nil, err
	}
	planted, err := faults.Plant(ctx, dir, faults.RTL{Read: "read_verilog -sv " + source, Top: top},
		faults.Options{Most: most, Seed: seed, Memory: memory}, verilogFile)
	if err != nil {
		return nil, err
	}
	m := &mutated{names: planted.Names, bits: planted.Bits}
	if err := m.environment(filepath.Join(dir, verilogFile), u); err != nil {
		return nil, err
	}
	err = faults.Yosys(ctx, dir, memory, fmt.Sprintf(`read_verilog -formal -sv %s
hierarchy -check -top %s
proc
async2sync t:$check
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
