package edm

import (
	"github.com/goldwire/goldwire/bench"
	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/rtl"
)

// Design is what this package offers to the command.
func Design() design.Design {
	return design.Design{
		Name: "edm", Title: "A memory fabric inside the Ethernet PHY", Paper: "Su and Shrivastav, ASPLOS 2025",
		Units: Units(), Claims: Claims(), Experiments: Experiments(), Bench: []bench.Measure{{Name: "edm", Run: speed}},
		Fused: []design.Fused{{Name: "network", Package: "github.com/goldwire/goldwire/designs/edm", Build: networkToFuse, Refused: true}},
	}
}

// networkToFuse is a network whose every port is like those of larger ones.
func networkToFuse(sim rtl.Config) (*rtl.Sim, error) {
	n, err := NewNetwork(Config{Nodes: 2, Sim: sim})
	if err != nil {
		return nil, err
	}
	return n.Sim, nil
}
