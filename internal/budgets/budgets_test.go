package budgets

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/design/designtest"
	"github.com/goldwire/goldwire/rtl"
)

func TestFused(t *testing.T) { designtest.CheckFused(t, Fused()...) }

// The hand-fused loop and the loop of modules compute the same, in every mode.
func TestFusedLoopEqualsModules(t *testing.T) {
	for _, cfg := range []rtl.Config{{}, {Plain: true}, {Mode: rtl.Strict, Seed: 1}, {Mode: rtl.Parallel, Workers: 2}} {
		all, clk, err := loops(cfg, 3)
		require.NoError(t, err)
		require.NoError(t, clk.Run(3000))
		want := handFused(all[0].words, 3000)
		for _, l := range all {
			require.Equal(t, want, l.sink.sum, cfg.Mode)
		}
	}
	require.Len(t, traffic(), trafficWords)
}
