package cosim

import (
	"context"
	"fmt"
	"time"

	"github.com/goldwire/goldwire/rtl"
)

// Speed is how fast the two sides are, alone and together, in cycles a second.
type Speed struct {
	Bare     float64 // the model with the drivers that make its stimulus, and nobody who looks at it
	Model    float64 // the same with every field of every cycle noted, which a comparison needs
	RTL      float64 // the RTL with the program that clocks it, reads its inputs from memory and notes its outputs there
	Lockstep float64
}

// Slower is the speed of the slower side alone, each with what it does in a lockstep.
func (s Speed) Slower() float64 { return min(s.Model, s.RTL) }

// Measure runs the model alone, twice, then the RTL alone on rows that lie in memory, then both in lockstep, each for the stimulus's cycles.
func (s *Session) Measure(ctx context.Context, st Stimulus) (Speed, error) {
	var v Speed
	batches := st.Cycles / slotRows
	if batches == 0 {
		return v, fmt.Errorf("%d cycles, want at least %d", st.Cycles, slotRows)
	}
	st.Cycles = batches * slotRows
	in, err := s.unit.Simulate(rtl.Config{}, st.Seed)
	if err != nil {
		return v, err
	}
	m, err := s.model(st)
	if err != nil {
		return v, err
	}
	slots, want := s.dut.slots(), make([]uint64, slotRows*len(s.outputs))
	for _, part := range []struct {
		speed *float64
		run   func() error
	}{
		{&v.Bare, func() error { return in.Run(uint64(st.Cycles)) }},
		{&v.Model, func() error {
			for k := range batches {
				if err := m.fill(slots[k%len(slots)].in, want, slotRows); err != nil {
					return err
				}
			}
			return nil
		}},
		{&v.RTL, func() error { return s.runAlone(batches) }},
		{&v.Lockstep, func() error {
			d, err := s.run(ctx, st, 0, newTally(s.view, nil, false), nil)
			if d != nil {
				err = &PartedError{d}
			}
			return err
		}},
	} {
		start := time.Now()
		if err := part.run(); err != nil {
			return v, err
		}
		*part.speed = float64(st.Cycles) / time.Since(start).Seconds()
	}
	return v, nil
}

// runAlone resets the RTL and runs batches of what lies in the slots, with as many begun as in a lockstep.
func (s *Session) runAlone(batches int) error {
	if err := s.dut.reset(0); err != nil {
		return err
	}
	slots := len(s.dut.slots())
	for begun, ended := 0, 0; ended < batches; ended++ {
		for ; begun < batches && begun-ended < slots-1; begun++ {
			s.dut.begin(begun%slots, slotRows)
		}
		if _, err := s.dut.end(); err != nil {
			return err
		}
	}
	return nil
}

// PartedError is a divergence where none was to be.
type PartedError struct{ Divergence *Divergence }

func (e *PartedError) Error() string { return "model and RTL part: " + e.Divergence.String() }
