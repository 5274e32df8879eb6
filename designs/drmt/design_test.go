package drmt_test

import (
	"testing"

	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/design/designtest"
	"github.com/goldwire/goldwire/designs/drmt"
)

func TestUnits(t *testing.T) {
	designtest.Check(t, design.Design{Name: "drmt", Title: "the machine's modules", Units: drmt.Units()})
}
