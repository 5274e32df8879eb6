package cosim

import (
	"bytes"
	"embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/template"

	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/rtl/layout"
	"github.com/goldwire/goldwire/vectors"
)

//go:embed templates
var templateFiles embed.FS

var templates = template.Must(template.ParseFS(templateFiles, "templates/*.tmpl"))

// shellText is what the templates are filled with: the wrapper around the RTL, the program that clocks it, the
// testbench.
type shellText struct {
	Top        string
	Parameters []Parameter
	Inputs     []shellField
	Outputs    []shellField
	Pins       []shellPin
	Wires      []shellField // of the RTL's outputs
	Arrays     []string     // unpacked arrays and interfaces, their drivers and readers
	HasReset   bool
	HasEnable  bool
	Stall      float64
	Reset      int // cycles
	Dirty      int // cycles of noise between two resets
	Streams    []shellStream
	Fatals     []place // of $fatal in the RTL
	// SelectorBits is how many bits select a mutant, where faults are planted; else 0.
	SelectorBits int
	Registers    []register // whose contents Icarus' testbench can set
}

// Hurry is how many cycles without a transfer are enough in a hurry.
func (shellText) Hurry() int { return hurry }

// Refusals is after how many offers that the RTL refuses it is full.
func (shellText) Refusals() int { return refusals }

// RingRows is how many cycles the ring has, which a program of streams writes if it is asked to; it has none beside
// others.
func (t shellText) RingRows() int {
	if len(t.Streams) == 0 {
		return 0
	}
	return ringRows
}

// Quiet is for how many cycles without a transfer the ring is written.
func (shellText) Quiet() int { return quiet }

// around is the text of the module between the harness and the RTL.
func (t shellText) around() []byte {
	if t.SelectorBits > 0 {
		return t.fill("planted.v.tmpl")
	}
	return t.fill("shell.v.tmpl")
}

// SeveralClocks tells whether streams move at clocks of their own.
func (t shellText) SeveralClocks() bool {
	return slices.ContainsFunc(t.Streams, func(x shellStream) bool { return x.Clock >= 0 })
}

// Line is how many bytes of the shared memory say how far a batch is.
func (t shellText) Line() int { return slotLine(len(t.Streams)) }

type shellField struct {
	Index int // among the fields of its direction
	Name  string
	Range string
	Mask  string // in C
	Type  string // in C, of the bytes that layout.Rows gives it
	Width int
	Held  bool   // some bits are
	Clock bool   // a clock of a unit that has several
	Keep  string // in C: the bits that are not held
	Value string // of an output, its expression over the RTL's ports in Verilog; of a held input, its value in C
}

type shellPin struct{ Port, Value string }

// shellStream is a handshake: where its valid bit stands in the rows, and its share of pauses.
type shellStream struct {
	Name  string
	Input bool
	Valid int  // index among the fields of its direction
	Ready bool // the RTL has the ready port
	// Latency is how many edges after a transfer out its data come.
	Latency int
	Expr    string // of an input stream, ready as the shell sees it
	Stall   float64
	Number  int
	Beat    []int // fields of its direction that go with a beat
	Clock   int   // index among the inputs of the clock at which it moves, -1 for the only one
}

// Before is how many edges more a transfer is older than the last.
func (s shellStream) Before() int { return s.Latency - 1 }

// streamNames are the streams in the order in which they are numbered.
func (b *Binding) streamNames() []string { return slices.Sorted(maps.Keys(b.ready)) }

func (b *Binding) shell(d Design, dirty int) shellText {
	t := shellText{
		Top: d.Top, Parameters: d.Parameters, HasReset: b.reset != nil, HasEnable: b.enable != nil, Stall: b.stall,
		Reset: vectors.ResetCycles, Dirty: dirty,
	}
	value := map[bit]string{} // the driver of a bit of an RTL input
	pin := func(v bit, name string) {
		if v.invert {
			name = "~" + name
		}
		v.invert = false
		value[v] = name
	}
	if b.clock != nil {
		pin(*b.clock, "clk")
	}
	for _, v := range b.clocks {
		pin(v, "clk")
	}
	if b.reset != nil {
		pin(*b.reset, "rst")
	}
	for _, v := range b.resets {
		pin(v, "rst")
	}
	if b.enable != nil {
		pin(*b.enable, "ce")
	}
	wire := func(port int) string { return fmt.Sprintf("w%d", port) }
	for _, f := range b.Fields {
		s := shellField{
			Name: f.Name, Width: f.Width, Clock: f.Clock, Range: verilogRange(f.Width),
			Type: fmt.Sprintf("uint%d_t", 8*layout.RowBytes(f.Width)),
			Mask: fmt.Sprintf("0x%xull", ^uint64(0)>>(64-f.Width)),
		}
		if f.Dir == rtl.Input {
			s.Index, s.Held, s.Keep, s.Value = len(t.Inputs), f.held != 0, fmt.Sprintf("0x%xull", ^f.held),
				fmt.Sprintf("0x%xull", f.value)
			for i, v := range f.bits {
				if v.port < 0 {
					continue
				}
				name := fmt.Sprintf("i%d", s.Index)
				if f.Width > 1 {
					name += fmt.Sprintf("[%d]", f.Width-1-i)
				}
				pin(v, name)
			}
			t.Inputs = append(t.Inputs, s)
			continue
		}
		s.Index, s.Value = len(t.Outputs), "0"
		if f.How != "ignored" && f.How != "stream" {
			s.Value = b.concat(f.bits, wire)
		}
		t.Outputs = append(t.Outputs, s)
	}
	for _, name := range b.streamNames() {
		r := b.ready[name]
		s := shellStream{
			Name: name, Stall: r.stall, Latency: r.latency, Number: len(t.Streams), Ready: r.port >= 0, Clock: -1,
		}
		in, out := 0, 0
		valid := "1'b0" // of the RTL
		for _, f := range b.Fields {
			at := &out
			if f.Dir == rtl.Input {
				at = &in
			}
			if b.carries(f.Field, name) {
				s.Input = f.Dir == rtl.Input
				if f.Name == b.handshake(name).Valid {
					s.Valid = *at
					if !s.Input {
						valid = b.concat(f.bits, wire)
					}
				}
			}
			*at++
		}
		switch {
		case s.Ready && s.Input:
			s.Expr = b.concat([]bit{r.bit}, wire)
		case s.Ready:
			name := fmt.Sprintf("r%d", s.Number)
			if r.yumi {
				name = fmt.Sprintf("(%s & %s)", name, valid)
			}
			pin(r.bit, name)
		default:
			s.Expr = "1'b1"
		}
		t.Streams = append(t.Streams, s)
	}
	for _, x := range b.ties {
		for i, v := range x.bits {
			value[bit{port: v.port, place: v.place}] = fmt.Sprintf("1'b%d", x.value>>(len(x.bits)-1-i)&1)
		}
	}
	b.interfaces(&t, value)
	for i := range b.Ports {
		b.connect(&t, i, value)
	}
	return t
}

