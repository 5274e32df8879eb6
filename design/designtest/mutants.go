package designtest

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/formal"
	"github.com/goldwire/goldwire/internal/mutation"
	"github.com/goldwire/goldwire/vectors"
)

// checkMutants plants the mutants of the unit's campaign again: the rows of the golden file show all mutants except
// the ones proved equal or open.
func checkMutants(t *testing.T, u vectors.Unit) {
	t.Parallel()
	c, err := vectors.ReadCampaign(filepath.Join("testdata", "golden", u.CampaignFile()), u)
	require.NoError(t, err)
	if c == nil {
		t.Skipf("mutants of %s were NOT planted: there is no %s", u.Name, u.CampaignFile())
	}
	if err := formal.Available(formal.PDR); err != nil {
		t.Skipf("mutants of %s were NOT planted: %v", u.Name, err)
	}
	alive, err := mutation.Survivors(t.Context(), u, c, 0)
	require.NoError(t, err)
	require.Len(t, alive, c.Mutants.Equal+len(c.Mutants.Open), "mutants that no row shows")
	for _, x := range c.Mutants.Open {
		require.Contains(t, alive, x.Mutant)
	}
}
