package pcs

import (
	"fmt"
	"strings"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// scramblerState is what 49.2.6 leaves open: cores start at all ones, at zero, or where they like.
var scramblerState = []vectors.Param{
	{
		Name: "state", Default: scramblerReset, Max: scramblerReset, Open: true,
		Help: "state after the reset, the oldest bit in bit 0, which the standard leaves open",
	},
}

// withState puts the state after the reset into the reference RTL.
func withState(u vectors.Unit, state uint64) vectors.Unit {
	text, err := Verilog.ReadFile("verilog/" + u.Module() + ".v")
	if err != nil {
		panic(err) // the file is embedded
	}
	u.RTL = string(text)
	if state != scramblerReset {
		u.RTL = strings.Replace(u.RTL, "{58{1'b1}}", fmt.Sprintf("58'h%x", state), 1)
	}
	return u
}

func scramblerUnit() vectors.Unit {
	return vectors.Parametric(scramblerState, func(p vectors.Settings) (vectors.Unit, error) {
		u := vectors.Unit{
			Name:  "pcs/scrambler",
			Valid: map[string]string{"out": "out_valid"},
			Doc:   "self-synchronous scrambler 1 + x^39 + x^58", Ref: "IEEE 802.3 49.2.6",
			Bugs: []vectors.Bug{{Kind: "wrong tap", Field: "out_payload",
				Edits: []string{"{25'h0, state[57:19]}", "{26'h0, state[57:20]}"}}},
			Profiles: true, Latency: 1, Clock: clock.Block25G,
			Build: func(b *vectors.Bench) rtl.Module {
				s := &Scrambler{Start: p.Get("state") ^ scramblerReset}
				vectors.Drive(b, &s.In, newNoise(b).block)
				return s
			},
		}
		return withState(u, p.Get("state")), nil
	})
}

func descramblerUnit() vectors.Unit {
	return vectors.Parametric(scramblerState, func(p vectors.Settings) (vectors.Unit, error) {
		u := vectors.Unit{
			Name:  "pcs/descrambler",
			Valid: map[string]string{"out": "out_valid", "next": "next_valid"},
			Doc:   "descrambler, with a look at the block on its way in", Ref: "IEEE 802.3 49.2.10",
			Bugs: []vectors.Bug{{Kind: "clock enable ignored", Field: "out_payload",
				Edits: []string{"if (in_valid) begin\n            state ", "if (1'b1) begin\n            state "}}},
			Profiles: true, Latency: 1, From: "in", To: "out", Clock: clock.Block25G,
			Unmoved: map[string]string{"out_valid": "a block stands until its successor comes"},
			Build: func(b *vectors.Bench) rtl.Module {
				d := &Descrambler{Start: p.Get("state") ^ scramblerReset}
				vectors.Drive(b, &d.In, newNoise(b).block)
				return d
			},
		}
		return withState(u, p.Get("state")), nil
	})
}
