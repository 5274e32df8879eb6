package ethernet

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/claims"
)

func TestClaims(t *testing.T) {
	set, err := claims.NewSet(Claims())
	require.NoError(t, err)
	report, err := claims.Verify(t.Context(), set, claims.Options{Seed: 1})
	require.NoError(t, err)
	var text bytes.Buffer
	require.NoError(t, report.WriteText(&text, claims.Layout{Width: 140, Verbose: true}))
	require.True(t, report.OK(), text.String())
	t.Log("\n" + text.String())
}
