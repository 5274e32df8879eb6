package docs_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/catalogue"
)

// The table of properties has each, with its text.
func TestThePropertiesTable(t *testing.T) {
	page, err := os.ReadFile("properties.md")
	require.NoError(t, err)
	listed := 0
	for _, d := range catalogue.Designs() {
		for _, p := range d.Properties {
			require.Contains(t, string(page), "| `"+p.Name+"` | ")
			listed++
		}
	}
	require.Equal(t, 13, listed)
}
