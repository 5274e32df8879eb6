package pcs

import (
	"embed"

	"github.com/goldwire/goldwire/formal"
	"github.com/goldwire/goldwire/vectors"
)

//go:embed properties/*.sv
var harnesses embed.FS

// properties are what is proved of this package's RTL.
func properties() []formal.Property {
	return formal.Load(harnesses, Verilog, formal.Property{
		Name: "pcs/scrambler_inverse", Doc: "the descrambler makes of each scrambled word the word again", Modules: []string{"pcs_scrambler", "pcs_descrambler"},
		Connect: map[string]string{"sent": "scrambler.state", "received": "descrambler.state"}, Show: []string{"payload", "valid", "line", "back", "sent", "received"},
		Bugs: []vectors.Bug{{Kind: "wrong tap", Edits: []string{"{25'h0, state[57:19]}", "{26'h0, state[57:20]}"}}},
	})
}
