// Package units lists the modules of package blocks that can be listed, captured and verified alone. It stands apart
// since blocks is below package vectors.
package units

import (
	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// Design is the library as the command lists it.
func Design() design.Design {
	return design.Design{Name: "blocks", Title: "Parts that every design needs", Units: Units(), Properties: properties()}
}

// Units returns the modules with stimuli that reach their rare cases.
func Units() vectors.Catalogue {
	return vectors.Catalogue{
		{
			Name:  "blocks/crc32",
			Valid: map[string]string{"out": "out_valid"},
			Doc:   "Ethernet CRC-32 over eight bytes a cycle", Ref: "IEEE 802.3 3.2.9",
			Bugs: []vectors.Bug{{Kind: "wrong initial value", Field: "out_crc",
				Edits: []string{"in_first ? 32'hffffffff", "in_first ? 32'h00000000"}}},
			Latency: 1, Clock: clock.Block25G,
			Unmoved: map[string]string{"out_crc[63:32]": "32 bits of CRC", "state[63:32]": "32 bits of CRC"},
			Build: func(b *vectors.Bench) rtl.Module {
				c := &blocks.Checksum{CRC: blocks.MustCRC(blocks.CRC32Ethernet)}
				vectors.Drive(b, &c.In, messages(b))
				return c
			},
		},
		{
			Name:  "blocks/priority_encoder",
			Valid: map[string]string{"out": "out_valid"},
			Doc:   "lowest of 64 requests", Ref: "EDM §3.1.2",
			Bugs: []vectors.Bug{{Kind: "off by one", Field: "out_index",
				Edits: []string{"for (i = 63; i >= 0; i = i - 1)", "for (i = 62; i >= 0; i = i - 1)"}}},
			Latency: 1, Clock: clock.Block25G,
			Build: func(b *vectors.Bench) rtl.Module {
				p := &blocks.PriorityEncoder{}
				rng := b.Rand()
				vectors.Drive(b, &p.In, func(uint64) uint64 {
					if rng.IntN(50) == 0 {
						return 0
					}
					return (rng.Uint64() | 1) << rng.IntN(64) // every bit gets to be the lowest
				})
				return p
			},
		},
		fifoUnit(), widthConverterUnit(), delayLineUnit(), ramUnit(), arbiterUnit(), asyncFIFOUnit(),
	}.WithRTL(blocks.Verilog)
}

// messages returns words of messages of 1 to 40 bytes, with pauses.
func messages(b *vectors.Bench) func(uint64) blocks.ChecksumWord {
	rng, left := b.Rand(), 0
	b.Keep(&left)
	return func(uint64) blocks.ChecksumWord {
		w := blocks.ChecksumWord{Data: rng.Uint64(), Valid: rng.IntN(8) > 0}
		if !w.Valid {
			return w
		}
		if left == 0 {
			left, w.First = 1+rng.IntN(40), true
		}
		n := min(left, 8)
		left -= n
		w.Bytes, w.Last = uint8(n), left == 0
		return w
	}
}
