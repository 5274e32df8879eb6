package house_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/house"
)

// The designs get along: no name is used twice, and all claims are complete.
func TestDesigns(t *testing.T) {
	designs := house.Designs()
	require.NoError(t, designs.Check())
	_, err := designs.Claims(nil)
	require.NoError(t, err)
}
