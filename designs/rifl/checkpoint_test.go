package rifl

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/design/designtest"
	"github.com/goldwire/goldwire/rtl"
)

func TestCheckpointOfALink(t *testing.T) {
	for _, groups := range []int{1, 2} {
		designtest.CheckNetwork(t, 400, func(t *testing.T, sim rtl.Config) designtest.Network {
			cfg := LinkConfig{Config: Default(), Groups: groups, BER: [2]float64{1e-4, 1e-5}, PPM: [2]float64{80, -60},
				Offset: 49, Seed: 5, Sim: sim, ErrorsAtStart: true}
			cfg.Lanes, cfg.UpBit = 2, 7
			for e := range 2 {
				cfg.Send[e], cfg.Expect[1-e] = Packets(uint64(e), 1, 700), Packets(uint64(e), 1, 700)
			}
			l, err := NewLink(cfg)
			require.NoError(t, err)
			l.Ends[1].Lanes[0].Line.Damage(LineDamage{From: 1000, To: 1050, Kind: Noise, Offset: 3})
			return designtest.Network{Sim: l.Sim, Clock: l.Ends[0].Frame, Roots: []any{l}}
		})
	}
}
