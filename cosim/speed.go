package cosim

import (
	"context"
	"time"

	"github.com/goldwire/goldwire/rtl"
)

// Speed is how fast the two sides are, alone and together, in cycles a second.
type Speed struct{ Model, RTL, Lockstep float64 }

// Slower is the speed of the slower side alone.
func (s Speed) Slower() float64 { return min(s.Model, s.RTL) }

// Measure runs the model with its drivers and nothing else, then the RTL on rows that lie in memory, then both in lockstep,
// each for the stimulus's cycles.
func (s *Session) Measure(ctx context.Context, st Stimulus) (Speed, error) {
	var v Speed
	cycles := st.Cycles / slotRows * slotRows
	in, err := s.unit.Simulate(rtl.Config{}, st.Seed)
	if err != nil {
		return v, err
	}
	rate := func(start time.Time) float64 { return float64(cycles) / time.Since(start).Seconds() }
	start := time.Now()
	if err := in.Run(uint64(cycles)); err != nil {
		return v, err
	}
	v.Model = rate(start)

	m, err := s.model(st)
	if err != nil {
		return v, err
	}
	if err := m.fill(s.dut.slots()[0].in, make([]uint64, slotRows*len(s.outputs)), slotRows); err != nil {
		return v, err
	}
	if err := s.dut.reset(0); err != nil {
		return v, err
	}
	start = time.Now()
	for range cycles / slotRows {
		if _, err := s.dut.run(0, slotRows); err != nil {
			return v, err
		}
	}
	v.RTL = rate(start)

	start = time.Now()
	d, err := s.run(ctx, Stimulus{Cycles: cycles, Seed: st.Seed}, 0, newTally(s.view, nil, false), nil)
	if err != nil {
		return v, err
	}
	if d != nil {
		return v, &PartedError{d}
	}
	v.Lockstep = rate(start)
	return v, nil
}

// PartedError is a divergence where none was to be.
type PartedError struct{ Divergence *Divergence }

func (e *PartedError) Error() string { return "model and RTL part: " + e.Divergence.String() }
