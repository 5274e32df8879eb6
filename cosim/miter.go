package cosim

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/goldwire/goldwire/internal/formal"
	"github.com/goldwire/goldwire/vectors"
)

// miter is the text of the module in which a proof compares: see templates/prove.sv.tmpl.
type miter struct {
	Unit        string
	Reset       int // steps
	LateReset   int // steps of the RTL's own: it starts later if it is earlier than the model
	Last        int // step at which all is compared
	Inputs      []miterField
	Outputs     []miterField
	Delays      []miterDelay
	Assumptions []string
	Environment string
	Asserts     []miterAssert

	enable bool // the RTL's clock enable is free
}

type miterField struct {
	Index int
	Name  string
	Range string
	Late  string // of an input: as the RTL gets it
}

// AgeBits is the most significant bit of the counter of steps.
func (m *miter) AgeBits() int { return bits.Len(uint(m.Last)) - 1 }

// miterDelay is a register that makes From a step later.
type miterDelay struct{ Name, From, Range string }

type miterAssert struct {
	Name, Want, Got, Mask, Valid string
	From                         int
}

// Names in the miter. Fields have their own.
const (
	miterTop  = "goldwire_prove"
	reference = "goldwire_reference"
	userShell = "goldwire_user"

	miterChecks = "goldwire_checks" // registers that stand still while a free clock enable is off
	miterOn     = "goldwire_on"     // the enable
)

// mostProveSkip bounds the first cycles of a proof in which nothing is compared: an induction has to go through them.
const mostProveSkip = 64

// miter writes the question of a proof: that in every cycle after the reset, with whatever inputs the map and the unit
// allow, each output that counts is equal.
func (s *view) miter(b *Binding) (*miter, error) {
	if b.skip > mostProveSkip {
		return nil, fmt.Errorf("skip: %d cycles, a proof takes at most %d", b.skip, mostProveSkip)
	}
	m := &miter{
		Unit: s.unit.Name, Reset: vectors.ResetCycles, LateReset: vectors.ResetCycles + s.lead,
		Environment: s.unit.Environment,
	}
	taken := map[string]bool{}
	// late returns a wire that has a value as many steps later.
	late := func(name string, width, steps int) string {
		for k := 1; k <= steps; k++ {
			next := fmt.Sprintf("goldwire_%s_%d", name, k)
			if !taken[next] {
				taken[next] = true
				from := name
				if k > 1 {
					from = fmt.Sprintf("goldwire_%s_%d", name, k-1)
				}
				m.Delays = append(m.Delays, miterDelay{next, from, verilogRange(width)})
			}
		}
		if steps == 0 {
			return name
		}
		return fmt.Sprintf("goldwire_%s_%d", name, steps)
	}
	for i, c := range s.inputs {
		f := s.fields[c]
		m.Inputs = append(m.Inputs, miterField{i, f.Name, verilogRange(f.Width), late(f.Name, f.Width, s.lead)})
	}
	for i, c := range s.outputs {
		f := s.fields[c]
		m.Outputs = append(m.Outputs, miterField{Index: i, Name: f.Name, Range: verilogRange(f.Width)})
		if s.mask[i] == 0 {
			continue
		}
		a := miterAssert{Name: f.Name, Want: late(f.Name, f.Width, s.later[i]), Got: fmt.Sprintf("goldwire_rtl_%d", i),
			Mask: fmt.Sprintf("%d'h%x", f.Width, s.mask[i]), From: m.LateReset + s.later[i] + b.skip}
		if v := s.valid[i]; v >= 0 {
			a.Valid = late(s.fields[s.outputs[v]].Name, 1, s.later[i])
		}
		m.Asserts = append(m.Asserts, a)
		m.Last = max(m.Last, a.From)
	}
	if len(m.Asserts) == 0 {
		return nil, fmt.Errorf("nothing would be compared: all outputs of the unit are ignored")
	}
	for _, h := range s.held {
		f := s.fields[h.column]
		m.Assumptions = append(
			m.Assumptions, fmt.Sprintf("(%s & %d'h%x) == %d'h%x", f.Name, f.Width, h.mask, f.Width, h.value),
		)
	}
	for _, h := range s.handshakes() { // a beat stands until it is taken
		valid, ready := s.fields[h.valid].Name, s.fields[h.ready].Name
		waited := fmt.Sprintf("goldwire_age > %d && %s && !%s", m.Reset, late(valid, 1, 1), late(ready, 1, 1))
		for _, c := range h.fields {
			f := s.fields[c]
			m.Assumptions = append(m.Assumptions, fmt.Sprintf("!(%s) || %s == %s", waited, f.Name, late(f.Name, f.Width, 1)))
		}
	}
	return m, nil
}

// question puts the miter to the engines.
func (m *miter) question(user formal.Part, ref string) formal.Question {
	q := formal.Question{
		Forms: true,
		Parts: []formal.Part{
			{Files: []string{ref}, Top: vectors.Unit{Name: m.Unit}.Module(), Name: reference},
			user,
		},
		Harness: string(fill("prove.sv.tmpl", m)), Top: miterTop, Lead: m.Reset,
	}
	if m.enable {
		q.Harness, q.Enabled = string(fill("enable.sv.tmpl", m)), miterChecks
		q.Parts[0].Enabled = true
		q.Show = append(q.Show, miterOn)
	}
	for _, f := range slices.Concat(m.Inputs, m.Outputs) {
		q.Show = append(q.Show, f.Name)
	}
	return q
}
