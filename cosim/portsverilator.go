package cosim

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/rtl"
)

// Verilator's XML has one element a variable, and a table of types.

type xmlNode struct {
	XMLName   xml.Name
	Name      string    `xml:"name,attr"`
	Dir       string    `xml:"dir,attr"`
	Direction string    `xml:"direction,attr"`
	Type      string    `xml:"dtype_id,attr"`
	ID        string    `xml:"id,attr"`
	Sub       string    `xml:"sub_dtype_id,attr"`
	Left      string    `xml:"left,attr"`
	Right     string    `xml:"right,attr"`
	FileName  string    `xml:"filename,attr"`
	IsTop     string    `xml:"topModule,attr"`
	Of        string    `xml:"defName,attr"`
	Children  []xmlNode `xml:",any"`
}

func (n *xmlNode) is(kind string) bool { return n.XMLName.Local == kind }

func (n *xmlNode) walk(f func(*xmlNode)) {
	f(n)
	for i := range n.Children {
		n.Children[i].walk(f)
	}
}

// description is what Verilator says of a design.
type description struct {
	modules map[string]*xmlNode // and interfaces
	types   map[string]*xmlNode
	top     *xmlNode
	files   []string
}

// describe runs Verilator on a design up to its description.
func (d Design) describe(ctx context.Context, dir, top string, more ...string) (*description, error) {
	out := filepath.Join(dir, "ports.xml")
	command := append([]string{"verilator", "--xml-only", "--no-timing", "--xml-output", out, "--Mdir", dir, "-Wno-fatal", "-Wno-lint", "-Wno-style",
		"--top-module", top}, more...)
	if err := compile(ctx, d.limits(), dir, append(command, d.sources()...)); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(out)
	if err != nil {
		return nil, err
	}
	var root xmlNode
	if err := xml.Unmarshal(data, &root); err != nil {
		return nil, fmt.Errorf("verilator's description of %s: %w", top, err)
	}
	x := &description{modules: map[string]*xmlNode{}, types: map[string]*xmlNode{}}
	root.walk(func(n *xmlNode) {
		switch {
		case n.is("module") || n.is("iface"):
			x.modules[n.Name] = n
			if n.IsTop == "1" {
				x.top = n
			}
		case strings.HasSuffix(n.XMLName.Local, "dtype"):
			x.types[n.ID] = n
		case n.is("file") && filepath.IsAbs(n.FileName) && filepath.Dir(n.FileName) != dir && !slices.Contains(x.files, n.FileName):
			x.files = append(x.files, n.FileName)
		}
	})
	if x.top == nil {
		return nil, errors.New("verilator names no top module")
	}
	return x, nil
}

func (d Design) readByVerilator(ctx context.Context, dir string, m Map) (r reading, err error) {
	x, err := d.describe(ctx, dir, d.Top, d.parameters("-G%s=%s")...)
	var refused *CompileError
	if errors.As(err, &refused) && strings.Contains(refused.Output, "Interfaced port") || err == nil && len(m.Interfaces) > 0 {
		return d.readInterfaces(ctx, dir, m)
	}
	if err != nil {
		return r, err
	}
	r.files = x.files
	for _, v := range x.top.Children {
		if v.is("var") && v.Dir != "" {
			p, err := d.port(x, &v, v.Name, v.Dir)
			if err != nil {
				return r, err
			}
			r.ports = append(r.ports, p)
		}
	}
	return r, nil
}

// port describes a variable as a port.
func (d Design) port(x *description, v *xmlNode, name, dir string) (Port, error) {
	p := Port{Name: name, iface: -1}
	switch dir {
	case "input", "in":
		p.Dir = rtl.Input
	case "output", "out":
		p.Dir = rtl.Output
	default:
		return p, d.refuseInout(name, dir)
	}
	var err error
	if p.shape, err = x.shape(v.Type); err != nil {
		return p, fmt.Errorf("port %s of %s: %w", name, d.Top, err)
	}
	return p, nil
}

// refuseInout says why a port that is neither input nor output is of no use here.
func (d Design) refuseInout(port, dir string) error {
	return fmt.Errorf("port %s of %s is an %s, want inputs and outputs only: both sides drive it, and the model has no such pin; wrap %s so that what it drives, what it "+
		"reads and when it drives are ports of their own", port, d.Top, dir, d.Top)
}

// widths of types whose range does not stand in the description.
var typeWidths = map[string]int{"logic": 1, "bit": 1, "reg": 1, "wire": 1, "byte": 8, "shortint": 16, "int": 32, "integer": 32, "longint": 64, "time": 64}

var verilogNumber = regexp.MustCompile(`^\d+'s?h([0-9a-fA-F]+)$`)

// shape describes a type.
func (x *description) shape(id string) (*shape, error) {
	t := x.types[id]
	if t == nil {
		return nil, errors.New("a type that Verilator does not describe")
	}
	switch kind := strings.TrimSuffix(t.XMLName.Local, "dtype"); kind {
	case "basic":
		if t.Left == "" {
			width, ok := typeWidths[t.Name]
			if !ok {
				return nil, fmt.Errorf("a %s, want bits", clip(t.Name, 40))
			}
			return &shape{left: width - 1}, nil
		}
		left, err1 := strconv.Atoi(t.Left)
		right, err2 := strconv.Atoi(t.Right)
		if err1 != nil || err2 != nil {
			return nil, fmt.Errorf("range [%s:%s], want numbers", t.Left, t.Right)
		}
		return &shape{left: left, right: right}, nil
	case "ref", "enum":
		return x.shape(t.Sub)
	case "struct", "union":
		s := &shape{union: kind == "union", members: []member{}}
		for _, m := range t.Children {
			of, err := x.shape(m.Sub)
			if err != nil {
				return nil, err
			}
			s.members = append(s.members, member{m.Name, of})
		}
		return s, nil
	case "packarray", "unpackarray":
		of, err := x.shape(t.Sub)
		if err != nil {
			return nil, err
		}
		var bounds []int
		t.walk(func(n *xmlNode) {
			if m := verilogNumber.FindStringSubmatch(n.Name); n.is("const") && m != nil {
				v, _ := strconv.ParseUint(m[1], 16, 32) // the form is checked
				bounds = append(bounds, int(int32(v)))
			}
		})
		if len(bounds) != 2 {
			return nil, errors.New("an array whose range Verilator does not tell")
		}
		return &shape{left: bounds[0], right: bounds[1], of: of, unpacked: kind == "unpackarray"}, nil
	default:
		return nil, fmt.Errorf("a type of kind %s, want vectors, packed structs and arrays of them: wrap the module", kind)
	}
}
