package rifl

import (
	"github.com/goldwire/goldwire/design"
)

// Design is what this package offers to the command.
func Design() design.Design {
	return design.Design{
		Name: "rifl", Title: "A lossless link layer with retransmission in the line", Paper: "Optica Publishing Group, 2022",
		Units: unitCatalogue(), Properties: properties(), Claims: allClaims(), Experiments: allExperiments(),
	}
}
