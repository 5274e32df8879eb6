package spfc_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/designs/spfc"
	"github.com/goldwire/goldwire/experiment"
)

// The claims that take little time; `goldwire verify` has them all, as has the soak test.
func TestQuickClaims(t *testing.T) {
	var quick []claims.Claim
	for _, c := range spfc.Claims() {
		for _, prefix := range []string{"spfc/eq1/", "spfc/eq4/", "spfc/fig2/", "spfc/fig9/n3", "spfc/7d/", "spfc/3/"} {
			if strings.HasPrefix(c.ID, prefix) {
				quick = append(quick, c)
			}
		}
	}
	require.Greater(t, len(quick), 10)
	verify(t, quick)
}

func verify(t *testing.T, list []claims.Claim) {
	t.Helper()
	set, err := claims.NewSet(list)
	require.NoError(t, err)
	report, err := claims.Verify(experiment.WithMemo(t.Context()), set, claims.Options{Seed: 1})
	require.NoError(t, err)
	var text bytes.Buffer
	require.NoError(t, report.WriteText(&text, claims.Layout{Width: 160, Verbose: true}))
	require.True(t, report.OK(), text.String())
}
