package cosim

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/goldwire/goldwire/wave"
)

// dottedName is a port, or a member of interfaces and structs at it: "clk", "s_axis.tdata".
var dottedName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_$]*(\.[A-Za-z_][A-Za-z0-9_$]*)*$`)

// dumpPorts finds the ports of the RTL among a scope's variables: plain names, the members of interfaces and structs,
// each a port of its own ("b.d"), and whatever else the map names: an escaped name, an element of an array ("lane[3]"),
// a variable of an inner scope. There is no port of a whole struct or array: see wholes.
//
// It returns the port of each variable of the file, -1 for none.
func dumpPorts(in *wave.Reader, scope string, m Map) (ports []Port, of []int) {
	named := mapText(m)
	if scope != "" {
		scope += "."
	}
	known := map[string]int{}
	of = make([]int, len(in.Vars))
	for i, v := range in.Vars {
		of[i] = -1
		name, ok := strings.CutPrefix(v.Path, scope)
		if !ok || v.Text() || v.Kind == "parameter" || v.Kind == "event" {
			continue
		}
		if !(dottedName.MatchString(name) && ofPort(in, scope, name)) && !strings.Contains(named, plainText(name)) {
			continue
		}
		if at, ok := known[name]; ok {
			if ports[at].Width() == v.Width {
				of[i] = at // some simulators list a port twice, under two codes
			}
			continue
		}
		known[name] = len(ports)
		of[i] = len(ports)
		port := Port{Name: name, Dir: anyDirection, shape: &shape{left: v.Width - 1}, iface: -1}
		if v.Ranged {
			port.shape.left, port.shape.right = v.Left, v.Right
		}
		ports = append(ports, port)
	}
	return ports, of
}

// ofPort tells whether a name has no scopes before it but interfaces, structs and unions.
func ofPort(in *wave.Reader, scope, name string) bool {
	for i, c := range name {
		if c != '.' {
			continue
		}
		switch in.ScopeKind(scope + name[:i]) {
		case "interface", "struct", "union":
		default:
			return false
		}
	}
	return true
}

// mapText is every text of a map about ports, to be searched for names.
func mapText(m Map) string {
	texts := []string{m.Clock, m.Reset, m.Enable}
	for _, text := range m.Ports {
		texts = append(texts, text)
	}
	for _, s := range m.Streams {
		texts = append(texts, s.Ready)
	}
	return plainText(strings.Join(texts, "\n"))
}

// plainText is a text without escapes of names and without blanks.
func plainText(text string) string {
	return strings.NewReplacer(`\`, "", " ", "", "\t", "").Replace(text)
}

// addClock makes a port of a clock that stands elsewhere in the file, "top.clocks[1]", and returns the name in a map's
// form.
func (p *replayer) addClock(ports []Port, text, scope string) ([]Port, string) {
	bare := wave.PlainPath(strings.TrimPrefix(text, "~"))
	tilde := strings.Repeat("~", len(text)-len(strings.TrimPrefix(text, "~")))
	if scope != "" {
		if name, ok := strings.CutPrefix(bare, scope+"."); ok && portIndex(ports, name) >= 0 {
			return ports, tilde + name
		}
	}
	if portIndex(ports, bare) >= 0 {
		return ports, text
	}
	vector, index := bare, ""
	if at := strings.LastIndexByte(bare, '['); at > 0 && strings.HasSuffix(bare, "]") {
		vector, index = bare[:at], bare[at:]
	}
	for i, v := range p.in.Vars {
		if p.vars[i] >= 0 || v.Text() || v.Path != bare && v.Path != vector {
			continue
		}
		const name = "goldwire_clock"
		p.vars[i] = len(ports)
		port := Port{Name: name, Dir: anyDirection, shape: &shape{left: v.Width - 1}, iface: -1}
		if v.Ranged {
			port.shape.left, port.shape.right = v.Left, v.Right
		}
		if v.Path == bare {
			index = ""
		}
		return append(ports, port), tilde + name + index
	}
	return ports, text
}

// scopes lists the scopes of the file, the first ten.
func (p *replayer) scopes() []string {
	var list []string
	seen := map[string]bool{}
	for _, v := range p.in.Vars {
		scope := v.Path[:max(0, strings.LastIndexByte(v.Path, '.'))]
		if !seen[scope] && len(list) < 10 {
			seen[scope] = true
			if scope == "" {
				scope = `"" (--scope "")`
			}
			list = append(list, scope)
		}
	}
	return list
}

// noVariables says that a scope has none.
func (p *replayer) noVariables() error {
	return fmt.Errorf("no variables in scope %q; the scopes are %s", p.replay.Scope, strings.Join(p.scopes(), ", "))
}
