package cosim

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/rtl"
)

// With streams in the map, transfers are compared, not cycles: the beats that the model takes go into the RTL one after
// another, with pauses and waits of its own, and what leaves the RTL is compared, in order, with what leaves the model. Other
// inputs of the RTL have the values that they had beside the beat; pauses of the model's stimulus are left out. So the RTL
// may take any time and hold back any beat, as long as it loses, doubles, reorders and changes none.

// mostInside bounds the transfers that may leave the RTL for beats whose results the model's run no longer shows.
const mostInside = 256

// stream is a handshake: its fields among inputs or outputs.
type stream struct {
	name   string
	dir    rtl.Direction
	valid  int // among the fields of its direction
	fields []int
	ready  int // the model's own ready output, of an input stream; -1 if it is always ready
}

// streams returns the one stream in and the one out.
func (s *view) streams(b *Binding) (in, out stream, err error) {
	found := map[rtl.Direction][]stream{}
	for name := range b.ready {
		x := stream{name: name, ready: -1}
		for d, columns := range map[rtl.Direction][]int{rtl.Input: s.inputs, rtl.Output: s.outputs} {
			for i, c := range columns {
				f := s.fields[c]
				if f.Port == name {
					x.dir, x.fields = d, append(x.fields, i)
					if f.Name == name+"_valid" {
						x.valid = i
					}
				}
			}
		}
		for i, c := range s.outputs {
			if s.unit.Ready[name] != "" && s.fields[c].Name == s.unit.Ready[name] {
				x.ready = i
			}
		}
		found[x.dir] = append(found[x.dir], x)
	}
	if len(found[rtl.Input]) != 1 || len(found[rtl.Output]) != 1 {
		return in, out, fmt.Errorf("map: streams: %d in and %d out, want one of each", len(found[rtl.Input]), len(found[rtl.Output]))
	}
	in, out = found[rtl.Input][0], found[rtl.Output][0]
	for o, c := range s.outputs {
		if f := s.fields[c]; !slices.Contains(out.fields, o) && s.mask[o] != 0 {
			return in, out, fmt.Errorf("map: streams: output %s is not of stream %s, and transfers do not compare it: ignore it (ignore: [%s])", f.Name, out.name, f.Name)
		}
	}
	return in, out, nil
}

// runTransfers compares transfers. The tally's cycles are transfers out of the model.
func (s *Session) runTransfers(ctx context.Context, st Stimulus, t *tally, progress func(done int)) (*Divergence, error) {
	in, out, err := s.streams(s.Binding)
	if err != nil {
		return nil, err
	}
	p, ok := s.dut.(*process)
	if !ok {
		return nil, errors.New("map: streams: transfers are compared under Verilator only")
	}
	m, err := s.model(st)
	if err != nil {
		return nil, err
	}
	ni, no := len(s.inputs), len(s.outputs)
	part := p.slots()[0]
	var wants, gots [][]uint64 // transfers out of the model and of the RTL that are not compared yet
	compared, offered := 0, 0
	var past []moment
	var first *Divergence // of a run that goes on
	check := func() *Divergence {
		n := min(len(wants), len(gots))
		for k := range n {
			t.cycles++
			past = append(past, moment{inputs: make([]uint64, ni), model: wants[k], rtl: gots[k]})
			if len(past) > 2*rowsBefore {
				past = append(past[:0], past[len(past)-rowsBefore:]...)
			}
			for _, o := range out.fields {
				if s.mask[o] == 0 {
					continue
				}
				t.compared[o]++
				if (wants[k][o]^gots[k][o])&s.mask[o] == 0 || !t.differs(o, compared+k, wants[k][o], gots[k][o], 0) || first != nil {
					continue
				}
				f := s.fields[s.outputs[o]]
				d := &Divergence{Cycle: compared + k, Field: f.Name, Width: f.Width, Want: wants[k][o], Got: gots[k][o], view: s.view, output: o,
					first: compared + k + 1 - len(past), moments: slices.Clone(past), Transfers: true}
				if !t.all {
					return d
				}
				first = d
			}
		}
		compared += n
		wants, gots = wants[n:], gots[n:]
		return nil
	}
	started := false
	for cycle := 0; cycle < st.cycles(); {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("interrupted: %w", err)
		}
		beats := 0
		for ; cycle < st.cycles() && beats < slotRows/2; cycle++ {
			if err := m.next(); err != nil {
				return nil, err
			}
			if m.row[s.inputs[in.valid]] == 1 && (in.ready < 0 || m.row[s.outputs[in.ready]] == 1) {
				for i, c := range s.inputs {
					part.in[beats*ni+i] = m.row[c]
				}
				beats++
			}
			if m.row[s.outputs[out.valid]] == 1 {
				row := make([]uint64, no)
				for i, c := range s.outputs {
					row[i] = m.row[c]
				}
				wants = append(wants, row)
			}
		}
		if !started {
			started = true
			if err := p.reset(0); err != nil {
				return nil, fmt.Errorf("reset: %w", err)
			}
		}
		for {
			left, used, err := p.transfer(0, beats, cycle >= st.cycles())
			if err != nil {
				return nil, fmt.Errorf("beat %d: %w", offered+used, err)
			}
			for k := range left {
				gots = append(gots, append([]uint64(nil), part.out[k*no:(k+1)*no]...))
			}
			if d := check(); d != nil {
				return d, nil
			}
			offered += used
			if used == beats && left < slotRows {
				break
			}
			if used == 0 && left < slotRows {
				return nil, fmt.Errorf("the RTL takes nothing: beat %d waits, %d transfers have left", offered, compared+len(gots))
			}
			copy(part.in, part.in[used*ni:beats*ni])
			beats -= used
		}
		if progress != nil {
			progress(cycle)
		}
	}
	switch {
	case len(wants) > 0:
		return nil, fmt.Errorf("the RTL has taken all %d beats and %d transfers have left it, of the model %d: the rest is lost", offered, compared, compared+len(wants))
	case len(gots) > mostInside:
		return nil, fmt.Errorf("%d transfers have left the RTL, of the model %d, for the same %d beats", compared+len(gots), compared, offered)
	}
	return first, nil
}
