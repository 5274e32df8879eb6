package blocks

import (
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
)

// Phases are the clocks of one frequency in a simulation, one for each phase. Clocks whose edges always coincide are
// one domain, so that hundreds of links of equal length need two domains and not hundreds.
type Phases struct {
	sim    *rtl.Sim
	freq   clock.Freq
	clocks map[string]*rtl.Clock // by phase
}

// NewPhases returns the clocks of a frequency, none yet.
func NewPhases(sim *rtl.Sim, freq clock.Freq) *Phases {
	return &Phases{sim, freq, map[string]*rtl.Clock{}}
}

// At returns the clock of a phase. If it is new it gets the name.
func (p *Phases) At(phase clock.Time, name string) *rtl.Clock {
	c := p.clocks[phase.String()]
	if c == nil {
		c = p.sim.Clock(name, p.freq, phase)
		p.clocks[phase.String()] = c
	}
	return c
}
