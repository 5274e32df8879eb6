package units

import (
	"fmt"
	"math/bits"

	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// words returns words of a stream in crowds and lulls of up to 4*cycles, so that a crowd fills a buffer that holds the
// words of that time.
func words(b *vectors.Bench, cycles int) func(uint64) blocks.StreamWord {
	rng, busy, until := b.Rand(), true, uint64(0)
	b.Keep(&busy, &until)
	return func(cycle uint64) blocks.StreamWord {
		if cycle >= until {
			busy, until = !busy, cycle+1+uint64(rng.IntN(4*cycles))
		}
		w := blocks.StreamWord{Data: rng.Uint64(), Valid: rng.IntN(8) == 0}
		w.Valid = w.Valid != busy
		return w
	}
}

// takes returns the ready of a consumer that reads and pauses in turns of up to 4*cycles.
func takes(b *vectors.Bench, cycles int) func(uint64) bool {
	rng, reads, until := b.Rand(), false, uint64(0)
	b.Keep(&reads, &until)
	return func(cycle uint64) bool {
		if cycle >= until {
			reads, until = !reads, cycle+1+uint64(rng.IntN(4*cycles))
		}
		return rng.IntN(8) == 0 != reads
	}
}

func fifoUnit() vectors.Unit {
	return vectors.Parametric([]vectors.Param{
		{Name: "depth", Default: 16, Min: 1, Max: 1024, RTL: "DEPTH",
			Help: "words in its memory; one more is held at the output"},
	}, func(p vectors.Settings) (vectors.Unit, error) {
		depth := p.Int("depth")
		return vectors.Unit{
			Name:  "blocks/fifo",
			Valid: map[string]string{"out": "out_valid"},
			Doc:   fmt.Sprintf("FIFO of %d words between two streams", depth), Ref: "package blocks, StreamFIFO",
			Bugs: []vectors.Bug{
				{Kind: "one word too many", Field: "(ready|level|out_.*)",
					Edits: []string{"ready = level != DEPTH", "ready = level <= DEPTH"}},
				{Kind: "a word is lost where one comes and one goes", Field: "(level|ready|out_.*)",
					Edits: []string{"+ {15'd0, push} - {15'd0, pop}", "+ (pop ? 16'hffff : {15'd0, push})"}},
				{Kind: "an offer that does not wait", Field: "out_.*",
					Edits: []string{"free = !out_valid || out_ready", "free = 1'b1"}},
			},
			Latency: 2, From: "in", To: "out", Clock: clock.Block25G, Ready: map[string]string{"in": "ready"},
			Unmoved: map[string]string{fmt.Sprintf("level[15:%d]", bits.Len(uint(depth))): fmt.Sprintf("%d words", depth)},
			Build: func(b *vectors.Bench) rtl.Module {
				f := blocks.NewStreamFIFO(depth)
				vectors.DriveStream(b, f.Input(), words(b, depth))
				vectors.Drive(b, &f.OutReady, takes(b, depth))
				return f
			},
		}, nil
	})
}

func widthConverterUnit() vectors.Unit {
	return vectors.Parametric([]vectors.Param{
		{Name: "in", Default: 64, Min: 1, Max: 64, Help: "bits of a word that comes", RTL: "IN"},
		{Name: "out", Default: 21, Min: 1, Max: 64, Help: "bits of a word that leaves", RTL: "OUT"},
	}, func(p vectors.Settings) (vectors.Unit, error) {
		in, out := p.Int("in"), p.Int("out")
		u := vectors.Unit{
			Name:  "blocks/width_converter",
			Valid: map[string]string{"out": "out_valid"},
			Doc:   fmt.Sprintf("words of %d bits become words of %d", in, out), Ref: "package blocks, StreamConverter",
			Bugs: []vectors.Bug{
				{Kind: "room for a word less", Field: "(ready|held|out_.*)", Edits: []string{"held <= ROOM", "held < ROOM"}},
				{Kind: "bits in the wrong order", Field: "out_data", Edits: []string{"bits >> OUT : bits", "bits >> 1 : bits"}},
			},
			Latency: 2, From: "in", To: "out", Clock: clock.Block25G, Ready: map[string]string{"in": "ready"},
			Unmoved: map[string]string{},
			Build: func(b *vectors.Bench) rtl.Module {
				c := blocks.NewStreamConverter(in, out)
				vectors.DriveStream(b, c.Input(), words(b, 8))
				vectors.Drive(b, &c.OutReady, takes(b, 8*max(1, in/out)))
				return c
			},
		}
		if out < 64 {
			u.Unmoved[fmt.Sprintf("out_data[63:%d]", out)] = fmt.Sprintf("words of %d bits", out)
		}
		return u, nil
	})
}
