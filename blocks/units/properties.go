package units

import (
	"embed"

	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/formal"
	"github.com/goldwire/goldwire/vectors"
)

//go:embed properties/*.sv
var harnesses embed.FS

// properties are what is proved of the RTL of blocks.
func properties() []formal.Property {
	return formal.Load(harnesses, blocks.Verilog, formal.Property{
		Name: "blocks/arbiter_fair", Doc: "an arbiter of 8 grants one requester; who goes on requesting waits for at most 7 others",
		Modules: []string{"blocks_arbiter"}, Slow: true, Show: []string{"request", "accept", "grant", "index", "valid", "waits", "others"},
		Bugs: []vectors.Bug{{Kind: "the pointer stays at who was granted", Edits: []string{"lowest + 6'd1", "lowest"}}},
	})
}
