package units

import (
	"embed"
	"fmt"

	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/vectors"
	"github.com/goldwire/goldwire/vectors/property"
)

//go:embed properties/*.sv
var harnesses embed.FS

// properties are the proofs about the RTL of blocks.
func properties() []property.Property {
	fifo := map[string]string{"head": "fifo.head", "tail": "fifo.tail"}
	for i := range 4 {
		fifo[fmt.Sprintf("memory[%d:%d]", 64*i+63, 64*i)] = fmt.Sprintf("fifo.memory[%d]", i)
	}
	return property.Load(harnesses, blocks.Verilog,
		property.Property{
			Name:    "blocks/async_fifo_gray",
			Doc:     "each pointer that crosses to the other clock changes in at most one bit at an edge",
			Modules: []string{"blocks_async_fifo"}, Show: []string{"push", "pop", "ready", "shown", "write_gray", "read_gray",
				"written", "taken"},
			Connect: map[string]string{"write_gray": "fifo.write_gray", "read_gray": "fifo.read_gray",
				"written": "fifo.written", "taken": "fifo.taken"},
			Bugs: []vectors.Bug{{Kind: "a binary pointer crosses",
				Edits: []string{"write_gray  <= after ^ {1'b0, after[A:1]}", "write_gray  <= after"}}},
		},
		property.Property{
			Name:    "blocks/arbiter_fair",
			Doc:     "an arbiter of 8 grants one requester; who goes on requesting waits for at most 7 others",
			Modules: []string{"blocks_arbiter"}, Slow: true,
			Show: []string{"request", "accept", "grant", "index", "valid", "waits", "others"},
			Bugs: []vectors.Bug{{Kind: "the pointer stays at who was granted", Edits: []string{"lowest + 6'd1", "lowest"}}},
		},
		property.Property{
			Name: "blocks/fifo_order",
			Doc: "a FIFO of 4 words gives each word unchanged and in order, holds no more than 4, and an offer waits " +
				"until it is taken",
			Modules: []string{"blocks_fifo"}, Connect: fifo, Registers: true, Slow: true,
			Show: []string{"data", "push", "ready", "out", "valid", "take", "level", "inside", "following", "before", "word"},
			Bugs: []vectors.Bug{
				{Kind: "one word too many", Edits: []string{"ready = level != DEPTH", "ready = level <= DEPTH"}},
				{Kind: "a word is lost where one comes and one goes",
					Edits: []string{"+ {15'd0, push} - {15'd0, pop}", "+ (pop ? 16'hffff : {15'd0, push})"}},
				{Kind: "an offer that does not wait", Edits: []string{"free = !out_valid || out_ready", "free = 1'b1"}},
			},
		},
		property.Property{
			Name:    "blocks/crc32_serial",
			Doc:     "the CRC of up to 8 bytes a cycle is that of the serial register of IEEE 802.3 3.2.9",
			Modules: []string{"blocks_crc32"}, Connect: map[string]string{"state": "dut.state"},
			Engine: property.PDR, Slow: true,
			Show: []string{"data", "bytes", "first", "last", "valid", "crc", "done", "held", "state"},
			Bugs: []vectors.Bug{{Kind: "a wrong coefficient", Edits: []string{"32'hedb88320", "32'hedb88322"}}},
		},
	)
}
