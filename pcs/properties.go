package pcs

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
		Name: "pcs/scrambler_inverse", Doc: "the descrambler makes of each scrambled word the word again",
		Modules: []string{"pcs_scrambler", "pcs_descrambler"},
		Connect: map[string]string{"sent": "scrambler.state", "received": "descrambler.state"},
		Show:    []string{"payload", "valid", "line", "back", "sent", "received"},
		Bugs:    []vectors.Bug{{Kind: "wrong tap", Edits: []string{"{25'h0, state[57:19]}", "{26'h0, state[57:20]}"}}},
	}, property.Property{
		Name: "pcs/encode_decode",
		Doc: "the decoder gives back each word that the encoder takes as legal, and error characters for others and " +
			"for a T whose frame ends wrongly",
		Modules: []string{"pcs_encoder", "pcs_decoder"}, Slow: true, Engine: property.SAT,
		Connect: map[string]string{
			"encoder_state": "encoder.state", "decoder_state": "decoder.state", "decoder_kind": "decoder.kind",
		},
		Show: []string{
			"data", "ctrl", "valid", "payload", "header", "sent", "back", "back_ctrl", "given", "good", "word1", "word2",
			"word3",
		},
		Bugs: []vectors.Bug{
			{Kind: "one ordered set for both", Edits: []string{"o_char = c == 4'hf ? 8'h5c : 8'h9c", "o_char = 8'h9c"}},
			{
				Kind:  "a T whose frame ends wrongly is given back",
				Edits: []string{"next == RX_E ? {8'hff, EBLOCK}", "next == RX_E && kind != KIND_T ? {8'hff, EBLOCK}"},
			},
			{
				Kind:  "a frame's first word is lost",
				Edits: []string{"out_valid <= next_valid;", "out_valid <= next_valid && kind != KIND_S;"},
			},
		},
	})
}
