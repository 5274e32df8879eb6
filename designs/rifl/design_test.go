package rifl

import (
	"testing"

	"github.com/goldwire/goldwire/design/designtest"
)

func TestDesign(t *testing.T) { designtest.Check(t, Design()) }
