package cosim

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/rtl"
)

// Icarus writes any design back as Verilog-95, with all ranges resolved.

// icarusArray finds an unpacked array in a module's header.
var icarusArray = regexp.MustCompile(`[(,] *([^ ,(]+)\[`)

// Icarus 11 warns of a parameter that is not there, 12 refuses it and puts its name in quotes.
var icarusMissing = regexp.MustCompile("(?:warning|error): parameter `?([^ `]+)`? not found in")

var icarusPort = regexp.MustCompile(`^  (input|output|inout) (?:\[(-?\d+):(-?\d+)\] )?(\\\S+|\S+)\s*;`)

func (d Design) readByIcarus(ctx context.Context, dir string) (r reading, err error) {
	out, list := filepath.Join(dir, "ports.v"), filepath.Join(dir, "files.txt")
	command := append(
		[]string{"iverilog", "-g2012", "-t", "vlog95", "-s", d.Top, "-o", out, "-Mall=" + list},
		d.parameters("-P"+d.Top+".%s=%s")...)
	missing := "" // the first parameter that the module does not have
	compileErr := compile(ctx, d.limits(), dir, append(command, d.sources()...), hearing{line: func(line string) {
		if m := icarusMissing.FindStringSubmatch(line); m != nil && missing == "" {
			missing = m[1]
		}
	}})
	if missing != "" {
		return r, fmt.Errorf("module %s has no parameter %s", d.Top, clip(missing, 60))
	}
	// The file is written even if the module's inside has no form in Verilog-95, or ends the writer with an assertion.
	data, err := os.ReadFile(out)
	if err != nil && compileErr != nil {
		return r, compileErr
	}
	files, err := os.ReadFile(list)
	if err != nil && compileErr == nil {
		return r, err
	}
	for name := range strings.Lines(string(files)) {
		if name = strings.TrimSpace(name); filepath.IsAbs(name) && !slices.Contains(r.files, name) {
			r.files = append(r.files, name)
		}
	}
	inside := false
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "module "+d.Top+"(") || strings.HasPrefix(line, "module "+d.Top+";") {
			inside = true
			if m := icarusArray.FindStringSubmatch(line); m != nil {
				return r, fmt.Errorf(
					"port %s of %s is an unpacked array, and Icarus does not run those of a top module: --sim verilator does",
					m[1], d.Top,
				)
			}
		}
		if !inside {
			continue
		}
		m := icarusPort.FindStringSubmatch(line)
		if m == nil && len(r.ports) > 0 && strings.HasSuffix(line, "\n") {
			return r, nil // the ports come first; the rest may end anywhere, where Icarus gives up
		}
		if m == nil {
			continue
		}
		p := Port{Name: m[4], shape: &shape{}, flat: true, iface: -1}
		if m[2] != "" {
			p.shape.left, _ = strconv.Atoi(m[2]) // the form is checked
			p.shape.right, _ = strconv.Atoi(m[3])
		}
		switch m[1] {
		case "output":
			p.Dir = rtl.Output
		case "inout":
			return r, d.refuseInout(p.Name, "inout")
		}
		r.ports = append(r.ports, p)
	}
	if compileErr != nil {
		return r, compileErr
	}
	return r, fmt.Errorf("module %s: Icarus names no ports", d.Top)
}
