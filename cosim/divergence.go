package cosim

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/internal/output"
	"github.com/goldwire/goldwire/wave"
)

// Divergence is the first difference between model and RTL.
type Divergence struct {
	Cycle   int
	Field   string
	Width   int
	Want    uint64 // the model's value
	Got     uint64 // the RTL's
	Unknown uint64 // which bits of it are x or z
	Extra   int    // cycles that the RTL is to be later than the model

	// Shift is by how much more the RTL may be later for all to agree nearby, if Shifted.
	Shift   int
	Shifted bool

	Transfers bool // Cycle counts transfers out
	// Lost says of a transfer that only one side has what became of it.
	Lost string

	// Contents is what the registers held before the reset, in a run after the first: "all 0", "all 1", "random". Resets
	// is how many resets came in the middle of that run: cycles are counted from the last.
	Contents string
	Resets   int
	// Constants tells that inputs had constants of the RTL's own text.
	Constants bool
	// Filled tells that nothing was taken from the RTL until it took no more.
	Filled bool
	// Missed are registers that the reset does not reach, if the difference depends on their contents, and Icarus builds
	// the RTL.
	Missed []string

	depends  bool      // on the registers' contents before the reset
	stimulus *Stimulus // of a run after the first

	view      *view
	legs      []leg // of transfers: the runs since new RTL that lead to it
	kind      kindOfTransfer
	binding   *Binding
	found     *location // of transfers: where they part
	canShrink bool
	row       int // of transfers: the row of the stimulus in which the wanted one left the model
	output    int
	later     int      // Want is of as many rows before
	differs   []uint64 // for each output: the bits that differ in this cycle
	first     int      // cycle of the first moment
	moments   []moment
}

// moment is one cycle of both sides.
type moment struct {
	inputs, model, rtl, unknown []uint64

	time    uint64 // of a waveform
	line    int
	settled bool // the model's outputs do not depend on a gap
}

// shownRows is how many cycles up to the divergence its text shows.
const shownRows = 8

// MarshalJSON writes values as hexadecimal strings, as 64 bits are more than a JSON number holds everywhere, and the
// last inputs.
func (d *Divergence) MarshalJSON() ([]byte, error) {
	type cycle struct {
		Cycle  int               `json:"cycle"`
		Inputs map[string]string `json:"inputs"`
	}
	doc := struct {
		Cycle     int    `json:"cycle"`
		Field     string `json:"field"`
		Width     int    `json:"width"`
		Model     string `json:"model"`
		RTL       string `json:"rtl"`
		Extra     int    `json:"extra"`
		AgreesAt  *int   `json:"agrees_at_extra,omitempty"`
		Transfers bool   `json:"transfers,omitempty"`
		Lost      string `json:"lost,omitempty"`
		Kind      string `json:"kind,omitempty"`

		*location

		Contents string   `json:"registers_before,omitempty"`
		Resets   int      `json:"resets_before,omitempty"`
		Constant bool     `json:"constants_of_the_rtl,omitempty"`
		Filled   bool     `json:"filled_before,omitempty"`
		Depends  string   `json:"depends,omitempty"`
		Missed   []string `json:"never_reset,omitempty"`

		Inputs []cycle `json:"last_inputs,omitempty"`
	}{d.Cycle, d.Field, d.Width, hexOf(d.Want, 0, d.Width), hexOf(d.Got, d.Unknown, d.Width), d.Extra, nil, d.Transfers,
		d.Lost, d.Kind(), d.found,
		d.Contents, d.Resets, d.Constants, d.Filled, d.Depends(), d.Missed, nil}
	if d.Shifted {
		doc.AgreesAt = &d.Shift
	}
	for i, m := range d.moments {
		at := d.first + i
		if d.Transfers || at <= d.Cycle-shownRows || at > d.Cycle {
			continue
		}
		c := cycle{at, map[string]string{}}
		for k, column := range d.view.inputs {
			c.Inputs[d.view.fields[column].Name] = hexOf(m.inputs[k], 0, d.view.fields[column].Width)
		}
		doc.Inputs = append(doc.Inputs, c)
	}
	return json.Marshal(doc)
}

// like tells whether two differences are of one kind: the same outputs differ, each in the same bytes, or in the same
// bits if it is narrow.
func (d *Divergence) like(e *Divergence) bool {
	if d.output != e.output || (d.Lost == "") != (e.Lost == "") || (d.Unknown != 0) != (e.Unknown != 0) {
		return false
	}
	for o, c := range d.view.outputs {
		if w := d.view.fields[c].Width; alike(d.differs[o], w) != alike(e.differs[o], w) {
			return false
		}
	}
	return true
}

// CanShrink tells whether [Session.Shrink] can work on it: the rows of a unit with several clocks cannot be cut.
func (d *Divergence) CanShrink() bool { return d.canShrink }

// hexOf is a value with the digits of its width; digits with unknown bits are x.
func hexOf(v, unknown uint64, width int) string {
	text := []byte(fmt.Sprintf("%0*x", (width+3)/4, v))
	for i := range text {
		if unknown>>(4*(len(text)-1-i))&15 != 0 {
			text[i] = 'x'
		}
	}
	return string(text)
}

// String says in one line where they part.
func (d *Divergence) String() string {
	unit := "cycle"
	if d.Transfers {
		unit = "transfer"
	}
	text := fmt.Sprintf(
		unit+" %d field %s model %s RTL %s", d.Cycle, d.Field, hexOf(d.Want, 0, d.Width),
		hexOf(d.Got, d.Unknown, d.Width),
	)
	switch {
	case d.Constants:
		text += " with constants of the RTL's text on its inputs"
	case d.Filled:
		text += " after nothing had been taken from the RTL until it took no more"
	case d.Resets > 0:
		text += fmt.Sprintf(" after reset number %d", d.Resets+1)
	case d.Contents != "":
		text += fmt.Sprintf(" from registers that were %s before the reset", d.Contents)
	}
	return text
}

