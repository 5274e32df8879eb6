package study_test

import (
	"testing"

	"github.com/goldwire/goldwire/design/designtest"

	"github.com/goldwire/goldwire/designs/edm/study"
)

// The claims that take little time; `make verify` measures them all.
func TestClaims(t *testing.T) {
	designtest.CheckClaims(t.Context(), t, 3, study.Claims(),
		"edm/table1/edm", "edm/3.1.2/list", "edm/3.1.2/iteration", "edm/3.2.1", "edm/3.2.2", "edm/3.1.4/write-latency")
}
