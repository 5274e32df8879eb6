//go:build soak

package spfc_test

import (
	"testing"

	"github.com/goldwire/goldwire/designs/spfc"
)

func TestAllClaims(t *testing.T) { verify(t, spfc.Claims()) }
