package rifl_test

import (
	"testing"

	"github.com/goldwire/goldwire/design/designtest"
	"github.com/goldwire/goldwire/designs/rifl"
)

func TestDesign(t *testing.T) { designtest.Check(t, rifl.Design()) }
