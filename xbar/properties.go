package xbar

import (
	"embed"

	"github.com/goldwire/goldwire/vectors"
	"github.com/goldwire/goldwire/vectors/property"
)

//go:embed properties/*.sv
var harnesses embed.FS

// Properties are the proofs about this package's RTL.
func Properties() []property.Property {
	return property.Load(harnesses, Verilog, property.Property{
		Name: "xbar/contention_free",
		Doc: "crossbars of 4 ports with 2 segments give an output lane the word of its one source, of two sources " +
			"neither, and then there is a fault",
		Modules: []string{"xbar_segment", "xbar_segment_multicast", "xbar_segment_periodic"},
		Connect: map[string]string{"phase": "turn.phase"}, Engine: property.PDR, Slow: true,
		Show: []string{"data", "valid", "route", "lane", "one_data", "one_valid", "one_kind", "many_data", "many_valid",
			"many_kind", "turn_data", "turn_valid", "turn_kind"},
		Bugs: []vectors.Bug{
			{Kind: "the one-to-one crossbar sends a word to several",
				Edits: []string{"else if ((to & (to - 1)) != 0) begin", "else if (1'b0) begin"}},
			{Kind: "the one-to-one crossbar's first source wins in silence", Edits: []string{
				"module xbar_segment #(", "module xbar_segment #(", // both crossbars have the text below
				"clash[o] = 1'b1;", "clash[o] = 1'b0;"}},
			{Kind: "the period is a cycle too short", Edits: []string{"phase == 2'd2", "phase == 2'd1"}},
		},
	})
}
