package units_test

import (
	"testing"

	"github.com/goldwire/goldwire/blocks/units"
	"github.com/goldwire/goldwire/design/designtest"
)

func TestDesign(t *testing.T) { designtest.Check(t, units.Design()) }
