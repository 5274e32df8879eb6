package study

import (
	"testing"

	"github.com/goldwire/goldwire/design/designtest"
	"github.com/goldwire/goldwire/experiment"
)

func TestClaims(t *testing.T) {
	designtest.CheckClaims(experiment.WithMemo(t.Context()), t, 1, allClaims())
}
