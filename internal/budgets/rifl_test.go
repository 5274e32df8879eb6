package budgets

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/rifl"
	"github.com/goldwire/goldwire/hdl"
)

// The RTL link of the budget carries traffic both ways without error and recovers from flipped bits as the model does.
func TestVerilatedRIFLLinkIsTheModels(t *testing.T) {
	if err := hdl.Verilator.Available(); err != nil {
		t.Skipf("the RIFL link in RTL was NOT compared: %v", err)
	}
	cfg := rifl.Default()
	v, err := buildRIFL(t.Context(), cfg)
	require.NoError(t, err)
	defer v.remove()
	delivered, _, err := runRIFL(t.Context(), v, 3000, 0)
	require.NoError(t, err)
	require.Equal(t, [2]uint64{3000, 3000}, delivered)
	require.NoError(t, sameRecovery(t.Context(), v, cfg))
}
