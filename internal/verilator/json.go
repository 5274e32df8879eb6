package verilator

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// From 5.036 on there are two JSON files: a tree of nodes, and a list of files.
type jsonNode struct {
	Type      string     `json:"type"` // "MODULE", "VAR", "BASICDTYPE"
	Name      string     `json:"name"`
	Address   string     `json:"addr"` // others name the node by it
	Level     int        `json:"level"`
	Direction string     `json:"direction"`
	Vartype   string     `json:"varType"`
	DType     string     `json:"dtypep"`
	Module    string     `json:"modp"`
	Of        string     `json:"refDTypep"`
	Keyword   string     `json:"keyword"`
	Range     string     `json:"range"`     // "63:0"
	Declared  string     `json:"declRange"` // "[0:3]"
	Modules   []jsonNode `json:"modulesp"`
	Inside    []jsonNode `json:"stmtsp"`
	Signals   []jsonNode `json:"varsp"`
	Tables    []jsonNode `json:"miscsp"`
	Types     []jsonNode `json:"typesp"`
	Members   []jsonNode `json:"membersp"`
}

func readJSON(dir string) (*Description, error) {
	var root jsonNode
	var list struct {
		Files map[string]struct {
			Name string `json:"filename"`
		} `json:"files"`
	}
	for name, into := range map[string]any{descriptionJSON: &root, filesJSON: &list} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(data, into); err != nil {
			return nil, err
		}
	}
	d := &Description{types: map[string]Type{}}
	for _, key := range slices.Sorted(maps.Keys(list.Files)) {
		d.Files = append(d.Files, list.Files[key].Name)
	}
	for _, table := range root.Tables {
		for _, n := range table.Types {
			d.types[n.Address] = n.asType()
		}
	}
	modules := map[string]*Module{}
	highest := 0 // the top module has level 1, or 2 where the tree has a root of its own
	for _, n := range root.Modules {
		m := &Module{Name: n.Name, Instances: map[string]*Module{}, Modports: map[string]map[string]string{}}
		modules[n.Address] = m
		if n.Type == "MODULE" && n.Level > 0 && (d.Top == nil || n.Level < highest) {
			d.Top, highest = m, n.Level
		}
	}
	for _, n := range root.Modules {
		n.fill(modules[n.Address], modules)
	}
	return d, nil
}

// fill adds a module's variables and instances.
func (n *jsonNode) fill(m *Module, modules map[string]*Module) {
	for _, c := range n.Inside {
		switch c.Type {
		case "VAR":
			m.Variables = append(m.Variables, Variable{c.Name, direction(c.Direction), c.Vartype == "IFACEREF", c.DType})
		case "CELL":
			m.Instances[c.Name] = modules[c.Module]
		case "MODPORT":
			directions := map[string]string{}
			for _, v := range c.Signals {
				if v.Type == "MODPORTVARREF" {
					directions[v.Name] = direction(v.Direction)
				}
			}
			m.Modports[c.Name] = directions
		}
	}
}

func (n *jsonNode) asType() Type {
	t := Type{Kind: strings.ToLower(strings.TrimSuffix(n.Type, "DTYPE")), Name: n.Name, Of: n.Of}
	switch t.Kind {
	case "basic":
		t.Name = n.Keyword
		t.Left, t.Right, _ = strings.Cut(n.Range, ":")
	case "packarray", "unpackarray":
		t.Left, t.Right, _ = strings.Cut(strings.Trim(n.Declared, "[]"), ":")
	case "struct", "union":
		for _, m := range n.Members {
			t.Members = append(t.Members, member{m.Name, m.Of})
		}
	}
	return t
}
