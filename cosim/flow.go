package cosim

import (
	"fmt"
	"slices"
)

// flow is a waveform's handshakes: the beats that went into the RTL, for the model, and the transfers out of both.
type flow struct {
	in, out           stream
	inReady, outReady readyPort

	beats       [][]uint64 // rows of inputs that the model has not taken yet
	wants, gots []moment   // transfers not compared yet
	compared    int
	past        []moment
	took        uint32 // edges, the latest in bit 0: a transfer out whose data come later
}

func newFlow(v *view, b *Binding) (*flow, error) {
	in, out, err := v.streams(b)
	switch {
	case err != nil:
		return nil, err
	case len(in) != 1 || len(out) != 1:
		return nil, fmt.Errorf(
			"map: streams: %d in and %d out, want one of each in a waveform; cosim takes several", len(in), len(out),
		)
	}
	return &flow{in: in[0], out: out[0], inReady: in[0].port, outReady: out[0].port}, nil
}

// offer gives the model's inputs: a beat stands until the model takes it, between beats its valid bit is 0.
func (f *flow) offer(row, sampled []uint64, m *model) {
	valid := m.inputs[f.in.valid]
	if f.out.ready >= 0 {
		defer func() { row[m.inputs[f.out.ready]] = 1 }()
	}
	if m.started && m.row[valid] == 1 && f.in.ready >= 0 && m.row[m.outputs[f.in.ready]] == 0 {
		copy(row, m.row)
		return
	}
	if len(f.beats) > 0 {
		copy(row, f.beats[0])
		f.beats = f.beats[1:]
		return
	}
	copy(row, sampled)
	row[valid] = 0
}

// transfer takes an edge of a waveform with handshakes.
func (p *replayer) transfer(m moment) error {
	f := p.flow
	taken := func(r readyPort) bool {
		v, unknown := uint64(1), uint64(0)
		if r.port >= 0 {
			v, unknown = p.value([]bit{r.bit})
		}
		return v == 1 && unknown == 0
	}
	p.rows++
	if p.row[p.inputs[f.in.valid]] == 1 && taken(f.inReady) {
		f.beats = append(f.beats, append([]uint64(nil), p.row...))
	}
	o := f.out.valid
	leaves := taken(f.outReady) && (m.rtl[o] == 1 || m.unknown[o] != 0)
	if n := f.outReady.latency; n > 0 {
		before := f.took
		if f.took <<= 1; leaves {
			f.took |= 1
		}
		if leaves = before>>(n-1)&1 == 1; leaves {
			m.rtl, m.unknown = slices.Clone(m.rtl), slices.Clone(m.unknown)
			m.rtl[o], m.unknown[o] = 1, 0
		}
	}
	if leaves {
		f.gots = append(f.gots, m)
	}
	return p.step()
}

// step runs the model for a cycle and compares what left both sides.
func (p *replayer) step() error {
	f := p.flow
	if err := p.model.next(); err != nil {
		return err
	}
	if p.model.row[p.outputs[f.out.valid]] == 1 {
		f.wants = append(f.wants, moment{model: p.model.pick(nil, p.outputs)})
	}
	for len(f.wants) > 0 && len(f.gots) > 0 && p.result.Divergence == nil {
		got, want := f.gots[0], f.wants[0].model
		f.gots, f.wants = f.gots[1:], f.wants[1:]
		got.model = want
		if f.past = append(f.past, got); len(f.past) > 2*rowsBefore {
			f.past = append(f.past[:0], f.past[len(f.past)-rowsBefore:]...)
		}
		p.tally.cycles++
		for _, o := range f.out.fields {
			unknown := got.unknown[o] & p.mask[o]
			if p.mask[o] == 0 {
				continue
			}
			p.tally.compared[o]++
			if ((want[o]^got.rtl[o])&p.mask[o]|unknown) == 0 || !p.tally.differs(o, f.compared, want[o], got.rtl[o], unknown) {
				continue
			}
			x := p.fields[p.outputs[o]]
			p.result.Time, p.result.Line = got.time, got.line
			p.result.Divergence = &Divergence{
				Cycle: f.compared, Field: x.Name, Width: x.Width, Want: want[o], Got: got.rtl[o], Unknown: unknown,
				view: p.view, output: o, first: f.compared + 1 - len(f.past), moments: f.past, Transfers: true,
				differs: make([]uint64, len(p.outputs)),
			}
			break
		}
		f.compared++
	}
	return nil
}

// drained is how many cycles the model gets at the end for the beats still inside.
const drained = 4096

// drain runs the model on for the beats that the RTL has given already. A file may end before all has left the RTL.
func (p *replayer) drain() error {
	f := p.flow
	for idle := 0; idle < drained && len(f.gots) > 0 && p.result.Divergence == nil; idle++ {
		if len(f.beats) > 0 {
			idle = 0
		}
		if err := p.step(); err != nil {
			return err
		}
	}
	if n := len(f.gots); n > 0 && p.result.Divergence == nil {
		return fmt.Errorf(
			"%s: %d transfers have left the RTL, of the model %d, for the same beats", p.replay.Path, f.compared+n,
			f.compared,
		)
	}
	return nil
}
