package units

import (
	"fmt"

	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// The clocks of the unit: 32 edges of the one to 33 of the other, so that each order of the two comes, and both at
// once.
var (
	writeClock = clock.Block25G
	readClock  = clock.Block25G.Times(66, 64)
)

func asyncFIFOUnit() vectors.Unit {
	return vectors.Parametric([]vectors.Param{
		{Name: "depth", Default: 8, Min: 2, Max: 64, Power: true, Help: "words", RTL: "DEPTH"},
	}, func(p vectors.Settings) (vectors.Unit, error) {
		depth := p.Int("depth")
		return vectors.Unit{
			Name:  "blocks/async_fifo",
			Valid: map[string]string{"read_data": "read_valid"},
			Streams: map[string]vectors.Handshake{"write_data": {Clock: "write_clk", Valid: "write_push", Ready: "write_ready"},
				"read_data": {Clock: "read_clk", Valid: "read_valid", Ready: "read_pop"}},
			Doc: fmt.Sprintf("dual-clock FIFO of %d words with Gray-coded pointers", depth), Ref: "package blocks, AsyncFIFO",
			Bugs: []vectors.Bug{
				{Kind: "one flip-flop for the writer's pointer", Field: "read_.*",
					Edits: []string{"<= {writer_0, write_gray}", "<= {write_gray, write_gray}"}},
				{Kind: "one flip-flop for the reader's pointer", Field: "write_ready",
					Edits: []string{"<= {reader_0, read_gray}", "<= {read_gray, read_gray}"}},
				{Kind: "pointers that wrap with the memory", Field: "read_.*",
					Edits: []string{"binary(writer_1) != taken", "writer_1[A-1:0] != (taken[A-1:0] ^ taken[A:1])"}},
				{Kind: "one word too many", Field: "(write_ready|read_.*)", Edits: []string{"!held[A];", "held[A:0] <= DEPTH;"}},
			},
			Latency: 1, Clock: writeClock, Clocks: []vectors.UnitClock{{Name: "write", Freq: writeClock},
				{Name: "read", Freq: readClock}},
			Assemble: func(b *vectors.Bench) vectors.Assembly {
				write, read := b.Sim().Clock("write", writeClock), b.Sim().Clock("read", readClock)
				f := blocks.NewAsyncFIFO[uint64](depth)
				f.Add("fifo", b.Sim().Scope("dut").On(write), b.Sim().Scope("dut").On(read))
				data, push := b.Rand(), words(b, depth)
				vectors.Drive(b.On(write), &f.Write.In, func(uint64) uint64 { return data.Uint64() })
				vectors.Drive(b.On(write), &f.Write.Push, func(cycle uint64) bool { return push(cycle).Valid })
				vectors.Drive(b.On(read), &f.Read.Pop, takes(b, depth))
				return vectors.Assembly{Clocks: []*rtl.Clock{write, read}, Ports: []vectors.AssemblyPort{
					vectors.PortOf(&f.Write, "in", "write_data", write), vectors.PortOf(&f.Write, "push", "write_push", write),
					vectors.PortOf(&f.Write, "ready", "write_ready", write), vectors.PortOf(&f.Read, "pop", "read_pop", read),
					vectors.PortOf(&f.Read, "out", "read_data", read), vectors.PortOf(&f.Read, "valid", "read_valid", read),
				}}
			},
		}, nil
	})
}
