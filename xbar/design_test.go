package xbar_test

import (
	"testing"

	"github.com/goldwire/goldwire/design/designtest"
	"github.com/goldwire/goldwire/xbar"
)

func TestDesign(t *testing.T) { designtest.Check(t, xbar.Design()) }
