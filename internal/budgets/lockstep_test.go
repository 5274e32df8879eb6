package budgets

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim"
	"github.com/goldwire/goldwire/design/bench"
	"github.com/goldwire/goldwire/pcs"
)

func TestWorstUnitOfALockstep(t *testing.T) {
	var u ofUnits
	u.add("a", bench.Samples{0.9, 0.8, 0.1})
	u.add("b", bench.Samples{0.7, 0.7, 0.7})
	u.add("c", bench.Samples{0.9, 0.9, 0.9})
	require.Equal(t, ofUnits{medians: bench.Samples{0.8, 0.7, 0.9}, worst: bench.Samples{0.7, 0.7, 0.7}, name: "b"}, u)
	v := cosim.Speed{Bare: 4, Model: 2, RTL: 3, Lockstep: 1}
	require.Equal(t, 2.0, v.Slower())
	require.Equal(t, 3.0, v.SlowerBare())
}

func TestLockstepIsMeasured(t *testing.T) {
	if err := cosim.Verilator.Available(); err != nil {
		t.Skipf("the speed of the lockstep was NOT measured: %v", err)
	}
	u, err := pcs.Units().Find("pcs/block_sync")
	require.NoError(t, err)
	s, err := startUnit(t.Context(), u)
	require.NoError(t, err)
	defer s.Close()
	ratios, bare, speed, err := lockstepOf(t.Context(), s)
	require.NoError(t, err)
	require.Len(t, ratios, bench.Rounds)
	require.Positive(t, ratios.Median())
	require.Len(t, bare, bench.Rounds)
	require.Positive(t, bare.Median())
	require.Positive(t, speed)
}
