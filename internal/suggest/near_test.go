package suggest_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/suggest"
)

func TestNames(t *testing.T) {
	names := []string{"pcs/encoder", "pcs/decoder", "rifl/receiver", "edm/tx_mux"}
	for given, want := range map[string]string{"encodr": "pcs/encoder", "pcs/dcoder": "pcs/decoder", "mux": "edm/tx_mux",
		"reciever": "rifl/receiver"} {
		require.Equal(t, want, suggest.Names(given, names)[0], given)
	}
	require.Len(t, suggest.Names("", names), 3)
	require.Empty(t, suggest.Names("x", nil))
}

func TestQuoteIsShort(t *testing.T) {
	require.Equal(t, `"a\nb"`, suggest.Quote("a\nb"))
	require.Less(t, len(suggest.Quote(strings.Repeat("x", 10_000))), 100)
}
