package rifl

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/experiment"
)

func TestClaims(t *testing.T) {
	set, err := claims.NewSet(allClaims())
	require.NoError(t, err)
	report, err := claims.Verify(experiment.WithMemo(t.Context()), set, claims.Options{Seed: 1})
	require.NoError(t, err)
	var text bytes.Buffer
	require.NoError(t, report.WriteText(&text, claims.Layout{Width: 160, Verbose: true}))
	require.True(t, report.OK(), text.String())
	t.Log("\n" + text.String())
}
