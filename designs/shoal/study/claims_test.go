package study_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/design/designtest"

	"github.com/goldwire/goldwire/experiment"

	"github.com/goldwire/goldwire/designs/shoal/study"
)

// The claims that play messages of §7.3 and §7.4 on the rack and its peers, and those at the paper's own points, are
// left to the tag soak and to goldwire verify.
func TestClaims(t *testing.T) {
	quick := slices.DeleteFunc(study.Claims(), func(c claims.Claim) bool {
		return slices.ContainsFunc(
			[]string{"7.3", "7.4", "paper", "fig14", "fig15a", "fig15b", "fig18a", "fig18b"},
			func(part string) bool {
				return strings.HasPrefix(c.ID, "shoal/"+part+"/")
			},
		)
	})
	designtest.CheckClaims(experiment.WithMemo(t.Context()), t, 1, quick)
}
