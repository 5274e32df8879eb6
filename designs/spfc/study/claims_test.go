package study_test

import (
	"testing"

	"github.com/goldwire/goldwire/design/designtest"

	"github.com/goldwire/goldwire/experiment"

	"github.com/goldwire/goldwire/designs/spfc/study"
)

// The claims that take little time; `make verify` has them all, as has the soak test.
func TestQuickClaims(t *testing.T) {
	designtest.CheckClaims(experiment.WithMemo(t.Context()), t, 1, study.Claims(),
		"spfc/eq1", "spfc/eq4", "spfc/fig2", "spfc/fig4/st-*", "spfc/fig9/n3-*", "spfc/7d", "spfc/3")
}
