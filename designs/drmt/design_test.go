package drmt_test

import (
	"testing"

	"github.com/goldwire/goldwire/design/designtest"
	"github.com/goldwire/goldwire/designs/drmt"
)

func TestDesign(t *testing.T) { designtest.Check(t, drmt.Design()) }
