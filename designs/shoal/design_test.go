package shoal_test

import (
	"testing"

	"github.com/goldwire/goldwire/design/designtest"
	"github.com/goldwire/goldwire/designs/shoal"
)

func TestDesign(t *testing.T) { designtest.Check(t, shoal.Design()) }
