package cosim

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/goldwire/goldwire/rtl"
)

// Speed is how fast the two sides are, alone and together, in cycles a second.
type Speed struct {
	Bare     float64 // the model with the drivers that make its stimulus, and no observer
	Model    float64 // the same with every field of every cycle noted, which a comparison needs
	RTL      float64 // the RTL with the program that clocks it, reads its inputs from memory and notes its outputs there
	Lockstep float64
}

// Slower is the speed of the slower side alone, each with its work of a lockstep.
func (s Speed) Slower() float64 { return min(s.Model, s.RTL) }

// SlowerBare is the same with a model that notes nothing.
func (s Speed) SlowerBare() float64 { return min(s.Bare, s.RTL) }

// Measure runs the model alone, twice, then the RTL alone on the rows that the model made, then both in lockstep, each
// for the stimulus's cycles; the lockstep looks from other contents of the registers and after more resets, too, as
// [Session.Run] does. Building the model and resetting the RTL are part of it. Sides that part are an error, and so is
// an output that was never compared. Go's garbage collection, if it is due, counts as well: a caller that wants to
// leave it out collects before and switches it off.
func (s *Session) Measure(ctx context.Context, st Stimulus) (Speed, error) {
	var v Speed
	batches := st.Cycles / slotRows
	if batches == 0 {
		return v, fmt.Errorf("%d cycles, want at least %d", st.Cycles, slotRows)
	}
	st.Cycles = batches * slotRows
	rate := func(took time.Duration) float64 { return float64(st.Cycles) / took.Seconds() }

	start := time.Now()
	in, err := s.unit.Simulate(rtl.Config{}, st.Seed)
	if err != nil {
		return v, err
	}
	if err := in.Run(uint64(st.Cycles)); err != nil {
		return v, err
	}
	v.Bare = rate(time.Since(start))

	start = time.Now()
	m, err := s.model(st)
	if err != nil {
		return v, err
	}
	took := time.Since(start)
	var rows [][]byte // of each batch: what the RTL reads
	slot, want := s.dut.slots()[0].in, make([]byte, slotRows*s.out.Bytes)
	for range batches {
		start = time.Now()
		if err := m.fill(slot, want, slotRows); err != nil {
			return v, err
		}
		took += time.Since(start)
		rows = append(rows, slices.Clone(slot))
	}
	v.Model = rate(took)

	if took, err = s.runAlone(rows); err != nil {
		return v, err
	}
	v.RTL = rate(took)

	start = time.Now()
	t := newTally(s.view, nil, false)
	d, err := s.run(ctx, st, 0, t, nil)
	if err != nil {
		return v, err
	}
	if d != nil {
		return v, &PartedError{d}
	}
	l, d, err := s.looks(ctx, st, newTally(s.view, nil, false))
	if err != nil {
		return v, err
	}
	if d != nil {
		return v, &PartedError{d}
	}
	if took = time.Since(start); l != nil {
		st.Cycles += l.Cycles
	}
	v.Lockstep = rate(took)
	return v, t.vacuous()
}

// runAlone resets the RTL and runs batches, with as many begun as in a lockstep.
func (s *Session) runAlone(rows [][]byte) (time.Duration, error) {
	start, slots := time.Now(), s.dut.slots()
	copy(slots[0].in, rows[0])
	if err := s.dut.reset(0); err != nil {
		return 0, err
	}
	for begun, ended := 0, 0; ended < len(rows); ended++ {
		for ; begun < len(rows) && begun-ended < len(slots)-1; begun++ {
			copy(slots[begun%len(slots)].in, rows[begun])
			s.dut.begin(begun%len(slots), slotRows)
		}
		if _, err := s.dut.end(); err != nil {
			return 0, err
		}
	}
	return time.Since(start), nil
}

// PartedError is a divergence where none was to be.
type PartedError struct{ Divergence *Divergence }

func (e *PartedError) Error() string { return "model and RTL part: " + e.Divergence.String() }
