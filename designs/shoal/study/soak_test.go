//go:build soak

package study_test

import (
	"testing"

	"github.com/goldwire/goldwire/design/designtest"

	"github.com/goldwire/goldwire/experiment"

	"github.com/goldwire/goldwire/designs/shoal/study"
)

func TestAllClaims(t *testing.T) {
	designtest.CheckClaims(experiment.WithMemo(t.Context()), t, 1, study.Claims())
}
