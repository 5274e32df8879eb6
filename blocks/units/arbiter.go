package units

import (
	"fmt"
	"math/bits"

	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

func arbiterUnit() vectors.Unit {
	return vectors.Parametric([]vectors.Param{
		{Name: "n", Default: 16, Min: 2, Max: 64, Help: "requesters", RTL: "N"},
	}, func(p vectors.Settings) (vectors.Unit, error) {
		n := p.Int("n")
		u := vectors.Unit{
			Name:  "blocks/arbiter",
			Valid: map[string]string{"grant": "grant_valid"},
			Doc:   fmt.Sprintf("round-robin arbiter of %d requesters", n), Ref: "package blocks, RoundRobin",
			Bugs: []vectors.Bug{
				{Kind: "a grant that is not used moves the pointer", Field: "grant_.*",
					Edits: []string{"grant_valid && accept", "grant_valid"}},
				{Kind: "the granted one stays first", Field: "grant_.*", Edits: []string{"lowest + 6'd1", "lowest"}},
				{Kind: "one requester too many", Field: "grant_.*", Edits: []string{">> (64 - N)", ">> (63 - N)"}},
			},
			Latency: 0, From: "request", To: "grant", Clock: clock.Block25G, Unmoved: map[string]string{},
			Build: func(b *vectors.Bench) rtl.Module {
				r := blocks.NewRoundRobin(n)
				rng, accept := b.Rand(), b.Rand()
				vectors.Drive(b, &r.Request, func(uint64) uint64 { // few, many or none
					switch rng.IntN(8) {
					case 0:
						return 0
					case 1:
						return 1 << rng.IntN(64)
					case 2, 3:
						return rng.Uint64()
					}
					return rng.Uint64() & rng.Uint64() & rng.Uint64() & rng.Uint64()
				})
				vectors.Drive(b, &r.Accept, func(uint64) bool { return accept.IntN(4) > 0 })
				return r
			},
		}
		if n < 64 {
			why := fmt.Sprintf("%d requesters", n)
			u.Unmoved[fmt.Sprintf("grant_one_hot[63:%d]", n)] = why
			if index := bits.Len(uint(n - 1)); index < 6 {
				u.Unmoved[fmt.Sprintf("grant_index[5:%d]", index)] = why
				u.Unmoved[fmt.Sprintf("next[5:%d]", index)] = why
			}
		}
		return u, nil
	})
}
