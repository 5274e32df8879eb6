package cosim

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/wave"
)

// signal is a variable of the waveform, and its value in a cycle.
type signal struct {
	wave.Var
	rtl   func(at *step) uint64
	model func(at *modelRow) uint64
}

// noName matches what no name in a waveform may have.
var noName = regexp.MustCompile(`[^A-Za-z0-9_$]+`)

// portSignals are the ports of the RTL, with their values in a cycle. Ports of more than 64 bits come in parts. Outputs
// that the map does not use are not known.
func (d *Divergence) portSignals(b *Binding) (list []signal) {
	s := d.view
	values := map[bit]func(at *step) uint64{}
	put := func(v bit, value func(at *step) uint64) {
		if v.port < 0 {
			return
		}
		invert := v.invert
		v.invert = false
		values[v] = func(at *step) uint64 {
			if invert {
				return 1 - value(at)
			}
			return value(at)
		}
	}
	constant := func(x uint64) func(*step) uint64 { return func(*step) uint64 { return x } }
	for _, v := range append(slices.Clone(b.resets), deref(b.reset)...) {
		put(v, constant(0))
	}
	for _, v := range deref(b.enable) {
		put(v, constant(1))
	}
	for _, x := range b.ties {
		for i, v := range x.bits {
			put(v, constant(x.value>>(len(x.bits)-1-i)&1))
		}
	}
	in, out := 0, 0
	for _, f := range b.Fields {
		k := &out
		if f.Dir == rtl.Input {
			k = &in
		}
		column := *k
		*k++
		for i, v := range f.bits {
			shift := f.Width - 1 - i
			if f.Dir == rtl.Input {
				put(v, func(at *step) uint64 { return at.in[column] >> shift & 1 })
			} else {
				put(v, func(at *step) uint64 { return at.out[column] >> shift & 1 })
			}
		}
	}
	ins, outs, err := s.streams(b)
	if err != nil {
		return nil
	}
	for _, x := range slices.Concat(ins, outs) {
		put(x.port.bit, func(at *step) uint64 {
			if at.ready[x.number] && (!x.port.yumi || at.out[x.valid] == 1) {
				return 1
			}
			return 0
		})
	}
	seen := map[string]bool{}
	for i, p := range b.Ports {
		for hi := p.Width() - 1; hi >= 0; hi -= 64 {
			lo := max(0, hi-63)
			name := strings.Trim(noName.ReplaceAllString(p.Name, "_"), "_")
			if p.Width() > 64 {
				name += fmt.Sprintf("_%d_%d", hi, lo)
			}
			var bits []func(at *step) uint64
			for k := hi; k >= lo; k-- {
				if v := values[bit{port: i, place: k}]; v != nil {
					bits = append(bits, v)
				}
			}
			if len(bits) != hi-lo+1 || seen[name] || name == "" || name[0] >= '0' && name[0] <= '9' {
				continue
			}
			seen[name] = true
			list = append(list, signal{Var: wave.Var{Scope: "top.rtl", Name: name, Width: len(bits)},
				rtl: func(at *step) (x uint64) {
					for _, b := range bits {
						x = x<<1 | b(at)&1
					}
					return x
				}})
		}
	}
	return list
}

func deref(b *bit) []bit {
	if b == nil {
		return nil
	}
	return []bit{*b}
}

// writeVCD writes the RTL's ports cycle by cycle, up to the cycle of the difference, and the model's fields. The model
// keeps another pace: its last cycle shown gives the same transfer. Scope top.at has the cycle's number on each side.
func (p *location) writeVCD(w io.Writer, d *Divergence) error {
	s := d.view
	ruler, err := s.ruler()
	if err != nil {
		return err
	}
	list := []signal{
		{Var: wave.Var{Scope: "top", Name: "clk", Width: 1}},
		{Var: wave.Var{Scope: "top.at", Name: "rtl_cycle", Width: 64}, rtl: func(at *step) uint64 { return at.cycle }},
		{Var: wave.Var{Scope: "top.at", Name: "model_cycle", Width: 64},
			model: func(at *modelRow) uint64 { return uint64(at.cycle) }},
		{Var: wave.Var{Scope: "top.at", Name: "differs", Width: 1}},
	}
	list = append(list, d.portSignals(d.binding)...)
	for c, f := range s.fields {
		list = append(list, signal{Var: wave.Var{Scope: "top.model", Name: f.Name, Width: f.Width},
			model: func(at *modelRow) uint64 { return at.values[c] }})
	}
	var vars []wave.Var
	for _, x := range list {
		vars = append(vars, x.Var)
	}
	out, err := wave.NewWriter(w, wave.Picoseconds, vars)
	if err != nil {
		return err
	}
	last, n := uint64(len(p.rows)), len(p.steps)
	if n > 0 {
		last = p.steps[n-1].cycle
	}
	var cycles []uint64
	sides := map[uint64]struct {
		rtl   *step
		model *modelRow
	}{}
	for k := range p.steps {
		x := sides[p.steps[k].cycle]
		x.rtl = &p.steps[k]
		sides[p.steps[k].cycle] = x
	}
	for k := range p.rows {
		back := uint64(len(p.rows) - 1 - k)
		if back > last {
			continue
		}
		x := sides[last-back]
		x.model = &p.rows[k]
		sides[last-back] = x
	}
	for c := range sides {
		cycles = append(cycles, c)
	}
	slices.Sort(cycles)
	values, next := make([]uint64, len(list)), make([]uint64, len(list))
	end := uint64(0)
	for k, c := range cycles {
		// cycle c lies between edge c and edge c+1: a reader samples its values at the rising edge that ends it
		at := sides[c]
		next[0] = 1
		for v, x := range list {
			switch {
			case x.rtl != nil && at.rtl != nil:
				next[v] = x.rtl(at.rtl)
			case x.model != nil && at.model != nil:
				next[v] = x.model(at.model)
			}
		}
		if c == last {
			next[3] = 1
		}
		rise := ruler.Edge(0, c)
		if k == 0 {
			copy(values, next)
			out.Begin(rise, values)
		} else {
			out.At(rise)
			for v := range next {
				if next[v] != values[v] {
					out.Change(v, next[v])
				}
			}
			copy(values, next)
		}
		end = ruler.Fall(0, c)
		out.At(end)
		out.Change(0, 0)
		values[0] = 0
	}
	return out.Close(end + 1)
}
