package units

import (
	"fmt"

	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

func delayLineUnit() vectors.Unit {
	return vectors.Parametric([]vectors.Param{
		{Name: "cycles", Default: 7, Min: 1, Max: 100, Help: "delay in cycles", RTL: "CYCLES"},
	}, func(p vectors.Settings) (vectors.Unit, error) {
		cycles := p.Int("cycles")
		return vectors.Unit{
			Name: "blocks/delay_line", Doc: fmt.Sprintf("delay of exactly %d cycles", cycles), Ref: "package blocks, Delayed",
			Bugs: []vectors.Bug{
				{Kind: "latency off by one", Field: "out", Edits: []string{"assign out = line[CYCLES-1]",
					"assign out = line[CYCLES-2]"}},
				{Kind: "missed reset", Field: "out", Edits: []string{"rst ? 64'h0 : i == 0", "i == 0"}},
			},
			Latency: cycles, Clock: clock.Block25G,
			Build: func(b *vectors.Bench) rtl.Module {
				d := blocks.NewDelayed(cycles)
				vectors.Drive(b, &d.In, vectors.Uniform[uint64](b.Rand()))
				return d
			},
		}, nil
	})
}

func ramUnit() vectors.Unit {
	return vectors.Parametric([]vectors.Param{
		{Name: "depth", Default: 64, Min: 2, Max: 4096, Power: true, Help: "words", RTL: "DEPTH"},
		{Name: "latency", Default: 2, Min: 1, Max: 8, Help: "cycles from a read to its word", RTL: "LATENCY"},
		{Name: "write_first", Max: 1, Help: "1: a read of the address that is being written gets the new word",
			RTL: "WRITE_FIRST"},
	}, func(p vectors.Settings) (vectors.Unit, error) {
		depth, latency, mode := p.Int("depth"), p.Int("latency"), blocks.ReadDuringWrite(p.Get("write_first"))
		return vectors.Unit{
			Name:  "blocks/ram",
			Valid: map[string]string{"out": "out_valid"},
			Doc:   fmt.Sprintf("memory of %d words, a read port and a write port, %v", depth, mode),
			Ref:   "package blocks, Memory",
			Bugs: []vectors.Bug{
				{Kind: "the new word while it is being written", Field: "out_data",
					Edits: []string{"WRITE_FIRST != 0 && write_valid", "write_valid"}},
				{Kind: "latency off by one", Field: "out_.*", Edits: []string{"} = pipe[LATENCY-1]", "} = pipe[LATENCY-2]"}},
				{Kind: "an address line is missing", Field: "out_data",
					Edits: []string{"to   = write_addr[A-1:0]", "to   = {1'b0, write_addr[A-2:0]}"}},
			},
			Latency: latency, From: "read", To: "out", Clock: clock.Block25G,
			Build: func(b *vectors.Bench) rtl.Module {
				m := blocks.NewMemory(depth, latency, mode)
				reads, writes := b.Rand(), b.Rand()
				few := uint16(0xf) // addresses that meet, most of the time
				vectors.Drive(b, &m.Read, func(uint64) blocks.MemoryRead {
					r := blocks.MemoryRead{Addr: uint16(reads.Uint32()), Valid: reads.IntN(4) > 0}
					if reads.IntN(4) > 0 {
						r.Addr &= few
					}
					return r
				})
				vectors.Drive(b, &m.Write, func(uint64) blocks.MemoryWrite {
					w := blocks.MemoryWrite{Addr: uint16(writes.Uint32()), Data: writes.Uint64(), Valid: writes.IntN(4) > 0}
					if writes.IntN(4) > 0 {
						w.Addr &= few
					}
					return w
				})
				return m
			},
		}, nil
	})
}
