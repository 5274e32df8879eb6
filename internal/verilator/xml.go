package verilator

import (
	"encoding/xml"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Up to 5.035 there is one XML file, with one element a variable, and a table of types.
type xmlNode struct {
	XMLName   xml.Name
	Name      string    `xml:"name,attr"`
	Dir       string    `xml:"dir,attr"`
	Direction string    `xml:"direction,attr"`
	Vartype   string    `xml:"vartype,attr"`
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

func (n *xmlNode) walk(f func(*xmlNode)) {
	f(n)
	for i := range n.Children {
		n.Children[i].walk(f)
	}
}

func readXML(dir string) (*Description, error) {
	data, err := os.ReadFile(filepath.Join(dir, descriptionXML))
	if err != nil {
		return nil, err
	}
	var root xmlNode
	if err := xml.Unmarshal(data, &root); err != nil {
		return nil, err
	}
	d := &Description{types: map[string]Type{}}
	modules := map[string]*Module{}
	var nodes []*xmlNode
	root.walk(func(n *xmlNode) {
		switch kind := n.XMLName.Local; {
		case kind == "module" || kind == "iface":
			nodes = append(nodes, n)
			modules[n.Name] = &Module{Name: n.Name, Instances: map[string]*Module{}, Modports: map[string]map[string]string{}}
			if n.IsTop == "1" {
				d.Top = modules[n.Name]
			}
		case strings.HasSuffix(kind, "dtype"):
			d.types[n.ID] = n.asType()
		case kind == "file" && !slices.Contains(d.Files, n.FileName):
			d.Files = append(d.Files, n.FileName)
		}
	})
	for _, n := range nodes {
		n.fill(modules[n.Name], modules)
	}
	return d, nil
}

// fill adds a module's variables and instances.
func (n *xmlNode) fill(m *Module, modules map[string]*Module) {
	for _, c := range n.Children {
		switch c.XMLName.Local {
		case "var":
			m.Variables = append(m.Variables, Variable{c.Name, c.Dir, c.Vartype == "ifaceref", c.Type})
		case "instance":
			m.Instances[c.Name] = modules[c.Of]
		case "modport":
			directions := map[string]string{}
			for _, v := range c.Children {
				if v.XMLName.Local == "modportvarref" {
					directions[v.Name] = direction(v.Direction)
				}
			}
			m.Modports[c.Name] = directions
		}
	}
}

// direction writes "in" and "OUTPUT" as "input" and "output", and "NONE" as "".
func direction(text string) string {
	switch text = strings.ToLower(text); text {
	case "in", "out":
		return text + "put"
	case "none":
		return ""
	}
	return text
}

var verilogNumber = regexp.MustCompile(`^\d+'s?h([0-9a-fA-F]+)$`)

func (n *xmlNode) asType() Type {
	t := Type{Kind: strings.TrimSuffix(n.XMLName.Local, "dtype"), Name: n.Name, Left: n.Left, Right: n.Right, Of: n.Sub}
	switch t.Kind {
	case "struct", "union":
		for _, m := range n.Children {
			t.Members = append(t.Members, member{m.Name, m.Sub})
		}
	case "packarray", "unpackarray": // <range><const name="32'sh3"/><const name="32'sh0"/></range>
		var bounds []string
		n.walk(func(c *xmlNode) {
			if m := verilogNumber.FindStringSubmatch(c.Name); c.XMLName.Local == "const" && m != nil {
				v, _ := strconv.ParseUint(m[1], 16, 32) // the form is checked
				bounds = append(bounds, strconv.Itoa(int(int32(v))))
			}
		})
		if len(bounds) == 2 {
			t.Left, t.Right = bounds[0], bounds[1]
		}
	}
	return t
}
