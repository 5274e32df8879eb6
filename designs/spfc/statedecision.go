package spfc

import (
	"fmt"

	"github.com/goldwire/goldwire/rtl"
)

// DecisionConfig is what an operator sets (§V.B). It takes effect with the next window.
type DecisionConfig struct {
	Window    uint16 `bits:"14"` // TC: cell slots of a window; 0 is taken for 1
	Threshold uint16 `bits:"14"` // counting number of IRC: cells; 0 is taken for 1
}

// PortEvents are the events of an ingress port in a cell slot.
type PortEvents struct {
	Pause  bool // a PAUSE frame is triggered
	Resume bool
	Cells  uint8 // dequeued
}

// PortState is what the circuit says of its port.
type PortState struct {
	Paused bool
	Victim bool   // SH: the threshold is the whole pool
	Over   bool   // IRC's output
	Count  uint16 `bits:"14"` // IRC
}

// StateDecision is the circuit of Figure 10 for one ingress port, clocked per cell slot of 64 bytes: 5.12 ns at 100
// Gb/s. Latency 1 cycle. TC runs freely: a window is Window cycles long, and cells dequeued in its first cycle count
// in it.
type StateDecision struct {
	Config rtl.In[DecisionConfig]
	Events rtl.In[PortEvents]
	Out    rtl.Out[PortState]

	cut       uint8 // counterBits less the unit's parameter bits: 0 at the default width
	circuit   Circuit
	threshold uint16 `bits:"14"` // of this window
	tc        uint16 `bits:"14"`
	state     uint8  `bits:"3"`
	readings  Readings
}

// States of a port: Figure 7's two, split by the values of Figure 10's registers.
const (
	portNormal   = iota // counting
	portHeld            // victim by the last window, below the count in this one
	portFast            // victim, the count is reached
	portPaused          // counting
	portPausedOn        // paused, the count is reached
)

// counterBits is the width of TC and IRC.
const counterBits = 14

// NewStateDecision returns one of other readings than the default, with counters of 1 to 14 bits: of a configuration
// as many low bits count. The zero value has the default readings and 14 bits.
func NewStateDecision(r Readings, bits int) (*StateDecision, error) {
	if bits < 1 || bits > counterBits {
		return nil, fmt.Errorf("state decision with counters of %d bits, want 1 to %d", bits, counterBits)
	}
	return &StateDecision{readings: r, cut: uint8(counterBits - bits)}, nil
}

// Reset is a normal port, at the end of a window.
func (d *StateDecision) Reset() {
	d.circuit, d.threshold, d.tc, d.state = Circuit{}, 1, 0, portNormal
	d.Out.Set(PortState{})
}

// Tick is one cell slot.
func (d *StateDecision) Tick() {
	e := d.Events.Get()
	end := d.tc == 0
	cfg := CircuitConfig{Threshold: uint32(d.threshold), Readings: d.readings}
	before, after := CircuitInputs{Pause: e.Pause, WindowEnd: end},
		CircuitInputs{Resume: e.Resume && !e.Pause, Dequeued: uint32(e.Cells)}
	if cfg.CountOld {
		before, after = CircuitInputs{Pause: e.Pause, Resume: e.Resume, Dequeued: uint32(e.Cells), WindowEnd: end},
			CircuitInputs{}
	}
	d.circuit.Step(&cfg, before)
	d.tc--
	if end {
		c := d.Config.Get()
		most := uint16(1)<<(counterBits-d.cut) - 1
		d.tc, d.threshold = max(c.Window&most, 1)-1, max(c.Threshold&most, 1)
		cfg.Threshold = uint32(d.threshold)
	}
	d.circuit.Step(&cfg, after)
	over := d.circuit.Over(&cfg)
	switch {
	case d.circuit.Paused && over:
		d.state = portPausedOn
	case d.circuit.Paused:
		d.state = portPaused
	case over:
		d.state = portFast
	case d.circuit.Victim:
		d.state = portHeld
	default:
		d.state = portNormal
	}
	d.Out.Set(PortState{Paused: d.circuit.Paused, Victim: d.circuit.Victim, Over: over, Count: uint16(d.circuit.IRC)})
}
