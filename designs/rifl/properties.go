package rifl

import (
	"embed"

	"github.com/goldwire/goldwire/formal"
	"github.com/goldwire/goldwire/vectors"
)

//go:embed properties/*.sv
var harnesses embed.FS

// properties are what is proved of this package's RTL.
func properties() []formal.Property {
	return formal.Load(harnesses, verilog, formal.Property{
		Name: "rifl/meta_inverse", Doc: "the meta decoder makes of each frame of the encoder the segment of 1 to 30 bytes again",
		Modules: []string{"rifl_meta_encoder", "rifl_meta_decoder", "rifl_encode", "rifl_decode"}, Slow: true,
		Show: []string{"data", "bytes", "last", "valid", "frame", "out", "out_bytes", "out_last", "out_valid"},
		Bugs: []vectors.Bug{{Kind: "length off by one", Edits: []string{"? bytes : turned[7:0]", "? bytes - 8'd1 : turned[7:0]"}}},
	})
}
