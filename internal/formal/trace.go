package formal

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/goldwire/goldwire/internal/output"
	"github.com/goldwire/goldwire/wave"
)

// trace is what the shown wires are in each step of a refutation. The assertion is false in the last one.
type trace struct {
	Lead  int // steps before cycle 0
	Steps []map[string]string

	shown []string
}

func newTrace(shown []string, lead int) *trace { return &trace{Lead: lead, shown: shown} }

// mostSteps bounds a trace.
const mostSteps = 1 << 20

func (t *trace) set(step int, name, bits string) {
	if step < 0 || step >= mostSteps || !slices.Contains(t.shown, name) {
		return
	}
	for len(t.Steps) <= step {
		t.Steps = append(t.Steps, map[string]string{})
	}
	t.Steps[step][name] = bits
}

// check wants every shown wire in every step.
func (t *trace) check(steps int) error {
	if len(t.shown) > 0 && len(t.Steps) != steps {
		return fmt.Errorf("the trace of a refutation has %d steps, want %d", len(t.Steps), steps)
	}
	for i, s := range t.Steps {
		for _, name := range t.shown {
			if s[name] == "" {
				return fmt.Errorf("step %d of the trace of a refutation does not have %s", i, name)
			}
		}
	}
	return nil
}

// Cycles returns how many cycles the trace has after its lead.
func (t *trace) Cycles() int { return max(0, len(t.Steps)-t.Lead) }

// Value returns a wire of at most 64 bits in a cycle, which is below 0 in the lead.
func (t *trace) Value(cycle int, name string) uint64 {
	var v uint64
	for _, c := range t.Steps[cycle+t.Lead][name] {
		v <<= 1
		if c == '1' {
			v |= 1
		}
	}
	return v
}

// WriteVCD writes the trace as a waveform, ten nanoseconds a step: rising edges at 0 ns, 10 ns, …
func (t *trace) WriteVCD(path string) error { return output.Write(path, t.writeVCD) }

func (t *trace) writeVCD(w io.Writer) error {
	const step = 10_000 // ps
	vars := []wave.Var{{Scope: "top", Name: "clk", Width: 1}}
	type part struct {
		name   string
		lo, hi int // characters
	}
	var parts []part
	for _, name := range t.shown { // a variable has at most 64 bits
		width := len(t.Steps[0][name])
		for hi := width; hi > 0; hi -= 64 {
			lo := max(0, hi-64)
			label := name
			if width > 64 {
				label = fmt.Sprintf("%s_%d", name, width-hi)
			}
			vars = append(vars, wave.Var{Scope: "top", Name: label, Width: hi - lo})
			parts = append(parts, part{name, lo, hi})
		}
	}
	out, err := wave.NewWriter(w, wave.Picoseconds, vars)
	if err != nil {
		return err
	}
	values := make([]uint64, len(vars))
	for k, s := range t.Steps {
		next := slices.Clone(values)
		next[0] = 1
		for i, p := range parts {
			next[i+1] = 0
			for _, c := range s[p.name][p.lo:p.hi] {
				next[i+1] = next[i+1]<<1 | uint64(c-'0')
			}
		}
		if k == 0 {
			out.Begin(0, next)
		} else {
			out.At(uint64(k * step))
			for i := range next {
				if next[i] != values[i] {
					out.Change(i, next[i])
				}
			}
		}
		values = next
		out.At(uint64(k*step + step/2))
		values[0] = 0
		out.Change(0, 0)
	}
	return out.Close(uint64(len(t.Steps) * step))
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
