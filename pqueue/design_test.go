package pqueue_test

import (
	"testing"

	"github.com/goldwire/goldwire/design/designtest"
	"github.com/goldwire/goldwire/pqueue"
)

func TestDesign(t *testing.T) { designtest.Check(t, pqueue.Design()) }
