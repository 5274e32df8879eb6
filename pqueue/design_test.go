package pqueue_test

import (
	"testing"

	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/design/designtest"
	"github.com/goldwire/goldwire/pqueue"
)

func TestUnits(t *testing.T) {
	designtest.Check(t, design.Design{Name: "pqueue", Title: "Ordered lists and matchings", Units: pqueue.Units(),
		Properties: pqueue.Properties()})
}
