package study

import (
	"hash/fnv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/rtl/fused"
	"github.com/goldwire/goldwire/workload"

	"github.com/goldwire/goldwire/designs/edm"
)

// Hosts run generated code while the monitor looks at them: one function for all of them, the same registers and wires
// as by modules, at low and high load, on two workers too.
func TestHostsRunFusedCodeUnderTheMonitor(t *testing.T) {
	const nodes = 4
	for _, load := range []float64{0.1, 0.5, 0.9} {
		var want []uint64
		for _, sim := range []rtl.Config{{Plain: true}, {}, {Mode: rtl.Parallel, Workers: 2}} {
			cfg := defaultFabric(nodes).config(1, 0)
			cfg.Sim = sim
			l := Load{Offered: load, Sizes: workload.Fixed(200), Reads: 0.4, Swaps: 0.2, Seed: 2, Messages: 40}
			messages, _, _, err := l.Make(cfg)
			require.NoError(t, err)
			var n *edm.Network
			var sums []uint64
			r, err := edm.Run(t.Context(), cfg, messages,
				edm.Options{Prepare: func(of *edm.Network) { n = of }, Between: func() error {
					h := fnv.New64a()
					for _, s := range n.Sim.Signals() {
						for i := range s.Leaves {
							v := s.Value(i)
							_, err := h.Write([]byte{byte(v), byte(v >> 8), byte(v >> 16), byte(v >> 24), byte(v >> 32), byte(v >> 40),
								byte(v >> 48), byte(v >> 56)})
							require.NoError(t, err)
						}
					}
					sums = append(sums, h.Sum64())
					return nil
				}})
			require.NoError(t, err)
			require.Empty(t, r.Monitor.Violations)
			if want == nil {
				want = sums
			}
			require.Equal(t, want, sums, "load %g, %v", load, sim.Mode)
			for i, s := range fused.Shapes(n.Sim) {
				host := i > 0 // the first is the switch
				require.Equal(t, host && !sim.Plain, s.Fused, s.Paths[0])
				require.Equal(t, s.Fused, s.Ran, s.Paths[0])
			}
		}
	}
}
