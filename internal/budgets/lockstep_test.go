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
	ratios, speed, err := lockstepOf(t.Context(), u)
	require.NoError(t, err)
	require.Len(t, ratios, 3)
	require.Positive(t, ratios.Median())
	require.Positive(t, speed)
}