// Write prints the divergence with the last inputs, and with the field on both sides.
func (d *Divergence) Write(w io.Writer) {
	fmt.Fprintln(w, d)
	if d.Lost != "" {
		fmt.Fprintln(w, d.Lost)
	}
	if text := d.Kind(); text != "" {
		fmt.Fprintln(w, text)
	}
	d.found.write(w)
	if text := d.Depends(); text != "" {
		fmt.Fprintln(w, text)
	}
	s := d.view
	t := table.NewWriter()
	t.SetOutputMirror(w)
	t.SetStyle(table.StyleLight)
	t.Style().Options = table.OptionsNoBordersAndSeparators
	t.Style().Format.Header = 0
	header := table.Row{"cycle"}
	inputs := s.inputs
	if d.Transfers { // the inputs of a transfer are not known
		header, inputs = table.Row{"transfer"}, nil
	}
	for _, c := range inputs {
		header = append(header, s.fields[c].Name)
	}
	t.AppendHeader(append(header, "model "+d.Field, "RTL "+d.Field))
	for i, r := range d.moments {
		cycle := d.first + i
		if cycle <= d.Cycle-shownRows || cycle > d.Cycle {
			continue
		}
		row := table.Row{cycle}
		for k, c := range inputs {
			row = append(row, hexOf(r.inputs[k], 0, s.fields[c].Width))
		}
		want := "-"
		if k := i - d.later; k >= 0 {
			want = hexOf(d.moments[k].model[d.output], 0, d.Width)
		}
		var unknown uint64
		if r.unknown != nil {
			unknown = r.unknown[d.output]
		}
		mark := ""
		if cycle == d.Cycle {
			mark = "  <"
		}
		t.AppendRow(append(row, want, hexOf(r.rtl[d.output], unknown, d.Width)+mark))
	}
	t.Render()
	if d.Shifted {
		if d.Shift >= 0 {
			fmt.Fprintf(w, "All outputs agree here if the RTL is later than the model by %d: --extra %d\n", d.Shift, d.Shift)
		} else {
			fmt.Fprintf(w, "All outputs agree here if the RTL is earlier than the model by %d: --extra=%d\n", -d.Shift, d.Shift)
		}
	}
}

// vars are the variables of its waveform: the contents of each scope.
func (d *Divergence) vars() []wave.Var {
	s := d.view
	vars := []wave.Var{{Scope: "top", Name: "clk", Width: 1}}
	for _, c := range s.inputs {
		vars = append(vars, wave.Var{Scope: "top.inputs", Name: s.fields[c].Name, Width: s.fields[c].Width})
	}
	for _, scope := range []string{"top.model", "top.rtl"} {
		for _, c := range s.outputs {
			vars = append(vars, wave.Var{Scope: scope, Name: s.fields[c].Name, Width: s.fields[c].Width})
		}
	}
	for _, c := range s.outputs {
		vars = append(vars, wave.Var{Scope: "top.differs", Name: s.fields[c].Name, Width: 1})
	}
	return vars
}

// WriteVCD writes the cycles around the divergence, model and RTL side by side. Of an RTL that is later by declaration
// the model is shown as much later. A bit that is x or z in the RTL is 0 there; "differs" is 1.
func (d *Divergence) WriteVCD(path string) error {
	return output.Write(path, d.writeVCD)
}

// ruler gives the edges of the unit's clock in the waveform's units.
func (v *view) ruler() (*clock.Ruler, error) {
	schedule, err := clock.NewSchedule(clock.Spec{Name: "clk", Freq: v.unit.Clock})
	if err != nil {
		return nil, err
	}
	return schedule.Ruler(wave.Picoseconds.Unit())
}

func (d *Divergence) writeVCD(w io.Writer) error {
	if d.found != nil {
		return d.found.writeVCD(w, d)
	}
	s := d.view
	ruler, err := s.ruler()
	if err != nil {
		return err
	}
	vars := d.vars()
	out, err := wave.NewWriter(w, wave.Picoseconds, vars)
	if err != nil {
		return err
	}
	ni, no := len(s.inputs), len(s.outputs)
	values := make([]uint64, len(vars))
	var end uint64
	for i, r := range d.moments {
		// cycle k lies between edge k and edge k+1; the inputs change at the falling edge in between
		cycle := uint64(d.first + i)
		rise, fall := ruler.Edge(0, cycle), ruler.Fall(0, cycle)
		next := append([]uint64(nil), values...)
		next[0] = 1
		for o := range no {
			want := r.model[o]
			if k := i - s.later[o]; k >= 0 {
				want = d.moments[k].model[o]
			}
			next[1+ni+o], next[1+ni+no+o] = want, r.rtl[o]
			next[1+ni+2*no+o] = 0
			counts := s.valid[o] < 0 || next[1+ni+s.valid[o]] == 1
			if counts && ((want^r.rtl[o])&s.mask[o] != 0 || r.unknown != nil && r.unknown[o]&s.mask[o] != 0) {
				next[1+ni+2*no+o] = 1
			}
		}
		change := func() {
			for v := range next {
				if next[v] != values[v] {
					out.Change(v, next[v])
				}
			}
			copy(values, next)
		}
		if i == 0 {
			copy(next[1:1+ni], r.inputs)
			copy(values, next)
			out.Begin(rise, values)
		} else {
			out.At(rise)
			change()
		}
		end = fall
		out.At(fall)
		next[0] = 0
		copy(next[1:1+ni], r.inputs)
		change()
	}
	return out.Close(end + 1)
}
