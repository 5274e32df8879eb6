package cosim

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// register is a variable of the RTL as Icarus compiled it, or a memory.
type register struct {
	Name     string // below the top module: "core.g[1].state"
	Path     string // in the testbench
	Width    int
	Memory   bool
	From, To int  // the elements of a memory
	Assigned bool // by a nonblocking assignment: a flip-flop, and no variable of combinational logic
}

// Random is an expression of random bits, at least as many as the register has.
func (r register) Random() string {
	const words = 64 // longer registers repeat them
	n := (r.Width + 31) / 32
	text := "$urandom(seed)" + strings.Repeat(", $urandom(seed)", min(n, words)-1)
	if n > words {
		return fmt.Sprintf("{%d{%s}}", (n+words-1)/words, text)
	}
	return "{" + text + "}"
}

// mostRegisters bounds the registers whose contents a testbench sets.
const mostRegisters = 50_000

// Lines of a program of vvp:
//
//	S_0x1 .scope module, "dut" "s4" 3 1, 3 1 0, S_0x0;
//	v0x2_0 .var "mode", 0 0;
//	v0x3 .array/s "mem", 15 0, 7 0;
//	    %assign/vec4/off/d v0x2_0, 4, 5;
var (
	vvpScope  = regexp.MustCompile(`^(S_\w+)\s+\.scope\s+(\w+)[^"]*"((?:\\.|[^"\\])*)"(.*);\s*$`)
	vvpParent = regexp.MustCompile(`,\s*(S_\w+)\s*$`)
	vvpVar    = regexp.MustCompile(`^(v\w+)\s+\.var(?:/[si])?\s+"((?:\\.|[^"\\])*)"\s*,\s*(-?\d+)\s+(-?\d+)\s*;`)
	vvpArray  = regexp.MustCompile(
		`^(v\w+)\s+\.array(?:/[si])?\s+"((?:\\.|[^"\\])*)"\s*,\s*(-?\d+)\s+(-?\d+)\s*,\s*(-?\d+)\s+(-?\d+)\s*;`,
	)
	vvpAssign = regexp.MustCompile(`^\s*%assign/\S+\s+(v\w+)`)

	plainName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_$]*$`)
	indexed   = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_$]*)(\[-?\d+\])+$`) // a generated scope
)

// readRegisters lists the four-valued variables below the shell's dut in a program of vvp, in the order in which they
// stand there.
func readRegisters(program string) ([]register, error) {
	file, err := os.Open(program)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	type scope struct {
		path, name string
		inside     bool
	}
	const top = "goldwire_tb.shell"
	scopes := map[string]scope{}
	var now scope
	var list []register
	place := map[string]int{}
	add := func(label, name string, numbers ...string) {
		step, ok := hierarchical(name, false)
		if !now.inside || !ok || len(list) > mostRegisters {
			return
		}
		n := make([]int, len(numbers))
		for i, text := range numbers {
			n[i], _ = strconv.Atoi(text) // the form is checked
		}
		k := len(n) - 2
		r := register{
			Name: join(now.name, name), Path: now.path + "." + step, Width: max(n[k], n[k+1]) - min(n[k], n[k+1]) + 1,
		}
		if k > 0 {
			r.Memory, r.From, r.To = true, min(n[0], n[1]), max(n[0], n[1])
		}
		place[label] = len(list)
		list = append(list, r)
	}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		line := lines.Text()
		if m := vvpScope.FindStringSubmatch(line); m != nil {
			above := scope{}
			if p := vvpParent.FindStringSubmatch(m[4]); p != nil {
				above = scopes[p[1]]
			}
			step, ok := hierarchical(m[3], m[2] == "generate")
			ok = ok && (m[2] == "module" || m[2] == "generate" || m[2] == "begin")
			now = scope{path: join(above.path, step), name: join(above.name, m[3]), inside: ok && above.inside}
			if now.path == top+".dut" {
				now.name, now.inside = "", true
			}
			scopes[m[1]] = now
		} else if m := vvpVar.FindStringSubmatch(line); m != nil {
			add(m[1], m[2], m[3:]...)
		} else if m := vvpArray.FindStringSubmatch(line); m != nil {
			add(m[1], m[2], m[3:]...)
		} else if m := vvpAssign.FindStringSubmatch(line); m != nil {
			if k, ok := place[m[1]]; ok {
				list[k].Assigned = true
			}
		}
	}
	if len(list) > mostRegisters {
		return nil, fmt.Errorf("the RTL has more than %d registers", mostRegisters)
	}
	return list, lines.Err()
}

func join(path, step string) string {
	if path == "" {
		return step
	}
	return path + "." + step
}

// hierarchical is a name as a path in Verilog has it.
func hierarchical(name string, generated bool) (string, bool) {
	switch {
	case strings.HasPrefix(name, "$") || strings.ContainsAny(name, " \\\t"):
		return "", false
	case plainName.MatchString(name) || generated && indexed.MatchString(name):
		return name, true
	}
	return `\` + name + " ", true
}

// missed returns the registers that hold x after the reset under Icarus, flip-flops' registers if there are any; none
// if Icarus is not there or does not build the RTL.
func (s *Session) missed(ctx context.Context, row []uint64) (names []string) {
	if Icarus.Available() != nil {
		return nil
	}
	p, ok := s.dut.(*interpreter)
	if !ok {
		d := s.opt.Design
		d.Simulator = Icarus
		dir := filepath.Join(s.dir, "registers")
		if os.MkdirAll(dir, 0o755) != nil {
			return nil
		}
		text := s.Binding.shell(d, 0)
		text.Streams = nil // it is never run but for its reset
		if len(s.Binding.ready) > 0 {
			return nil
		}
		program, registers, err := buildIcarus(ctx, d, text, dir)
		if err != nil {
			return nil
		}
		p = newInterpreter(ctx, program, d.Memory, s.Binding, s.in, s.out, nil, 1, 1, s.opt.Seed, s.opt.Timeout)
		p.registers = registers
		defer func() { _ = p.close() }() // it has sent its whole answer
	}
	s.prepare(p, beginning{seed: s.opt.Seed})
	for i, x := range row {
		p.ins.Put(p.parts[0].in, 0, i, x)
	}
	if p.reset(0) != nil {
		return nil
	}
	unknown, err := p.unknownRegisters()
	if err != nil {
		return nil
	}
	for _, like := range []func(r register) bool{ // the likeliest: memories without a reset are everywhere
		func(r register) bool { return r.Assigned && !r.Memory },
		func(r register) bool { return !r.Memory },
		func(register) bool { return true },
	} {
		for _, r := range unknown {
			if like(r) {
				names = append(names, r.Name)
			}
		}
		if len(names) > 0 {
			return names
		}
	}
	return nil
}

// unsetRegisters runs a stimulus from registers that are x, in memories of zeros. It returns the flip-flops that hold
// x at the end: neither the reset nor the stimulus gives them a value.
func (s *Session) unsetRegisters(ctx context.Context, p *interpreter, st Stimulus) (list []string) {
	if !p.setsContents() {
		return nil
	}
	s.prepare(p, beginning{contents: contentsUnset, seed: s.opt.Seed})
	defer s.prepare(p, beginning{seed: s.opt.Seed})
	if _, err := s.look(ctx, st, newTally(s.view, nil, true)); err != nil {
		return nil
	}
	unknown, err := p.unknownRegisters()
	if err != nil {
		return nil
	}
	for _, r := range unknown {
		if r.Assigned && !r.Memory {
			list = append(list, fmt.Sprintf("a register %s that neither reset nor stimulus sets", r.Name))
		}
	}
	return list
}
