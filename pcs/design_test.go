package pcs_test

import (
	"testing"

	"github.com/goldwire/goldwire/design/designtest"
	"github.com/goldwire/goldwire/pcs/study"
)

func TestDesign(t *testing.T) { designtest.Check(t, study.Design()) }
