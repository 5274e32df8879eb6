//go:build soak

package spfc_test

import (
	"testing"

	"github.com/goldwire/goldwire/design/designtest"
	"github.com/goldwire/goldwire/designs/spfc"
	"github.com/goldwire/goldwire/experiment"
)

func TestAllClaims(t *testing.T) {
	designtest.CheckClaims(experiment.WithMemo(t.Context()), t, 1, spfc.Claims())
}
