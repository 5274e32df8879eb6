package pcs_test

import (
	"testing"

	"github.com/goldwire/goldwire/design/designtest"
	"github.com/goldwire/goldwire/pcs"
)

func TestDesign(t *testing.T) { designtest.Check(t, pcs.Design()) }
