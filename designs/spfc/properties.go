package spfc

import (
	"embed"

	"github.com/goldwire/goldwire/vectors/property"
)

//go:embed properties/*.sv
var harnesses embed.FS

// Properties are the proofs about this package's RTL.
func Properties() []property.Property {
	return property.Load(harnesses, Verilog, property.Property{
		Name:    "spfc/state_decision",
		Doc:     "timeout clock, rate counter and state holder do what the prose and the truth table of Figure 10 say",
		Modules: []string{"spfc_state_decision"}, Connect: map[string]string{"clock": "dut.tc", "held": "dut.threshold"},
		Show: []string{"window", "threshold", "pause", "resume", "cells", "paused", "victim", "over", "count", "is_paused",
			"is_victim", "left"},
		Bugs: Units()[0].Bugs,
	})
}
