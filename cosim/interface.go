package cosim

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/internal/verilator"
)

// iface is an interface at the top module's ports. The shell makes one, connects it, and drives and reads its signals.
type iface struct {
	port    string
	name    string // of the interface
	modport string
	args    string // "#(.W(64))", as the map has them
}

// instance is its name in the shell.
func (i iface) instance() string { return "goldwire_" + i.port }

// Verilator takes no top module with interfaces, so it is asked about a probe around it, which needs their names: they
// are taken from the preprocessed text of the module's header.

var (
	interfaceStart = regexp.MustCompile(
		`\binterface\s+(?:automatic\s+|static\s+)?([A-Za-z_][A-Za-z0-9_$]*)\s*(?:import\b|[#(;])`,
	)
	interfacePort = regexp.MustCompile(
		`^([A-Za-z_][A-Za-z0-9_$]*)(?:\s*\.\s*([A-Za-z_][A-Za-z0-9_$]*))?\s+([A-Za-z_][A-Za-z0-9_$]*)\s*(\[.*)?$`,
	)
	bareName       = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_$]*\s*(\[.*)?$`)
	interfaceInMap = regexp.MustCompile(
		`^\s*([A-Za-z_][A-Za-z0-9_$]*)(?:\.([A-Za-z_][A-Za-z0-9_$]*))?\s*(#\s*\([^;\n]*\))?\s*$`,
	)
	attribute = regexp.MustCompile(`(?s)\(\*.*?\*\)`)
)

// closing returns the place after the parenthesis that closes the one at the text's beginning.
func closing(text string) (int, bool) {
	depth := 0
	for i, c := range text {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return i + 1, true
			}
		}
	}
	return 0, false
}

// header returns the text of a module's list of ports.
func header(text, module string) (string, bool) {
	at := regexp.MustCompile(`\bmodule\s+(?:automatic\s+|static\s+)?` + regexp.QuoteMeta(module) +
		`\s*(?:import\b|[#(;])`).
		FindStringIndex(text)
	if at == nil {
		return "", false
	}
	rest := strings.TrimSpace(text[at[0]:])
	_, rest, _ = strings.Cut(rest, module)
	for rest = strings.TrimSpace(rest); strings.HasPrefix(rest, "import"); rest = strings.TrimSpace(rest) {
		_, rest, _ = strings.Cut(rest, ";")
	}
	if strings.HasPrefix(rest, "#") {
		rest = strings.TrimSpace(rest[1:])
		end, ok := closing(rest)
		if !ok {
			return "", false
		}
		rest = strings.TrimSpace(rest[end:])
	}
	if !strings.HasPrefix(rest, "(") {
		return "", false
	}
	end, ok := closing(rest)
	if !ok {
		return "", false
	}
	return rest[1 : end-1], true
}

// splitPorts splits a list at its commas.
func splitPorts(text string) []string {
	var list []string
	depth, from := 0, 0
	for i, c := range text {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',':
			if depth == 0 {
				list = append(list, strings.TrimSpace(text[from:i]))
				from = i + 1
			}
		}
	}
	return append(list, strings.TrimSpace(text[from:]))
}

// findInterfaces finds the ports of a module that are interfaces in preprocessed text.
func findInterfaces(text, module string, given map[string]string) ([]iface, error) {
	text = attribute.ReplaceAllString(notCode.ReplaceAllString(text, " "), " ")
	known := map[string]bool{}
	for _, m := range interfaceStart.FindAllStringSubmatch(text, -1) {
		known[m[1]] = true
	}
	ports, ok := header(text, module)
	if !ok {
		return nil, fmt.Errorf("module %s: no list of ports found in its header", module)
	}
	var found []iface
	last, modport := "", "" // of the port before
	for _, p := range splitPorts(ports) {
		m := interfacePort.FindStringSubmatch(p)
		switch {
		case m != nil && known[m[1]]:
			last, modport = m[1], m[2]
		case bareName.MatchString(p) && last != "":
			m = []string{"", last, modport, p, ""}
		default:
			last = ""
			continue
		}
		if m[4] != "" || strings.Contains(m[3], "[") {
			return nil, fmt.Errorf(
				"port %s of %s is an array of interfaces, want single ones: wrap the module", strings.TrimSpace(m[3]),
				module,
			)
		}
		f := iface{port: m[3], name: m[1], modport: m[2]}
		if text, ok := given[f.port]; ok {
			g := interfaceInMap.FindStringSubmatch(text)
			if g == nil || g[3] != "" && !balanced(g[3]) {
				return nil, fmt.Errorf(
					"interfaces: %s: %s, want an interface, its modport and its parameters: axis_if.slave #(.W(64))", f.port,
					quote(text),
				)
			}
			if f.name != g[1] || g[2] != "" && f.modport != "" && f.modport != g[2] {
				return nil, fmt.Errorf(
					"interfaces: %s: %s, and the module has %s there", f.port, quote(text),
					strings.TrimSuffix(f.name+"."+f.modport, "."),
				)
			}
			if f.modport == "" {
				f.modport = g[2]
			}
			f.name, f.args = g[1], g[3]
		}
		found = append(found, f)
	}
	for _, key := range slices.Sorted(maps.Keys(given)) {
		if !slices.ContainsFunc(found, func(f iface) bool { return f.port == key }) {
			return nil, fmt.Errorf("interfaces: %s has no interface at a port %s", module, clip(key, 60))
		}
	}
	return found, nil
}

