package cosim

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/vectors"
	"github.com/goldwire/goldwire/wave"
)

// Simulators dump the elements of an array and the members of a struct each by itself. A map of cosim's names them
// whole, or as a range of elements: such a name is replaced by its parts.

// wholePort matches a port, or some elements of it: "lane", "~bus.d", "lane[7:4]".
var wholePort = regexp.MustCompile(
	`^(~?)\s*([A-Za-z_][A-Za-z0-9_$]*(?:\s*\.\s*[A-Za-z_][A-Za-z0-9_$]*)*)\s*(?:\[\s*(\d{1,5})\s*:\s*(\d{1,5})\s*\])?$`,
)

// mostParts bounds the parts of a whole.
const mostParts = 256

// dumpedParts are a scope's variables below it: names relative to the scope, in the order of the file.
type dumpedParts struct {
	names  []string
	widths map[string]int
}

func partsOf(in *wave.Reader, scope string) *dumpedParts {
	if scope != "" {
		scope += "."
	}
	d := &dumpedParts{widths: map[string]int{}}
	for _, v := range in.Vars {
		name, ok := strings.CutPrefix(v.Path, scope)
		if _, twice := d.widths[name]; ok && !twice && !v.Text() && v.Kind != "event" && v.Kind != "parameter" {
			d.names = append(d.names, name)
			d.widths[name] = v.Width
		}
	}
	return d
}

// below lists the elements and members of a port, as they stand in the file. Simulators dump a struct's members as they
// are declared, the most significant first.
func (d *dumpedParts) below(port string) (list []string) {
	for _, name := range d.names {
		if rest, ok := strings.CutPrefix(name, port); ok && rest != "" && strings.ContainsRune(".[(", rune(rest[0])) {
			list = append(list, name)
		}
	}
	return list
}

// element is the name of an element of an array, whole or of further parts.
func (d *dumpedParts) element(port string, index int) []string {
	for _, form := range []string{"[%d]", "(%d)"} { // Verilog's, VHDL's
		name := port + fmt.Sprintf(form, index)
		if _, ok := d.widths[name]; ok {
			return []string{name}
		}
		if more := d.below(name); len(more) > 0 {
			return more
		}
	}
	return nil
}

// hasElements tells whether an array is among the parts. Verilator 5.006 dumps elements upwards, 5.049 from the left:
// the file does not tell which one is on the left.
func hasElements(parts []string) bool {
	return slices.ContainsFunc(parts, func(name string) bool { return strings.ContainsAny(name, "[(") })
}

// expand puts the parts of arrays and structs in the place of their names. It returns the structs whose order is the
// file's.
func (d *dumpedParts) expand(text string) (out string, ordered []string, err error) {
	parts := []string{strings.TrimSpace(text)}
	if inner, ok := strings.CutPrefix(parts[0], "{"); ok && strings.HasSuffix(inner, "}") {
		parts = strings.Split(strings.TrimSuffix(inner, "}"), ",")
	}
	var all []string
	changed := false
	for _, part := range parts {
		m := wholePort.FindStringSubmatch(strings.TrimSpace(part))
		var names []string
		if m != nil {
			port := blanks.ReplaceAllString(m[2], "")
			if _, whole := d.widths[port]; !whole && m[3] == "" {
				if names = d.below(port); hasElements(names) {
					return "", nil, fmt.Errorf("%s: the file has its elements, and not which one is on the left: write a range, "+
						"%s[7:0] or %s[0:7]", port, port, port)
				} else if len(names) > 0 {
					ordered = append(ordered, port)
				}
			} else if !whole {
				names = d.elements(port, m[3], m[4])
			}
		}
		if len(names) == 0 || len(names) > mostParts {
			all = append(all, part)
			continue
		}
		changed = true
		for _, name := range names {
			if !portSlice.MatchString(name) {
				name = `\` + name + " "
			}
			all = append(all, m[1]+name)
		}
	}
	if !changed {
		return text, nil, nil
	}
	return "{" + strings.Join(all, ", ") + "}", ordered, nil
}

// elements lists a range of elements, "7" to "4", in its order; none if one is missing.
func (d *dumpedParts) elements(port, left, right string) (names []string) {
	from, _ := strconv.Atoi(left) // the form is checked
	to, _ := strconv.Atoi(right)
	step := 1
	if from > to {
		step = -1
	}
	for k := from; len(names) <= mostParts; k += step {
		more := d.element(port, k)
		if more == nil {
			return nil
		}
		if names = append(names, more...); k == to {
			return names
		}
	}
	return nil
}

// wholes returns a map whose ports are parts that the file has, and notes on the order of parts that the map does not
// tell. A field of the unit needs no map if the file has a struct of its name and width.
func wholes(in *wave.Reader, scope string, m Map, fields []vectors.Field) (Map, []string, error) {
	d := partsOf(in, scope)
	ports := maps.Clone(m.Ports)
	if ports == nil {
		ports = map[string]string{}
	}
	for _, f := range fields {
		_, given := ports[f.Name]
		sliced := slices.ContainsFunc(slices.Collect(maps.Keys(ports)), func(key string) bool {
			return strings.HasPrefix(key, f.Name+"[")
		})
		if _, there := d.widths[f.Name]; given || sliced || there || slices.Contains(m.Ignore, f.Name) {
			continue
		}
		width := 0
		parts := d.below(f.Name)
		for _, part := range parts {
			width += d.widths[part]
		}
		if width == f.Width && !hasElements(parts) {
			ports[f.Name] = f.Name
		}
	}
	var notes []string
	for _, field := range slices.Sorted(maps.Keys(ports)) {
		text, ordered, err := d.expand(ports[field])
		if err != nil {
			return m, nil, fmt.Errorf("ports: %s: %w", field, err)
		}
		ports[field] = text
		for _, port := range ordered {
			notes = append(notes, fmt.Sprintf("%s is dumped in parts, and taken as %s, in the order of the file", port,
				clip(strings.Join(d.below(port), ", "), 120)))
		}
	}
	if len(ports) > 0 {
		m.Ports = ports
	}
	return m, notes, nil
}
