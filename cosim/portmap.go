package cosim

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// Map says how the RTL's ports stand for the unit's fields, where their names do not.
type Map struct {
	// Clock is the clock's port: "clk", or "~clk" if falling edges count.
	Clock string `yaml:"clock,omitempty"`
	// Reset is the reset's port: "rst", "~rst_n" if it is active low, "none" if there is none.
	Reset string `yaml:"reset,omitempty"`
	// Enable is the clock enable's port, "ce" or "~ce_n". In a share of all cycles, Stall, it is off and the inputs are noise.
	Enable string  `yaml:"enable,omitempty"`
	Stall  float64 `yaml:"stall,omitempty"`

	// Ports gives fields their ports, as Verilog writes them: "data", "~empty", "block[65:2]", "{hi, lo}".
	Ports map[string]string `yaml:"ports,omitempty"`
	// Tie drives inputs of the RTL that the unit does not have.
	Tie map[string]uint64 `yaml:"tie,omitempty"`
	// Without holds inputs of the unit that the RTL does not have: {in_valid: 1}.
	Without map[string]uint64 `yaml:"without,omitempty"`
	// Ignore lists outputs of the unit that are not compared.
	Ignore []string `yaml:"ignore,omitempty"`

	// Extra gives the cycles by which the RTL is later than the model, to output fields or to a port's all: {out: 1, ready: 0}.
	// Others are as [Options] say.
	Extra map[string]int `yaml:"extra,omitempty"`
	// Skip is how many of the first cycles are not compared: those that RTL without reset needs to forget its past.
	Skip int `yaml:"skip,omitempty"`

	// Streams names handshakes, by the unit's port that carries the data: see [Stream]. With it, transfers are compared
	// instead of cycles.
	Streams map[string]Stream `yaml:"streams,omitempty"`
}

// Stream is a ready/valid handshake of the RTL. Valid is the field of the unit's port that is called so.
type Stream struct {
	// Ready is the RTL's port, "~full" if it is active low: an output beside an input stream, an input beside an output stream.
	Ready string `yaml:"ready"`
	// Stall is the share of cycles in which the harness offers nothing (input) or is not ready (output).
	Stall float64 `yaml:"stall,omitempty"`
}

// ReadMap reads a map from a YAML file.
func ReadMap(path string) (Map, error) {
	var m Map
	data, err := os.ReadFile(path)
	if err != nil {
		return m, err
	}
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	if err := d.Decode(&m); err != nil && !errors.Is(err, io.EOF) {
		return m, fmt.Errorf("%s: %s", path, oneLine(err))
	}
	return m, nil
}

// oneLine makes yaml's list of errors one line.
func oneLine(err error) string {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	text = strings.TrimPrefix(text, "unmarshal errors:\n")
	return strings.Join(strings.Fields(strings.ReplaceAll(text, "\n", ";")), " ")
}

// Binding is how the RTL's ports stand for the unit's fields.
type Binding struct {
	Ports  []Port
	Fields []Bound // one a field of the unit

	clock  bit
	reset  *bit
	enable *bit
	stall  float64
	tied   map[int]uint64 // port to value
	skip   int
	ready  map[string]readyPort // by the unit's port
}

// Bound is a field of the unit and what stands for it.
type Bound struct {
	vectors.Field
	Text  string // as a map says it
	How   string // "map", "name", "width"; "held" and "ignored" fields have no port
	Held  uint64 // the value of a held input
	Extra int    // of an output: cycles more than the model's; -1 if it follows the session's

	bits []bit
}

type readyPort struct {
	bit
	stall float64
}

