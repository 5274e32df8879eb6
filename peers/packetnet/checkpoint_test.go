package packetnet

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/design/designtest"
	"github.com/goldwire/goldwire/workload"
)

// Every scheme goes on from a checkpoint, on a star or a Clos.
func TestCheckpointsOfAllSchemes(t *testing.T) {
	for s := DCTCP; s <= R2C2; s++ {
		t.Run(s.String(), func(t *testing.T) {
			cfg := DefaultConfig(s)
			cfg.Nodes, cfg.Seed = 8, 3
			if s == DCQCN || s == NDP {
				cfg.Topology, cfg.Ports, cfg.Spray = Clos, 4, s == NDP
			}
			flows, err := workload.GenerateFlows(workload.FlowConfig{Nodes: 8, Sizes: workload.Fixed(20_000), Flows: 60,
				Interval: 3e5, Seed: 2})
			require.NoError(t, err)
			var msgs []workload.Message
			for _, f := range flows {
				msgs = append(msgs, f.Message())
			}
			designtest.CheckModel(t, 3000, func(t *testing.T) designtest.Model {
				f, err := newFabric(cfg, msgs)
				require.NoError(t, err)
				f.build()
				return designtest.Model{Roots: []any{f}, Run: func(steps uint64) {
					for range steps {
						f.advance()
					}
				}}
			})
		})
	}
}
