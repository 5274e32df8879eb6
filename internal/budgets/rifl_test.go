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
	v, err := buildRIFL(t.Context(), cfg, "-O1") // is built sooner than it runs at -O3
	require.NoError(t, err)
	defer v.remove()
	require.NoError(t, sameRecovery(t.Context(), v, cfg))
}
