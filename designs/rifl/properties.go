package rifl

import (
	"embed"
	"fmt"

	"github.com/goldwire/goldwire/vectors"
	"github.com/goldwire/goldwire/vectors/property"
)

//go:embed properties/*.sv
var harnesses embed.FS

// Properties are the proofs about this package's RTL.
func Properties() []property.Property {
	inside := map[string]string{
		"next_id": "sender.id", "pass": "sender.pass", "init": "sender.init", "start": "sender.start",
		"filled": "sender.filled", "full": "sender.full",
	}
	for i := range 32 {
		inside[fmt.Sprintf("buffer[%d]", 9*i+8)] = fmt.Sprintf("sender.buffer[%d][60]", i)
		inside[fmt.Sprintf("buffer[%d:%d]", 9*i+7, 9*i)] = fmt.Sprintf("sender.buffer[%d][19:12]", i)
	}
	return property.Load(harnesses, verilog, property.Property{
		Name:    "rifl/meta_inverse",
		Doc:     "the meta decoder makes of each frame of the encoder the segment of 1 to 30 bytes again",
		Modules: []string{"rifl_meta_encoder", "rifl_meta_decoder", "rifl_encode", "rifl_decode"}, Slow: true,
		Show: []string{"data", "bytes", "last", "valid", "frame", "out", "out_bytes", "out_last", "out_valid"},
		Bugs: []vectors.Bug{
			{Kind: "length off by one", Edits: []string{"? bytes : turned[7:0]", "? bytes - 8'd1 : turned[7:0]"}},
		},
	}, property.Property{
		Name: "rifl/no_stale_frame", Doc: "a receiver takes each frame of a safe sender once and in its turn, S = 5",
		Modules: []string{"rifl_tx_controller", "rifl_verifier"}, Connect: inside, Registers: true, Slow: true,
		Engine: property.SAT,
		Hold: map[string]string{"up": "1'b1", "pause": "1'b0", "own_error": "1'b0", "remote_paused": "1'b0",
			"compensate": "1'b0", "noise": "12'hfff", "noisy_data": "1'b1", "any": "5'd0"},
		Show: []string{"up", "pause", "retransmit", "own_error", "hit", "state0", "id0", "data0", "again0", "pass",
			"next_number", "code", "is_data", "wants", "due", "missing", "good", "taken_n", "lead", "late"},
		Bugs: []vectors.Bug{
			{
				Kind:  "a pass repeats the oldest frame, whose ID is the next one",
				Edits: []string{"pass == 0 && filled", "pass == 1 && filled"},
			},
			{
				Kind:  "the verifier takes what has another code",
				Edits: []string{"judge && ok && id == due", "judge && id == due"},
			},
		},
	})
}
