package house_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/house"
	"github.com/goldwire/goldwire/tb"
)

// Every unit: same trace in all modes, latency as declared, no allocation, vectors that replay, golden file.
func TestUnits(t *testing.T) {
	units := house.Designs().Units()
	require.NoError(t, units.Check())
	require.Len(t, units, 27)
	for _, u := range units {
		t.Run(u.Name, func(t *testing.T) { tb.CheckUnit(t, u) })
	}
}