// bind brings fields and ports together. All that does not fit is reported at once.
func bind(fields []vectors.Field, ports []Port, m Map) (*Binding, error) {
	b := &Binding{Ports: ports, tied: map[int]uint64{}, stall: m.Stall, skip: m.Skip, ready: map[string]readyPort{}}
	used := make([]bool, len(ports))
	var faults []string
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }

	single := func(what, text string, dir rtl.Direction) *bit {
		bits, err := parseBits(ports, text)
		switch {
		case err != nil:
			fault("%s: %v", what, err)
		case len(bits) != 1 || !ports[bits[0].port].is(dir):
			fault("%s: %s is not one bit of an %s of the RTL", what, text, dirName(dir))
		default:
			used[bits[0].port] = true
			return &bits[0]
		}
		return nil
	}
	claimed := map[int]bool{} // by the map, for something else
	for i, p := range ports {
		_, claimed[i] = m.Tie[p.Name]
	}
	for _, text := range m.Ports {
		bits, _ := parseBits(ports, text) // what is wrong is reported below
		for _, v := range bits {
			claimed[v.port] = true
		}
	}
	control := func(what, text string, guesses []string) *bit {
		if text == "" {
			text = guessControl(ports, claimed, guesses)
		}
		if text == "" || text == "none" {
			return nil
		}
		return single(what, text, rtl.Input)
	}
	if clk := control("clock", m.Clock, clockNames); clk != nil {
		b.clock = *clk
	} else if len(faults) == 0 {
		fault("clock: the RTL has no input that looks like one (%s): name it in the map", portNames(ports))
	}
	b.reset = control("reset", m.Reset, resetNames)
	b.enable = control("enable", m.Enable, enableNames)
	if m.Stall < 0 || m.Stall > 0.9 {
		fault("stall: %g, want a share from 0 to 0.9", m.Stall)
	}
	for _, name := range slices.Sorted(maps.Keys(m.Tie)) {
		i := portIndex(ports, name)
		switch {
		case i < 0 || !ports[i].is(rtl.Input):
			fault("tie: the RTL has no input %s", name)
		case used[i]:
			fault("tie: %s is in use as clock, reset or enable", name)
		case ports[i].Width() < 64 && m.Tie[name]>>ports[i].Width() != 0:
			fault("tie: %d has more than the %d bits of %s", m.Tie[name], ports[i].Width(), name)
		default:
			used[i], b.tied[i] = true, m.Tie[name]
		}
	}
	for _, name := range slices.Sorted(maps.Keys(m.Streams)) {
		s := m.Streams[name]
		i := slices.IndexFunc(fields, func(f vectors.Field) bool { return f.Port == name && f.Name == name+"_valid" && f.Width == 1 })
		if i < 0 {
			fault("streams: the unit has no port %s with a valid bit", name)
			continue
		}
		if s.Stall < 0 || s.Stall > 0.9 {
			fault("streams: %s: stall: %g, want a share from 0 to 0.9", name, s.Stall)
		}
		if s.Ready == "" {
			b.ready[name] = readyPort{bit{port: -1}, s.Stall}
			continue
		}
		if r := single("streams: "+name, s.Ready, 1-fields[i].Dir); r != nil {
			b.ready[name] = readyPort{*r, s.Stall}
		}
	}

	known := map[string]bool{}
	for _, f := range fields {
		known[f.Name], known[f.Port] = true, true
	}
	for _, name := range slices.Sorted(maps.Keys(m.Ports)) {
		if !slices.ContainsFunc(fields, func(f vectors.Field) bool { return f.Name == name }) {
			fault("ports: the unit has no field %s; it has %s", name, fieldNames(fields))
		}
	}
	for _, name := range slices.Concat(slices.Sorted(maps.Keys(m.Without)), m.Ignore, slices.Sorted(maps.Keys(m.Extra))) {
		if !known[name] {
			fault("without, ignore, extra: the unit has no field %s; it has %s", name, fieldNames(fields))
		}
	}
	for _, f := range fields {
		x := Bound{Field: f, Extra: -1}
		for _, key := range []string{f.Port, f.Name} {
			if l, ok := m.Extra[key]; ok {
				x.Extra = l
			}
		}
		value, held := m.Without[f.Name]
		text, mapped := m.Ports[f.Name]
		switch {
		case held && f.Dir != rtl.Input:
			fault("without: %s is an output: ignore it", f.Name)
		case held && f.Width < 64 && value>>f.Width != 0:
			fault("without: %d has more than the %d bits of %s", value, f.Width, f.Name)
		case held:
			x.How, x.Held = "held", value
		case slices.Contains(m.Ignore, f.Name) || slices.Contains(m.Ignore, f.Port):
			if f.Dir == rtl.Input {
				fault("ignore: %s is an input: hold it by without", f.Name)
			}
			x.How = "ignored"
		case mapped:
			bits, err := parseBits(ports, text)
			if err != nil {
				fault("ports: %s: %v", f.Name, err)
				break
			}
			for _, v := range bits {
				if !ports[v.port].is(f.Dir) {
					fault("ports: %s is an %v, %s is an %v of the RTL", f.Name, dirName(f.Dir), ports[v.port].Name, dirName(ports[v.port].Dir))
					break
				}
				used[v.port] = true
			}
			if len(bits) != f.Width {
				fault("ports: %s has %d bits, %s has %d", f.Name, f.Width, text, len(bits))
			}
			x.How, x.bits = "map", bits
		}
		b.Fields = append(b.Fields, x)
	}
	if len(faults) == 0 {
		b.guess(used)
	}
	if len(faults) == 0 {
		for i := range b.Fields {
			if f := &b.Fields[i]; f.How == "" {
				fault("%s %s of %s: no port of the RTL fits, of those not in use: %s: name it in the map (ports: {%s: …}), or %s",
					dirName(f.Dir), f.Name, bitCount(f.Width), orNone(freePorts(ports, used, f.Dir)), f.Name, without(f.Dir, f.Name))
			}
		}
		for i, p := range ports {
			if !used[i] && p.Dir == rtl.Input {
				fault("input %v of the RTL is driven by nothing: name it in the map, or tie it (tie: {%s: 0})", p, p.Name)
			}
		}
	}
	if len(faults) == 0 {
		faults = b.doublyDriven()
	}
	if len(faults) > 0 {
		return nil, errors.New(strings.Join(faults, "; "))
	}
	for i := range b.Fields {
		b.Fields[i].Text = formatBits(ports, b.Fields[i].bits)
	}
	return b, nil
}

