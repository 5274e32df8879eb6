package cosim

import (
	"context"
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/rtl"
)

// Port is a port of the RTL's top module.
type Port struct {
	Name        string
	Dir         rtl.Direction
	Left, Right int      // of its range, 0 and 0 for a single bit; a packed struct counts from its width - 1 to 0
	Members     []Member // of a packed struct, the first in the most significant bits
}

// Member is a field of a packed struct.
type Member struct {
	Name  string
	Width int
}

// anyDirection is that of a variable in a waveform, which does not say it.
const anyDirection = rtl.Direction(-1)

// is tells whether the port can have the direction.
func (p Port) is(d rtl.Direction) bool { return p.Dir == d || p.Dir == anyDirection }

// Width returns the port's bits.
func (p Port) Width() int { return max(p.Left, p.Right) - min(p.Left, p.Right) + 1 }

// place returns the position of a bit by the port's own index, 0 for the least significant.
func (p Port) place(index int) (int, bool) {
	if index < min(p.Left, p.Right) || index > max(p.Left, p.Right) {
		return 0, false
	}
	if p.Left >= p.Right {
		return index - p.Right, true
	}
	return p.Right - index, true
}

// String returns the port as Verilog names it: "data[63:0]".
func (p Port) String() string {
	if p.Left == p.Right {
		return p.Name
	}
	return fmt.Sprintf("%s[%d:%d]", p.Name, p.Left, p.Right)
}

// reading is what a simulator tells of a design.
type reading struct {
	ports []Port   // of the top module, with parameters resolved
	files []string // that were read, by their absolute names: sources, includes, modules of libraries
	notes []string // what looks like a mistake and may be none
}

// read asks the simulator for the ports of the top module.
func (d Design) read(ctx context.Context, dir string) (r reading, err error) {
	if d.Simulator == Icarus {
		r, err = d.readByIcarus(ctx, dir)
	} else {
		r, err = d.readByVerilator(ctx, dir)
	}
	if err != nil {
		return r, err
	}
	r.notes, err = d.unusedDefines(r.files)
	return r, err
}

// Verilator's XML has one element a variable, and a table of types.

type xmlNode struct {
	XMLName  xml.Name
	Name     string    `xml:"name,attr"`
	OrigName string    `xml:"origName,attr"`
	Dir      string    `xml:"dir,attr"`
	Type     string    `xml:"dtype_id,attr"`
	ID       string    `xml:"id,attr"`
	Sub      string    `xml:"sub_dtype_id,attr"`
	Left     string    `xml:"left,attr"`
	Right    string    `xml:"right,attr"`
	FileName string    `xml:"filename,attr"`
	IsTop    string    `xml:"topModule,attr"`
	Children []xmlNode `xml:",any"`
}

func (d Design) readByVerilator(ctx context.Context, dir string) (r reading, err error) {
	out := filepath.Join(dir, "ports.xml")
	command := append([]string{"verilator", "--xml-only", "--no-timing", "--xml-output", out, "--Mdir", dir, "-Wno-fatal", "-Wno-lint", "-Wno-style",
		"--top-module", d.Top}, d.parameters("-G%s=%s")...)
	if err := compile(ctx, d.limits(), dir, append(command, d.sources()...)); err != nil {
		return r, err
	}
	data, err := os.ReadFile(out)
	if err != nil {
		return r, err
	}
	var root xmlNode
	if err := xml.Unmarshal(data, &root); err != nil {
		return r, fmt.Errorf("verilator's description of %s: %w", d.Top, err)
	}
	types := map[string]*xmlNode{}
	var top *xmlNode
	root.walk(func(n *xmlNode) {
		switch {
		case n.XMLName.Local == "module" && n.IsTop == "1":
			top = n
		case strings.HasSuffix(n.XMLName.Local, "dtype"):
			types[n.ID] = n
		case n.XMLName.Local == "file" && filepath.IsAbs(n.FileName) && !slices.Contains(r.files, n.FileName):
			r.files = append(r.files, n.FileName)
		}
	})
	if top == nil {
		return r, fmt.Errorf("verilator names no top module")
	}
	for _, v := range top.Children {
		if v.XMLName.Local != "var" || v.Dir == "" {
			continue
		}
		p := Port{Name: v.Name, Dir: rtl.Input}
		switch v.Dir {
		case "output":
			p.Dir = rtl.Output
		case "input":
		default:
			return r, fmt.Errorf("port %s of %s is an %s, want inputs and outputs only", v.Name, d.Top, v.Dir)
		}
		if err := p.shape(types, v.Type); err != nil {
			return r, fmt.Errorf("port %s of %s: %w", v.Name, d.Top, err)
		}
		r.ports = append(r.ports, p)
	}
	return r, nil
}

func (n *xmlNode) walk(f func(*xmlNode)) {
	f(n)
	for i := range n.Children {
		n.Children[i].walk(f)
	}
}

