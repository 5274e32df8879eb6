package experiments

import (
	"context"
	"errors"
	"fmt"

	"github.com/goldwire/goldwire/designs/drmt"
	"github.com/goldwire/goldwire/rtl"
)

// Passage has the edges at which the first key of a lone packet and its result stand on their way, on a machine of one processor.
type Passage struct {
	Key       uint64 // at the processor
	AtCluster uint64 // the key, behind the crossbar
	Result    uint64 // at the cluster
	Back      uint64 // at the processor, for the actions of the next edge
}

// single is a source of one packet.
type single struct {
	packet []byte
	done   bool
}

func (s *single) Next() ([]byte, uint16, bool) {
	if s.done {
		return nil, 0, false
	}
	s.done = true
	return s.packet, 1, true
}

func (s *single) Take(uint32, []byte, int, uint16, bool) {}

// MeasurePassage sends one packet of a program and watches where its first key goes.
func MeasurePassage(ctx context.Context, name string, seed uint64) (Passage, error) {
	p, err := ProgramParams{ProgramSource: ProgramSource{Program: name}, Fill: 24}.load(seed)
	if err != nil {
		return Passage{}, err
	}
	s, c, err := Build(ctx, p, 1, 0, seed)
	if err != nil {
		return Passage{}, err
	}
	src := &single{}
	t := NewTraffic(p.P4, p.Entries, 100, seed)
	var h drmt.HeaderVector
	for x, port, ok := t.Next(); ok && src.packet == nil; x, port, ok = t.Next() {
		if _, takes := c.Parser.Parse(x, port, &h); takes {
			src.packet = append([]byte(nil), x...)
		}
	}
	m, err := drmt.NewSwitch(drmt.Config{Processors: 1, Image: c.Image, Parser: c.Parser, Deparser: c.Deparser, Source: src, Sink: src, Sim: rtl.Config{}})
	if err != nil {
		return Passage{}, err
	}
	var w Passage
	note := func(at *uint64, edge uint64, there bool) {
		if *at == 0 && there {
			*at = edge
		}
	}
	for edge := uint64(1); edge < uint64(s.Length()+4*s.Period); edge++ {
		if err := m.Clock.Run(1); err != nil {
			return w, err
		}
		for l := range drmt.Segments {
			note(&w.Key, edge, m.Processors[0].Key[l].Get().Valid)
			note(&w.Back, edge, m.Results.Out[l].Get().Valid)
		}
		for i, x := range m.Clusters {
			for l := range drmt.Segments {
				note(&w.AtCluster, edge, m.Keys.Out[i*drmt.Segments+l].Get().Valid)
				note(&w.Result, edge, x.Result[l].Get().Valid)
			}
		}
	}
	if w.Key == 0 || w.AtCluster <= w.Key || w.Result <= w.AtCluster || w.Back <= w.Result {
		return w, fmt.Errorf("%s: a key did not come back: %+v", name, w)
	}
	return w, nil
}

var errNothing = errors.New("nothing was compared")
