package edm

import (
	"github.com/goldwire/goldwire/bench"
	"github.com/goldwire/goldwire/design"
)

// Design is what this package offers to the command.
func Design() design.Design {
	return design.Design{
		Name: "edm", Title: "A memory fabric inside the Ethernet PHY", Paper: "Su and Shrivastav, ASPLOS 2025",
		Units: Units(), Claims: Claims(), Experiments: Experiments(), Bench: []bench.Measure{{Name: "edm", Run: speed}},
	}
}
