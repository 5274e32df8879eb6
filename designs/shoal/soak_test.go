//go:build soak

package shoal_test

import (
	"testing"

	"github.com/goldwire/goldwire/design/designtest"
	"github.com/goldwire/goldwire/designs/shoal"
	"github.com/goldwire/goldwire/experiment"
)

func TestAllClaims(t *testing.T) {
	designtest.CheckClaims(experiment.WithMemo(t.Context()), t, 1, shoal.Claims())
}
