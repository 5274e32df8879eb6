package study

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/experiment"

	"github.com/goldwire/goldwire/designs/shoal"
)

// The experiments whose flows have sizes of their own let a pair's flows take turns.
func TestFlowsOfAPairTakeTurns(t *testing.T) {
	for _, e := range []experiment.Experiment{Load, peers, Applications, Trace, Detour} {
		p := e.Params()
		k := slices.IndexFunc(p.Fields, func(f *experiment.Field) bool { return f.Flag == "pair" })
		require.GreaterOrEqual(t, k, 0, e.Info().Name)
		require.Equal(t, "turns", p.Fields[k].String(), e.Info().Name)
	}
	require.Equal(t, shoal.PairTurns, (&shoal.FabricParams{Pair: shoal.PairTurns}).Options().Pair)
	require.Equal(t, shoal.PairShortest, (&shoal.FabricParams{Pair: shoal.PairShortest}).Options().Pair)
}
