package shoal_test

import (
	"testing"

	"github.com/goldwire/goldwire/design/designtest"
	"github.com/goldwire/goldwire/designs/shoal/study"
)

func TestDesign(t *testing.T) { designtest.Check(t, study.Design()) }
