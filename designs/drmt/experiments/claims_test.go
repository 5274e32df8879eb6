package experiments_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/designs/drmt/experiments"
)

// Each claim gives the verdict on record.
func TestClaims(t *testing.T) {
	set, err := claims.NewSet(experiments.Design().Claims)
	require.NoError(t, err)
	r, err := claims.Verify(memo, set, claims.Options{Seed: 1})
	require.NoError(t, err)
	for _, x := range r.Results {
		require.Empty(t, x.Difference, x.Claim.ID)
		if x.Measured != nil {
			t.Logf("%s: %v (%s)", x.Claim.ID, *x.Measured, x.Measured.Detail)
		}
	}
	require.True(t, r.OK(), r.Summary())
}
