package experiments_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/designs/drmt/experiments"
)

// The units are tested in package drmt; here is what stands on them.
func TestDesign(t *testing.T) {
	d := experiments.Design()
	require.NoError(t, design.House{d}.Check())
	require.NotEmpty(t, d.Units)
}
