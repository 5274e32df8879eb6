package catalogue_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/catalogue"
)

// The designs get along: no name is used twice, and all claims are complete.
func TestDesigns(t *testing.T) {
	designs := catalogue.Designs()
	require.NoError(t, designs.Check())
	_, err := designs.Claims(nil)
	require.NoError(t, err)
}
