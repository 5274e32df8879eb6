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
	ratio, speed, err := lockstepOf(t.Context(), u)
	require.NoError(t, err)
	require.Positive(t, ratio)
	require.Positive(t, speed)
}
