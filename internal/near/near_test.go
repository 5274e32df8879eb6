package near_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/near"
)

func TestNames(t *testing.T) {
	names := []string{"pcs/encoder", "pcs/decoder", "rifl/receiver", "edm/tx_mux"}
	for given, want := range map[string]string{"encodr": "pcs/encoder", "pcs/dcoder": "pcs/decoder", "mux": "edm/tx_mux", "reciever": "rifl/receiver"} {
		require.Equal(t, want, near.Names(given, names)[0], given)
	}
	require.Len(t, near.Names("", names), 3)
	require.Empty(t, near.Names("x", nil))
}

func TestQuoteIsShort(t *testing.T) {
	require.Equal(t, `"a\nb"`, near.Quote("a\nb"))
	require.Less(t, len(near.Quote(strings.Repeat("x", 10_000))), 100)
}