func balanced(text string) bool {
	open := strings.Index(text, "(")
	end, ok := closing(text[open:])
	return ok && strings.TrimSpace(text[open+end:]) == ""
}

// preprocessed takes the text of a design, as long as it has no more than mostText bytes.
type preprocessed struct {
	strings.Builder
	full error
}

const mostText = 256 << 20

func (p *preprocessed) Write(b []byte) (int, error) {
	if p.Len()+len(b) > mostText {
		p.full = fmt.Errorf("the RTL has more than %d MiB of preprocessed text, want less", mostText>>20)
		return 0, p.full
	}
	return p.Builder.Write(b)
}

// readInterfaces reads the ports of a module that has interfaces.
func (d Design) readInterfaces(ctx context.Context, dir string, m Map) (r reading, err error) {
	var text preprocessed
	command := append([]string{"verilator", "-E", "-P", "-Wno-fatal", "-Wno-lint"}, d.sources()...)
	if err := compile(ctx, d.limits(), dir, command, hearing{out: &text}); err != nil {
		return r, cmp.Or(text.full, err)
	}
	if r.ifaces, err = findInterfaces(text.String(), d.Top, m.Interfaces); err != nil {
		return r, err
	}
	if len(r.ifaces) == 0 {
		return r, fmt.Errorf(
			"module %s: Verilator sees interfaces at its ports, and its header shows none: write them there", d.Top,
		)
	}
	x, top, err := d.probe(ctx, dir, r.ifaces)
	if err != nil {
		return r, err
	}
	r.files = x.Files
	for _, v := range top.Variables {
		if k := slices.IndexFunc(r.ifaces, func(f iface) bool { return f.port == v.Name }); k >= 0 {
			inside := x.Top.Instances[r.ifaces[k].instance()]
			if inside == nil {
				return r, fmt.Errorf("verilator does not describe the interface at port %s of %s", v.Name, d.Top)
			}
			if err := d.signals(&r, x, k, inside); err != nil {
				return r, err
			}
		} else if err := d.add(&r, x, v); err != nil {
			return r, err
		}
	}
	return r, nil
}

// probe has Verilator describe a module around the design's top, whose interfaces are real ones there, and whose
// parameters may be a package's constants.
func (d Design) probe(
	ctx context.Context, dir string, ifaces []iface,
) (x *verilator.Description, top *verilator.Module, err error) {
	var probe strings.Builder
	fmt.Fprintln(&probe, "`default_nettype wire\nmodule goldwire_probe;")
	var pins []string
	for _, f := range ifaces {
		fmt.Fprintf(&probe, "  %s %s %s ();\n", f.name, f.args, f.instance())
		pins = append(pins, fmt.Sprintf(".%s(%s)", f.port, f.instance()))
	}
	parameters := ""
	if len(d.Parameters) > 0 {
		parameters = " #(" + strings.Join(d.parameters(".%s(%s)"), ", ") + ")"
	}
	fmt.Fprintf(&probe, "  %s%s goldwire_dut (%s);\nendmodule\n", d.Top, parameters, strings.Join(pins, ", "))
	file := filepath.Join(dir, "goldwire_probe.sv")
	if err := os.WriteFile(file, []byte(probe.String()), 0o644); err != nil {
		return nil, nil, err
	}
	if x, err = d.describe(ctx, dir, "goldwire_probe", file); err != nil {
		return nil, nil, err
	}
	if top = x.Top.Instances["goldwire_dut"]; top == nil {
		return nil, nil, fmt.Errorf("verilator does not describe %s", d.Top)
	}
	return x, top, nil
}

// signals adds the signals of an interface that its modport has, and the interface's own ports, as ports.
func (d Design) signals(r *reading, x *verilator.Description, k int, inside *verilator.Module) error {
	f := r.ifaces[k]
	directions, found := inside.Modports[f.modport]
	switch {
	case f.modport == "":
		return fmt.Errorf(
			"port %s of %s is an interface without a modport, so that nothing says which signals it drives: name one in the "+
				"map (interfaces: {%s: %s.MODPORT})",
			f.port, d.Top, f.port, f.name,
		)
	case !found:
		return fmt.Errorf("port %s of %s: interface %s has no modport %s", f.port, d.Top, f.name, f.modport)
	}
	for _, v := range inside.Variables {
		dir, own := directions[v.Name], v.Direction != ""
		if dir == "" && !own {
			continue
		}
		if own {
			if v.Direction != "input" {
				return fmt.Errorf(
					"port %s of the interface %s is an %s, want inputs only: wrap the module", v.Name, f.name, v.Direction,
				)
			}
			dir = v.Direction
		}
		p, err := d.port(x, v, f.port+"."+v.Name, dir)
		if err != nil {
			return err
		}
		p.iface, p.hollow = k, own
		r.ports = append(r.ports, p)
	}
	return nil
}
