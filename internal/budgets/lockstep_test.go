package budgets

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim"
	"github.com/goldwire/goldwire/pcs"
)

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
	require.Len(t, ratios, 5)
	require.Positive(t, ratios.Median())
	require.Len(t, bare, 5)
	require.Positive(t, bare.Median())
	require.Positive(t, speed)
}
