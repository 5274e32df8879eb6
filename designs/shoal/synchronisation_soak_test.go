//go:build soak

package shoal

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/design/designtest"

	"github.com/goldwire/goldwire/rtl"
)

// A rack goes on from a checkpoint in any part of the synchronisation, and after it.
func TestCheckpointOfASynchronisedPrototype(t *testing.T) {
	designtest.CheckNetwork(t, 12000, func(t *testing.T, sim rtl.Config) designtest.Network {
		s, err := Cyclic(5, 1)
		require.NoError(t, err)
		p, err := NewPrototype(PrototypeConfig{Schedule: s, PPM: []float64{0, 100}, Sync: &Sync{Guard: 1, Lead: 1}, Sim: sim})
		require.NoError(t, err)
		return designtest.Network{Sim: p.Sim, Clock: p.Clock, Roots: []any{p}}
	})
}
