package cosim

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/internal/verilator"
	"github.com/goldwire/goldwire/rtl"
)

// newerVersion is a note on a version that is newer than any that is known.
func newerVersion() []string {
	if tool, err := verilator.Known(); err == nil && verilator.Newest.Before(tool.Version) {
		return []string{
			fmt.Sprintf(
				"Verilator %v is newer than %v, the last one that is known: it is taken as that one", tool.Version,
				verilator.Newest,
			),
		}
	}
	return nil
}

var verilatorMissing = regexp.MustCompile(`Parameter (?:pin )?not found: '?(\w+)`)

// errInterfaced is what Verilator says of a top module with interfaces.
var errInterfaced = errors.New("interfaces at the ports of the top module, which Verilator does not take")

// describe runs Verilator on a design, and on a file around it if there is one, up to its description.
func (d Design) describe(ctx context.Context, dir, top, around string, more ...string) (*verilator.Description, error) {
	tool, err := verilator.Known()
	if err != nil {
		return nil, err
	}
	files := d.sources()
	if around != "" {
		files = d.around(around)
	}
	command := slices.Concat([]string{"verilator"}, tool.Describe(dir, top), more, files)
	interfaced, missing := false, ""
	err = compile(ctx, d.limits(), dir, command, hearing{line: func(line string) {
		interfaced = interfaced || strings.Contains(line, "Interfaced port")
		if m := verilatorMissing.FindStringSubmatch(line); m != nil && missing == "" {
			missing = m[1]
		}
	}})
	if missing != "" && err != nil {
		return nil, fmt.Errorf("module %s has no parameter %s", d.Top, clip(missing, 60))
	}
	if interfaced && err != nil {
		return nil, errInterfaced
	}
	if err != nil {
		return nil, err
	}
	return tool.ReadDescription(dir, top)
}

func (d Design) readByVerilator(ctx context.Context, dir string, m Map) (r reading, err error) {
	x, top, err := d.describeTop(ctx, dir)
	if errors.Is(err, errInterfaced) || err == nil && (len(m.Interfaces) > 0 || hasInterfaces(top)) {
		return d.readInterfaces(ctx, dir, m)
	}
	if err != nil {
		return r, err
	}
	r.files = x.Files
	for _, v := range top.Variables {
		if err := d.add(&r, x, v); err != nil {
			return r, err
		}
	}
	return r, nil
}

// describeTop has Verilator describe the top module with its parameters. Its flag -G takes numbers and strings only.
func (d Design) describeTop(ctx context.Context, dir string) (*verilator.Description, *verilator.Module, error) {
	if d.namesPackages() {
		return d.probe(ctx, dir, nil)
	}
	x, err := d.describe(ctx, dir, d.Top, "", d.parameters("-G%s=%s")...)
	if err != nil {
		return nil, nil, err
	}
	return x, x.Top, nil
}

// add adds a variable of the top module to its ports, if it is one.
func (d Design) add(r *reading, x *verilator.Description, v verilator.Variable) error {
	if v.Direction == "" {
		return nil
	}
	p, err := d.port(x, v, v.Name, v.Direction)
	if err != nil {
		return err
	}
	r.ports = append(r.ports, p)
	return nil
}

// hasInterfaces tells whether a top module, of which nobody has an instance, has interfaces at its ports. Those inside
// belong to instances.
func hasInterfaces(m *verilator.Module) bool {
	return slices.ContainsFunc(m.Variables, func(v verilator.Variable) bool {
		_, instance := m.Instances[strings.TrimSuffix(v.Name, "__Viftop")]
		return v.Interface && !instance
	})
}

// port describes a variable as a port.
func (d Design) port(x *verilator.Description, v verilator.Variable, name, dir string) (Port, error) {
	p := Port{Name: name, iface: -1}
	switch dir {
	case "input":
		p.Dir = rtl.Input
	case "output":
		p.Dir = rtl.Output
	default:
		return p, d.refuseInout(name, dir)
	}
	var err error
	if p.shape, err = shapeOf(x, v.Type); err != nil {
		return p, fmt.Errorf("port %s of %s: %w", name, d.Top, err)
	}
	return p, nil
}

// refuseInout says why a port that is neither input nor output is of no use here.
func (d Design) refuseInout(port, dir string) error {
	return fmt.Errorf(
		"port %s of %s is an %s, want inputs and outputs only: both sides drive it, and the model has no such pin; wrap %s "+
			"so that what it drives, what it "+
			"reads and when it drives are ports of their own",
		port,
		d.Top,
		dir,
		d.Top,
	)
}

// widths of types whose range does not stand in the description.
var typeWidths = map[string]int{
	"logic": 1, "bit": 1, "reg": 1, "wire": 1, "byte": 8, "shortint": 16, "int": 32,
	"integer": 32, "longint": 64, "time": 64,
}

// shapeOf describes a type.
func shapeOf(x *verilator.Description, id string) (*shape, error) {
	t, ok := x.Type(id)
	if !ok {
		return nil, errors.New("a type that Verilator does not describe")
	}
	switch t.Kind {
	case "basic":
		if t.Left == "" {
			width, ok := typeWidths[t.Name]
			if !ok {
				return nil, fmt.Errorf("a %s, want bits", clip(t.Name, 40))
			}
			return &shape{left: width - 1}, nil
		}
		left, right, err := bounds(t)
		return &shape{left: left, right: right}, err
	case "ref", "enum":
		return shapeOf(x, t.Of)
	case "struct", "union":
		s := &shape{union: t.Kind == "union", members: []member{}}
		for _, m := range t.Members {
			of, err := shapeOf(x, m.Type)
			if err != nil {
				return nil, err
			}
			s.members = append(s.members, member{m.Name, of})
		}
		return s, nil
	case "packarray", "unpackarray":
		of, err := shapeOf(x, t.Of)
		if err != nil {
			return nil, err
		}
		left, right, err := bounds(t)
		return &shape{left: left, right: right, of: of, unpacked: t.Kind == "unpackarray"}, err
	default:
		return nil, fmt.Errorf("a type of kind %s, want vectors, packed structs and arrays of them: wrap the module", t.Kind)
	}
}

// bounds reads a type's range.
func bounds(t verilator.Type) (left, right int, err error) {
	left, err1 := strconv.Atoi(t.Left)
	right, err2 := strconv.Atoi(t.Right)
	if err1 != nil || err2 != nil {
		err = fmt.Errorf("range [%s:%s], want numbers", clip(t.Left, 40), clip(t.Right, 40))
	}
	return left, right, err
}