// doublyDriven looks for bits of RTL inputs that two fields drive, or none does.
func (b *Binding) doublyDriven() (faults []string) {
	driver := map[bit]string{}
	for i := range b.Fields {
		f := &b.Fields[i]
		if f.Dir != rtl.Input {
			continue
		}
		for _, v := range f.bits {
			v.invert = false
			if first, ok := driver[v]; ok {
				faults = append(faults, fmt.Sprintf("bit %d of %s is driven by %s and by %s", v.place, b.Ports[v.port].Name, first, f.Name))
				return faults
			}
			driver[v] = f.Name
		}
	}
	for i := range b.Fields {
		for _, v := range b.Fields[i].bits {
			if b.Ports[v.port].Dir == rtl.Input {
				for place := range b.Ports[v.port].Width() {
					if _, ok := driver[bit{port: v.port, place: place}]; !ok {
						return []string{fmt.Sprintf("bit %d of %v is driven by nothing", place, b.Ports[v.port])}
					}
				}
			}
		}
	}
	return nil
}

func dirName(d rtl.Direction) string {
	if d == rtl.Input {
		return "input"
	}
	return "output"
}

func bitCount(n int) string {
	if n == 1 {
		return "1 bit"
	}
	return fmt.Sprintf("%d bits", n)
}

func without(d rtl.Direction, name string) string {
	if d == rtl.Input {
		return fmt.Sprintf("hold it (without: {%s: 0})", name)
	}
	return fmt.Sprintf("ignore it (ignore: [%s])", name)
}

func freePorts(ports []Port, used []bool, d rtl.Direction) string {
	var free []Port
	for i, p := range ports {
		if !used[i] && p.is(d) {
			free = append(free, p)
		}
	}
	return portNames(free)
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

func fieldNames(fields []vectors.Field) string {
	var names []string
	for _, f := range fields {
		names = append(names, f.Name)
	}
	return strings.Join(names, ", ")
}

// Control is a port of the RTL that is no field's.
type Control struct{ Role, Text, Note string }

// Controls returns clock, reset, clock enable, handshakes and tied inputs.
func (b *Binding) Controls() []Control {
	one := func(v bit) string { return formatBits(b.Ports, []bit{v}) }
	list := []Control{{"clock", one(b.clock), "rising edge"}}
	if b.clock.invert {
		list[0].Note = "falling edge"
	}
	list = append(list, Control{"reset", "none", ""})
	if b.reset != nil {
		list[1] = Control{"reset", one(*b.reset), "active high"}
		if b.reset.invert {
			list[1].Note = "active low"
		}
	}
	if b.enable != nil {
		list = append(list, Control{"clock enable", one(*b.enable), fmt.Sprintf("off in %g %% of cycles", 100*b.stall)})
	}
	for _, name := range slices.Sorted(maps.Keys(b.ready)) {
		if r := b.ready[name]; r.port >= 0 {
			list = append(list, Control{"ready of " + name, one(r.bit), "map"})
		}
	}
	for _, i := range slices.Sorted(maps.Keys(b.tied)) {
		list = append(list, Control{"tied", b.Ports[i].String(), fmt.Sprintf("to %d", b.tied[i])})
	}
	return list
}
