package designtest

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/claims"
)

// CheckClaims measures claims and wants the verdicts on record. Patterns select some of them by the elements of their
// ids, as goldwire verify's patterns do; without any all are measured. A context of [experiment.WithMemo] lets claims
// share their measurements.
func CheckClaims(ctx context.Context, t *testing.T, seed uint64, list []claims.Claim, patterns ...string) {
	t.Helper()
	set, err := claims.NewSet(list)
	require.NoError(t, err)
	set, err = set.Filter(patterns...)
	require.NoError(t, err)
	require.NotZero(t, set.Len(), "there is nothing to measure")
	report, err := claims.Verify(ctx, set, claims.Options{Seed: seed})
	require.NoError(t, err)
	var text bytes.Buffer
	require.NoError(t, report.WriteText(&text, claims.Layout{Width: 160, Verbose: true}))
	require.True(t, report.OK(), text.String())
	t.Log("\n" + text.String())
}
