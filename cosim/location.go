package cosim

import (
	"fmt"
	"io"
	"strings"

	"github.com/goldwire/goldwire/internal/plural"
)

// location is where transfers part: the cycle of the RTL and of the model in which the differing transfer left, and
// the words inside before. Cycles are counted from the reset on both sides, which have paces of their own.
type location struct {
	RTLCycle   *uint64 `json:"rtl_cycle,omitempty"`   // nil if the transfer never left the RTL
	ModelCycle *int    `json:"model_cycle,omitempty"` // nil if the model has no such transfer
	RTLMoved   *uint64 `json:"rtl_last_cycle_with_a_transfer,omitempty"`
	RTLInside  inside  `json:"inside_the_rtl"`
	ModelSide  inside  `json:"inside_the_model"`

	echo  bool // each beat leaves as it came
	steps []step
	rows  []modelRow
}

// inside is what a side had taken and given before the differing transfer.
type inside struct {
	Taken int `json:"taken"`
	Given int `json:"given"`
	// Words are those taken and not given, the oldest first, at most mostShown: their numbers begin with Given. It is
	// empty unless each beat leaves as it came.
	Words []string `json:"words,omitempty"`
}

// mostShown words fit a line.
const mostShown = 4

// location describes the end of a run that a search has ended.
func (f *flight) location(d *Divergence, output int) *location {
	s, x, l := f.s, f.search, f.out[output]
	p := &location{steps: f.rtl.steps(s.in, s.out), rows: x.rows[max(0, len(x.rows)-modelRows):]}
	reached := x.reached(f) || l.compared+len(l.gots) > d.Cycle || d.Lost == ""
	for k := range p.steps {
		at := &p.steps[len(p.steps)-1-k]
		if reached {
			p.RTLCycle = &at.cycle
			break
		}
		if f.moved(at) {
			p.RTLMoved = &at.cycle
			break
		}
	}
	if x.over && len(p.rows) > 0 {
		p.ModelCycle = &p.rows[len(p.rows)-1].cycle
	}
	given := d.Cycle
	p.RTLInside, p.ModelSide = inside{Taken: f.offered, Given: given}, inside{Taken: x.taken, Given: given}
	if p.echo = f.echoes(l); p.echo {
		p.RTLInside.Words, p.ModelSide.Words = f.words(p.RTLInside), f.words(p.ModelSide)
	}
	return p
}

// moved tells whether a transfer took place in a step.
func (f *flight) moved(at *step) bool {
	for _, l := range f.in {
		if at.ready[l.number] && at.in[l.valid] == 1 && (l.clock < 0 || at.in[l.clock] == 1) {
			return true
		}
	}
	for _, l := range f.out {
		if at.ready[l.number] && at.out[l.valid] == 1 && (l.clock < 0 || at.in[l.clock] == 1) {
			return true
		}
	}
	return false
}

// echoes tells whether the transfers that left the model are the beats that went into it, one for one.
func (f *flight) echoes(l *lane) bool {
	if len(f.in) != 1 || len(f.out) != 1 {
		return false
	}
	in, out := f.in[0].payload(), l.payload()
	if len(in) != len(out) || len(l.past) == 0 {
		return false
	}
	for k := range in {
		if f.s.fields[f.s.inputs[in[k]]].Width != f.s.fields[f.s.outputs[out[k]]].Width {
			return false
		}
	}
	last := f.search.transfer // of the latest in past
	for i, m := range l.past {
		n := last - (len(l.past) - 1 - i) - f.search.base
		if n < 0 || m.model[l.valid] == 0 {
			continue
		}
		if n >= len(f.search.beats) {
			return false
		}
		for k := range in {
			if f.search.beats[n][in[k]] != m.model[out[k]] {
				return false
			}
		}
	}
	return true
}

// words are the first words that are inside.
func (f *flight) words(p inside) (list []string) {
	in := f.in[0].payload()
	for n := p.Given; n < p.Taken && len(list) < mostShown; n++ {
		at := n - f.search.base
		if at < 0 || at >= len(f.search.beats) {
			break
		}
		var fields []string
		for _, i := range in {
			fields = append(fields, hexOf(f.search.beats[at][i], 0, f.s.fields[f.s.inputs[i]].Width))
		}
		list = append(list, strings.Join(fields, " "))
	}
	return list
}

// write prints the place in lines.
func (p *location) write(w io.Writer) {
	if p == nil {
		return
	}
	var parts []string
	switch {
	case p.RTLCycle != nil:
		parts = append(parts, fmt.Sprintf("it left the RTL in cycle %d of the RTL", *p.RTLCycle))
	case p.RTLMoved != nil:
		parts = append(parts, fmt.Sprintf("nothing moved at the RTL after its cycle %d", *p.RTLMoved))
	}
	if p.ModelCycle != nil {
		parts = append(parts, fmt.Sprintf("the model's left in cycle %d of the model", *p.ModelCycle))
	}
	if len(parts) > 0 {
		fmt.Fprintln(w, strings.Join(parts, ", "))
	}
	fmt.Fprintf(w, "inside before it: RTL %v\n                  model %v\n", p.RTLInside.text(p.echo),
		p.ModelSide.text(p.echo))
}

func (p inside) text(echo bool) string {
	n := p.Taken - p.Given
	if !echo {
		return fmt.Sprintf("%s taken, %s given", plural.Of(p.Taken, "beat"), plural.Of(p.Given, "transfer"))
	}
	switch {
	case n <= 0:
		return "no word"
	case n == 1:
		return fmt.Sprintf("word %d (%s)", p.Given, strings.Join(p.Words, ", "))
	}
	more := ""
	if n > len(p.Words) {
		more = ", …"
	}
	return fmt.Sprintf("words %d to %d (%s%s)", p.Given, p.Taken-1, strings.Join(p.Words, ", "), more)
}
