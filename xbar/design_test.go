package xbar_test

import (
	"testing"

	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/design/designtest"
	"github.com/goldwire/goldwire/xbar"
)

func TestUnits(t *testing.T) {
	designtest.Check(t, design.Design{Name: "xbar", Title: "Crossbars and their segment indices", Units: xbar.Units(),
		Properties: xbar.Properties()})
}
