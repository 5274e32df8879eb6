package verilator

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Description is a design as Verilator describes it.
type Description struct {
	Top   *Module
	Files []string // that were read, as they were named; those with absolute names, without Verilator's own

	types map[string]Type
}

// Module is a module or an interface.
type Module struct {
	Name      string
	Variables []Variable // ports and others, in the order of the source
	Instances map[string]*Module
	Modports  map[string]map[string]string // the directions of signals, by modport
}

// Variable is a port of a module, or a variable inside it.
type Variable struct {
	Name      string // "a.b" for \a.b
	Direction string // "input", "output", "inout"; "" for no port
	Interface bool   // it is an interface, or a port that is one
	Type      string // to be looked up with [Description.Type]
}

// Type is a type of variables.
type Type struct {
	Kind    string // "basic", "ref", "enum", "struct", "union", "packarray", "unpackarray", or another of Verilator's
	Name    string // of a basic one: "logic"
	Left    string // of its range, a number; both are empty where it has none
	Right   string
	Of      string // the type of elements, or the type that a name stands for
	Members []member
}

// member is one of a struct or a union.
type member struct{ Name, Type string }

// Type returns a type of the description.
func (d *Description) Type(id string) (Type, bool) {
	t, ok := d.types[id]
	return t, ok
}

// Describe returns the arguments that have the tool write its description of a top module into a folder.
func (t *Tool) Describe(dir, top string) []string {
	args := []string{"--no-timing", "--Mdir", dir, "-Wno-fatal", "-Wno-lint", "-Wno-style", "--top-module", top}
	if t.Version.Before(firstJSON) {
		return append(args, "--xml-only", "--xml-output", filepath.Join(dir, descriptionXML))
	}
	return append(args, "--json-only", "--json-only-output", filepath.Join(dir, descriptionJSON),
		"--json-only-meta-output", filepath.Join(dir, filesJSON))
}

const (
	descriptionXML  = "ports.xml"
	descriptionJSON = "ports.json"
	filesJSON       = "files.json"
)

// ReadDescription reads what Describe had written.
func (t *Tool) ReadDescription(dir, top string) (*Description, error) {
	read := readJSON
	if t.Version.Before(firstJSON) {
		read = readXML
	}
	d, err := read(dir)
	if err == nil && d.Top == nil {
		err = fmt.Errorf("no top module in it")
	}
	if err != nil {
		return nil, fmt.Errorf("the description of %s by Verilator %v: %w", top, t.Version, err)
	}
	d.Files = slices.DeleteFunc(d.Files, func(f string) bool {
		return !filepath.IsAbs(f) || filepath.Dir(f) == dir || strings.HasPrefix(f, t.Include()+string(filepath.Separator))
	})
	return d, nil
}