// drivers are the drivers of the bits of an element of a port, the most significant first.
func drivers(value map[bit]string, port int, e element) string {
	parts := make([]string, e.width)
	for k := range parts {
		parts[k] = value[bit{port: port, place: e.place + e.width - 1 - k}]
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// connect gives a port of the RTL its driver, or the wire that it drives.
func (b *Binding) connect(t *shellText, port int, value map[bit]string) {
	p := b.Ports[port]
	if p.hollow {
		return // see interfaces
	}
	wire := fmt.Sprintf("w%d", port)
	if p.Dir == rtl.Output {
		t.Wires = append(t.Wires, shellField{Name: wire, Range: verilogRange(p.Width())})
	}
	name := "" // of a port that is no vector
	switch {
	case p.iface >= 0:
		f := b.ifaces[p.iface]
		name = f.instance() + strings.TrimPrefix(p.Name, f.port)
	case p.shape.unpacked:
		name = fmt.Sprintf("u%d", port)
		dimensions, of := p.shape.dimensions()
		t.Arrays = append(t.Arrays, fmt.Sprintf("wire %s%s %s;", verilogRange(of.width()), name, dimensions))
		t.Pins = append(t.Pins, shellPin{p.Name, name})
	case p.Dir == rtl.Output:
		t.Pins = append(t.Pins, shellPin{p.Name, wire})
		return
	default:
		t.Pins = append(t.Pins, shellPin{p.Name, drivers(value, port, element{width: p.Width()})})
		return
	}
	var read []string
	for _, e := range p.shape.elements() {
		if p.Dir == rtl.Output {
			read = append(read, name+e.text)
		} else {
			t.Arrays = append(t.Arrays, fmt.Sprintf("assign %s%s = %s;", name, e.text, drivers(value, port, e)))
		}
	}
	if p.Dir == rtl.Output {
		t.Arrays = append(t.Arrays, fmt.Sprintf("assign %s = {%s};", wire, strings.Join(read, ", ")))
	}
}

// interfaces makes the interfaces of the RTL's ports, with their own ports connected.
func (b *Binding) interfaces(t *shellText, value map[bit]string) {
	for k, f := range b.ifaces {
		var pins []string
		for i, p := range b.Ports {
			if p.iface != k || !p.hollow {
				continue
			}
			from := i
			if j := b.joined[i]; j > 0 {
				from = j - 1
			}
			pins = append(
				pins,
				fmt.Sprintf(".%s(%s)", strings.TrimPrefix(p.Name, f.port+"."), drivers(value, from, element{width: p.Width()})),
			)
		}
		t.Arrays = append(t.Arrays, fmt.Sprintf("%s %s %s (%s);", f.name, f.args, f.instance(), strings.Join(pins, ", ")))
		t.Pins = append(t.Pins, shellPin{f.port, f.instance()})
	}
}

// concat is an expression of bits, most significant first. Slices that run downwards stay slices.
func (b *Binding) concat(bits []bit, wire func(port int) string) string {
	var parts []string
	for i := 0; i < len(bits); {
		v, n := bits[i], 1
		if v.port < 0 { // a constant, or a bit that is not compared
			parts = append(parts, fmt.Sprintf("1'b%d", v.place))
			i++
			continue
		}
		for i+n < len(bits) && bits[i+n].port == v.port && bits[i+n].invert == v.invert && bits[i+n].place == v.place-n {
			n++
		}
		text := wire(v.port)
		if b.Ports[v.port].Width() > 1 {
			text += fmt.Sprintf("[%d:%d]", v.place, v.place-n+1)
		}
		if v.invert {
			text = "~" + text
		}
		parts = append(parts, text)
		i += n
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func verilogRange(width int) string {
	if width == 1 {
		return ""
	}
	return fmt.Sprintf("[%d:0] ", width-1)
}

// fill renders a template.
func (t shellText) fill(name string) []byte { return fill(name, t) }

// fill renders a template. Its data are ours, so it cannot fail.
func fill(name string, data any) []byte {
	var out bytes.Buffer
	if err := templates.ExecuteTemplate(&out, name, data); err != nil {
		panic(err)
	}
	return out.Bytes()
}
