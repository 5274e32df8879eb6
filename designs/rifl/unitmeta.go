package rifl

import (
	"fmt"
	"math/bits"

	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

func metaWords() []vectors.Param {
	return []vectors.Param{
		{Name: "words", Default: unitWords, Min: 4, Max: 16, Power: true, Help: "words of 64 bits a frame"},
	}
}

func metaEncoderUnit() vectors.Unit {
	return vectors.Parametric(metaWords(), func(p vectors.Settings) (vectors.Unit, error) {
		words := p.Int("words")
		return vectors.Unit{
			Name: "rifl/meta_encoder",
			Doc:  fmt.Sprintf("meta code encoding: a segment of up to %d bytes as a data frame", 8*words-2),
			Ref:  "RIFL Table 1, Fig. 2",
			Bugs: []vectors.Bug{{Kind: "length off by one", Field: fmt.Sprintf("frame_%d", words-1),
				Edits: []string{"? bytes : turned[7:0]", "? bytes - 8'd1 : turned[7:0]"}}},
			RTL:     metaEncoderRTL("rifl_meta_encoder", words),
			Latency: 1, Clock: frameClock(words),
			Unmoved: map[string]string{
				"frame_0[63:62]":                       "SYN is 01",
				fmt.Sprintf("frame_%d[11:0]", words-1): "the code's place",
			},
			Build: func(b *vectors.Bench) rtl.Module {
				m := newMetaEncoder(words)
				for i := range m.Data {
					vectors.Drive(b, &m.Data[i], vectors.Uniform[uint64](b.Rand()))
				}
				rng := b.Rand()
				vectors.Drive(b, &m.Control, func(uint64) BeatControl {
					c := BeatControl{Bytes: uint16(rng.IntN(8*words + 2)), Last: rng.IntN(2) == 0, Valid: rng.IntN(8) > 0}
					if rng.IntN(20) == 0 {
						c.Bytes = uint16(rng.Uint32()) & 0xfff
					}
					return c
				})
				return m
			},
		}, nil
	})
}

func metaDecoderUnit() vectors.Unit {
	return vectors.Parametric(metaWords(), func(p vectors.Settings) (vectors.Unit, error) {
		words := p.Int("words")
		most := 8*words - 2
		bytes := fmt.Sprintf("%d bytes", most)
		return vectors.Unit{
			Name:  "rifl/meta_decoder",
			Valid: map[string]string{"control": "control_valid"},
			Doc:   fmt.Sprintf("meta code decoding: a data frame as up to %d bytes", most), Ref: "RIFL Table 1, Fig. 2",
			Bugs: []vectors.Bug{{Kind: "wrong limit of a count", Field: fmt.Sprintf("(data_%d|control_bytes)", words-1),
				Edits: []string{"format < FULL ? format : FULL - 8'd1", "format < FULL ? format : FULL"}}},
			RTL:     metaDecoderRTL("rifl_meta_decoder", words),
			Latency: 1, Clock: frameClock(words),
			Unmoved: map[string]string{
				fmt.Sprintf("data_%d[63:48]", words-1):                    bytes,
				fmt.Sprintf("control_bytes[11:%d]", bits.Len(uint(most))): bytes,
			},
			Build: func(b *vectors.Bench) rtl.Module {
				m := newMetaDecoder(words)
				rng := b.Rand()
				for i := range m.Frame[:words-1] {
					vectors.Drive(b, &m.Frame[i], vectors.Uniform[uint64](b.Rand()))
				}
				vectors.Drive(b, &m.Frame[words-1], func(uint64) uint64 { // mostly counts that are sent
					w := rng.Uint64()
					if rng.IntN(8) > 0 {
						w = w&^(0xff<<CodeBits) | uint64(rng.IntN(most))<<CodeBits
					}
					return w
				})
				return m
			},
		}, nil
	})
}
