// Package faults plants faults in RTL: Yosys chooses them, and writes the RTL as one module with an input that selects
// one of them.
package faults

import (
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
)

// Selector is the input of the written module that selects a mutant: 0 for none.
const Selector = "goldwire_mutant"

// RTL is Verilog that gets faults.
type RTL struct {
	Read string // Yosys commands that read it
	Top  string // its module
	// KeepInit keeps the values that registers have by an initial block.
	KeepInit bool
	// Split, if not empty, is a second file: the same with single bits in place of all vectors, at the ports too, which
	// are then called "\\name[3]". Faults drive vectors in parts. Simulators see loops in such vectors, and Verilator
	// 5.006 takes wrong values then.
	Split string
}

// Options say how many faults, and which.
type Options struct {
	Most   int
	Seed   uint64
	Memory int64 // bytes that Yosys may have; 0 for no limit
}

// Planted is RTL with its mutants.
type Planted struct {
	Names []string // of mutants, from 1 on: Names[0] is none's
	Bits  int      // of the selector
}

// Files of Yosys' run.
const (
	scriptFile = "script.ys"
	listFile   = "list.txt"
	baseFile   = "base.il"
)

// Plant writes the RTL's top module, flat, with all mutants in it, to a Verilog file in the directory. Clocks are left
// alone.
func Plant(ctx context.Context, dir string, rtl RTL, opt Options, out string) (*Planted, error) {
	p := &Planted{Bits: 1}
	for opt.Most>>p.Bits > 0 {
		p.Bits++
	}
	init := "setattr -unset init w:*\n"
	if rtl.KeepInit {
		init = ""
	}
	// Registers keep their form (-nordff, -noff), and memories theirs until the mutants are in.
	const plan = "%s\nprep -top %s -flatten -nordff -run begin:check\n%smutate -list %d -seed %d -ctrl %s %d 1 -o %s\n" +
		"write_rtlil %s\n"
	err := Yosys(ctx, dir, opt.Memory, fmt.Sprintf(plan,
		rtl.Read, rtl.Top, init, opt.Most, opt.Seed&0x3fff_ffff, Selector, p.Bits, listFile, baseFile))
	if err != nil {
		return nil, err
	}
	commands, err := p.readList(filepath.Join(dir, listFile))
	if err != nil {
		return nil, err
	}
	split := ""
	if rtl.Split != "" {
		split = "splitnets -ports\nwrite_verilog -noattr " + rtl.Split + "\n"
	}
	return p, Yosys(ctx, dir, opt.Memory, fmt.Sprintf(
		"read_rtlil %s\n%s\nwrite_verilog -noattr %s\n%s", baseFile, strings.Join(commands, "\n"), out, split))
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
func (p *Planted) readList(file string) (commands []string, err error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	p.Names = []string{"none"}
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
			ours := strings.Contains(src[1], "/goldwire_") // the shell around the RTL
			if !strings.HasSuffix(src[1], ":0.0-0.0") && (place == "" || !ours) {
				place = src[1] + " "
				if !ours {
					break
				}
			}
		}
		p.Names = append(p.Names, fmt.Sprintf("%s%s %s[%s] of %s", place, mode[1], port[2], port[3],
			strings.TrimPrefix(port[1], "\\")))
		commands = append(commands, strings.Replace(line, " "+value[1]+" -mode",
			" "+strconv.Itoa(len(p.Names)-1)+" -mode", 1))
	}
	if len(commands) == 0 {
		return nil, errors.New("yosys found no place for a mutant")
	}
	return commands, nil
}

// Yosys runs a script in the directory.
func Yosys(ctx context.Context, dir string, memory int64, script string) error {
	if err := os.WriteFile(filepath.Join(dir, scriptFile), []byte(script), 0o644); err != nil {
		return err
	}
	said := ""
	command := []string{"yosys", "-Q", "-T", "-s", scriptFile}
	err := hdl.Lines(ctx, hdl.YosysMemory(memory), dir, command, func(line string) {
		if said == "" && strings.Contains(line, "ERROR:") {
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
