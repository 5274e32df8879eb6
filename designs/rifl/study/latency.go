package study

import (
	"fmt"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/workload/journey"

	"github.com/goldwire/goldwire/designs/rifl"
)

// probe follows one beat from end 0 to end 1 of a link at rest, at lane 0.
type probe struct {
	l     *rifl.Link
	at    []clock.Time
	plain uint64 // the first word of its frame
	word  uint64 // the same on the line
	id    uint16
}

// probeStages are the steps in order; the sum of them is the time from handshake to handshake.
var probeStages = []string{
	"TX width converter: first word of the frame",
	"scrambler",
	"verification code generator",
	"transceivers and cable",
	"aligner",
	"verifier and descrambler",
	"the other words of the frame",
	"clock crossing and RX width converter",
	"next edge of the frame clock, flow-control buffer; output converter",
	"the user takes the beat",
}

// Observe looks for the next step at every instant.
func (p *probe) Observe(rtl.Edges) {
	a, b := p.l.Ends[0], p.l.Ends[1]
	out, in := a.Lanes[0], b.Lanes[0]
	var edge *clock.Time
	now := func(c interface{ Time() clock.Time }) { t := c.Time(); edge = &t }
	switch len(p.at) {
	case 0:
		if a.Generator.Beats() == 1 {
			p.id = out.Transmitter.ID.Get().Value
			now(a.User)
		}
	case 1:
		if w := out.Serialiser.Out.Get(); w.First && w.ID == p.id {
			p.plain = w.Data
			now(a.Transceiver)
		}
	case 2:
		if w := out.Scrambler.Out.Get(); w.First && w.ID == p.id {
			now(a.Transceiver)
		}
	case 3:
		if w := out.CodeGenerator.Out.Get(); w.First && w.ID == p.id {
			p.word = w.Data
			now(a.Transceiver)
		}
	case 4:
		if in.Line.Out.Get() == p.word {
			now(in.Recovered)
		}
	case 5:
		if w := in.Aligner.Out.Get(); w.First && w.Data == p.word {
			now(in.Recovered)
		}
	case 6:
		if in.Receiver.Out.Get().First {
			now(in.Recovered)
		}
	case 7:
		if w := in.Receiver.Out.Get(); w.Last && w.Good {
			now(in.Recovered)
		}
	case 8: // invalid frames come before and after: Valid falls with each frame edge
		if in.Deserialiser.Valid.Get() && in.Deserialiser.Frame[0].Get() == p.plain {
			now(b.Transceiver)
		}
	case 9:
		if b.Collector.Control.Get().Valid {
			now(b.User)
		}
	case 10:
		if b.Validator.Beats() == 1 {
			now(b.User)
		}
	}
	if edge != nil {
		p.at = append(p.at, *edge)
	}
}

// beatWay measures the latency of a beat from handshake to handshake, from end 0 to end 1 of a link without errors and
// without other traffic, and where it goes: every stage is observed between two edges.
func beatWay(cfg rifl.LinkConfig) (total clock.Time, stages []journey.Stage, err error) {
	settle := cfg.Settle()
	one := func() rifl.Stream {
		return rifl.Play([]rifl.TrafficBeat{{Cycle: settle, Data: make([]byte, cfg.PayloadBytes()), Last: true}})
	}
	cfg.Offset = 0
	cfg.Send, cfg.Expect = [2]rifl.Stream{one(), nil}, [2]rifl.Stream{nil, one()}
	l, err := rifl.NewLink(cfg)
	if err != nil {
		return total, nil, err
	}
	p := &probe{l: l}
	l.Sim.Observe(p)
	end := l.Ends[1]
	ok, err := end.User.RunUntil(2*settle, func() bool { return len(p.at) == len(probeStages)+1 })
	if err == nil && !ok {
		err = fmt.Errorf("the beat got to stage %d of %d within %d frames", len(p.at), len(probeStages), 2*settle)
	}
	if err == nil {
		err = end.Validator.Err()
	}
	if err != nil {
		return total, nil, err
	}
	for i, name := range probeStages {
		stages = append(stages, journey.Stage{Place: name, From: p.at[i], To: p.at[i+1]})
	}
	return p.at[len(p.at)-1].Sub(p.at[0]), stages, nil
}
