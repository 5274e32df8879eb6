package edm_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/designs/edm"
)

// The cheap claims; all of them are measured by `goldwire verify`, which a test of the command runs.
func TestClaims(t *testing.T) {
	set, err := claims.NewSet(edm.Claims())
	require.NoError(t, err)
	set, err = set.Filter("edm/table1/edm", "edm/3.1.2/list", "edm/3.1.2/iteration", "edm/3.2.1", "edm/3.2.2", "edm/3.1.4/write-latency")
	require.NoError(t, err)
	report, err := claims.Verify(t.Context(), set, claims.Options{Seed: 3})
	require.NoError(t, err)
	require.True(t, report.OK())
}