// shape gives the port the range and members of a type.
func (p *Port) shape(types map[string]*xmlNode, id string) error {
	t := types[id]
	if t != nil && t.XMLName.Local == "refdtype" {
		return p.shape(types, t.Sub)
	}
	if t != nil && t.XMLName.Local == "basicdtype" && t.Left != "" {
		var err1, err2 error
		p.Left, err1 = strconv.Atoi(t.Left)
		p.Right, err2 = strconv.Atoi(t.Right)
		if err1 != nil || err2 != nil {
			return fmt.Errorf("range [%s:%s], want numbers", t.Left, t.Right)
		}
		return nil
	}
	width, err := typeWidth(types, id)
	if err != nil {
		return err
	}
	p.Left = width - 1
	if t.XMLName.Local == "structdtype" {
		for _, m := range t.Children {
			w, err := typeWidth(types, m.Sub)
			if err != nil {
				return err
			}
			p.Members = append(p.Members, Member{m.Name, w})
		}
	}
	return nil
}

var verilogNumber = regexp.MustCompile(`^\d+'s?h([0-9a-fA-F]+)$`)

func typeWidth(types map[string]*xmlNode, id string) (int, error) {
	t := types[id]
	if t == nil {
		return 0, fmt.Errorf("a type that Verilator does not describe")
	}
	switch t.XMLName.Local {
	case "basicdtype":
		if t.Left == "" {
			if w, ok := map[string]int{"byte": 8, "shortint": 16, "int": 32, "integer": 32, "longint": 64, "time": 64}[t.Name]; ok {
				return w, nil
			}
			return 1, nil
		}
		l, err1 := strconv.Atoi(t.Left)
		r, err2 := strconv.Atoi(t.Right)
		if err1 != nil || err2 != nil {
			return 0, fmt.Errorf("range [%s:%s], want numbers", t.Left, t.Right)
		}
		return max(l, r) - min(l, r) + 1, nil
	case "refdtype", "enumdtype":
		return typeWidth(types, t.Sub)
	case "structdtype":
		total := 0
		for _, m := range t.Children {
			w, err := typeWidth(types, m.Sub)
			if err != nil {
				return 0, err
			}
			total += w
		}
		return total, nil
	case "packarraydtype":
		w, err := typeWidth(types, t.Sub)
		if err != nil {
			return 0, err
		}
		var bounds []int
		for i := range t.Children {
			t.Children[i].walk(func(n *xmlNode) {
				if m := verilogNumber.FindStringSubmatch(n.Name); n.XMLName.Local == "const" && m != nil {
					v, _ := strconv.ParseInt(m[1], 16, 32) // the form is checked
					bounds = append(bounds, int(v))
				}
			})
		}
		if len(bounds) != 2 {
			return 0, fmt.Errorf("an array whose range Verilator does not tell")
		}
		return w * (max(bounds[0], bounds[1]) - min(bounds[0], bounds[1]) + 1), nil
	}
	return 0, fmt.Errorf("a type of kind %s, want vectors and packed structs: wrap the module", strings.TrimSuffix(t.XMLName.Local, "dtype"))
}

// Icarus writes any design back as Verilog-95, with all ranges resolved.

var icarusMissing = regexp.MustCompile(`warning: parameter (\S+) not found in`)

var icarusPort = regexp.MustCompile(`^  (input|output|inout) (?:\[(-?\d+):(-?\d+)\] )?(\\\S+|\S+)\s*;`)

func (d Design) readByIcarus(ctx context.Context, dir string) (r reading, err error) {
	out, list := filepath.Join(dir, "ports.v"), filepath.Join(dir, "files.txt")
	command := append([]string{"iverilog", "-g2012", "-t", "vlog95", "-s", d.Top, "-o", out, "-Mall=" + list}, d.parameters("-P"+d.Top+".%s=%s")...)
	said, compileErr := compileSaying(ctx, d.limits(), dir, append(command, d.sources()...))
	data, err := os.ReadFile(out) // written even if what stands inside cannot be said in Verilog-95
	if err != nil && compileErr != nil {
		return r, compileErr
	}
	for line := range strings.Lines(said) {
		if m := icarusMissing.FindStringSubmatch(line); m != nil {
			return r, fmt.Errorf("module %s has no parameter %s", d.Top, clip(m[1], 60))
		}
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
		}
		if !inside {
			continue
		}
		if strings.HasPrefix(line, "endmodule") {
			return r, nil
		}
		m := icarusPort.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		p := Port{Name: m[4]}
		if m[2] != "" {
			p.Left, _ = strconv.Atoi(m[2]) // the form is checked
			p.Right, _ = strconv.Atoi(m[3])
		}
		switch m[1] {
		case "output":
			p.Dir = rtl.Output
		case "inout":
			return r, fmt.Errorf("port %s of %s is an inout, want inputs and outputs only", p.Name, d.Top)
		}
		r.ports = append(r.ports, p)
	}
	if compileErr != nil {
		return r, compileErr
	}
	return r, fmt.Errorf("module %s: Icarus names no ports", d.Top)
}
